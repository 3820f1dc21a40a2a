import Type from "typebox";
import type { Clock } from "../../../core/clock.ts";
import type { FiguresOfDealers } from "../../../core/dealer-figures/figures.ts";
import {
  DEALER_READ_ONLY,
  type Dealer,
  DealerChanges,
  DealerQuery,
  LIST_OMITS_UNSET,
  listedDealer,
  NewDealer,
} from "../../../core/dealers/dealer.ts";
import type { Dealers } from "../../../core/dealers/dealers.ts";
import type { InventoryVersions } from "../../../core/dealers/inventory-versions.ts";
import { Failure, type Outcome } from "../../../core/failure.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import { enriched, pageOf, presented } from "../../../core/page.ts";
import { id } from "../../../core/schema.ts";
import { InventoryQuery } from "../../../core/vehicles/vehicle.ts";
import { listHeaders } from "../protocol/links.ts";
import { arrayBody } from "../protocol/long-body.ts";
import { pathOf } from "../protocol/request-path.ts";
import { type Answer, created, ok, type Route, route } from "../protocol/route.ts";
import {
  answerFields,
  bit,
  count,
  DoneAnswer,
  dateTime,
  type FieldsOf,
  nullable,
  recordId,
  recordSchema,
  timestamps,
} from "./answers.ts";
import { FiguresAnswer } from "./figures.ts";
import { pageBody, type VehiclePager } from "./vehicle-pager.ts";
import { VehicleAnswer, vehicleMeta } from "./vehicles.ts";

/** The path parameters of one dealer. */
const DealerParams = Type.Object({ id: recordId("dealer") });

/** A dealer as it is answered. */
export const DealerAnswer = recordSchema("Dealer", {
  id: id(),
  ...answerFields(NewDealer),
  active: bit,
  ...timestamps,
} satisfies FieldsOf<Dealer>);

/** Dealers in the form that a list has. */
export const DealerListAnswer = Type.Array(
  recordSchema("ListedDealer", {
    ...DealerAnswer.properties,
    ...Type.Partial(Type.Pick(DealerAnswer, LIST_OMITS_UNSET)).properties,
    figures: Type.Optional(FiguresAnswer),
  }),
);

const vehicleOfStatistics = nullable(
  Type.Object(
    { id: id(), make: Type.String(), model: Type.String(), year: Type.Integer(), created_at: dateTime },
    { title: "StatisticsVehicle" },
  ),
);

const StatisticsAnswer = recordSchema("DealerStatistics", {
  dealer_id: id(),
  total_vehicles: count,
  available_vehicles: count,
  sold_vehicles: count,
  pending_vehicles: count,
  average_price: Type.Number({ description: "Of vehicles that are not sold. 0 if there are none." }),
  inventory_value: Type.Number({ description: "Of vehicles that are not sold." }),
  average_days_on_lot: Type.Integer({
    description:
      "The mean time since vehicles that are not sold were listed, rounded down to whole days. 0 if there are none.",
  }),
  newest_vehicle: vehicleOfStatistics,
  oldest_vehicle: vehicleOfStatistics,
  photo_bytes: Type.Integer({
    description:
      "What the photos that the service holds for the dealer take, those of vehicles that can be restored included.",
  }),
  timestamp: dateTime,
});

const InventoryAnswer = recordSchema("InventoryPage", {
  meta: Type.Object({ ...vehicleMeta, dealer_id: id() }, { title: "InventoryPageMeta" }),
  vehicles: Type.Array(VehicleAnswer),
});

interface Parts {
  readonly dealers: Dealers;
  readonly figures: FiguresOfDealers;
  readonly pager: VehiclePager;
  readonly versions: InventoryVersions;
  readonly clock: Clock;
}

const answerDealer = (outcome: Outcome<Dealer>): Outcome<Answer> =>
  outcome instanceof Failure ? outcome : ok(outcome, { version: outcome });

