import type { NamedChange } from "../changes/named-change.ts";
import type { Timestamp } from "../clock.ts";
import type { AppType, PermissionSet, Role } from "../permissions.ts";
import { EVERY_PERMISSION } from "../permissions.ts";

/** What a key is tied to. It is stored with the key and never inferred (interface 1.2). */
export const ASSOCIATIONS = ["dealer", "user", "none"] as const;
export type Association = (typeof ASSOCIATIONS)[number];

/** The ways in which a change reaches the service. `service` stands for the program itself when it starts. */
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
  /** The limit in requests a minute. */
  readonly rateLimit: number;
}

/** The credential that a caller presented. The caller can be looked up again with it. */
export type PresentedCredential = { readonly secretHash: string } | { readonly sessionId: number };

/** The credential that a caller presented, and the powers it gave when the caller was looked up. */
export interface Authorization extends Powers {
  readonly presented: PresentedCredential;
}

/** Who makes a change, in which way and from where. The audit log records it. */
export interface Actor {
  /** The key that acts. `null` for a signed-in user, the command line and the service. */
  readonly keyId: number | null;
  /** The user who signed in, or to whom the acting key belongs. */
  readonly userId: number | null;
  /** The name of the key or signed-in user at that time. */
  readonly name: string;
  readonly via: Via;
  /** The client's address. `null` if the change did not come over the network. */
  readonly address: string | null;
  readonly requestId: string | null;
  /** The dealer that the caller is bound to. Absent if nobody was authenticated. */
  readonly dealerId?: number | null;
  /** The import that makes the change. */
  readonly importId?: number;
  /** The change that this one is a part of, so that it can be reverted as a whole. */
  readonly change?: NamedChange;
  /**
   * It is checked again when rights of access change. `null` for the command line and the service, which need no check.
   */
  readonly authorization: Authorization | null;
}

/** An authenticated caller: a key, or a user who signed in. */
export interface Principal extends Actor, Powers {
  readonly appType: AppType;
  readonly dealerId: number | null;
  /** The limit in requests a minute that all keys of the dealer share. Absent for the service's. */
  readonly dealerRateLimit?: number;
  /** True if the user has proved their identity recently. Only set in the portal. */
  readonly provedRecently?: boolean;
  /** True for a key that pages show to everybody. Its limit holds for each client address. */
  readonly isPublic?: boolean;
  /** The origins whose pages may use the key. Absent for any. */
  readonly allowedOrigins?: readonly string[];
  /** The networks from which the key may be used. Absent for any. */
  readonly allowedNetworks?: readonly string[];
  /** When the key expires. Absent if it never does. */
  readonly expiresAt?: Timestamp;
  /** The hash of the key's old secret, if the caller sent that during its grace period. */
  readonly oldSecret?: string;
}

/**
 * True for a `none` key, a super-admin user and a super-admin's key. They are bound to no dealer, and see all keys and
 * users.
 */
export const isSuperAdmin = (caller: Pick<Powers, "association" | "role">): boolean =>
  caller.association === "none" || caller.role === "super_admin";

/** The command line as a caller. Whoever can run it already has full access to the database. */
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

/** The service itself, as the creator of the first key and the first user. */
export const SERVICE: Actor = {
  keyId: null,
  userId: null,
  name: "Vehicle Inventory Service",
  via: "service",
  address: null,
  requestId: null,
  authorization: null,
};
