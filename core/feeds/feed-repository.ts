import type { DealerScope } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import type { ScopedChange } from "../access/scoped-change.ts";
import type { Visibility } from "../access/visibility.ts";
import type { FeedVehicle } from "../channels/channel.ts";
import type { Rule } from "../channels/issue.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure, Outcome } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import type { Slice } from "../long-items.ts";
import type { Role } from "../permissions.ts";
import type { VehicleFilter } from "../vehicles/vehicle-filter.ts";
import type { Feed, FeedFetch, FeedFields, Held } from "./feed.ts";

/** Who is responsible for a feed. */
export interface FeedMaker {
  readonly keyId: number | null;
  readonly userId: number | null;
}

/** A feed as the service processes it. */
export interface StoredFeed {
  readonly id: number;
  readonly fields: FeedFields;
  /** The rank that switched it off; `null` if it is active, or if that was not recorded. */
  readonly endedBy: Role | null;
  readonly updatedAt: Timestamp;
  readonly held: Held | null;
}

/** A feed after a change, as far as callers decide about it. */
export type FeedState = Pick<StoredFeed, "fields" | "endedBy">;

/** What a reader of feeds may see. */
interface FeedReader {
  readonly scope: DealerScope;
  readonly visibility: Visibility;
}

/** A feed as its reader sees it, with the person responsible for it, whom the reader may not be allowed to see. */
export interface FoundFeed {
  readonly feed: Omit<Feed, "stopped">;
  readonly maker: FeedMaker;
}

/** The result if some dealers do not exist. */
export class UnknownDealers {
  constructor(readonly ids: readonly number[]) {}
}

/**
 * Stored feeds. A feed belongs to the dealer whose vehicles it has. A feed of several dealers, or of all, belongs to no
 * dealer. Methods with a scope put it into the WHERE of their statements, and never find deleted feeds.
 */
export interface FeedRepository {
  insert(made: {
    readonly fields: FeedFields;
    /** The rank that created it as inactive. */
    readonly endedBy?: Role | null;
    readonly tokenHash: string;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<number | UnknownDealers>;
  find(id: number, reader: FeedReader & { readonly now: Timestamp }): Promise<FoundFeed | null>;
  list(
    query: FeedReader & { readonly limit: number; readonly after: ListPosition | null; readonly now: Timestamp },
  ): Promise<CursorPage<FoundFeed, ListPosition>>;
  /** The feed as the service processes it; `null` if there is none in scope. */
  stored(id: number, scope: DealerScope): Promise<StoredFeed | null>;
  /**
   * Changes a feed as `decide` says of its present state, which stays locked. With `takesOver`, the person who changes it becomes responsible for it. If
   * the feed then belongs to another dealer, its fetches and counts are removed, as they are about other vehicles. If
   * `decide` returns a failure, nothing changes, and the failure is returned.
   */
  update(
    change: ScopedChange & {
      readonly takesOver: boolean;
      readonly decide: (stored: StoredFeed) => Outcome<FeedState>;
    },
  ): Promise<true | null | Failure | UnknownDealers>;
  /**
   * Gives the feed a new token, unless `refusal` returns a failure. The current token works until `graceEnds`; older
   * ones stop working at once. The person who rotates it becomes responsible for it.
   */
  rotate(
    rotation: ScopedChange & {
      readonly tokenHash: string;
      readonly graceEnds: Timestamp;
      readonly refusal: (stored: StoredFeed) => Failure | null;
    },
  ): Promise<true | null | Failure>;
  /** Releases a held feed. Its next fetch becomes the one with which later fetches are compared. */
  release(one: ScopedChange): Promise<true | null>;
  remove(
    one: ScopedChange & { readonly refusal: (stored: StoredFeed) => Failure | null },
  ): Promise<true | null | Failure>;
}

/** The rule that keeps most vehicles out of a feed, the field that it is about, and how many vehicles it keeps out. */
export interface LeftOutReason {
  readonly rule: Rule;
  readonly field: string | null;
  readonly count: number;
}

/** A feed that was found by its address. */
export interface ServedFeed {
  readonly id: number;
  readonly isDeleted: boolean;
  readonly updatedAt: Timestamp;
  readonly fields: FeedFields;
  readonly maker: FeedMaker;
  readonly held: Held | null;
  /** Changes whenever the feed, its vehicles, their images or their dealers change. */
  readonly state: string;
  /** The state that was stored last, and the time since which the feed has had it. */
  readonly seen: { readonly state: string; readonly modifiedAt: Timestamp } | null;
  /** The last count, and the state of the feed at that time. */
  readonly counted: { readonly state: string; readonly rows: number; readonly leftOut: number } | null;
  /** The number of fetches in the hour that began at `at`. */
  readonly hour: { readonly at: Timestamp; readonly count: number } | null;
}

/** The vehicles of a feed at one moment, newest first. */
interface FeedReading {
  /** All vehicles in small slices. If it is called again, the vehicles are the same. */
  vehicles(): Iterable<Slice<FeedVehicle>>;
  /** Must be called at the end; further calls have no effect. */
  release(): void;
}

/** What serving feeds needs from the database. */
export interface FeedService {
  /** The feed if the token is valid for it, or else `null`. Every wrong token takes the same time. */
  findByToken(id: number, tokenHash: string, now: Timestamp): Promise<ServedFeed | null>;
  /** The person responsible for a feed, with their present rights; `null` if they have no rights any more. */
  maker(of: FeedMaker): Promise<Principal | null>;
  /**
   * Begins to read the vehicles of these dealers (`null` for all dealers) that match a filter. If `endsMs` of the
   * monotonic clock passes, further reading throws the error for an unavailable database.
   */
  read(wanted: {
    readonly dealerIds: readonly number[] | null;
    readonly filter: VehicleFilter;
    readonly endsMs?: number;
  }): FeedReading;
  /** Stores the time since which a feed has had this state. */
  saveState(id: number, seen: NonNullable<ServedFeed["seen"]>): Promise<void>;
  /** Stores the counts of a state of the feed, unless the feed was changed since. */
  saveCounts(
    id: number,
    updatedAt: Timestamp,
    counted: NonNullable<ServedFeed["counted"]> & { readonly reason: LeftOutReason | null },
  ): Promise<void>;
  /** Holds a feed, unless it was changed since. */
  hold(id: number, updatedAt: Timestamp, held: Held): Promise<void>;
}

/** Counts and records fetches. The records are written to the database a little later. */
export interface FetchMeter {
  /**
   * Counts a fetch and returns 0. If `most` fetches were counted in this hour, it returns the seconds to the next
   * allowed one.
   */
  take(feed: Pick<ServedFeed, "id" | "hour">, most: number): number;
  record(id: number, one: FeedFetch): void;
}
