import type { Vehicle } from "../vehicles/vehicle.ts";
import { comparedKey, type RowKey } from "./matching.ts";

/** The vehicles that the rows of a batch may match, as they are after the rows processed so far. */
export class Candidates {
  private readonly vehicles = new Map<number, Vehicle>();
  private readonly byKey = new Map<string, number[]>();

  /** Adds a vehicle, or replaces it by its changed form. */
  add(vehicle: Vehicle): void {
    this.vehicles.set(vehicle.id, vehicle);
    for (const key of keysOf(vehicle.dealer_id, comparedKey(vehicle))) {
      const ids = this.byKey.get(key);
      if (ids === undefined) this.byKey.set(key, [vehicle.id]);
      else ids.push(vehicle.id);
    }
  }

  /**
   * The dealer's vehicles that have, or had before a change, the VIN or the stock number, and those with the ids. Each
   * is returned once.
   */
  of(dealerId: number, key: RowKey, more: readonly number[]): readonly Vehicle[] {
    const ids = new Set(keysOf(dealerId, key).flatMap((one) => this.byKey.get(one) ?? []));
    for (const id of more) ids.add(id);
    return [...ids].flatMap((one) => this.vehicles.get(one) ?? []).filter((one) => one.dealer_id === dealerId);
  }
}

const keysOf = (dealerId: number, { vin, stock_number }: RowKey): string[] => [
  ...(vin === null ? [] : [`${dealerId} vin ${vin}`]),
  ...(stock_number === null ? [] : [`${dealerId} stock ${stock_number}`]),
];
