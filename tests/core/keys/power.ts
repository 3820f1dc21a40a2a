import type { Principal } from "../../../core/access/principal.ts";
import { type PermissionSet, permissionSet } from "../../../core/permissions.ts";

/** How many keys, users or audit entries a caller sees: its own, a dealer's, or everybody's. */
type Width = 0 | 1 | 2;

/** Everything a caller can do, derived from interface 5 alone. Two powers can be compared part by part. */
export interface Power {
  readonly permissions: PermissionSet;
  /** The only dealer whose data it reaches; `null` for all dealers. */
  readonly dealer: number | null;
  readonly superAdmin: boolean;
  readonly rateLimit: number;
  readonly keysSeen: Width;
  readonly usersSeen: Width;
  readonly auditSeen: Width;
  /**
   * With which rank it ends and activates users and keys: a regular user's, an admin's or dealer's key's, a
   * super-admin's.
   */
  readonly rank: Width;
}

const KEYS = permissionSet(["keys:read", "keys:write", "keys:delete"]);
const USERS = permissionSet(["users:read", "users:write", "users:delete"]);
const ACTIVATION = permissionSet(["keys:write", "users:write"]);
const AUDIT = permissionSet(["audit:read", "audit:write", "audit:delete"]);

export const powerOf = (principal: Principal): Power => {
  const superAdmin = principal.association === "none" || principal.role === "super_admin";
  const dealer = superAdmin ? null : principal.dealerId;
  const width = superAdmin ? 2 : dealer !== null ? 1 : 0;
  return {
    permissions: principal.permissions,
    dealer,
    superAdmin,
    rateLimit: principal.rateLimit,
    keysSeen: principal.role === "user" ? 0 : width,
    usersSeen: width,
    auditSeen: width,
    rank: superAdmin ? 2 : principal.role === "user" ? 0 : 1,
  };
};

type Part =
  | "permissions"
  | "dealer"
  | "super-admin"
  | "rate limit"
  | "keys seen"
  | "users seen"
  | "audit seen"
  | "rank";

const EXCESSES: Readonly<Record<Part, (wanted: Power, held: Power) => boolean>> = {
  permissions: (wanted, held) => (wanted.permissions & ~held.permissions) !== 0,
  dealer: (wanted, held) => held.dealer !== null && wanted.dealer !== held.dealer,
  "super-admin": (wanted, held) => wanted.superAdmin && !held.superAdmin,
  "rate limit": (wanted, held) => !held.superAdmin && wanted.rateLimit > held.rateLimit,
  "keys seen": (wanted, held) => (wanted.permissions & KEYS) !== 0 && wanted.keysSeen > held.keysSeen,
  "users seen": (wanted, held) => (wanted.permissions & USERS) !== 0 && wanted.usersSeen > held.usersSeen,
  "audit seen": (wanted, held) => (wanted.permissions & AUDIT) !== 0 && wanted.auditSeen > held.auditSeen,
  rank: (wanted, held) => (wanted.permissions & ACTIVATION) !== 0 && wanted.rank > held.rank,
};

/** The parts in which one power exceeds another. */
export const excess = (wanted: Power, held: Power): Part[] =>
  Object.entries(EXCESSES)
    .filter(([, exceeds]) => exceeds(wanted, held))
    .map(([part]) => part as Part);
