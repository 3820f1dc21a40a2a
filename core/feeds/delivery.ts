import type { FeedFormat } from "../channels/channel.ts";
import { feedFile } from "../channels/feed-file.ts";
import { feedRows } from "../channels/feed-rows.ts";
import { type Clock, msOf, type Timestamp, timestampAfter, timestampAt } from "../clock.ts";
import { Failure } from "../failure.ts";
import type { Slice } from "../long-items.ts";
import { countReadiness, type ReadinessCounts } from "../readiness/count.ts";
import { feedFilterOf, isVolatile, type StopReason } from "./feed.ts";
import type { FeedService, FetchMeter, LeftOutReason, ServedFeed } from "./feed-repository.ts";
import type { FeedTokens } from "./feed-tokens.ts";
import { isLargeDrop, stopReasonOf } from "./stop-reason.ts";

/** The maximum number of fetches of one feed in an hour. */
const MAX_FETCHES = 60;
/** The time after which a channel should ask again for a feed that is not served. */
const RETRY_SECONDS = 3600;
const SECOND_MS = 1000;

/** Thrown before the first line of a file if the feed has just been held. */
export class FeedHeld extends Error {
  override readonly name = "FeedHeld";
}

/** A request for a feed's file. */
export interface Fetch {
  readonly id: number;
  readonly token: string;
  readonly format: FeedFormat;
}

/** A file whose lines are generated while it is sent. */
export interface FeedDelivery {
  readonly heading: string;
  /** Lines with their line ends. The first slices may be empty. Reading may throw FeedHeld before the first line. */
  readonly lines: Iterable<Slice<string>>;
}

/** The answer at a feed's address. */
export type Served =
  | { readonly kind: "unknown" }
  | { readonly kind: "deleted" }
  | { readonly kind: "too_often"; readonly retrySeconds: number }
  | { readonly kind: "stopped"; readonly why: StopReason; readonly retrySeconds: number }
  | {
      readonly kind: "served";
      readonly feed: ServedFeed;
      readonly modifiedAt: Timestamp;
      /** True if the same file may answer a later request. */
      readonly isCacheable: boolean;
    };

/** The client of a fetch, as it is recorded. */
export interface FetchClient {
  readonly address: string;
  readonly agent: string | null;
}

interface Parts {
  readonly service: FeedService;
  readonly meter: FetchMeter;
  readonly tokens: FeedTokens;
  readonly clock: Clock;
}

/** The rule that keeps most vehicles out. */
const mainReason = ({ rules: [first] }: ReadinessCounts): LeftOutReason | null => {
  if (first?.severity !== "error") return null;
  const { rule, field, count } = first;
  return { rule, field, count };
};

