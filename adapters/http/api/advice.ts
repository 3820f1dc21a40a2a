import Type from "typebox";
import { type Advice, AdviceQuery, type Advices } from "../../../core/advice/advice.ts";
import type { DaysAtPrice } from "../../../core/advice/estimate.ts";
import { LIKENESSES, type PastSale } from "../../../core/advice/similar-sales.ts";
import { id, oneOf } from "../../../core/schema.ts";
import { type Route, route } from "../protocol/route.ts";
import { dateTime, type FieldsOf, nullable, recordId, recordSchema } from "./answers.ts";

const price = Type.Number();
const days = Type.Integer({ minimum: 0, description: "Whole days of 24 hours on the lot." });

const AtPrice = recordSchema("DaysAtPrice", {
  price,
  days: Type.Integer({ minimum: 0, description: "The median of the days that the sales about this price took." }),
  sales: Type.Integer({ minimum: 3, description: "The number of these sales." }),
  within_percent: Type.Integer({ description: "How far from the price they are at most: 5, 10 or 15 percent." }),
} satisfies FieldsOf<DaysAtPrice>);

const AdviceAnswer = recordSchema("Advice", {
  vehicle_id: id(),
  price,
  days_on_lot: days,
  enough: Type.Boolean({ description: "False with fewer than five sales: then there is no advice." }),
  like: oneOf(LIKENESSES, {
    description:
      "What the sold vehicles have in common with this one: its model and its year, up to two apart; its model; or its make, body style and year, up to two apart. It is the first with five sales.",
  }),
  sales: Type.Array(
    recordSchema("PastSale", {
      vehicle_id: id(),
      year: Type.Integer(),
      price: Type.Number({ description: "What it was sold for, or else its price." }),
      days,
      sold_at: dateTime,
    } satisfies FieldsOf<PastSale>),
    { maxItems: 20, description: "The last sales, the latest first." },
  ),
  at_present: nullable(AtPrice),
  at_price: nullable(AtPrice),
} satisfies FieldsOf<Advice>);

/** The route of what would sell a vehicle (interface 6.1). */
export const adviceRoutes = (advices: Advices): Route[] => [
  route({
    operation: "vehicle.advice",
    name: "getVehicleAdvice",
    method: "GET",
    path: "/api/vehicles/:id/advice",
    summary: "Read what would sell a vehicle",
    description:
      "From the dealer's own sales: how long similar vehicles took at its price, and at the `price` that is asked about. `null` if fewer than three were sold within 15 percent of it. What they were sold for is in it, so it needs `vehicles:write`.",
    params: Type.Object({ id: recordId("vehicle") }),
    query: AdviceQuery,
    answer: { status: 200, schema: AdviceAnswer, description: "The sales, and what they say" },
    errors: ["not_found", "not_your_dealer"],
    answers: "record",
    of: ({ principal, params, query }) => advices.read(principal, params.id, query),
  }),
];
