import type { DealerScope } from "../access/decide.ts";
import type { Actor, Principal } from "../access/principal.ts";
import type { Visibility } from "../access/visibility.ts";
import type { FeedVehicle } from "../channels/channel.ts";
import type { Timestamp } from "../clock.ts";
import type { Failure, Outcome } from "../failure.ts";
import type { CursorPage, ListPosition } from "../imports/import-repository.ts";
import type { Slice } from "../long-items.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { VehicleFilter } from "../vehicles/vehicle-filter.ts";
import type { Feed, FeedFetch, FeedFields, Held } from "./feed.ts";

/** Who made a feed, and so answers for what it tells. */
export interface FeedMaker {
  readonly keyId: number | null;
  readonly userId: number | null;
}

/** A feed as it is worked on. */
export interface StoredFeed {
  readonly id: number;
  readonly fields: FeedFields;
  readonly updatedAt: Timestamp;
  readonly held: Held | null;
}

/** A feed as its reader may see it. */
interface Reader {
  readonly scope: DealerScope;
  readonly visibility: Visibility;
}

/** A feed as its reader sees it, and who answers for it, which the reader may not be told. */
export interface FoundFeed {
  readonly feed: Omit<Feed, "stopped">;
  readonly maker: FeedMaker;
}

/** A change of one feed. */
interface OfFeed {
  readonly id: number;
  readonly scope: DealerScope;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** There are no dealers with these numbers. */
export class UnknownDealers {
  constructor(readonly ids: readonly number[]) {}
}

/**
 * Feeds in the database. A feed belongs to the one dealer whose vehicles it has; one of several, or of all, to none.
 * Methods with a scope put it into the WHERE of their statements; those that were deleted are never found by them.
 */
export interface FeedRepository {
  insert(made: {
    readonly fields: FeedFields;
    readonly tokenHash: string;
    readonly now: Timestamp;
    readonly by: Actor;
  }): Promise<number | UnknownDealers>;
  find(id: number, reader: Reader & { readonly now: Timestamp }): Promise<FoundFeed | null>;
  list(
    query: Reader & { readonly limit: number; readonly after: ListPosition | null; readonly now: Timestamp },
  ): Promise<CursorPage<FoundFeed, ListPosition>>;
  /** As it is worked on; `null` if there is none in scope. */
  stored(id: number, scope: DealerScope): Promise<StoredFeed | null>;
  /**
   * Changes a feed to what `plan` makes of it; with `takesOver`, whoever changes it answers for it from then on. One that
   * becomes another dealer's, or that of one of several, begins anew: its fetches, and what it had, tell of others. A
   * failure, with nothing changed, is given back.
   */
  update(
    change: OfFeed & {
      readonly takesOver: boolean;
      readonly plan: (stored: StoredFeed) => Outcome<FeedFields>;
    },
  ): Promise<true | null | Failure | UnknownDealers>;
  /** Gives it another token; the present one works until `graceEnds`, older ones end at once. */
  rotate(rotation: OfFeed & { readonly tokenHash: string; readonly graceEnds: Timestamp }): Promise<true | null>;
  /** Lets a held feed go; whatever it has at the next fetch is what later ones are compared with. */
  release(one: OfFeed): Promise<true | null>;
  remove(one: OfFeed & { readonly mayGo: (changedAt: Timestamp) => Failure | null }): Promise<true | null | Failure>;
}

/** A feed as its address finds it. */
export interface ServedFeed {
  readonly id: number;
  readonly isDeleted: boolean;
  readonly updatedAt: Timestamp;
  readonly fields: FeedFields;
  readonly maker: FeedMaker;
  readonly held: Held | null;
  /** Another text after each change of the feed, of its vehicles, their images or dealers. */
  readonly state: string;
  /** The state that was seen last, and since when it has been so. */
  readonly seen: { readonly state: string; readonly modifiedAt: Timestamp } | null;
  /** What was counted in some state, for the last time. */
  readonly counted: { readonly state: string; readonly rows: number; readonly leftOut: number } | null;
  /** Fetches in the hour that began then. */
  readonly hour: { readonly at: Timestamp; readonly count: number } | null;
}

/** The vehicles of a feed as of one moment, the newest first. */
interface FeedReading {
  /** All of them, in small slices; may be asked for again, for the same once more. */
  vehicles(): Iterable<Slice<FeedVehicle>>;
  /** Must be called in the end. More than once is as good as once. */
  release(): void;
}

/** What serving feeds needs of the database. */
export interface FeedService {
  /** The feed that has this token now; `null` if the token is not its. It costs the same for every wrong token. */
  look(id: number, tokenHash: string, now: Timestamp): MaybePromise<ServedFeed | null>;
  /** Whoever made a feed, as they are now; `null` if they may do nothing any more. */
  maker(of: FeedMaker): MaybePromise<Principal | null>;
  /**
   * Begins to read the vehicles of these dealers (`null`: of all) that a filter finds. Throws that the database is
   * unavailable if it goes on behind `endsMs`, by the steady clock.
   */
  read(wanted: {
    readonly dealerIds: readonly number[] | null;
    readonly filter: VehicleFilter;
    readonly endsMs?: number;
  }): FeedReading;
  /** Keeps since when a feed is in this state. */
  seen(id: number, seen: NonNullable<ServedFeed["seen"]>): Promise<void>;
  /** Keeps what was counted in a state of the feed, unless the feed was changed since. */
  counted(id: number, updatedAt: Timestamp, counted: NonNullable<ServedFeed["counted"]>): Promise<void>;
  /** Holds a feed, unless it was changed since. */
  hold(id: number, updatedAt: Timestamp, held: Held): Promise<void>;
}

/** Counts and notes fetches. What is noted is stored a little later. */
export interface FetchMeter {
  /** Counts a fetch, unless there were `most` in this hour: then the seconds until there may be one. */
  take(feed: Pick<ServedFeed, "id" | "hour">, most: number): number;
  note(id: number, one: FeedFetch): void;
}
