import type { DealerScope } from "../access/decide.ts";
import type { FeedSettings, FeedVehicle } from "../channels/channel.ts";
import type { Repeated } from "../channels/feed-rows.ts";
import type { ChannelName } from "../channels/titles.ts";

/** A feed whose dealers and filters include a vehicle. */
interface FeedOfVehicle {
  readonly id: number;
  readonly channel: ChannelName;
  readonly settings: FeedSettings;
  /** Whether the feed has a newer vehicle with the same VIN or stock number. */
  readonly repeated: Repeated;
}

/** Finds the feeds that a vehicle belongs to. */
export interface FeedsOfVehicle {
  /**
   * The vehicle as feeds publish it, and the feeds in scope whose filters it matches: at most `MAX_FEEDS`, newest
   * first. `null` if there is no such vehicle in scope. An unpublished vehicle has the same feeds.
   */
  of(
    id: number,
    scope: DealerScope,
  ): Promise<{ readonly published: FeedVehicle; readonly feeds: readonly FeedOfVehicle[] } | null>;
}

/** The maximum number of feeds that are checked for a vehicle. */
export const MAX_FEEDS = 100;
