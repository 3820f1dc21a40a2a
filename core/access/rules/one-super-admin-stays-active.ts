import { Failure } from "../../failure.ts";
import type { Role } from "../../permissions.ts";

interface Account {
  readonly role: Role;
  readonly active: boolean;
}

const isActiveSuperAdmin = ({ role, active }: Account): boolean => active && role === "super_admin";

/**
 * Nobody deactivates the last active super-admin or changes their role. `left` is the number of active super-admins
 * after the change, whether or not they have a password. `null` allows.
 */
export const oneSuperAdminStaysActive = (before: Account, after: Account, left: number): Failure | null =>
  isActiveSuperAdmin(before) && !isActiveSuperAdmin(after) && left === 0
    ? new Failure({ kind: "last-super-admin" })
    : null;
