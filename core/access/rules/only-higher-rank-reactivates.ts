import { escalation, type Failure } from "../../failure.ts";
import { ROLES, type Role } from "../permissions.ts";
import { isSuperAdmin, type Powers } from "../principal.ts";

/** What of a key or a user says that it was ended, and by whom. */
export interface Ending {
  readonly active: boolean;
  /** The rank of who ended it; `null` for what is active, and for what was ended before ranks were recorded. */
  readonly endedBy: Role | null;
}

/** What of a key decides whether a change brings it back to life. */
interface EndableKey extends Ending {
  readonly userId: number | null;
  readonly holder: Ending | null;
}

/**
 * The rank in which a caller ends and activates: a `none` key and the command line are super-admins, a dealer's key is
 * as its dealer's admin, a user and the key of one have the user's role.
 */
export const rankOf = (caller: Powers): Role =>
  isSuperAdmin(caller) ? "super_admin" : caller.association === "dealer" ? "dealer_admin" : (caller.role ?? "user");

const isAtLeast = (rank: Role, other: Role): boolean => ROLES.indexOf(rank) <= ROLES.indexOf(other);

/** What was ended before ranks were recorded counts as ended by the highest. */
const rankOfEnding = ({ endedBy }: Ending): Role => endedBy ?? "super_admin";

const BY_SUPER_ADMIN = "A super-admin deactivated it: only a super-admin may activate it again";
const BY_DEALER_ADMIN = "A dealer's admin deactivated it: only a dealer's admin or a super-admin may activate it again";
const BY_UNKNOWN = "It was deactivated before the service recorded by whom: only a super-admin may activate it again";

const sentenceOf = ({ endedBy }: Ending): string =>
  endedBy === null ? BY_UNKNOWN : endedBy === "super_admin" ? BY_SUPER_ADMIN : BY_DEALER_ADMIN;

/** What was ended is activated by the rank that ended it, or by a higher one. `null` allows. */
export const onlyHigherRankReactivates = (rank: Role, before: Ending): Failure | null =>
  before.active || isAtLeast(rank, rankOfEnding(before)) ? null : escalation(sentenceOf(before));

/** The same for keys, which also work again when they pass from a user who was ended to somebody else. `null` allows. */
export const onlyHigherRankReactivatesKey = (
  rank: Role,
  before: EndableKey,
  after: Pick<EndableKey, "active" | "userId">,
): Failure | null =>
  (after.active ? onlyHigherRankReactivates(rank, before) : null) ??
  (after.userId !== before.userId && before.holder !== null ? onlyHigherRankReactivates(rank, before.holder) : null);

/**
 * Who has ended something after a change by `rank`: the one who changes it; or, where it was ended already and is
 * `endedAgain`, the higher of the two. `before` is `null` for something new.
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
