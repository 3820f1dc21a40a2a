import type { Client } from "./authenticator.ts";

/** A browser that has signed in before: the user, and the id of the browser. */
export interface Device {
  readonly userId: number;
  readonly id: string;
}

/** Browsers that have signed in before. A signed cookie identifies them; it grants no access. */
export interface Devices {
  /** The browser of this client. `null` if the cookie is missing, too old or forged. */
  of(client: Pick<Client, "cookies">): Promise<Device | null>;
  /**
   * The Set-Cookie value by which the browser is recognised later. A browser that is already known for this user keeps
   * its id.
   */
  remember(userId: number, client: Pick<Client, "cookies">): Promise<string>;
}
