import { scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { feedsAreMadeByThoseWhoMayReadThem } from "../access/rules/feeds-are-made-by-those-who-may-read-them.ts";
import { endedByAfter, rankOf } from "../access/rules/only-higher-rank-reactivates.ts";
import { scopedChanges } from "../access/scoped-change.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfAudit } from "../access/visibility.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import { type KnownDealers, namingDealers, unknownRecords, withUnknownRecords } from "../named-records.ts";
import type { Settings } from "../settings/installation.ts";
import { requireChange } from "../validation.ts";
import { type Feed, type FeedQuery, feedChangesIn, feedRotation, fieldsAfter, newFeedIn } from "./feed.ts";
import { feedChanged, feedFieldsWithin, staleFeed } from "./feed-changes.ts";
import {
  type FeedRepository,
  type FeedService,
  type FoundFeed,
  type StoredFeed,
  UnknownDealers,
} from "./feed-repository.ts";
import type { FeedTokens } from "./feed-tokens.ts";
import { stopReasonOf } from "./stop-reason.ts";

/** A feed with the new token of its address. The token is never shown again. */
export interface FeedWithToken {
  readonly feed: Feed;
  readonly token: string;
}

interface Parts {
  readonly feeds: FeedRepository;
  readonly dealers: KnownDealers;
  readonly service: Pick<FeedService, "maker">;
  readonly tokens: FeedTokens;
  readonly settings: { read(): MaybePromise<Settings> };
  /** Stores the fetches that were recorded but not yet written. */
  readonly flush: () => Promise<void>;
  readonly clock: Clock;
}

const unknownDealers = ({ ids }: UnknownDealers): Failure =>
  invalid(unknownRecords({ path: "dealer_ids", word: "dealer" }, ids));

/**
 * Use cases of feeds. To a caller who is bound to a dealer, feeds of other dealers or of several dealers do not exist.
 */
export const makeFeeds = ({ feeds, dealers, service, tokens, settings, flush, clock }: Parts) => {
  /** A refusal of a body that also names the dealers that do not exist, unless the caller is bound to one. */
  const refusedBody = (principal: Principal, refusal: Failure, input: unknown): Promise<Failure> =>
    withUnknownRecords(refusal, input, scopeOf(principal) === null ? [namingDealers("dealer_ids", dealers)] : []);

  const readerOf = (principal: Principal) => ({
    scope: scopeOf(principal),
    visibility: visibilityOfAudit(principal),
    now: clock.now(),
  });

  const withStopReason = async ({ feed, maker }: FoundFeed): Promise<Feed> => {
    const stopped = await stopReasonOf({ fields: feed, held: feed.held, maker }, service);
    return { ...feed, stopped };
  };

  /** The feed after a change. Its fetches were stored before, as nothing else may be waited for within a transaction. */
  const changedFeed = async (principal: Principal, id: number): Promise<Outcome<Feed>> => {
    const one = await feeds.find(id, readerOf(principal));
    return one === null ? notFound("feed", id) : withStopReason(one);
  };

  const findFeed = async (principal: Principal, id: number): Promise<Outcome<Feed>> => {
    await flush();
    return changedFeed(principal, id);
  };

  const changing = scopedChanges(clock);

  const withToken = async (principal: Principal, id: number, token: string): Promise<Outcome<FeedWithToken>> => {
    const feed = await changedFeed(principal, id);
    return feed instanceof Failure ? feed : { feed, token };
  };

  return {
    /** Creates a feed, and the token of its address. */
    create: useCase("feed.create", async (principal, input: unknown): Promise<Outcome<FeedWithToken>> => {
      const body = newFeedIn(input, clock);
      if (body instanceof Failure) return refusedBody(principal, body, input);
      const { currency, distance_unit } = await settings.read();
      const defaults = { currency, mileage_unit: distance_unit, name: body.name, channel: body.channel };
      const fields = feedFieldsWithin(principal, fieldsAfter(defaults, body));
      const unreadable = feedsAreMadeByThoseWhoMayReadThem(principal, fields.dealer_ids);
      if (unreadable !== null) return unreadable;
      const endedBy = endedByAfter(rankOf(principal), null, { active: fields.active, endedAgain: false });
      const { token, hash } = tokens.issue();
      const id = await feeds.insert({ fields, endedBy, tokenHash: hash, now: clock.now(), by: principal });
      return id instanceof UnknownDealers ? unknownDealers(id) : withToken(principal, id, token);
    }),

    list: useCase(
      "feed.list",
      async (
        principal,
        { limit = 100 }: FeedQuery,
        after: ListPosition | null = null,
      ): Promise<Outcome<CursorPage<Feed, ListPosition>>> => {
        await flush();
        const { items, ...page } = await feeds.list({ ...readerOf(principal), limit, after });
        return { ...page, items: await Promise.all(items.map(withStopReason)) };
      },
    ),

    get: useCase("feed.read", findFeed),

    /**
     * Changes the fields that were sent. Whoever changes more than the name becomes responsible for the feed: it is
     * served as long as they may read its vehicles.
     */
    update: useCase(
      "feed.update",
      async (
        principal,
        {
          id,
          input,
          versions = null,
        }: { readonly id: number; readonly input: unknown; readonly versions?: readonly Timestamp[] | null },
      ): Promise<Outcome<Feed>> => {
        const body = requireChange(feedChangesIn(input, clock));
        if (body instanceof Failure) return refusedBody(principal, body, input);
        // Fetches are removed if the feed comes to belong to another dealer. So those that are still recorded must be
        // stored first.
        await flush();
        const decide = (stored: StoredFeed) => feedChanged(stored, body, { by: principal, versions });
        const takesOver = Object.keys(body).some((field) => field !== "name");
        const changed = await feeds.update({ ...changing(principal, id), takesOver, decide });
        if (changed instanceof UnknownDealers) return unknownDealers(changed);
        if (changed === null) return notFound("feed", id);
        return changed instanceof Failure ? changed : changedFeed(principal, id);
      },
    ),

    /**
     * Gives the feed a new token. The previous one works for another `grace_seconds`. Whoever does so becomes
     * responsible for the feed.
     */
    rotate: useCase("feed.rotate", async (principal, id: number, input: unknown): Promise<Outcome<FeedWithToken>> => {
      const body = feedRotation.parse(input === undefined ? {} : input);
      if (body instanceof Failure) return body;
      await flush();
      const { token, hash } = tokens.issue();
      const graceEnds = clock.after(body.grace_seconds ?? 0);
      const rotated = await feeds.rotate({
        ...changing(principal, id),
        tokenHash: hash,
        graceEnds,
        refusal: ({ fields }) => feedsAreMadeByThoseWhoMayReadThem(principal, fields.dealer_ids),
      });
      if (rotated === null) return notFound("feed", id);
      return rotated instanceof Failure ? rotated : withToken(principal, id, token);
    }),

    /** Releases a held feed, which is then served with its present rows. A feed that is not held does not change. */
    release: useCase("feed.release", async (principal, id: number): Promise<Outcome<Feed>> => {
      await flush();
      const released = await feeds.release(changing(principal, id));
      return released === null ? notFound("feed", id) : changedFeed(principal, id);
    }),

    /** Deletes a feed. From then on, its address answers that the feed is gone. */
    remove: useCase(
      "feed.delete",
      async (principal, id: number, versions: readonly Timestamp[] | null = null): Promise<Outcome<true>> => {
        const refusal = (stored: StoredFeed) => staleFeed(stored, versions);
        return (await feeds.remove({ ...changing(principal, id), refusal })) ?? notFound("feed", id);
      },
    ),
  };
};

export type Feeds = ReturnType<typeof makeFeeds>;
