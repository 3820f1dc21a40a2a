import type { Client } from "./authenticator.ts";

/** A browser that signed in before: as whom, and by which of its own numbers. */
export interface Device {
  readonly userId: number;
  readonly id: string;
}

/** Browsers that signed in before, known by a signed cookie that opens nothing. */
export interface Devices {
  /** The browser of this client; `null` for one that is not known, or whose cookie is too old or not genuine. */
  of(client: Pick<Client, "cookies">): Promise<Device | null>;
  /** A Set-Cookie by which the browser is known from now on; one that is known as this user's keeps its number. */
  remember(userId: number, client: Pick<Client, "cookies">): Promise<string>;
}
