import { escalation, type Failure, type Outcome } from "../../failure.ts";
import { ROLES, type Role } from "../../permissions.ts";
import { isSuperAdmin, type Powers } from "../principal.ts";

/** Whether a record is active and, if it is not, who ended it. Ending a feed or source means switching it off. */
export interface Ending {
  readonly active: boolean;
  /** The rank of the caller who ended it. `null` if it is active, or if it ended before ranks were recorded. */
  readonly endedBy: Role | null;
}

/** The fields of a key that decide whether a change makes it work again. */
interface EndableKey extends Ending {
  readonly userId: number | null;
  readonly holder: Ending | null;
}

/** The rank with which the service itself ends something. Everybody who may change the record can activate it again. */
export const RANK_OF_SERVICE: Role = "user";

/**
 * The rank of a caller who ends or activates something. `none` keys and the command line rank as super-admins, a
 * dealer's key as an admin of that dealer, and a user and the user's keys by the user's role.
 */
export const rankOf = (caller: Powers): Role =>
  isSuperAdmin(caller) ? "super_admin" : caller.association === "dealer" ? "dealer_admin" : (caller.role ?? "user");

const isAtLeast = (rank: Role, other: Role): boolean => ROLES.indexOf(rank) <= ROLES.indexOf(other);

/** Records that ended before ranks were recorded count as ended by the highest rank. */
const rankOfEnding = ({ endedBy }: Ending): Role => endedBy ?? "super_admin";

const BY_SUPER_ADMIN = "A super-admin deactivated it: only a super-admin may activate it again";
const BY_DEALER_ADMIN = "A dealer's admin deactivated it: only a dealer's admin or a super-admin may activate it again";
const BY_UNKNOWN = "It was deactivated before the service recorded by whom: only a super-admin may activate it again";

const sentenceOf = ({ endedBy }: Ending): string =>
  endedBy === null ? BY_UNKNOWN : endedBy === "super_admin" ? BY_SUPER_ADMIN : BY_DEALER_ADMIN;

/** A record can be activated again only by the rank that ended it or a higher one. `null` allows. */
export const onlyHigherRankReactivates = (rank: Role, before: Ending): Failure | null =>
  before.active || isAtLeast(rank, rankOfEnding(before)) ? null : escalation(sentenceOf(before));

/** The same rule for keys. A key of a deactivated user also works again if it moves to another user. `null` allows. */
export const onlyHigherRankReactivatesKey = (
  rank: Role,
  before: EndableKey,
  after: Pick<EndableKey, "active" | "userId">,
): Failure | null =>
  (after.active ? onlyHigherRankReactivates(rank, before) : null) ??
  (after.userId !== before.userId && before.holder !== null ? onlyHigherRankReactivates(rank, before.holder) : null);

/**
 * The rank to record for an ended record after a change by `rank`. If it had already ended, and is `endedAgain`, the
 * higher of the two ranks is recorded. `before` is `null` for a new record.
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

/**
 * The rank to record after a change of a record that can be switched off, or the failure if the caller may not make the
 * change. Keys have a rule of their own, because they also work again with another user. `before` is `null` for a new
 * record.
 */
export const endingAfter = (
  rank: Role,
  before: Ending | null,
  change: { readonly active: boolean; readonly endedAgain: boolean },
): Outcome<Role | null> =>
  (before !== null && change.active ? onlyHigherRankReactivates(rank, before) : null) ??
  endedByAfter(rank, before, change);
