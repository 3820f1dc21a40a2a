import Type, { type TSchema } from "typebox";
import { flag, type Input, id, integer, listOf, oneOf, requiredText } from "../schema.ts";
import { STATUSES } from "./fields.ts";

/** How often a filter of whole values may be given. */
const MOST_VALUES = 20;

/** A filter that may be given several times and then finds what has any of the values. */
const anyOf = <Schema extends TSchema>(value: Schema, description: string) =>
  Type.Optional(
    listOf(value, MOST_VALUES, {
      description: `${description} Up to ${MOST_VALUES} times; then any of them.`,
    }),
  );

const WHOLE_VALUE = "Whole value, without regard to case.";

/** The filters of a dealer's vehicles, as parameters of a query. */
export const FILTERS = {
  status: anyOf(oneOf(STATUSES, { isFolded: true }), "Only vehicles with this status."),
  featured: Type.Optional(flag({ description: "Only featured vehicles, or only others." })),
  make: anyOf(requiredText(100), WHOLE_VALUE),
  model: anyOf(requiredText(100), WHOLE_VALUE),
  year: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description: "Only vehicles of this year." })),
  min_price: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description: "The lowest price." })),
  max_price: Type.Optional(integer(0, Number.MAX_SAFE_INTEGER, { description: "The highest price." })),
};

/** The filters of vehicles of all dealers. */
export const DEALER_FILTER = {
  dealer_id: Type.Optional(id({ description: "Only vehicles of this dealer. A bound key's dealer replaces it." })),
};

const Filter = Type.Object({ ...DEALER_FILTER, ...FILTERS });

/** Which vehicles are meant. Absent filters let everything through; of several values any may hold. */
export type VehicleFilter = Readonly<Input<typeof Filter>>;

/** The names of all filters. */
const FILTER_NAMES = Object.keys(Filter.properties) as (keyof VehicleFilter)[];

/** The filter of a query, without its other parameters. */
export const vehicleFilterOf = (query: VehicleFilter): VehicleFilter => {
  const filter: { -readonly [Name in keyof VehicleFilter]: unknown } = {};
  for (const name of FILTER_NAMES) if (query[name] !== undefined) filter[name] = query[name];
  return filter as VehicleFilter;
};
