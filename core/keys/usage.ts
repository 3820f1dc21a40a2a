import Type from "typebox";
import { type Caller, isAdmitted, useCase } from "../access/use-case.ts";
import { visibilityOfKeys } from "../access/visibility.ts";
import { type Clock, hourOf, msOf, type Timestamp, timestampAt } from "../clock.ts";
import { Failure, invalid, notFound, type Outcome } from "../failure.ts";
import { type Input, moment } from "../schema.ts";
import { type LastDay, lastDayOf, type Refusals, refusalsIn } from "./refusals.ts";
import {
  CLIENT_RECORDED_EVERY_MS,
  type Denial,
  type LastUse,
  RETENTION_DAYS,
  type UsageHour,
  type UsageOutcome,
  type UsageRepository,
  type UsageWindow,
  type VisibleKey,
} from "./usage-repository.ts";

const dateTime = (description: string) => Type.Optional(moment({ description }));

/** Query of GET /api/keys/:id/usage. */
export const UsageQuery = Type.Object({
  from: dateTime(
    "The first moment, ISO 8601 with a zone; its whole hour is answered. By default 24 hours are answered.",
  ),
  to: dateTime(`The moment behind the last one, at most ${RETENTION_DAYS} days after \`from\`; now by default.`),
});
export type UsageQuery = Input<typeof UsageQuery>;

/** The usage of one key, as answered. */
export interface PresentedUsage {
  readonly key_id: number;
  readonly hours: readonly UsageHour[];
  readonly last_use: LastUse | null;
  /** The refused requests of these hours by kind. */
  readonly refusals: readonly Refusals[];
  readonly recent_denials: readonly Denial[];
}

/** The requests of one key in each of the last 24 hours, oldest first, and those of them that were refused. */
export interface Sparkline {
  readonly key_id: number;
  readonly hours: readonly number[];
  readonly refused: readonly number[];
}

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;
const RETENTION_MS = RETENTION_DAYS * DAY_HOURS * HOUR_MS;

/** The starts of the current hour and the 23 hours before it, oldest first. */
const lastHours = (nowMs: number): Timestamp[] =>
  Array.from({ length: DAY_HOURS }, (_, index) => hourOf(timestampAt(nowMs + (index + 1 - DAY_HOURS) * HOUR_MS)));

/** The window of the current hour and the 23 before it. */
export const lastDay = (nowMs: number): UsageWindow => ({
  first: hourOf(timestampAt(nowMs - (DAY_HOURS - 1) * HOUR_MS)),
  last: hourOf(timestampAt(nowMs)),
});

/** Adds up the counts of each hour. The result is in the order of time. */
export const sumByHour = (rows: Iterable<UsageHour>): UsageHour[] => {
  const sums = new Map<string, Record<UsageOutcome, number> & { hour: string }>();
  for (const { hour, served, denied, limited, failed, unauthorized } of rows) {
    const sum = sums.get(hour);
    if (sum === undefined) sums.set(hour, { hour, served, denied, limited, failed, unauthorized });
    else {
      sum.served += served;
      sum.denied += denied;
      sum.limited += limited;
      sum.failed += failed;
      sum.unauthorized += unauthorized;
    }
  }
  return [...sums.values()].sort((one, other) => (one.hour < other.hour ? -1 : 1));
};

/** The use cases of usage. `usage` must include what is not stored yet. */
export const makeUsage = ({ usage, clock }: { usage: UsageRepository; clock: Clock }) => ({
  /** The usage of one key by hour, and its latest denials. For a caller, a key that it cannot see does not exist. */
  read: useCase("key.usage", async (principal, id: number, query: UsageQuery): Promise<Outcome<PresentedUsage>> => {
    const window = windowOf(clock, query);
    if (window instanceof Failure) return window;
    const [key] = await usage.visibleKeys(visibilityOfKeys(principal), [id]);
    if (key === undefined) return notFound("key", id);
    const { hours, lastUse, denials } = await usage.of(key, window);
    return {
      key_id: id,
      hours,
      last_use: withOwnAddress(key, lastUse),
      refusals: refusalsIn(hours),
      recent_denials: denials,
    };
  }),

  /** Adds the figures of the last 24 hours to keys. Those of a key that the caller does not see are 0. */
  async addLastDays<Key extends { readonly id: number }>(
    caller: Caller,
    keys: readonly Key[],
  ): Promise<readonly (Key & LastDay)[]> {
    const ids = keys.map(({ id }) => id);
    const seen = isAdmitted(caller, "key.usage") ? await usage.visibleKeys(visibilityOfKeys(caller), ids) : [];
    const sums = await usage.sums(seen, lastDay(clock.nowMs()));
    const found = new Map(sums.map((counts) => [counts.keyId, lastDayOf(counts)]));
    return keys.map((key) => ({ ...key, ...(found.get(key.id) ?? NO_REQUESTS) }));
  },

  /** The last 24 hours of several keys in the given order, without keys that the caller cannot see. */
  sparklines: useCase("key.usage", async (principal, ids: readonly number[]): Promise<Outcome<Sparkline[]>> => {
    const keys = await usage.visibleKeys(visibilityOfKeys(principal), ids);
    const seen = new Set(keys.map(({ id }) => id));
    const nowMs = clock.nowMs();
    const rows = await usage.byKey(keys, lastDay(nowMs));
    const indexes = new Map(lastHours(nowMs).map((hour, index) => [hour, index]));
    const lines = new Map(
      [...new Set(ids)].filter((id) => seen.has(id)).map((id) => [id, { hours: noRequests(), refused: noRequests() }]),
    );
    for (const { keyId, hour, requests, refused } of rows) {
      const [line, index] = [lines.get(keyId), indexes.get(hour)];
      if (line === undefined || index === undefined) continue;
      line.hours[index] = (line.hours[index] ?? 0) + requests;
      line.refused[index] = (line.refused[index] ?? 0) + refused;
    }
    return [...lines].map(([key_id, line]) => ({ key_id, ...line }));
  }),
});

export type Usage = ReturnType<typeof makeUsage>;

/**
 * Hides an address that was recorded before the key moved to its dealer. Addresses are recorded less often than usage,
 * so right after the move the last address may still be that of the other dealer.
 */
const withOwnAddress = ({ after }: VisibleKey, use: LastUse | null): LastUse | null =>
  use === null || after === "" || msOf(use.at) >= msOf(after) + CLIENT_RECORDED_EVERY_MS
    ? use
    : { at: use.at, address: null, user_agent: null };

const NO_REQUESTS: LastDay = { requests_24h: 0, refused_24h: 0, refused_mostly: null };
const noRequests = (): number[] => Array.from({ length: DAY_HOURS }, () => 0);

/** The requested hours, or the issues of the request. */
const windowOf = (clock: Clock, query: UsageQuery): Outcome<UsageWindow> => {
  const [sentFrom, sentTo] = [query.from, query.to].map((sent) => (sent === undefined ? null : clock.parse(sent)));
  // The current hour is included, but a given end is not.
  const lastMs = sentTo ? msOf(sentTo) - 1 : clock.nowMs();
  const from = sentFrom ?? timestampAt(lastMs - (DAY_HOURS - 1) * HOUR_MS);
  const to = sentTo ?? timestampAt(lastMs);
  if (from > to) return invalid({ path: "from", message: "must not be after to" });
  if (msOf(to) - msOf(from) > RETENTION_MS)
    return invalid({ path: "from", message: `must be at most ${RETENTION_DAYS} days before to` });
  return { first: hourOf(from), last: hourOf(timestampAt(lastMs)) };
};
