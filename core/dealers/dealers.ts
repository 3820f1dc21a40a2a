import { admit, decide, scopeOf } from "../access/decide.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { dealersKeyMayNotChangeActiveOfDealer } from "../access/rules/dealers-key-may-not-change-active-of-dealer.ts";
import { dealersKeyMayNotChangeCodesOfDealer } from "../access/rules/dealers-key-may-not-change-codes-of-dealer.ts";
import { dealersKeyMayNotChangeRateLimitOfDealer } from "../access/rules/dealers-key-may-not-change-rate-limit-of-dealer.ts";
import { useCase } from "../access/use-case.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, notFound, type Outcome } from "../failure.ts";
import type { Issue } from "../issues.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { type Listing, orderOf, slicedPageOf } from "../page.ts";
import { type SearchIndex, searchRefusal } from "../search/progress.ts";
import { requireChange } from "../validation.ts";
import { listUnderstood, type UnderstoodPage } from "../vehicles/understanding.ts";
import type { InventoryQuery } from "../vehicles/vehicle.ts";
import { vehicleFilterOf } from "../vehicles/vehicle-filter.ts";
import { type Position, vehicleOrderOf } from "../vehicles/vehicle-order.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";

import { catchingTakenCode, requireDifferentCodes } from "./codes.ts";
import { type Dealer, type DealerQuery, dealerChanges, FIGURE_SORTS, newDealer, UNSET_DEALER } from "./dealer.ts";
import type { DealerRepository } from "./dealer-repository.ts";
import { figureSightOf } from "./figure-sight.ts";
import { requireBothCoordinates } from "./location.ts";
import { type Statistics, statisticsOf } from "./statistics.ts";

interface Ports {
  readonly dealers: DealerRepository;
  readonly vehicles: Pick<VehicleRepository, "list">;
  readonly search: SearchIndex;
  readonly clock: Clock;
}

const bit = (value: boolean | 0 | 1): 0 | 1 => (value ? 1 : 0);

/** What is wrong with fields that are right each by itself. */
const rulesOfFields = (fields: Readonly<Record<string, unknown>>): Issue[] => [
  ...requireBothCoordinates(fields),
  ...requireDifferentCodes(fields),
];

