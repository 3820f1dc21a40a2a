import type { Client } from "./authenticator.ts";

/** A browser that signed in before: its user and its own id. */
export interface Device {
  readonly userId: number;
  readonly id: string;
}

/** Browsers that signed in before, recognised by a signed cookie that grants no access. */
export interface Devices {
  /** The browser of this client; `null` when the cookie is missing, too old or forged. */
  of(client: Pick<Client, "cookies">): Promise<Device | null>;
  /** The Set-Cookie that makes the browser known; a browser already known for this user keeps its id. */
  remember(userId: number, client: Pick<Client, "cookies">): Promise<string>;
}
