import { RULES } from "../channels/issue.ts";
import type { LeftOutReason } from "../feeds/feed-repository.ts";
import type { PriceCorrection } from "./price-corrections.ts";
import type { FeedCount, FoundVehicles, KeyRequests, LastImport } from "./today-repository.ts";

/** The kinds of what is to be done, in the order in which they are answered. */
export const TODO_KINDS = ["left_out", "failed_rows", "no_sale_price", "price_differs", "refused_key"] as const;

/** The rule that keeps most vehicles out of a feed, with its texts. */
export interface TodoReason extends LeftOutReason {
  readonly message: string;
  readonly fix: string;
}

/** One thing to do next, as data: a page makes its words and its button. */
export interface Todo {
  readonly kind: (typeof TODO_KINDS)[number];
  /** Vehicles, rows or requests, as the kind says. */
  readonly count: number;
  /** How many there are in all; `null` if that does not matter. */
  readonly of: number | null;
  /** The feed, the import or the key; `null` if it is about vehicles. */
  readonly id: number | null;
  /** The name of the feed or key. */
  readonly name: string | null;
  /** The channel of the feed, or the code with which the key is refused most. */
  readonly code: string | null;
  /** Why most of the vehicles are left out of a feed. */
  readonly reason: TodoReason | null;
  /** The first vehicles, if it is about vehicles. */
  readonly vehicle_ids: readonly number[];
  /** The prices of these vehicles in their last files, if they differ from theirs. */
  readonly file_prices: readonly number[];
}

/** What was found. `null` or an empty list stands for nothing, and for what the caller may not see. */
export interface FoundWork {
  readonly feeds: readonly FeedCount[];
  readonly lastImport: LastImport | null;
  readonly withoutPrice: FoundVehicles<number> | null;
  readonly corrections: readonly PriceCorrection[];
  readonly keys: readonly KeyRequests[];
}

const MOST = 5;
const MOST_FEEDS = 2;
const MOST_CORRECTIONS = 8;
/** A key is refused often if this share of its requests is refused, and at least so many of them. */
const REFUSED_SHARE = 0.1;
const REFUSED_REQUESTS = 20;

const NOTHING = { of: null, id: null, name: null, code: null, reason: null, vehicle_ids: [], file_prices: [] };

const refusedOf = ({ denied, limited, unauthorized }: KeyRequests): number => denied + limited + unauthorized;
const requestsOf = (key: KeyRequests): number => refusedOf(key) + key.served + key.failed;

/** True if a key was refused so often that somebody should look at it. */
export const isRefusedOften = (key: KeyRequests): boolean => {
  const refused = refusedOf(key);
  return refused >= REFUSED_REQUESTS && refused >= requestsOf(key) * REFUSED_SHARE;
};

const ofFeeds = (feeds: readonly FeedCount[], most: number): Todo[] =>
  feeds
    .filter(({ left_out }) => left_out > 0)
    .slice(0, most)
    .map(({ id, name, channel, rows, left_out, reason }) => ({
      ...NOTHING,
      ...{ kind: "left_out", count: left_out, of: rows + left_out, id, name, code: channel },
      reason: reason && { ...reason, ...RULES[reason.rule] },
    }));

const ofImport = (last: LastImport | null): Todo[] =>
  last === null || last.failed === 0
    ? []
    : [{ ...NOTHING, kind: "failed_rows", count: last.failed, of: last.rows, id: last.id }];

const ofSales = (found: FoundVehicles<number> | null): Todo[] =>
  found === null || found.total === 0
    ? []
    : [{ ...NOTHING, kind: "no_sale_price", count: found.total, vehicle_ids: found.items }];

const ofCorrections = (corrections: readonly PriceCorrection[]): Todo[] => {
  const first = corrections.slice(0, MOST_CORRECTIONS);
  const [vehicle_ids, file_prices] = [first.map(({ id }) => id), first.map(({ filePrice }) => filePrice)];
  return first.length === 0
    ? []
    : [{ ...NOTHING, kind: "price_differs", count: corrections.length, vehicle_ids, file_prices }];
};

/** Only the key that was refused most. */
const ofKeys = (keys: readonly KeyRequests[]): Todo[] => {
  const often = keys
    .filter(isRefusedOften)
    .sort((one, other) => refusedOf(other) - refusedOf(one) || one.id - other.id);
  return often.slice(0, 1).map((key) => ({
    ...NOTHING,
    ...{ kind: "refused_key", count: refusedOf(key), of: requestsOf(key), id: key.id, name: key.name, code: key.code },
  }));
};

/** What is to be done next, at most five things: a second feed only if there is room for it. */
export const doNext = ({ feeds, lastImport, withoutPrice, corrections, keys }: FoundWork): Todo[] => {
  const others = [...ofImport(lastImport), ...ofSales(withoutPrice), ...ofCorrections(corrections), ...ofKeys(keys)];
  return [...ofFeeds(feeds, Math.min(MOST_FEEDS, MOST - others.length)), ...others];
};
