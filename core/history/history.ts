import { admit, scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import { historyHidesOtherDealers } from "../access/rules/history-hides-other-dealers.ts";
import { visibilityOfAudit } from "../access/visibility.ts";
import type { Clock, Timestamp } from "../clock.ts";
import { Failure, type Outcome } from "../failure.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { pageOf } from "../page.ts";
import { findOrExplain } from "../retry.ts";
import { daysOnLotOf } from "../vehicles/days-on-lot.ts";
import type { Position } from "../vehicles/vehicle-order.ts";
import type { VehicleRepository } from "../vehicles/vehicle-repository.ts";
import { whyVehicleMissed } from "../vehicles/vehicles.ts";
import { type Change, changeOf, HISTORY_FIELDS, type HistoryQuery } from "./change.ts";
import type { HistoryRepository, StoredHistory } from "./history-repository.ts";

/** A page of what became of a vehicle. */
export interface History {
  readonly total: number;
  /** Newest first. */
  readonly changes: readonly Change[];
  /** The last change of this page, its field as the place in HISTORY_FIELDS; `null` if none follow it. */
  readonly last: Position | null;
  /** The price that it first had with its present dealer, and how often it fell since. */
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

/** Since when the history tells of a vehicle: of its dealer's time, if the reader is bound to that dealer. */
const sinceOf = (
  { firstDealer, arrivedAt, begunAt }: StoredHistory,
  { created_at, dealer_id }: { readonly created_at: Timestamp; readonly dealer_id: number },
  isBound: boolean,
): Timestamp => {
  if (isBound && firstDealer !== null && firstDealer !== dealer_id && arrivedAt !== null) return arrivedAt;
  return begunAt !== null && begunAt > created_at ? begunAt : created_at;
};

/** The use case of reading what became of a vehicle (interface 6.1). */
export const makeHistory = ({ history, vehicles, clock }: Ports) => ({
  read(
    principal: Principal,
    { id, query, from = null }: { readonly id: number; readonly query: HistoryQuery; readonly from?: Position | null },
  ): MaybePromise<Outcome<History>> {
    const refused = admit(principal, "vehicle.history");
    if (refused !== null) return refused;
    const scope = scopeOf(principal);
    const reader = { scope, visibility: visibilityOfAudit(principal) };
    const found = findOrExplain(
      () => vehicles.find(id, scope),
      () => whyVehicleMissed(vehicles, { principal, operation: "vehicle.history", id }),
    );
    return andThen(found, (record): MaybePromise<Outcome<History>> => {
      if (record instanceof Failure) return record;
      const vehicle = record.parse();
      const page = pageOf(query);
      const stored = history.read({
        vehicleId: id,
        dealerId: vehicle.dealer_id,
        scope,
        field: query.field ?? null,
        page,
        after: from && { at: String(from.value), field: HISTORY_FIELDS[from.id] ?? "status" },
      });
      return andThen(stored, (read) => {
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
      });
    });
  },
});

export type Histories = ReturnType<typeof makeHistory>;
