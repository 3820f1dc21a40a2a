import type { DealerScope } from "../access/decide.ts";
import type { FeedSettings, FeedVehicle } from "../channels/channel.ts";
import type { Repeated } from "../channels/feed-rows.ts";
import type { ChannelName } from "../channels/titles.ts";

/** A feed that finds a vehicle by its dealers and filters. */
interface FeedOfVehicle {
  readonly id: number;
  readonly channel: ChannelName;
  readonly settings: FeedSettings;
  /** Whether it finds a newer vehicle with the same. */
  readonly repeated: Repeated;
}

/** What feeds have to do with one vehicle, in the database. */
export interface FeedsOfVehicle {
  /**
   * The vehicle as feeds publish it, and the feeds in scope that find it: at most `MAX_FEEDS`, newest first; `null` if
   * there is no such vehicle in scope. Whether it is published does not matter.
   */
  of(
    id: number,
    scope: DealerScope,
  ): Promise<{ readonly published: FeedVehicle; readonly feeds: readonly FeedOfVehicle[] } | null>;
}

/** So many feeds are asked about a vehicle. */
export const MAX_FEEDS = 100;
