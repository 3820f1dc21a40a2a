import type { Channel, FeedFormat } from "./channel.ts";
import { googleVehicleAds, googleVehicleListings } from "./google.ts";
import { meta, tiktok } from "./meta.ts";
import { csv, ndjson } from "./own.ts";
import { snapchat } from "./snapchat.ts";

/** THE list of channels. A further one is a file with its table, and a line here. */
export const CHANNELS = {
  google_vehicle_listings: googleVehicleListings,
  google_vehicle_ads: googleVehicleAds,
  meta,
  tiktok,
  snapchat,
  csv,
  ndjson,
} as const satisfies Readonly<Record<string, Channel>>;
export type ChannelName = keyof typeof CHANNELS;

export const CHANNEL_NAMES = Object.keys(CHANNELS) as readonly ChannelName[];

/** The form that a channel is usually fetched in. */
export const usualFormat = (channel: ChannelName): FeedFormat => CHANNELS[channel].format;

/** A channel's name for people. */
export const channelTitle = (channel: ChannelName): string => CHANNELS[channel].title;