/** Serves feeds at their addresses to everyone who has the token. */
export const makeDelivery = ({ service, meter, tokens, clock }: Parts) => {
  /** The time since which the feed has had its current state, in whole seconds. No two states have the same time. */
  const modifiedAt = async (feed: ServedFeed): Promise<Timestamp> => {
    const { id, state, seen } = feed;
    if (seen?.state === state) return seen.modifiedAt;
    const now = timestampAt(Math.floor(clock.nowMs() / SECOND_MS) * SECOND_MS);
    const since = seen === null ? now : timestampAfter(timestampAt(msOf(seen.modifiedAt) + SECOND_MS - 1), now);
    await service.saveState(id, { state, modifiedAt: since });
    return since;
  };

  /** The filter for the vehicles that the feed has now. */
  const filterOf = (feed: ServedFeed) => {
    const filter = feedFilterOf(feed.fields.filters, clock);
    if (filter instanceof Failure) throw new Error(`the stored filters of feed ${feed.id} are not valid`);
    return filter;
  };

  return {
    retrySeconds: RETRY_SECONDS,

    /** The answer at an address. Every request with a valid token counts as a fetch, whatever the answer. */
    async serve({ id, token }: Pick<Fetch, "id" | "token">): Promise<Served> {
      const feed = await service.findByToken(id, tokens.hashOf(token), clock.now());
      if (feed === null) return { kind: "unknown" };
      if (feed.isDeleted) return { kind: "deleted" };
      const retrySeconds = meter.take(feed, MAX_FETCHES);
      if (retrySeconds > 0) return { kind: "too_often", retrySeconds };
      const why = await stopReasonOf(feed, service);
      if (why !== null) return { kind: "stopped", why, retrySeconds: RETRY_SECONDS };
      const since = await modifiedAt(feed);
      return { kind: "served", feed, modifiedAt: since, isCacheable: !isVolatile(filterOf(feed)) };
    },

    /** Records the answer to a fetch. */
    recordFetch(feed: ServedFeed | { readonly id: number }, asker: FetchClient, status: number): void {
      const counted = "counted" in feed && feed.counted?.state === feed.state ? feed.counted : null;
      meter.record(feed.id, {
        at: clock.now(),
        ...asker,
        status,
        rows: counted?.rows ?? null,
        left_out: counted?.leftOut ?? null,
      });
    },

    /** True while the feed may still be sent to the holder of this token. */
    async mayGoOn({ id, token }: Pick<Fetch, "id" | "token">, begun: ServedFeed): Promise<boolean> {
      const feed = await service.findByToken(id, tokens.hashOf(token), clock.now());
      if (feed === null || feed.isDeleted || feed.updatedAt !== begun.updatedAt) return false;
      return (await stopReasonOf(feed, service)) === null;
    },

    /**
     * The file of a feed. If the rows of its current state have not been counted yet, they are counted first, in the
     * same snapshot of the database. If too many are missing, the feed is held. The fetch is recorded before the first
     * line.
     */
    file(feed: ServedFeed, format: FeedFormat, asker: FetchClient): FeedDelivery {
      const { id, fields, state } = feed;
      const { heading, line } = feedFile(fields.channel, format);
      const recordDelivery = (counted: { readonly rows: number; readonly leftOut: number }): void =>
        meter.record(id, { at: clock.now(), ...asker, status: 200, rows: counted.rows, left_out: counted.leftOut });

      const count = function* (vehicles: ReturnType<FeedService["read"]>): Generator<Slice<string>> {
        const { row } = feedRows(fields.channel, fields);
        const leftOutBy = countReadiness();
        let [rows, leftOut] = [0, 0];
        for (const read of vehicles.vehicles())
          yield async () => {
            for (const one of await read()) {
              const { cells, issues } = row(one);
              if (cells === null) {
                leftOut++;
                leftOutBy.add(issues);
              } else rows++;
            }
            return [];
          };
        yield async () => {
          if (feed.counted !== null && isLargeDrop(feed.counted.rows, rows, fields.max_drop_percent)) {
            await service.hold(id, feed.updatedAt, { at: clock.now(), rows, before: feed.counted.rows });
            meter.record(id, { at: clock.now(), ...asker, status: 503, rows, left_out: leftOut });
            throw new FeedHeld(`feed ${id} has ${rows} rows, and had ${feed.counted.rows}`);
          }
          await service.saveCounts(id, feed.updatedAt, {
            state,
            rows,
            leftOut,
            reason: mainReason(leftOutBy.counts()),
          });
          recordDelivery({ rows, leftOut });
          return [];
        };
      };

      const lines = function* (): Generator<Slice<string>> {
        const reading = service.read({ dealerIds: fields.dealer_ids, filter: filterOf(feed) });
        try {
          if (feed.counted?.state === state) recordDelivery(feed.counted);
          else yield* count(reading);
          const { row } = feedRows(fields.channel, fields);
          for (const read of reading.vehicles())
            yield async () =>
              (await read()).flatMap((one) => {
                const { cells } = row(one);
                return cells === null ? [] : [line(cells)];
              });
        } finally {
          reading.release();
        }
      };
      return { heading, lines: lines() };
    },
  };
};

export type Delivery = ReturnType<typeof makeDelivery>;
