import type { Channel, FeedFormat } from "./channel.ts";
import { googleVehicleAds, googleVehicleListings } from "./google.ts";
import { meta, tiktok } from "./meta.ts";
import { csv, ndjson } from "./own.ts";
import { snapchat } from "./snapchat.ts";
import type { ChannelName } from "./titles.ts";

/** The tables of the channels. A new channel needs a file with its table, a line here, and its title in titles.ts. */
export const CHANNELS = {
  google_vehicle_listings: googleVehicleListings,
  google_vehicle_ads: googleVehicleAds,
  meta,
  tiktok,
  snapchat,
  csv,
  ndjson,
} as const satisfies Readonly<Record<ChannelName, Channel>>;

/** The format in which a channel is usually fetched. */
export const usualFormat = (channel: ChannelName): FeedFormat => CHANNELS[channel].format;