/** The use cases of dealers (interface 6.3). A bound caller reaches only its own dealer. */
export const makeDealers = ({ dealers, vehicles, search, clock }: Ports) => {
  /**
   * The reason why a scoped statement did not find a dealer: it does not exist, it is not the caller's, or it has
   * another version. The id of a dealer never changes.
   */
  const whyMissed = async (principal: Principal, operation: Operation, id: number): Promise<Failure> => {
    if (!(await dealers.exists(id))) return notFound("dealer", id);
    return (
      decide(principal, operation, { subject: "dealer", dealerId: id }) ??
      new Failure({ kind: "stale", subject: "dealer" })
    );
  };

  return {
    list: useCase("dealer.list", async (principal, query: DealerQuery): Promise<Outcome<Listing<Dealer>>> => {
      const { state, city, active, q, needs_help } = query;
      const order = orderOf(query);
      const isByFigures = needs_help !== undefined || FIGURE_SORTS.some((sort) => sort === order.by);
      const refused = isByFigures || query.include !== undefined ? admit(principal, "dealer.today") : null;
      if (refused !== null) return refused;
      return dealers.list({
        scope: scopeOf(principal),
        filter: {
          ...(state !== undefined && { state }),
          ...(city !== undefined && { city }),
          ...(active !== undefined && { active }),
          ...(q !== undefined && { search: q }),
          ...(needs_help !== undefined && { needsHelp: needs_help }),
        },
        page: slicedPageOf(query),
        order,
        ...(isByFigures && { sight: figureSightOf(principal, clock.nowMs()) }),
      });
    }),

    get: useCase("dealer.read", async (principal, id: number): Promise<Outcome<Dealer>> => {
      return (await dealers.find(id, scopeOf(principal))) ?? whyMissed(principal, "dealer.read", id);
    }),

    create: useCase("dealer.create", async (principal, input: unknown): Promise<Outcome<Dealer>> => {
      const body = newDealer.parse(input, rulesOfFields);
      if (body instanceof Failure) return body;
      const now = clock.now();
      const { active = true, ...sent } = body;
      const dealer = { ...UNSET_DEALER, ...sent, active: bit(active), created_at: now, updated_at: now };
      return catchingTakenCode(dealers.insert(dealer, principal));
    }),

    /** Changes the fields that were sent. A bound caller may not change `active`, `codes` and `rate_limit`. */
    update: useCase(
      "dealer.update",
      async (
        principal,
        {
          id,
          input,
          versions = null,
        }: { readonly id: number; readonly input: unknown; readonly versions?: readonly Timestamp[] | null },
      ): Promise<Outcome<Dealer>> => {
        const body = requireChange(dealerChanges.parse(input, rulesOfFields));
        if (body instanceof Failure) return body;
        const scope = scopeOf(principal);
        const { active, codes, rate_limit, ...rest } = body;
        const sent = {
          ...(active !== undefined && { active: bit(active) }),
          ...(codes !== undefined && { codes }),
          ...(rate_limit !== undefined && { rate_limit }),
        };
        if (scope !== null && Object.keys(sent).length > 0) {
          const present = await dealers.find(id, scope);
          const after = present && { ...present, ...sent };
          const refused =
            present &&
            after &&
            (dealersKeyMayNotChangeActiveOfDealer(scope, present, after) ??
              dealersKeyMayNotChangeCodesOfDealer(scope, present, after) ??
              dealersKeyMayNotChangeRateLimitOfDealer(scope, present, after));
          if (refused !== null) return refused;
        }
        // Unchanged ones from a bound caller are left out, so that it cannot undo a change of another at the same time.
        const changes = scope === null ? { ...rest, ...sent } : rest;
        const updated = await catchingTakenCode(
          dealers.update({ id, scope, changes, now: clock.now(), versions, by: principal }),
        );
        return updated ?? whyMissed(principal, "dealer.update", id);
      },
    ),

    /** Deactivates a dealer; doing it twice is no error. The dealer's keys and vehicles stay (interface 3.2). */
    deactivate: useCase(
      "dealer.deactivate",
      async (principal, id: number, versions: readonly Timestamp[] | null = null): Promise<Outcome<Dealer>> => {
        const updated = await dealers.update({
          id,
          scope: scopeOf(principal),
          changes: { active: 0 },
          now: clock.now(),
          versions,
          by: principal,
        });
        return updated ?? whyMissed(principal, "dealer.deactivate", id);
      },
    ),

    /** The dealer's vehicles, with the filters and paging of the vehicle list. */
    inventory: useCase(
      "dealer.inventory",
      (
        principal,
        {
          id,
          query,
          from = null,
        }: { readonly id: number; readonly query: InventoryQuery; readonly from?: Position | null },
      ): MaybePromise<Outcome<UnderstoodPage>> => {
        const scope = scopeOf(principal);
        if (scope !== null && scope !== id) return whyMissed(principal, "dealer.inventory", id);
        const unanswerable = searchRefusal(search, query);
        if (unanswerable !== null) return unanswerable;
        const filter = vehicleFilterOf(query, clock, from?.asOf);
        const asked = {
          scope,
          filter: { ...filter, dealer_id: id },
          order: vehicleOrderOf(query, () => from?.asOf ?? filter.as_of ?? clock.now()),
          page: slicedPageOf(query),
          from,
        };
        return andThen(
          listUnderstood(vehicles, asked, query.include),
          (page): MaybePromise<Outcome<UnderstoodPage>> => {
            if (page.total > 0) return page;
            return andThen(dealers.exists(id), (exists) => (exists ? page : notFound("dealer", id)));
          },
        );
      },
    ),

    statistics: useCase("dealer.statistics", (principal, id: number): MaybePromise<Outcome<Statistics>> => {
      const scope = scopeOf(principal);
      return andThen(dealers.inventory(id, scope), (inventory): MaybePromise<Outcome<Statistics>> => {
        if (inventory === null) return whyMissed(principal, "dealer.statistics", id);
        return statisticsOf(id, inventory, clock.now());
      });
    }),
  };
};

export type Dealers = ReturnType<typeof makeDealers>;
