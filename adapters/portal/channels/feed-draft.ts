import type { ChannelName } from "../../../core/channels/titles.ts";
import type { Feed } from "../../../core/feeds/feed.ts";
import type { Issue } from "../../../core/issues.ts";
import type { Settings } from "../../../core/settings/installation.ts";
import { numberOrText, numberText, recordOf } from "../forms/draft.ts";
import { type HeldFields, heldFields, sentFields } from "../forms/field-values.ts";

/** The filters in the form. A feed may have others, which stay unchanged. */
const WORD_FILTERS = ["condition", "make", "model", "body_style"] as const;
const NUMBER_FILTERS = ["min_year", "max_year", "min_price", "max_price"] as const;
const FILTERS = [...WORD_FILTERS, ...NUMBER_FILTERS] as const;

/** A dealer of a feed with its store code at the channel; "" for none. */
export interface FeedStore {
  readonly dealerId: number;
  readonly code: string;
}

const FIELDS = { link_template: "text", price_type: "text", max_drop_percent: "number", active: "flag" } as const;

/** A feed as the form holds it. */
export interface FeedDraft
  extends HeldFields<typeof FIELDS>,
    Pick<Feed, "name" | "mileage_unit" | "currency" | "country"> {
  readonly channel: ChannelName;
  readonly whose: "all" | "some";
  /** The dealers of the feed; for a feed of all dealers, those with a store code. */
  readonly stores: readonly FeedStore[];
  readonly filters: Readonly<Record<(typeof FILTERS)[number], string>>;
  /** Filters that the form does not have. */
  readonly otherFilters: object;
}

/** The path of a dealer's store code in the request. */
export const storePath = (dealerId: number): string => `store_codes.${dealerId}`;

const isOfForm = (name: string): boolean => FILTERS.some((one) => one === name);

/** The value of a filter as text; several values are separated by commas. */
const typedFilter = (value: unknown): string => {
  if (value === undefined || value === null) return "";
  if (typeof value === "number") return numberText(value);
  return [value].flat().join(", ");
};

/** The form of an existing feed. */
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
    ...heldFields(FIELDS, feed),
    ...{ currency: feed.currency, country: feed.country, mileage_unit: feed.mileage_unit },
  };
};

/** The draft with an entry for this dealer's store code, which a feed of all dealers may lack. */
export const withStore = (draft: FeedDraft, dealerId: number | null): FeedDraft =>
  dealerId === null || draft.whose === "some" || draft.stores.some((store) => store.dealerId === dealerId)
    ? draft
    : { ...draft, stores: [...draft.stores, { dealerId, code: "" }] };

/** The form of a new feed, for the user's own dealer or for dealers chosen later. */
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
  ...heldFields(FIELDS, { max_drop_percent: 50, active: true }),
  ...{ currency, country: "US", mileage_unit: distance_unit },
});

/** The typed words, one or several; `undefined` if nothing was typed. */
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
  ...sentFields(FIELDS, draft),
  currency: draft.currency.trim(),
  country: draft.country.trim(),
  mileage_unit: draft.mileage_unit,
  store_codes: Object.fromEntries(
    draft.stores.filter(({ code }) => code !== "").map(({ dealerId, code }) => [dealerId, code]),
  ),
});

/** What is missing in a draft: a feed of chosen dealers needs one. */
export const issuesOfFeed = ({ whose, stores }: FeedDraft): readonly Issue[] =>
  whose === "some" && stores.length === 0 ? [{ path: "dealer_ids", message: "is required" }] : [];
