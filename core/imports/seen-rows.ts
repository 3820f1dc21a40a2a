import type { ProcessedRow } from "./import-repository.ts";
import type { RowKey } from "./matching.ts";

/** Bits that describe the rows with a stock number: one of them has no VIN; one of them creates a vehicle. */
const WITHOUT_VIN = 1;
const CREATES_VEHICLE = 2;

/** The keys of one dealer's rows. */
interface SeenKeys {
  readonly vins: Set<string>;
  readonly stocks: Map<string, number>;
}

/**
 * The processed rows of a file. It recognises duplicates: rows with the same VIN, rows with the same stock number of
 * which at least one has no VIN, and rows about the same vehicle. It must be discarded if a transaction is rolled back.
 */
export class SeenRows {
  private readonly keys = new Map<number | null, SeenKeys>();
  private readonly vehicles = new Set<number>();

  /** True if an earlier row of the dealer has this key. */
  has(dealerId: number, { vin, stock_number }: RowKey): boolean {
    const keys = this.keys.get(dealerId);
    if (keys === undefined) return false;
    if (vin !== null && keys.vins.has(vin)) return true;
    const stock = stock_number === null ? undefined : keys.stocks.get(stock_number);
    return stock !== undefined && (vin === null || (stock & WITHOUT_VIN) !== 0);
  }

  /** True if an earlier row creates a vehicle with the stock number. */
  createsStockNumber(dealerId: number, stockNumber: string | null): boolean {
    const stock = stockNumber === null ? undefined : this.keys.get(dealerId)?.stocks.get(stockNumber);
    return stock !== undefined && (stock & CREATES_VEHICLE) !== 0;
  }

  /** True if an earlier row is about this vehicle. */
  hasVehicle(id: number): boolean {
    return this.vehicles.has(id);
  }

  add({ dealer_id, vin, stock_number, vehicle_id, outcome }: ProcessedRow): void {
    const keys = this.keysOf(dealer_id);
    if (vin !== null) keys.vins.add(vin);
    if (stock_number !== null) {
      const known = keys.stocks.get(stock_number) ?? 0;
      keys.stocks.set(
        stock_number,
        known | (vin === null ? WITHOUT_VIN : 0) | (outcome === "created" ? CREATES_VEHICLE : 0),
      );
    }
    if (vehicle_id !== null) this.vehicles.add(vehicle_id);
  }

  private keysOf(dealerId: number | null): SeenKeys {
    const known = this.keys.get(dealerId);
    if (known !== undefined) return known;
    const keys: SeenKeys = { vins: new Set(), stocks: new Map() };
    this.keys.set(dealerId, keys);
    return keys;
  }
}
