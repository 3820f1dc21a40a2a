import { scopeOf } from "../access/decide.ts";
import { whyVehicleMissed } from "../access/missed-vehicle.ts";
import type { Operation } from "../access/policy.ts";
import type { Principal } from "../access/principal.ts";
import { useCase } from "../access/use-case.ts";
import { namedInPortal } from "../changes/named-change.ts";
import type { Clock } from "../clock.ts";
import { findOrExplain } from "../crossing-changes.ts";
import { Failure, invalid, type Outcome } from "../failure.ts";
import { requireChange } from "../validation.ts";
import { lotStateIssues } from "../vehicles/lot-state.ts";
import { dateIssues, withTimestamps } from "../vehicles/vehicle.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";
import type { Vehicles } from "../vehicles/vehicles.ts";
import { type Sale, saleChanges } from "./sale.ts";
import type { SaleRepository, StoredSale } from "./sale-repository.ts";

interface Ports {
  readonly sales: SaleRepository;
  readonly vehicles: Pick<VehicleRepository, "ownerOf">;
  readonly changeVehicle: Vehicles["update"];
  readonly clock: Clock;
}

/** The sale of a vehicle, or a failure if the vehicle is not sold. */
const saleOf = ({ status, sold_price, sold_at, note }: StoredSale, id: number): Outcome<Sale> =>
  status === "sold" ? { sold_price, sold_at, note } : new Failure({ kind: "not-sold", id });

const NO_SALE: Sale = { sold_price: null, sold_at: null, note: null };
const SENT_ALONE = { path: "undo_sale", message: "must be sent alone, as it ends the sale" };

/** Use cases of the sale of a vehicle (interface 6.1). */
export const makeSales = ({ sales, vehicles, changeVehicle, clock }: Ports) => {
  const explainMiss = (principal: Principal, operation: Operation, id: number) => () =>
    whyVehicleMissed(vehicles, { principal, operation, id });

  /** Makes a sold vehicle available. Returns its sale as it is then: the one that stands, or none. */
  const end = async (principal: Principal, id: number, isUndone: boolean): Promise<Outcome<Sale>> => {
    const scope = scopeOf(principal);
    const found = await findOrExplain(() => sales.find(id, scope), explainMiss(principal, "vehicle.set-sale", id));
    const sale = found instanceof Failure ? found : saleOf(found, id);
    if (sale instanceof Failure) return sale;
    const changed = await changeVehicle(principal, { id, input: { status: "available", undo_sale: isUndone } });
    if (changed instanceof Failure) return changed;
    return isUndone ? NO_SALE : sale;
  };

  return {
    get: useCase("vehicle.sale", async (principal, id: number): Promise<Outcome<Sale>> => {
      const scope = scopeOf(principal);
      const sale = await findOrExplain(() => sales.find(id, scope), explainMiss(principal, "vehicle.sale", id));
      return sale instanceof Failure ? sale : saleOf(sale, id);
    }),

    /**
     * Changes the fields that were sent. `sold_at` is a field of the vehicle, so changing it gives the vehicle a new
     * version.
     */
    update: useCase("vehicle.set-sale", async (principal, id: number, input: unknown): Promise<Outcome<Sale>> => {
      const now = clock.now();
      const body = requireChange(saleChanges.parse(input, dateIssues(clock)));
      if (body instanceof Failure) return body;
      const { sold_at, undo_sale, ...rest } = withTimestamps(clock, body);
      if (undo_sale !== undefined)
        return Object.keys(body).length > 1 ? invalid(SENT_ALONE) : end(principal, id, undo_sale);
      const changes = { ...rest, ...((sold_at ?? null) !== null && { sold_at }) };
      const scope = scopeOf(principal);
      const by = namedInPortal(principal, clock, "edit");
      return findOrExplain(
        async (): Promise<Outcome<Sale> | null> => {
          const present = await sales.find(id, scope);
          if (present === null) return null;
          if (present.status !== "sold") return new Failure({ kind: "not-sold", id });
          const issues = lotStateIssues({ ...present, stage: null }, changes, now);
          if (issues.length > 0) return invalid(...issues);
          const sale = await sales.change({ vehicleId: id, scope, version: present.updated_at, changes, now, by });
          return sale === null || by.change === undefined ? sale : { ...sale, change_id: by.change.id };
        },
        explainMiss(principal, "vehicle.set-sale", id),
      );
    }),
  };
};

export type Sales = ReturnType<typeof makeSales>;
