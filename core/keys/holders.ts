import type { Visibility } from "../access/visibility.ts";
import type { Holder } from "./key.ts";

/** The users that keys belong to. */
export interface Holders {
  /** A user that may be seen; `null` if there is none. */
  find(id: number, visibility: Visibility): Promise<Holder | null>;
}
