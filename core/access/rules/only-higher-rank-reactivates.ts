import { escalation, type Failure } from "../../failure.ts";
import { ROLES, type Role } from "../permissions.ts";
import { isSuperAdmin, type Powers } from "../principal.ts";

/** Whether a key or user is active and, if not, who ended it. */
export interface Ending {
  readonly active: boolean;
  /** The rank of whoever ended it; `null` if it is active, or ended before ranks were recorded. */
  readonly endedBy: Role | null;
}

/** The fields of a key that decide whether a change makes it work again. */
interface EndableKey extends Ending {
  readonly userId: number | null;
  readonly holder: Ending | null;
}

/**
 * The rank with which a caller ends and activates. `none` keys and the command line rank as super-admins, a dealer's
 * key as its dealer's admin, a user and their keys by the user's role.
 */
export const rankOf = (caller: Powers): Role =>
  isSuperAdmin(caller) ? "super_admin" : caller.association === "dealer" ? "dealer_admin" : (caller.role ?? "user");

const isAtLeast = (rank: Role, other: Role): boolean => ROLES.indexOf(rank) <= ROLES.indexOf(other);

/** Whatever was ended before ranks were recorded counts as ended by the highest rank. */
const rankOfEnding = ({ endedBy }: Ending): Role => endedBy ?? "super_admin";

const BY_SUPER_ADMIN = "A super-admin deactivated it: only a super-admin may activate it again";
const BY_DEALER_ADMIN = "A dealer's admin deactivated it: only a dealer's admin or a super-admin may activate it again";
const BY_UNKNOWN = "It was deactivated before the service recorded by whom: only a super-admin may activate it again";

const sentenceOf = ({ endedBy }: Ending): string =>
  endedBy === null ? BY_UNKNOWN : endedBy === "super_admin" ? BY_SUPER_ADMIN : BY_DEALER_ADMIN;

/** Only the rank that ended a key or user, or a higher one, activates it again. `null` allows. */
export const onlyHigherRankReactivates = (rank: Role, before: Ending): Failure | null =>
  before.active || isAtLeast(rank, rankOfEnding(before)) ? null : escalation(sentenceOf(before));

/** The same for keys, which also work again when they move from a deactivated user to another. `null` allows. */
export const onlyHigherRankReactivatesKey = (
  rank: Role,
  before: EndableKey,
  after: Pick<EndableKey, "active" | "userId">,
): Failure | null =>
  (after.active ? onlyHigherRankReactivates(rank, before) : null) ??
  (after.userId !== before.userId && before.holder !== null ? onlyHigherRankReactivates(rank, before.holder) : null);

/**
 * The rank to record as having ended something, after a change by `rank`. A record that was ended already, and is
 * `endedAgain`, keeps the higher of the two ranks. `before` is `null` for a new record.
 */
export const endedByAfter = (
  rank: Role,
  before: Ending | null,
  { active, endedAgain }: { readonly active: boolean; readonly endedAgain: boolean },
): Role | null => {
  if (active) return null;
  if (before === null || before.active) return rank;
  return endedAgain && isAtLeast(rank, rankOfEnding(before)) ? rank : before.endedBy;
};
