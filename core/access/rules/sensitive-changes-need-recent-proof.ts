import { Failure } from "../../failure.ts";
import type { Authority } from "../authority.ts";
import { holds, type Role } from "../permissions.ts";
import type { Operation } from "../policy.ts";
import type { Principal } from "../principal.ts";

/** What of a key or user decides whether a change of it is sensitive. */
interface Subject extends Pick<Authority, "superAdmin" | "dealerId" | "permissions"> {
  /** Of users. */
  readonly email?: string;
  readonly role?: Role;
}

/** A record before and after a change; `null` where there is none then. */
interface Change {
  readonly before: Subject | null;
  readonly after: Subject | null;
}
type Sensitive = (change: Change) => boolean;

const always: Sensitive = () => true;

const ofSuperAdmins: Sensitive = ({ before, after }) => before?.superAdmin === true || after?.superAdmin === true;

const DECISIVE = ["email", "role", "dealerId", "permissions"] as const;

/** How users sign in and what they may do: everything about them but their name. */
const ofIdentityOrRights: Sensitive = ({ before, after }) =>
  ofSuperAdmins({ before, after }) || DECISIVE.some((field) => before?.[field] !== after?.[field]);

/** Keys are never asked for a proof: one that may change users would do without it what their owner needs it for. */
const ofKeysThatChangeUsers: Sensitive = (change) =>
  ofSuperAdmins(change) || (change.after !== null && holds(change.after.permissions, "users:write"));

/**
 * What a session that was left open, or stolen, must not do on its own: change how others sign in or what they may do;
 * make, change or end a super-admin's key or account; make or change a key that may do the same to users. Everything else
 * needs no proof.
 */
const SENSITIVE: Readonly<Partial<Record<Operation, Sensitive>>> = {
  "user.invite": always,
  "user.reset-second-factor": always,
  "user.end-sessions": always,
  "user.create": ofSuperAdmins,
  "user.update": ofIdentityOrRights,
  "user.deactivate": ofSuperAdmins,
  "user.leave": ofSuperAdmins,
  "key.create": ofKeysThatChangeUsers,
  "key.update": ofKeysThatChangeUsers,
  "key.revoke": ofSuperAdmins,
  "key.rotate": ofKeysThatChangeUsers,
  "key.grant": ofKeysThatChangeUsers,
  "key.withdraw": ofSuperAdmins,
  "key.delete": ofSuperAdmins,
};

/** A signed-in user makes a sensitive change only after a recent proof of who they are; keys have none to give. `null` allows. */
export const sensitiveChangesNeedRecentProof = (
  caller: Pick<Principal, "via" | "provedRecently">,
  operation: Operation,
  { before, after }: Change,
): Failure | null =>
  caller.via !== "portal" || caller.provedRecently === true || !SENSITIVE[operation]?.({ before, after })
    ? null
    : new Failure({ kind: "proof-too-old" });
