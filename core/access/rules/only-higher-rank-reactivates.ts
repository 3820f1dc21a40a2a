import { escalation, type Failure } from "../../failure.ts";
import { ROLES, type Role } from "../permissions.ts";
import { isSuperAdmin, type Principal } from "../principal.ts";

/** What of a key or a user says that it was ended, and by whom. */
export interface Ending {
  readonly active: boolean;
  /** The rank of who ended it; `null` for what is active, and for what was ended before it was noted by whom. */
  readonly endedBy: Role | null;
}

/**
 * The rank in which a caller ends and activates: a `none` key and the command line are super-admins, a dealer's key is
 * as its dealer's admin, a user and the key of one have the user's role.
 */
export const rankOf = (caller: Principal): Role =>
  isSuperAdmin(caller) ? "super_admin" : caller.association === "dealer" ? "dealer_admin" : (caller.role ?? "user");

const isAtLeast = (rank: Role, other: Role): boolean => ROLES.indexOf(rank) <= ROLES.indexOf(other);

/** By whom something is ended that nobody noted: to be on the safe side, by the highest. */
const rankOfEnding = ({ endedBy }: Ending): Role => endedBy ?? "super_admin";

const BY_SUPER_ADMIN = "A super-admin ended it: only a super-admin may activate it again";
const BY_DEALER_ADMIN = "A dealer's admin ended it: only a dealer's admin or a super-admin may activate it again";
const BY_NOBODY_KNOWN = "It was ended before it was noted by whom: only a super-admin may activate it again";

const sentenceOf = ({ endedBy }: Ending): string =>
  endedBy === null ? BY_NOBODY_KNOWN : endedBy === "super_admin" ? BY_SUPER_ADMIN : BY_DEALER_ADMIN;

/** What was ended is activated by the rank that ended it, or by a higher one. `null` allows. */
export const onlyHigherRankReactivates = (rank: Role, before: Ending): Failure | null =>
  before.active || isAtLeast(rank, rankOfEnding(before)) ? null : escalation(sentenceOf(before));

/**
 * Who has ended something after a change by `rank`: whoever did it; or, where it was ended already and is `endedAgain`,
 * the higher of the two. `before` is `null` for something new.
 */
export const endedByAfter = (rank: Role, before: Ending | null, active: boolean, endedAgain: boolean): Role | null => {
  if (active) return null;
  if (before === null || before.active) return rank;
  return endedAgain && isAtLeast(rank, rankOfEnding(before)) ? rank : before.endedBy;
};
