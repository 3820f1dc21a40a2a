import type { Severity } from "../../../core/channels/issue.ts";
import { CHANNEL_NAMES, CHANNEL_TITLES, type ChannelName } from "../../../core/channels/titles.ts";
import type { Feed, FeedFetch, StopReason } from "../../../core/feeds/feed.ts";
import { fieldTitle } from "../imports/columns.ts";
import type { StateColor } from "../page/state-badge.tsx";

/** The states of a feed, with labels and colors. */
export const STATE_LABELS: Readonly<Record<StopReason | "on", readonly [label: string, color: StateColor]>> = {
  on: ["On", "green"],
  off: ["Off", "grey"],
  held: ["Held", "amber"],
  not_readable: ["Stopped", "amber"],
};

const CREATOR_LABELS: Partial<Record<Feed["by"]["type"], string>> = {
  key: "The key that made it",
  user: "The user who made it",
};

/** Explains the stop of a feed whose creator may no longer read its vehicles. */
export const lostRightInWords = ({ by }: Pick<Feed, "by">): string =>
  `${CREATOR_LABELS[by.type] ?? "Whoever made it"} may no longer read these vehicles`;

/** The channels to choose from. */
export const CHANNEL_CHOICES: readonly (readonly [ChannelName, string])[] = CHANNEL_NAMES.map((name) => [
  name,
  CHANNEL_TITLES[name],
]);

/** The severities of a channel's rules, with labels and colors. */
export const SEVERITY_LABELS: Readonly<Record<Severity, readonly [label: string, color: StateColor]>> = {
  error: ["Left out", "amber"],
  warning: ["Could be better", "grey"],
};

/** The severities of the service's own rules, with labels and colors. */
export const QUALITY_LABELS: Readonly<Record<Severity, readonly [label: string, color: StateColor]>> = {
  error: ["Wrong", "amber"],
  warning: SEVERITY_LABELS.warning,
};

const FETCH_LABELS: Readonly<Record<number, string>> = {
  200: "Sent",
  304: "Not changed since",
  410: "Deleted",
  429: "Too often",
  503: "Not served",
};

/** The result of a fetch, in words. */
export const fetchInWords = ({ status }: Pick<FeedFetch, "status">): string =>
  FETCH_LABELS[status] ?? `Status ${status}`;

/** The message of a rule after the field that it is about: "VIN: The VIN has a wrong check digit." */
export const prefixWithField = (field: string | null, words: string): string =>
  field === null ? words : `${fieldTitle(field)}: ${words}`;

/** The filters of a feed, in words. */
export const filtersInWords = (filters: object): string => {
  const named = Object.entries(filters).map(([name, value]) => `${fieldTitle(name)}: ${[value].flat().join(", ")}`);
  return named.length === 0 ? "All that are available or pending" : named.join("; ");
};
