import Type, { type TSchema } from "typebox";
import type { Clock } from "../../../core/clock.ts";
import type { InventoryVersions } from "../../../core/dealers/inventory-versions.ts";
import { FACET_NAMES, FACETS, FacetQuery } from "../../../core/facets/facet.ts";
import type { Facets } from "../../../core/facets/facets.ts";
import { Failure } from "../../../core/failure.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import { id } from "../../../core/schema.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { count, dateTime, nullable, recordSchema } from "./answers.ts";

const amount = Type.Number({ minimum: 0 });

const AmountsAnswer = recordSchema("FacetAmounts", {
  min: nullable(amount),
  max: nullable(amount),
  ranges: Type.Array(
    Type.Object({
      from: amount,
      to: nullable(
        Type.Number({ description: "The end of the range, which is not included. `null` for the last range." }),
      ),
      count,
    }),
    {
      description:
        "Up to 10 adjoining ranges between round numbers. Those of `days_on_lot` begin with 0, 31, 61 and 91 days.",
    },
  ),
});

const valuesOf = (value: TSchema, more: Readonly<Record<string, TSchema>> = {}) =>
  Type.Array(Type.Object({ value, count, ...more }), { maxItems: 100 });

const year = nullable(Type.Integer());
const word = nullable(Type.String({ description: "The most frequent spelling. `null` for vehicles without a value." }));

const facetSchema = (name: (typeof FACET_NAMES)[number]): TSchema => {
  if (name === "dealer") return valuesOf(id(), { name: nullable(Type.String()) });
  const { kind } = FACETS[name];
  if (kind === "amount" || kind === "days") return AmountsAnswer;
  return valuesOf(kind === "number" ? year : word);
};

const FacetsAnswer = recordSchema("VehicleFacets", {
  meta: Type.Object(
    {
      total: count,
      filter_applied: Type.Boolean({ description: "True if the result was limited to the key's dealer." }),
      dealer_id: Type.Optional(id({ description: "Present if the result is limited to one dealer." })),
      timestamp: dateTime,
    },
    { title: "VehicleFacetsMeta" },
  ),
  facets: Type.Object(Object.fromEntries(FACET_NAMES.map((name) => [name, Type.Optional(facetSchema(name))]))),
});

interface Parts {
  readonly facets: Facets;
  readonly versions: InventoryVersions;
  readonly clock: Clock;
}

/** The route that counts vehicles by the values of facets (interface 6.1). */
export const facetRoutes = ({ facets, versions, clock }: Parts): Route[] => [
  route({
    operation: "vehicle.facets",
    name: "countVehiclesByFacets",
    method: "GET",
    path: "/api/vehicles/facets",
    summary: "Count vehicles by the values of their fields",
    description:
      "Each facet is counted with all filters except its own, and its most frequent value comes first. A key that is bound to a dealer counts only that dealer's vehicles.",
    query: FacetQuery,
    answer: { status: 200, schema: FacetsAnswer, description: "The facets" },
    errors: ["search_not_ready"],
    listVersion: ({ principal, query }) => versions.ofFacets(principal, query),
    handle: ({ principal, query }) =>
      andThen(facets.count(principal, query), (counted) =>
        counted instanceof Failure
          ? counted
          : ok({
              meta: {
                total: counted.total,
                filter_applied: counted.filterApplied,
                ...(counted.dealerId !== null && { dealer_id: counted.dealerId }),
                timestamp: clock.now(),
              },
              facets: counted.facets,
            }),
      ),
  }),
];
