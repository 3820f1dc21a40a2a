import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { feedsAreMadeByThoseWhoMayReadThem } from "../access/rules/feeds-are-made-by-those-who-may-read-them.ts";
import { endingAfter, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import type { Timestamp } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import { type FeedFields, fieldsAfter } from "./feed.ts";
import type { FeedState, StoredFeed } from "./feed-repository.ts";

/** Removes the store codes of other dealers from a feed of one dealer, as that dealer may read the feed. */
const withOwnCodes = (fields: FeedFields): FeedFields => {
  const [dealer, ...others] = fields.dealer_ids ?? [];
  if (dealer === undefined || others.length > 0) return fields;
  const code = fields.store_codes[dealer];
  return { ...fields, store_codes: code === undefined ? {} : { [dealer]: code } };
};

/** The fields that a caller may give a feed. If the caller is bound, its dealer replaces others, also in the filters. */
export const feedFieldsWithin = (principal: Principal, fields: FeedFields): FeedFields => {
  const scope = scopeOf(principal);
  if (scope === null) return withOwnCodes(fields);
  const filters = "dealer_id" in fields.filters ? { ...fields.filters, dealer_id: scope } : fields.filters;
  return withOwnCodes({ ...fields, dealer_ids: [scope], filters });
};

/**
 * The failure if none of the versions is current; `null` if one is, or if none was sent. A feed's version is the time of
 * its last change or fetch; every version since the last change has the same fields.
 */
export const staleFeed = (
  { updatedAt }: Pick<StoredFeed, "updatedAt">,
  versions: readonly Timestamp[] | null,
): Failure | null =>
  versions === null || versions.some((version) => version >= updatedAt)
    ? null
    : new Failure({ kind: "stale", subject: "feed" });

/** The state of a feed after a change of the fields that were sent, or why the caller may not make the change. */
export const feedChanged = (
  stored: StoredFeed,
  sent: Parameters<typeof fieldsAfter>[1],
  { by, versions }: { readonly by: Principal; readonly versions: readonly Timestamp[] | null },
): Outcome<FeedState> => {
  const stale = staleFeed(stored, versions);
  if (stale !== null) return stale;
  const fields = feedFieldsWithin(by, fieldsAfter(stored.fields, sent));
  const unreadable = feedsAreMadeByThoseWhoMayReadThem(by, fields.dealer_ids);
  if (unreadable !== null) return unreadable;
  const before = { active: stored.fields.active, endedBy: stored.endedBy };
  const endedBy = endingAfter(rankOf(by), before, { active: fields.active, endedAgain: sent.active !== undefined });
  return endedBy instanceof Failure ? endedBy : { fields, endedBy };
};
