import type { ProcessedRow } from "./import-repository.ts";
import type { RowKey } from "./matching.ts";

/** What is known of the rows with a stock number: one of them has no VIN, one of them makes a vehicle. */
const ALONE = 1;
const MADE = 2;

/** The keys of one dealer's rows. */
interface Keys {
  readonly vins: Set<string>;
  readonly stocks: Map<string, number>;
}

/**
 * The rows of a file that are done, to know one that comes again: with the same VIN, or the same stock number where one
 * of both rows has no VIN, or of the same vehicle. It is dropped if a row is taken back.
 */
export class SeenRows {
  private readonly keys = new Map<number | null, Keys>();
  private readonly vehicles = new Set<number>();

  /** True if a row of the dealer with this key was there. */
  has(dealerId: number, { vin, stock_number }: RowKey): boolean {
    const keys = this.keys.get(dealerId);
    if (keys === undefined) return false;
    if (vin !== null && keys.vins.has(vin)) return true;
    const stock = stock_number === null ? undefined : keys.stocks.get(stock_number);
    return stock !== undefined && (vin === null || (stock & ALONE) !== 0);
  }

  /** True if a row before makes a vehicle with the stock number. */
  makesStock(dealerId: number, stockNumber: string | null): boolean {
    const stock = stockNumber === null ? undefined : this.keys.get(dealerId)?.stocks.get(stockNumber);
    return stock !== undefined && (stock & MADE) !== 0;
  }

  /** True if a row was of this vehicle. */
  hasVehicle(id: number): boolean {
    return this.vehicles.has(id);
  }

  add({ dealer_id, vin, stock_number, vehicle_id, outcome }: ProcessedRow): void {
    const keys = this.keysOf(dealer_id);
    if (vin !== null) keys.vins.add(vin);
    if (stock_number !== null) {
      const known = keys.stocks.get(stock_number) ?? 0;
      keys.stocks.set(stock_number, known | (vin === null ? ALONE : 0) | (outcome === "created" ? MADE : 0));
    }
    if (vehicle_id !== null) this.vehicles.add(vehicle_id);
  }

  private keysOf(dealerId: number | null): Keys {
    const known = this.keys.get(dealerId);
    if (known !== undefined) return known;
    const keys: Keys = { vins: new Set(), stocks: new Map() };
    this.keys.set(dealerId, keys);
    return keys;
  }
}
