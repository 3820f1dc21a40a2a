import { Failure } from "../../failure.ts";
import type { PermissionSet, Role } from "../permissions.ts";
import type { Operation } from "../policy.ts";
import type { Principal } from "../principal.ts";

/** What of a key or user decides whether a change of it is sensitive. */
interface Touched {
  /** A super-admin, or a key that can do what one can. */
  readonly superAdmin: boolean;
  readonly dealerId: number | null;
  readonly permissions: PermissionSet;
  /** Of users. */
  readonly email?: string;
  readonly role?: Role;
}

/** A record before and after a change; `null` where there is none then. */
interface Change {
  readonly before: Touched | null;
  readonly after: Touched | null;
}
type Sensitive = (change: Change) => boolean;

const always: Sensitive = () => true;

const ofSuperAdmins: Sensitive = ({ before, after }) => before?.superAdmin === true || after?.superAdmin === true;

const DECISIVE = ["email", "role", "dealerId", "permissions"] as const;

/** Who somebody is at sign-in, and what they may do: all but their name. */
const ofIdentityOrRights: Sensitive = ({ before, after }) =>
  ofSuperAdmins({ before, after }) || DECISIVE.some((field) => before?.[field] !== after?.[field]);

/**
 * What a session that was left open, or stolen, must not do on its own: how others sign in and what they may do, and all
 * that makes, changes or ends a super-admin's key or account. What is not here, a signed-in user just does.
 */
const SENSITIVE: Readonly<Partial<Record<Operation, Sensitive>>> = {
  "user.invite": always,
  "user.reset-second-factor": always,
  "user.end-sessions": always,
  "user.create": ofSuperAdmins,
  "user.update": ofIdentityOrRights,
  "user.deactivate": ofSuperAdmins,
  "user.leave": ofSuperAdmins,
  "key.create": ofSuperAdmins,
  "key.update": ofSuperAdmins,
  "key.revoke": ofSuperAdmins,
  "key.rotate": ofSuperAdmins,
  "key.grant": ofSuperAdmins,
  "key.withdraw": ofSuperAdmins,
  "key.delete": ofSuperAdmins,
};

/** Who is signed in makes a sensitive change only after a recent proof of who they are; keys have none to give. `null` allows. */
export const refuseUnproved = (
  principal: Principal,
  operation: Operation,
  before: Touched | null,
  after: Touched | null,
): Failure | null =>
  principal.via !== "portal" || principal.provedRecently === true || !SENSITIVE[operation]?.({ before, after })
    ? null
    : new Failure({ kind: "proof-too-old" });
