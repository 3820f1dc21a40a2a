import { scopeOf } from "../access/decide.ts";
import { whyVehicleMissed } from "../access/missed-vehicle.ts";
import { useCase } from "../access/use-case.ts";
import { visibilityOfActors } from "../access/visibility.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { findOrExplain } from "../crossing-changes.ts";
import { Failure, type Outcome } from "../failure.ts";
import { pageOf } from "../page.ts";
import { daysOnLotOf } from "../vehicles/days-on-lot.ts";
import type { Position } from "../vehicles/vehicle-order.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";
import { type Change, changeOf, HISTORY_FIELDS, type HistoryQuery } from "./change.ts";
import { historyHidesOtherDealers } from "./history-hides-other-dealers.ts";
import type { HistoryRepository, StoredHistory } from "./history-repository.ts";

/** A page of a vehicle's history. */
export interface History {
  readonly total: number;
  /** Newest first. */
  readonly changes: readonly Change[];
  /**
   * The position of this page's last change: its moment, and the index of its field in HISTORY_FIELDS. `null` if no
   * changes follow.
   */
  readonly last: Position | null;
  /** The vehicle's first price with its present dealer. */
  readonly firstPrice: number;
  readonly priceDrops: number;
  readonly daysOnLot: number;
  readonly since: Timestamp;
}

interface Ports {
  readonly history: HistoryRepository;
  readonly vehicles: Pick<VehicleRepository, "find" | "ownerOf">;
  readonly clock: Clock;
}

/**
 * The moment at which the history of a vehicle begins. For a reader who is bound to a dealer, it begins when the
 * vehicle came to that dealer.
 */
const sinceOf = (
  { firstDealer, arrivedAt, begunAt }: StoredHistory,
  { created_at, dealer_id }: { readonly created_at: Timestamp; readonly dealer_id: number },
  isBound: boolean,
): Timestamp => {
  if (isBound && firstDealer !== null && firstDealer !== dealer_id && arrivedAt !== null) return arrivedAt;
  return begunAt !== null && begunAt > created_at ? begunAt : created_at;
};

/** The use case of reading a vehicle's history (interface 6.1). */
export const makeHistory = ({ history, vehicles, clock }: Ports) => ({
  read: useCase(
    "vehicle.history",
    async (
      principal,
      {
        id,
        query,
        from = null,
      }: { readonly id: number; readonly query: HistoryQuery; readonly from?: Position | null },
    ): Promise<Outcome<History>> => {
      const scope = scopeOf(principal);
      const reader = { scope, visibility: visibilityOfActors(principal) };
      const record = await findOrExplain(
        () => vehicles.find(id, scope),
        () => whyVehicleMissed(vehicles, { principal, operation: "vehicle.history", id }),
      );
      if (record instanceof Failure) return record;
      const vehicle = record.parse();
      const page = pageOf(query);
      const read = await history.read({
        vehicleId: id,
        dealerId: vehicle.dealer_id,
        scope,
        field: query.field ?? null,
        page,
        after: from && { at: String(from.value), field: HISTORY_FIELDS[from.id] ?? "status" },
      });
      const changes = read.changes.slice(0, page.limit);
      const last = read.changes.length > page.limit ? changes.at(-1) : undefined;
      return {
        total: read.total,
        changes: changes.map((one) => historyHidesOtherDealers(reader, changeOf(one), one.actor)),
        last: last === undefined ? null : { value: last.at, id: HISTORY_FIELDS.indexOf(last.field) },
        firstPrice: read.firstCents === null ? vehicle.price : read.firstCents / 100,
        priceDrops: read.priceDrops,
        daysOnLot: daysOnLotOf(vehicle, clock.now()),
        since: sinceOf(read, vehicle, scope !== null),
      };
    },
  ),
});

export type Histories = ReturnType<typeof makeHistory>;
