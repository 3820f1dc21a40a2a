import Type, { type TSchema } from "typebox";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { DISTANCE_UNITS, kilometres, type Place, placeNamed } from "../places/places.ts";
import { combinationIssues, flag, type Input, id, integer, listOf, moment, oneOf, requiredText } from "../schema.ts";
import { vehicleSearch } from "../search/query.ts";
import { foldLetters } from "../search/words.ts";
import { validator } from "../validation.ts";
import { STAGES, STATUSES } from "./fields.ts";

/** How often a filter may be repeated. */
const MAX_VALUES = 20;

/** A filter that may be repeated. It matches vehicles with any of the values. */
const anyOf = <Schema extends TSchema>(value: Schema, description: string) =>
  Type.Optional(
    listOf(value, MAX_VALUES, {
      description: `${description} Up to ${MAX_VALUES} times; then any of them.`,
    }),
  );

const WHOLE_VALUE = "The whole value. Case and accents do not matter.";
const WHOLE_NAME = "The whole name. Case, accents, blanks and signs do not matter: `f150` is `F-150`.";
const wholeValue = () => anyOf(requiredText(100), WHOLE_VALUE);

const amount = (description: string) => Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description }));

const since = (description: string) => Type.Optional(moment({ description }));
const MOMENTS = {
  created_since: since("Only vehicles that were created at this time or later."),
  updated_since: since("Only vehicles that were created or changed at this time or later."),
  sold_since: since("Only vehicles that were sold at this time or later."),
};

const DAYS = {
  min_days_on_lot: amount("The minimum of whole days on the lot, from `listed_at` to `sold_at`, or to now."),
  max_days_on_lot: amount("The maximum of whole days on the lot, from `listed_at` to `sold_at`, or to now."),
};

const MAX_RADIUS = 500;

const PLACE = { parameter: "near" };

const NEAR = {
  near: Type.Optional(
    Type.Refine(
      Type.String({
        maxLength: 100,
        fault: "must be a known ZIP code of the United States, or a latitude and a longitude such as 45.52,-122.68",
        description: "Only vehicles of dealers near this ZIP code or `latitude,longitude`. Needs `radius`.",
        examples: ["97201"],
        needs: { parameter: "radius" },
      }),
      (text) => placeNamed(text) !== null,
    ),
  ),
  radius: Type.Optional(
    integer(1, MAX_RADIUS, { description: "The maximum distance of dealers from `near`.", needs: PLACE }),
  ),
  radius_unit: Type.Optional(
    oneOf(DISTANCE_UNITS, {
      default: "mi",
      description: "The unit of `radius`: miles or kilometres.",
      needs: PLACE,
    }),
  ),
};

/** The filters of a dealer's vehicles, as query parameters. */
export const FILTERS = {
  status: anyOf(oneOf(STATUSES, { isFolded: true }), "Only vehicles with this status."),
  stage: anyOf(oneOf(Object.values(STAGES).flat(), { isFolded: true }), "Only vehicles with this stage."),
  featured: Type.Optional(flag({ description: "If true, only featured vehicles. If false, only others." })),
  make: anyOf(requiredText(100), WHOLE_NAME),
  model: anyOf(requiredText(100), WHOLE_NAME),
  year: amount("Only vehicles of this year."),
  min_price: amount("The lowest price."),
  max_price: amount("The highest price."),
  min_year: amount("The first year."),
  max_year: amount("The last year."),
  min_mileage: amount("The lowest mileage. Vehicles without a mileage do not match."),
  max_mileage: amount("The highest mileage. Vehicles without a mileage do not match."),
  min_electric_range: amount("The shortest range on the battery alone. Vehicles without a range do not match."),
  max_electric_range: amount("The longest range on the battery alone. Vehicles without a range do not match."),
  doors: amount("Only vehicles with this number of doors."),
  ...DAYS,
  body_style: wholeValue(),
  fuel_type: wholeValue(),
  transmission: wholeValue(),
  drivetrain: wholeValue(),
  condition: wholeValue(),
  exterior_color: wholeValue(),
  interior_color: wholeValue(),
  trim: wholeValue(),
  vin: Type.Optional(requiredText(32, { description: "The whole value. Case does not matter." })),
  stock_number: Type.Optional(requiredText(64, { description: "The whole value. Case does not matter." })),
  q: Type.Optional(vehicleSearch),
  has_images: Type.Optional(flag({ description: "If true, only vehicles with images. If false, only those without." })),
  ...MOMENTS,
  ...NEAR,
};