/** Routes of dealers, their inventories and statistics (interface 6.3). */
export const dealerRoutes = ({ dealers, figures, pager, versions, clock }: Parts): Route[] => [
  route({
    operation: "dealer.list",
    name: "listDealers",
    method: "GET",
    path: "/api/dealers",
    summary: "List dealers",
    description:
      "Newest first. A key that is bound to a dealer sees only that dealer. Long fields are left out if they are unset.",
    query: DealerQuery,
    answer: { status: 200, schema: DealerListAnswer, description: "The dealers" },
    traits: ["list"],
    errors: [],
    async handle({ principal, query, search, url }) {
      const listing = await dealers.list(principal, query);
      if (listing instanceof Failure) return listing;
      const plain = presented(listing, listedDealer);
      const listed =
        query.include === undefined ? plain : await enriched(plain, (some) => figures.addTo(principal, some));
      return ok(arrayBody(listed), {
        headers: listHeaders({ path: pathOf(url), search, page: pageOf(query), total: listing.total }),
      });
    },
  }),
  route({
    operation: "dealer.read",
    name: "getDealer",
    method: "GET",
    path: "/api/dealers/:id",
    summary: "Read a dealer",
    params: DealerParams,
    answer: { status: 200, schema: DealerAnswer, description: "The dealer" },
    traits: ["versioned"],
    errors: ["not_found", "not_your_dealer"],
    async handle({ principal, params }) {
      return answerDealer(await dealers.get(principal, params.id));
    },
  }),
  route({
    operation: "dealer.create",
    name: "createDealer",
    method: "POST",
    path: "/api/dealers",
    summary: "Create a dealer",
    description: "Not allowed for keys that are bound to a dealer.",
    body: {
      name: "NewDealer",
      schema: NewDealer,
      readOnly: DEALER_READ_ONLY,
      example: {
        name: "Harbor Motors",
        address: "12 Quay Street",
        city: "Portland",
        state: "OR",
        zip: "97201",
        phone: "503-555-0142",
        email: "sales@harbor.example.com",
        website: "https://harbor.example.com",
        hours: { monday: "9:00-18:00", sunday: "closed" },
      },
    },
    answer: { status: 201, schema: DealerAnswer, description: "The created dealer" },
    traits: ["versioned"],
    errors: ["dealer_code_taken"],
    async handle({ principal, body }) {
      const dealer = await dealers.create(principal, body);
      return dealer instanceof Failure ? dealer : created(dealer, `/api/dealers/${dealer.id}`, dealer);
    },
  }),
  route({
    operation: "dealer.update",
    name: "updateDealer",
    method: "PUT",
    path: "/api/dealers/:id",
    summary: "Change fields of a dealer",
    description: "A bound key may change its own dealer, except `active`, `codes` and `rate_limit`.",
    params: DealerParams,
    body: {
      name: "DealerChanges",
      schema: DealerChanges,
      readOnly: DEALER_READ_ONLY,
      example: { phone: "503-555-0199", hours: { saturday: "10:00-14:00" } },
    },
    answer: { status: 200, schema: DealerAnswer, description: "The updated dealer" },
    traits: ["versioned"],
    errors: ["not_found", "not_your_dealer", "exceeds_your_rights", "dealer_code_taken", "precondition_failed"],
    async handle({ principal, params, body, versions }) {
      return answerDealer(await dealers.update(principal, { id: params.id, input: body, versions }));
    },
  }),
  route({
    operation: "dealer.deactivate",
    name: "deactivateDealer",
    method: "DELETE",
    path: "/api/dealers/:id",
    summary: "Deactivate a dealer",
    description: "Sets `active` to 0. The dealer, its keys and its vehicles stay.",
    params: DealerParams,
    answer: { status: 200, schema: DoneAnswer, description: "Deactivated" },
    traits: ["versioned"],
    errors: ["not_found", "precondition_failed"],
    answers: "done",
    of: ({ principal, params, versions }) => dealers.deactivate(principal, params.id, versions),
    says: ({ id }) => `Dealer ${id} deactivated`,
  }),
  route({
    operation: "dealer.inventory",
    name: "listDealerVehicles",
    method: "GET",
    path: "/api/dealers/:id/vehicles",
    summary: "List a dealer's inventory",
    params: DealerParams,
    query: InventoryQuery,
    answer: { status: 200, schema: InventoryAnswer, description: "A page of the dealer's vehicles" },
    traits: ["list"],
    errors: ["not_found", "not_your_dealer", "search_not_ready"],
    listVersion: ({ principal, params, query }) => versions.ofInventory(principal, params.id, query),
    handle({ principal, params, query, search, url }) {
      const list = `dealer ${params.id}`;
      const read = { principal, list, search };
      const from = pager.positionOf(read, query);
      if (from instanceof Failure) return from;
      return andThen(dealers.inventory(principal, { id: params.id, query, from }), (page) => {
        if (page instanceof Failure) return page;
        const { nextCursor, headers } = pager.describe(read, page, { page: pageOf(query), path: pathOf(url) });
        const { total, understood } = page;
        const meta = { total, dealer_id: params.id, timestamp: clock.now(), next_cursor: nextCursor, understood };
        return andThen(pager.withAdditions(page, { principal, include: query.include }), (records) =>
          ok(pageBody(meta, records), { headers }),
        );
      });
    },
  }),
  route({
    operation: "dealer.statistics",
    name: "getDealerStatistics",
    method: "GET",
    path: "/api/dealers/:id/stats",
    summary: "Read a dealer's statistics",
    params: DealerParams,
    answer: { status: 200, schema: StatisticsAnswer, description: "The statistics" },
    errors: ["not_found", "not_your_dealer"],
    listVersion: ({ principal, params }) => versions.ofStatistics(principal, params.id),
    answers: "record",
    of: ({ principal, params }) => dealers.statistics(principal, params.id),
  }),
];
