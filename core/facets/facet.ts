import Type from "typebox";
import { commaList, type Input } from "../schema.ts";
import { foldName } from "../search/names.ts";
import { foldLetters } from "../search/words.ts";
import { AGE_LIMITS } from "../vehicles/days-on-lot.ts";
import { DEALER_FILTER, FILTERS, type FilterQuery } from "../vehicles/vehicle-filter.ts";

/** What a facet counts, and its own filters, which are ignored when it is counted. */
interface Facet {
  /** The field whose values are counted. */
  readonly field:
    | "dealer_id"
    | "make"
    | "model"
    | "year"
    | "status"
    | "stage"
    | "price"
    | "mileage"
    | SpelledField
    | "days_on_lot";
  /** Spellings that differ only in case and accents count as one value. Amounts and days are counted in ranges. */
  readonly kind: "spelled" | "word" | "number" | "amount" | "days";
  readonly own: readonly (keyof FilterQuery)[];
}
type SpelledField =
  | "body_style"
  | "fuel_type"
  | "transmission"
  | "drivetrain"
  | "condition"
  | "exterior_color"
  | "interior_color"
  | "trim";

const spelled = <Field extends SpelledField | "make" | "model">(field: Field) =>
  ({ field, kind: "spelled", own: [field] }) as const;

/** THE list of facets, in the order of answers. */
export const FACETS = {
  make: spelled("make"),
  model: spelled("model"),
  year: { field: "year", kind: "number", own: ["year", "min_year", "max_year"] },
  status: { field: "status", kind: "word", own: ["status"] },
  stage: { field: "stage", kind: "word", own: ["stage"] },
  body_style: spelled("body_style"),
  fuel_type: spelled("fuel_type"),
  transmission: spelled("transmission"),
  drivetrain: spelled("drivetrain"),
  condition: spelled("condition"),
  exterior_color: spelled("exterior_color"),
  price: { field: "price", kind: "amount", own: ["min_price", "max_price"] },
  mileage: { field: "mileage", kind: "amount", own: ["min_mileage", "max_mileage"] },
  days_on_lot: { field: "days_on_lot", kind: "days", own: ["min_days_on_lot", "max_days_on_lot"] },
  dealer: { field: "dealer_id", kind: "number", own: ["dealer_id"] },
} as const satisfies Readonly<Record<string, Facet>>;
export type FacetName = keyof typeof FACETS;
export const FACET_NAMES = Object.keys(FACETS) as FacetName[];
const DEFAULT_FACETS = FACET_NAMES.filter((name) => name !== "dealer" && name !== "days_on_lot");

/** Facets whose amounts are counted in ranges. */
export type AmountFacet = {
  [Name in FacetName]: (typeof FACETS)[Name]["kind"] extends "amount" | "days" ? Name : never;
}[FacetName];
/** Facets whose values are counted one by one. */
export type WordFacet = Exclude<FacetName, AmountFacet>;

/** Query of GET /api/vehicles/facets. */
export const FacetQuery = Type.Object({
  facets: Type.Optional(
    commaList(FACET_NAMES, {
      description:
        "The facets to count, repeated or separated by commas. Default: all except `days_on_lot` and `dealer`.",
    }),
  ),
  ...DEALER_FILTER,
  ...FILTERS,
});
export type FacetQuery = Input<typeof FacetQuery>;

/** The facets that a query asks for, in the order of answers. */
export const facetsOf = ({ facets }: Pick<FacetQuery, "facets">): readonly FacetName[] =>
  facets === undefined ? DEFAULT_FACETS : FACET_NAMES.filter((name) => facets.includes(name));

/** The first day of each range of days on the lot. */
export const FIRST_DAYS: readonly number[] = [0, ...AGE_LIMITS.map((limit) => limit + 1)];

/** The number of vehicles with a value; `null` stands for vehicles without one. */
export interface ValueCount {
  readonly value: string | number | null;
  readonly count: number;
}

/** The number of vehicles with an amount of at least `from` and below `to`. The last range has no upper limit. */
export interface RangeCount {
  readonly from: number;
  readonly to: number | null;
  readonly count: number;
}

/** The amounts of vehicles in ranges. Vehicles without an amount are not counted. */
export interface Amounts {
  readonly min: number | null;
  readonly max: number | null;
  readonly ranges: readonly RangeCount[];
}

/** The maximum number of values of a facet. */
export const MAX_VALUES = 100;

const byFrequency = (one: ValueCount, other: ValueCount): number => {
  if (one.value === null || other.value === null) return one.value === null ? 1 : -1;
  return other.count - one.count || (one.value < other.value ? -1 : 1);
};

/** The most frequent values, at most 100. The number of vehicles without a value comes last. */
export const mostFrequent = (counts: readonly ValueCount[]): readonly ValueCount[] => {
  const sorted = counts.toSorted(byFrequency);
  const last = sorted.at(-1);
  if (sorted.length <= MAX_VALUES) return sorted;
  return last?.value === null ? [...sorted.slice(0, MAX_VALUES - 1), last] : sorted.slice(0, MAX_VALUES);
};

/**
 * Merges spellings that differ only in case and accents, of makes and models also those that differ in signs and blanks,
 * into one value, in the most frequent spelling.
 */
export const mergedSpellings = (name: FacetName, counts: readonly ValueCount[]): readonly ValueCount[] => {
  const fold = name === "make" || name === "model" ? foldName : foldLetters;
  const merged = new Map<string | null, ValueCount>();
  for (const { value, count } of counts.toSorted(byFrequency)) {
    const folded = value === null ? null : fold(String(value));
    const most = merged.get(folded);
    merged.set(folded, { value: most?.value ?? value, count: count + (most?.count ?? 0) });
  }
  return [...merged.values()];
};
