import { Failure } from "../../failure.ts";
import { holds, type Role } from "../../permissions.ts";
import type { Authority } from "../authority.ts";
import type { Operation } from "../policy.ts";
import type { Principal } from "../principal.ts";

/** The fields of a key or user that decide whether a change is sensitive. */
interface Subject extends Pick<Authority, "superAdmin" | "dealerId" | "permissions"> {
  /** For users only. */
  readonly email?: string;
  readonly role?: Role;
}

/** A record before and after a change. `null` if it does not exist then. */
interface Change {
  readonly before: Subject | null;
  readonly after: Subject | null;
}
type Sensitive = (change: Change) => boolean;

const always: Sensitive = () => true;

const ofSuperAdmins: Sensitive = ({ before, after }) => before?.superAdmin === true || after?.superAdmin === true;

const DECISIVE = ["email", "role", "dealerId", "permissions"] as const;

/** True for a change of how users sign in or what they may do: any field except the name. */
const ofIdentityOrRights: Sensitive = ({ before, after }) =>
  ofSuperAdmins({ before, after }) || DECISIVE.some((field) => before?.[field] !== after?.[field]);

/** Keys are never asked for proof. So creating a key that may change users needs proof. */
const ofKeysThatChangeUsers: Sensitive = (change) =>
  ofSuperAdmins(change) || (change.after !== null && holds(change.after.permissions, "users:write"));

/**
 * The changes that must not be possible with a stolen or unattended session: changes of how others sign in or of what
 * they may do, of a super-admin's key or account, and of keys that may change users. All other changes need no proof.
 */
const SENSITIVE: Readonly<Partial<Record<Operation, Sensitive>>> = {
  "user.invite": always,
  "user.reset-second-factor": always,
  "user.end-sessions": always,
  "user.create": ofSuperAdmins,
  "user.update": ofIdentityOrRights,
  "user.deactivate": ofSuperAdmins,
  "user.leave": ofSuperAdmins,
  "user.return": ofSuperAdmins,
  "key.create": ofKeysThatChangeUsers,
  "key.update": ofKeysThatChangeUsers,
  "key.revoke": ofSuperAdmins,
  "key.rotate": ofKeysThatChangeUsers,
  "key.end-grace": ofKeysThatChangeUsers,
  "key.grant": ofKeysThatChangeUsers,
  "key.withdraw": ofSuperAdmins,
  "key.delete": ofSuperAdmins,
};

/** True if some changes by this operation are sensitive. */
export const mayBeSensitive = (operation: Operation): boolean => operation in SENSITIVE;

/**
 * Signed-in users can make sensitive changes only if they have recently proved their identity. Keys cannot give proof,
 * so they need none. `null` allows.
 */
export const sensitiveChangesNeedRecentProof = (
  caller: Pick<Principal, "via" | "provedRecently">,
  operation: Operation,
  { before, after }: Change,
): Failure | null =>
  caller.via !== "portal" || caller.provedRecently === true || !SENSITIVE[operation]?.({ before, after })
    ? null
    : new Failure({ kind: "proof-too-old" });
