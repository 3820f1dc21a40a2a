/** THE list of channels, with the name of each for people. */
export const CHANNEL_TITLES = {
  google_vehicle_listings: "Google vehicle listings",
  google_vehicle_ads: "Google vehicle ads",
  meta: "Meta automotive inventory ads",
  tiktok: "TikTok automotive ads",
  snapchat: "Snapchat product catalog",
  csv: "CSV",
  ndjson: "NDJSON",
} as const;
export type ChannelName = keyof typeof CHANNEL_TITLES;

export const CHANNEL_NAMES = Object.keys(CHANNEL_TITLES) as readonly ChannelName[];
