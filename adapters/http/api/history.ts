import Type from "typebox";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { HISTORY_FIELDS, HistoryQuery } from "../../../core/history/change.ts";
import type { Histories } from "../../../core/history/history.ts";
import { SaleChanges } from "../../../core/history/sale.ts";
import type { Sales } from "../../../core/history/sales.ts";
import { pageOf } from "../../../core/page.ts";
import { oneOf } from "../../../core/schema.ts";
import { listHeaders } from "../protocol/links.ts";
import type { ListCursors } from "../protocol/list-cursors.ts";
import { pathOf } from "../protocol/request-path.ts";
import { ok, type Route, route } from "../protocol/route.ts";
import { answerFields, count, dateTime, nullable, recordSchema } from "./answers.ts";
import { actorAnswer, viaAnswer } from "./audit.ts";
import { VehicleParams } from "./vehicles.ts";

const value = nullable(Type.Union([Type.String(), Type.Number()]));

const HistoryAnswer = recordSchema("VehicleHistory", {
  meta: Type.Object(
    {
      total: count,
      timestamp: dateTime,
      next_cursor: nullable(
        Type.String({ description: "Send it as `cursor` to continue the list exactly after this page." }),
      ),
    },
    { title: "VehicleHistoryMeta" },
  ),
  changes: Type.Array(
    recordSchema("VehicleChange", {
      at: dateTime,
      field: oneOf(HISTORY_FIELDS),
      old: value,
      new: value,
      by: nullable(actorAnswer),
      via: nullable(viaAnswer),
      change_id: nullable(
        Type.String({ description: "The change of several fields or vehicles that it is a part of." }),
      ),
      reverts: nullable(
        Type.String({ description: "The change that it reverted. Neither counts for prices, drops or reports." }),
      ),
      reverted_by: nullable(Type.String({ description: "The change that reverted it." })),
    }),
    { description: "Newest first. For bound keys, the ids of other dealers are `null`." },
  ),
  first_price: Type.Number({ description: "The first known price at the present dealer." }),
  price_drops: Type.Integer({
    minimum: 0,
    description: "The number of times that the price was lowered at the present dealer.",
  }),
  days_on_lot: Type.Integer({ minimum: 0, description: "Whole days from `listed_at` to `sold_at`, or to now." }),
  history_since: dateTime,
});

const { undo_sale: _, ...saleFields } = answerFields(SaleChanges);
const SaleAnswer = recordSchema("Sale", {
  ...saleFields,
  change_id: Type.Optional(Type.String({ description: "The change of it, in answers of the portal only." })),
});

interface Parts {
  readonly histories: Histories;
  readonly sales: Sales;
  readonly cursors: ListCursors;
  readonly clock: Clock;
}

/** Routes of a vehicle's history and sales (interface 6.1). */
export const historyRoutes = ({ histories, sales, cursors, clock }: Parts): Route[] => [
  route({
    operation: "vehicle.history",
    name: "getVehicleHistory",
    method: "GET",
    path: "/api/vehicles/:id/history",
    summary: "Read the history of a vehicle",
    description:
      "Changes of the price, status, stage, mileage and dealer. A bound key sees nothing from the time when the vehicle belonged to another dealer.",
    params: VehicleParams,
    query: HistoryQuery,
    answer: { status: 200, schema: HistoryAnswer, description: "A page of changes with a summary" },
    traits: ["list"],
    errors: ["not_found", "not_your_dealer"],
    async handle({ principal, params, query, search, url }) {
      const read = { principal, list: `history of ${params.id}`, search };
      const from = cursors.positionOf(read, query.cursor);
      if (from instanceof Failure) return from;
      const history = await histories.read(principal, { id: params.id, query, from });
      if (history instanceof Failure) return history;
      const { total, changes, last, firstPrice, priceDrops, daysOnLot, since } = history;
      const cursor = last === null ? null : cursors.after(read, last);
      const body = {
        meta: { total, timestamp: clock.now(), next_cursor: cursor },
        changes,
        first_price: firstPrice,
        price_drops: priceDrops,
        days_on_lot: daysOnLot,
        history_since: since,
      };
      const page = pageOf(query);
      const headers = listHeaders({ path: pathOf(url), search, page, total, more: last !== null, cursor });
      return ok(body, { headers });
    },
  }),
  route({
    operation: "vehicle.sale",
    name: "getVehicleSale",
    method: "GET",
    path: "/api/vehicles/:id/sale",
    summary: "Read the sale of a vehicle",
    description: "`sold_price` is `null` until somebody enters one. It is in no list, event or export.",
    params: VehicleParams,
    answer: { status: 200, schema: SaleAnswer, description: "The sale" },
    errors: ["not_found", "not_your_dealer", "not_sold"],
    answers: "record",
    of: ({ principal, params }) => sales.get(principal, params.id),
  }),
  route({
    operation: "vehicle.set-sale",
    name: "updateVehicleSale",
    method: "PUT",
    path: "/api/vehicles/:id/sale",
    summary: "Change the sale of a vehicle",
    params: VehicleParams,
    body: {
      name: "SaleChanges",
      schema: SaleChanges,
      readOnly: [],
      example: { sold_price: 23900, note: "Trade-in taken" },
    },
    answer: { status: 200, schema: SaleAnswer, description: "The updated sale" },
    errors: ["not_found", "not_your_dealer", "not_sold"],
    answers: "record",
    of: ({ principal, params, body }) => sales.update(principal, params.id, body),
  }),
];
