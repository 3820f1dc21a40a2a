import type { Clock } from "../../core/clock.ts";
import {
  DEALER_READ_ONLY,
  type Dealer,
  DealerChanges,
  DealerQuery,
  listedDealer,
  NewDealer,
} from "../../core/dealers/dealer.ts";
import type { Dealers } from "../../core/dealers/dealers.ts";
import { Failure, type Outcome } from "../../core/failure.ts";
import { after } from "../../core/later.ts";
import { pageOf, presented } from "../../core/page.ts";
import { InventoryQuery } from "../../core/vehicles/vehicle.ts";
import { DealerAnswer, DealerListAnswer, DoneAnswer, InventoryAnswer, StatisticsAnswer } from "./answers.ts";
import { listHeaders } from "./links.ts";
import { arrayBody } from "./long-json.ts";
import { ById } from "./paths.ts";
import { pathOf } from "./request-path.ts";
import { type Answer, created, done, ok, type Route, route } from "./route.ts";
import { pageBody, type VehiclePager } from "./vehicle-pager.ts";

interface Parts {
  readonly dealers: Dealers;
  readonly pager: VehiclePager;
  readonly clock: Clock;
}

const answerDealer = (outcome: Outcome<Dealer>): Outcome<Answer> =>
  outcome instanceof Failure ? outcome : ok(outcome, { version: outcome });

/** Routes of dealers, their inventories and statistics (specification 4.2). */
export const dealerRoutes = ({ dealers, pager, clock }: Parts): Route[] => [
  route({
    operation: "dealer.list",
    method: "GET",
    path: "/api/dealers",
    summary: "List dealers",
    description: "Newest first. A key bound to a dealer sees that dealer only. Long fields are left out when unset.",
    query: DealerQuery,
    answer: { status: 200, schema: DealerListAnswer, description: "The dealers" },
    traits: ["list"],
    async handle({ principal, query, search, url }) {
      const listing = await dealers.list(principal, query);
      return listing instanceof Failure
        ? listing
        : ok(arrayBody(presented(listing, listedDealer)), {
            headers: listHeaders(pathOf(url), search, pageOf(query), listing.total),
          });
    },
  }),
  route({
    operation: "dealer.read",
    method: "GET",
    path: "/api/dealers/:id",
    summary: "Read a dealer",
    params: ById,
    answer: { status: 200, schema: DealerAnswer, description: "The dealer" },
    traits: ["versioned"],
    async handle({ principal, params }) {
      return answerDealer(await dealers.get(principal, params.id));
    },
  }),
  route({
    operation: "dealer.create",
    method: "POST",
    path: "/api/dealers",
    summary: "Create a dealer",
    description: "Not open to keys that are bound to a dealer.",
    body: { schema: NewDealer, readOnly: DEALER_READ_ONLY },
    answer: { status: 201, schema: DealerAnswer, description: "The created dealer" },
    traits: ["versioned"],
    async handle({ principal, body }) {
      const dealer = await dealers.create(principal, body);
      return dealer instanceof Failure ? dealer : created(dealer, `/api/dealers/${dealer.id}`, dealer);
    },
  }),
  route({
    operation: "dealer.update",
    method: "PUT",
    path: "/api/dealers/:id",
    summary: "Change fields of a dealer",
    description: "A bound key may change its own dealer, except `active`.",
    params: ById,
    body: { schema: DealerChanges, readOnly: DEALER_READ_ONLY },
    answer: { status: 200, schema: DealerAnswer, description: "The whole updated dealer" },
    traits: ["versioned"],
    async handle({ principal, params, body, versions }) {
      return answerDealer(await dealers.update(principal, params.id, body, versions));
    },
  }),
  route({
    operation: "dealer.deactivate",
    method: "DELETE",
    path: "/api/dealers/:id",
    summary: "Deactivate a dealer",
    description: "The record stays, with its keys and vehicles; `active` becomes 0.",
    params: ById,
    answer: { status: 200, schema: DoneAnswer, description: "Deactivated" },
    traits: ["versioned"],
    async handle({ principal, params, versions }) {
      const dealer = await dealers.deactivate(principal, params.id, versions);
      return dealer instanceof Failure ? dealer : done(`Dealer ${params.id} deactivated`);
    },
  }),
  route({
    operation: "dealer.inventory",
    method: "GET",
    path: "/api/dealers/:id/vehicles",
    summary: "List a dealer's inventory",
    params: ById,
    query: InventoryQuery,
    answer: { status: 200, schema: InventoryAnswer, description: "A page of the dealer's vehicles" },
    traits: ["list"],
    handle({ principal, params, query, search, url }) {
      const list = `dealer ${params.id}`;
      const from = pager.positionOf(principal, list, query, search);
      if (from instanceof Failure) return from;
      return after(dealers.inventory(principal, params.id, query, from), (page) => {
        if (page instanceof Failure) return page;
        const { nextCursor, headers } = pager.describe(principal, list, pageOf(query), page, search, pathOf(url));
        const meta = { total: page.total, dealer_id: params.id, timestamp: clock.now(), next_cursor: nextCursor };
        return ok(pageBody(meta, page), { headers });
      });
    },
  }),
  route({
    operation: "dealer.statistics",
    method: "GET",
    path: "/api/dealers/:id/stats",
    summary: "Read a dealer's statistics",
    params: ById,
    answer: { status: 200, schema: StatisticsAnswer, description: "The statistics" },
    handle: ({ principal, params }) =>
      after(dealers.statistics(principal, params.id), (statistics) =>
        statistics instanceof Failure ? statistics : ok(statistics),
      ),
  }),
];