/** The further filter of lists that have vehicles of all dealers. */
export const DEALER_FILTER = {
  dealer_id: Type.Optional(
    id({ description: "Only vehicles of this dealer. For a bound key, it is replaced by the key's dealer." }),
  ),
};

const Filter = Type.Object({ ...DEALER_FILTER, ...FILTERS });

/** The filters of a query. */
export type FilterQuery = Readonly<Input<typeof Filter>>;

/** A place, and the greatest distance from it. */
export interface SearchArea extends Place {
  readonly kilometres: number;
}

/** A filter of vehicles. Absent fields match every vehicle; of several values, any may match. */
export interface VehicleFilter extends FilterQuery {
  /** The moment up to which days on the lot are counted. */
  readonly as_of?: Timestamp;
  /** The place that `near` names, and the greatest distance of dealers from it. */
  readonly around?: SearchArea;
}

const FILTER_NAMES = Object.keys(Filter.properties) as (keyof FilterQuery)[];
const DAY_NAMES = Object.keys(DAYS) as (keyof typeof DAYS)[];
const MOMENT_NAMES = Object.keys(MOMENTS) as (keyof typeof MOMENTS)[];

/** True if what a query finds or counts depends on the time: a filter or a facet is about days on the lot. */
export const countsDays = (query: FilterQuery & { readonly facets?: readonly string[] }): boolean =>
  DAY_NAMES.some((name) => query[name] !== undefined) || query.facets?.includes("days_on_lot") === true;

/**
 * The filter of a query, without the query's other parameters. Moments become timestamps. Days on the lot are counted
 * up to `asOf`, or up to now.
 */
export const vehicleFilterOf = (
  query: FilterQuery,
  clock: Pick<Clock, "now" | "parse">,
  asOf?: Timestamp,
): VehicleFilter => {
  const filter: { -readonly [Name in keyof VehicleFilter]: unknown } = {};
  for (const name of FILTER_NAMES) if (query[name] !== undefined) filter[name] = query[name];
  for (const name of MOMENT_NAMES) {
    const text = query[name];
    if (text !== undefined) filter[name] = clock.parse(text);
  }
  if (DAY_NAMES.some((name) => name in filter)) filter.as_of = asOf ?? clock.now();
  const place = query.near === undefined ? null : placeNamed(query.near);
  if (place !== null && query.radius !== undefined)
    filter.around = { ...place, kilometres: kilometres(query.radius, query.radius_unit ?? "mi") };
  return filter as VehicleFilter;
};

type Listed = TSchema & { readonly items?: TSchema & { readonly isFolded?: true; readonly fault?: string } };

const FILTER_FIELDS = Object.entries<Listed>(Filter.properties);

/** What filters in a body must be. */
export const FILTER_FAULT = "must be an object of filters";

/** The filters of vehicles as a JSON object. A filter that may be repeated is one value or a list of values. */
export const VehicleFilterBody = Type.Object(
  Object.fromEntries(
    FILTER_FIELDS.map(([name, schema]) => [
      name,
      schema.items === undefined ? schema : Type.Optional(Type.Union([schema.items, schema])),
    ]),
  ),
  {
    title: "VehicleFilter",
    additionalProperties: false,
    description: "The filters of the list of vehicles. Without filters, all vehicles that the caller can access.",
  },
);

const filterBody = validator(Filter);
const combinations = combinationIssues(Filter);

/** Turns a JSON object of filters into the filters of a query. */
export const filterQueryIn = (sent: object): Outcome<FilterQuery> => {
  const values: Record<string, unknown> = { ...sent };
  for (const [name, { items }] of FILTER_FIELDS) {
    const value = values[name];
    if (items === undefined || value === undefined || value === null) continue;
    const listed: unknown[] = Array.isArray(value) ? value : [value];
    values[name] = items.isFolded ? listed.map((one) => (typeof one === "string" ? foldLetters(one) : one)) : listed;
  }
  const query = filterBody.parse(values, () => combinations?.((name) => values[name]) ?? []);
  if (!(query instanceof Failure) || query.cause.kind !== "invalid") return query;
  return new Failure({ ...query.cause, issues: query.cause.issues.map((issue) => aboutTheValue(issue, sent)) });
};

/** An issue of one value of a filter that may be repeated says what the value must be, and names what was sent. */
const aboutTheValue = (issue: Issue, sent: object): Issue => {
  const [name = "", place] = issue.path.split(".");
  const filter: Listed | undefined = Filter.properties[name as keyof FilterQuery];
  if (place === undefined || filter?.items?.fault === undefined) return issue;
  const isList = Array.isArray(sent[name as keyof typeof sent]);
  return { path: isList ? issue.path : name, message: filter.items.fault };
};
