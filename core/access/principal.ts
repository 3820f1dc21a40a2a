import type { AppType, PermissionSet, Role } from "./permissions.ts";
import { EVERY_PERMISSION } from "./permissions.ts";

/** What a key is tied to; stored on the key, never inferred (interface 1.2). */
export const ASSOCIATIONS = ["dealer", "user", "none"] as const;
export type Association = (typeof ASSOCIATIONS)[number];

/** The ways in which somebody changes something; `service` is the program itself, at its start. */
export const CHANNELS = ["api", "portal", "command", "service"] as const;
export type Channel = (typeof CHANNELS)[number];

/** What decides what a caller may do. */
export interface Powers {
  readonly association: Association;
  readonly permissions: PermissionSet;
  /** The dealer it is bound to; `null` only for unbound callers. */
  readonly dealerId: number | null;
  readonly userId: number | null;
  readonly role: Role | null;
  /** Requests a minute. */
  readonly rateLimit: number;
}

/** What a caller showed of itself, by which it can be looked up once more. */
export type Shown = { readonly secretHash: string } | { readonly sessionId: number };

/** What a caller acts on: what it showed, and what that allowed when it was looked up. */
export interface Warrant extends Powers {
  readonly shown: Shown;
}

/** Who acts, by what way and from where: what the audit log says of a change. */
export interface Actor {
  /** The acting key; `null` for a signed-in user, the command line and the service itself. */
  readonly keyId: number | null;
  /** The user who signed in, or whose key acts. */
  readonly userId: number | null;
  /** What the key, or the user who signed in, is called at that time. */
  readonly name: string;
  readonly via: Channel;
  /** The client's address; `null` where nothing was asked for over the network. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** The dealer that the caller is bound to; absent where nobody was authenticated. */
  readonly dealerId?: number | null;
  /** Looked at again when access is changed; `null` for the command line and the service itself, which need none. */
  readonly warrant: Warrant | null;
}

/** An authenticated caller: a key, or a user who signed in. */
export interface Principal extends Actor, Powers {
  readonly appType: AppType;
  readonly dealerId: number | null;
  /** In the portal: true for who has proved a short while ago that they are the user. */
  readonly provedRecently?: boolean;
}

/** A `none` key, a super-admin user or the key of one: not bound to a dealer, sees all keys and users. */
export const isSuperAdmin = (caller: Pick<Powers, "association" | "role">): boolean =>
  caller.association === "none" || caller.role === "super_admin";

/** Who the command line acts as: whoever can run it already holds the database. */
export const OPERATOR: Principal = {
  keyId: null,
  name: "Command line",
  via: "command",
  address: null,
  requestId: null,
  warrant: null,
  appType: "desktop",
  association: "none",
  permissions: EVERY_PERMISSION,
  dealerId: null,
  userId: null,
  role: null,
  rateLimit: Number.MAX_SAFE_INTEGER,
};

/** The service itself, which makes the first key and user. */
export const SERVICE: Actor = {
  keyId: null,
  userId: null,
  name: "Vehicle Inventory Service",
  via: "service",
  address: null,
  requestId: null,
  warrant: null,
};
