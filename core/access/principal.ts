import type { AppType, PermissionSet, Role } from "./permissions.ts";
import { EVERY_PERMISSION } from "./permissions.ts";

/** What a key is tied to; stored on the key, never inferred (interface 1.2). */
export const ASSOCIATIONS = ["dealer", "user", "none"] as const;
export type Association = (typeof ASSOCIATIONS)[number];

/** How a change reaches the service; `service` is the program itself, when it starts. */
export const VIA = ["api", "portal", "command", "service"] as const;
export type Via = (typeof VIA)[number];

/** Everything that decides what a caller may do. */
export interface Powers {
  readonly association: Association;
  readonly permissions: PermissionSet;
  /** The dealer that the caller is bound to; `null` only for unbound callers. */
  readonly dealerId: number | null;
  readonly userId: number | null;
  readonly role: Role | null;
  /** Requests a minute. */
  readonly rateLimit: number;
}

/** The credential a caller presented. It is used to look the caller up again. */
export type PresentedCredential = { readonly secretHash: string } | { readonly sessionId: number };

/** The credential a caller presented, and the powers it gave when it was looked up. */
export interface Authorization extends Powers {
  readonly presented: PresentedCredential;
}

/** Who makes a change, by which way and from where; recorded in the audit log. */
export interface Actor {
  /** The acting key; `null` for a signed-in user, the command line and the service. */
  readonly keyId: number | null;
  /** The user who signed in, or whose key acts. */
  readonly userId: number | null;
  /** The name of the key or the signed-in user at that time. */
  readonly name: string;
  readonly via: Via;
  /** The client's address; `null` if nothing came over the network. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** The dealer that the caller is bound to; absent if nobody was authenticated. */
  readonly dealerId?: number | null;
  /** The import that a change is made for. */
  readonly importId?: number;
  /** Checked again when access changes; `null` for the command line and the service, which need no check. */
  readonly authorization: Authorization | null;
}

/** An authenticated caller: a key, or a user who signed in. */
export interface Principal extends Actor, Powers {
  readonly appType: AppType;
  readonly dealerId: number | null;
  /** In the portal: true if the user has proved who they are a short time ago. */
  readonly provedRecently?: boolean;
  /** The hash of a key's old secret in its grace period, if the caller sent that. */
  readonly oldSecret?: string;
}

/** A `none` key, a super-admin user or a key of one: bound to no dealer, and sees all keys and users. */
export const isSuperAdmin = (caller: Pick<Powers, "association" | "role">): boolean =>
  caller.association === "none" || caller.role === "super_admin";

/** The command line as a caller: whoever can run it already controls the database. */
export const OPERATOR: Principal = {
  keyId: null,
  name: "Command line",
  via: "command",
  address: null,
  requestId: null,
  authorization: null,
  appType: "desktop",
  association: "none",
  permissions: EVERY_PERMISSION,
  dealerId: null,
  userId: null,
  role: null,
  rateLimit: Number.MAX_SAFE_INTEGER,
};

/** The service itself, which creates the first key and user. */
export const SERVICE: Actor = {
  keyId: null,
  userId: null,
  name: "Vehicle Inventory Service",
  via: "service",
  address: null,
  requestId: null,
  authorization: null,
};
