import type { Actor } from "../../core/access/principal.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import type { Timestamp } from "../../core/clock.ts";
import type { Failure } from "../../core/failure.ts";
import type { KeyRecord } from "../../core/keys/key.ts";
import type { KeyDecision, KeyRepository, UNKNOWN_HOLDER } from "../../core/keys/key-repository.ts";
import { MOMENT, OPERATOR } from "./records.ts";

/** Changes a stored key as is said, whatever it is now; by the operator, who sees everything, unless said otherwise. */
export const changeStoredKey = async (
  keys: Pick<KeyRepository, "change">,
  { id }: Pick<KeyRecord, "id">,
  {
    visibility = "everything",
    now = MOMENT,
    by = OPERATOR,
    ...decision
  }: KeyDecision & { readonly visibility?: Visibility; readonly now?: Timestamp; readonly by?: Actor },
): Promise<KeyRecord | Failure | null | typeof UNKNOWN_HOLDER> => {
  const changed = await keys.change({ id, visibility, now, by }, () => decision);
  return changed !== null && typeof changed === "object" && "record" in changed ? changed.record : changed;
};
