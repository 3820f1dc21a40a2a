import type { ChannelName } from "../../../core/channels/titles.ts";
import type { Feed } from "../../../core/feeds/feed.ts";
import type { Settings } from "../../../core/settings/installation.ts";
import { numberOrText, numberText, recordOf, textOrNull } from "../forms/draft.ts";

/** The filters that the form has; a feed may have others, which stay as they are. */
const WORD_FILTERS = ["condition", "make", "model", "body_style"] as const;
export const NUMBER_FILTERS = ["min_year", "max_year", "min_price", "max_price"] as const;
export const FILTERS = [...WORD_FILTERS, ...NUMBER_FILTERS] as const;
export type FilterName = (typeof FILTERS)[number];

/** A dealer of a feed, and the channel's code of its store; empty for none. */
export interface FeedStore {
  readonly dealerId: number;
  readonly code: string;
}

/** A feed as it is typed. */
export interface FeedDraft extends Pick<Feed, "name" | "mileage_unit" | "active"> {
  readonly channel: ChannelName;
  readonly whose: "all" | "some";
  /** The dealers whose vehicles the feed has; of one of all dealers, those with a store code. */
  readonly stores: readonly FeedStore[];
  readonly filters: Readonly<Record<FilterName, string>>;
  /** Filters that the form does not have. */
  readonly otherFilters: object;
  readonly link_template: string;
  readonly currency: string;
  readonly country: string;
  readonly max_drop_percent: string;
}

/** The path of a dealer's store code in what is sent. */
export const storePath = (dealerId: number): string => `store_codes.${dealerId}`;

const isOfForm = (name: string): boolean => FILTERS.some((one) => one === name);

/** A value of a filter as text; of several, with commas. */
const typedFilter = (value: unknown): string => {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return numberText(value);
  return [value].flat().join(", ");
};

/** The form of a feed that is there. */
export const draftOfFeed = (feed: Feed): FeedDraft => {
  const filters: Readonly<Record<string, unknown>> = { ...feed.filters };
  const dealerIds = feed.dealer_ids ?? Object.keys(feed.store_codes).map(Number);
  return {
    name: feed.name,
    channel: feed.channel,
    whose: feed.dealer_ids === null ? "all" : "some",
    stores: dealerIds.map((dealerId) => ({ dealerId, code: feed.store_codes[dealerId] ?? "" })),
    filters: recordOf(FILTERS, (name) => typedFilter(filters[name])),
    otherFilters: Object.fromEntries(Object.entries(filters).filter(([name]) => !isOfForm(name))),
    link_template: feed.link_template ?? "",
    currency: feed.currency,
    country: feed.country,
    mileage_unit: feed.mileage_unit,
    max_drop_percent: numberText(feed.max_drop_percent),
    active: feed.active,
  };
};

/** The same with a place for this dealer's store code, which a feed of all dealers may not have yet. */
export const withStore = (draft: FeedDraft, dealerId: number | null): FeedDraft =>
  dealerId === null || draft.whose === "some" || draft.stores.some((store) => store.dealerId === dealerId)
    ? draft
    : { ...draft, stores: [...draft.stores, { dealerId, code: "" }] };

/** The form of a new feed: of the user's own dealer, or of dealers who are yet to be chosen. */
export const emptyFeed = (
  bound: number | null,
  { currency, distance_unit }: Pick<Settings, "currency" | "distance_unit">,
): FeedDraft => ({
  name: "",
  channel: "google_vehicle_listings",
  whose: "some",
  stores: bound === null ? [] : [{ dealerId: bound, code: "" }],
  filters: recordOf(FILTERS, () => ""),
  otherFilters: {},
  link_template: "",
  currency,
  country: "US",
  mileage_unit: distance_unit,
  max_drop_percent: "50",
  active: true,
});

/** Typed words, one or several; `undefined` where nothing was typed. */
const wordsIn = (text: string): string | readonly string[] | undefined => {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return words.length > 1 ? words : words[0];
};

const filtersOf = ({ filters, otherFilters }: FeedDraft): object =>
  Object.fromEntries(
    [
      ...Object.entries(otherFilters),
      ...WORD_FILTERS.map((name) => [name, wordsIn(filters[name])] as const),
      ...NUMBER_FILTERS.map((name) => [name, numberOrText(filters[name]) ?? undefined] as const),
    ].filter(([, value]) => value !== undefined),
  );

/** The request body of a draft. */
export const bodyOfFeed = (draft: FeedDraft) => ({
  name: draft.name,
  channel: draft.channel,
  dealer_ids: draft.whose === "all" ? null : draft.stores.map(({ dealerId }) => dealerId),
  filters: filtersOf(draft),
  link_template: textOrNull(draft.link_template.trim()),
  currency: draft.currency.trim(),
  country: draft.country.trim(),
  store_codes: Object.fromEntries(
    draft.stores.filter(({ code }) => code !== "").map(({ dealerId, code }) => [dealerId, code]),
  ),
  mileage_unit: draft.mileage_unit,
  max_drop_percent: numberOrText(draft.max_drop_percent),
  active: draft.active,
});
