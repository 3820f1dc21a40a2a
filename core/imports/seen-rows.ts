import type { DoneRow } from "./import-repository.ts";
import type { RowKey } from "./matching.ts";

/** What is known of the rows with a stock number. */
interface OfStock {
  /** True if one of them has no VIN. */
  readonly isAlone: boolean;
  /** True if one of them makes a vehicle. */
  readonly isMade: boolean;
}

/**
 * The rows of a file that are done, to know one that comes again: with the same VIN, or the same stock number where one
 * of both rows has no VIN, or of the same vehicle.
 */
export class SeenRows {
  private readonly vins = new Set<string>();
  private readonly stocks = new Map<string, OfStock>();
  private readonly vehicles = new Set<number>();

  constructor(private readonly before: SeenRows | null = null) {}

  /** True if a row of the dealer with this key was there. */
  has(dealerId: number, key: RowKey): boolean {
    if (this.before?.has(dealerId, key)) return true;
    if (key.vin !== null && this.vins.has(`${dealerId} ${key.vin}`)) return true;
    const stock = this.stocks.get(`${dealerId} ${key.stock_number}`);
    return stock !== undefined && (stock.isAlone || key.vin === null);
  }

  /** True if a row before makes a vehicle with the stock number. */
  makesStock(dealerId: number, stockNumber: string | null): boolean {
    const isMade = this.stocks.get(`${dealerId} ${stockNumber}`)?.isMade;
    return isMade === true || (this.before?.makesStock(dealerId, stockNumber) ?? false);
  }

  /** True if a row was of this vehicle. */
  hasVehicle(id: number): boolean {
    return this.vehicles.has(id) || (this.before?.hasVehicle(id) ?? false);
  }

  add({ dealer_id, vin, stock_number, vehicle_id, outcome }: DoneRow): void {
    if (vin !== null) this.vins.add(`${dealer_id} ${vin}`);
    if (stock_number !== null)
      this.addStock(`${dealer_id} ${stock_number}`, { isAlone: vin === null, isMade: outcome === "created" });
    if (vehicle_id !== null) this.vehicles.add(vehicle_id);
  }

  /** Rows of a transaction that may be rolled back; `keep` makes them rows of this. */
  beside(): SeenRows {
    return new SeenRows(this);
  }

  /** Makes the rows those of what this is beside. */
  keep(): void {
    const { before } = this;
    if (before === null) return;
    for (const vin of this.vins) before.vins.add(vin);
    for (const [stock, known] of this.stocks) before.addStock(stock, known);
    for (const id of this.vehicles) before.vehicles.add(id);
  }

  private addStock(stock: string, { isAlone, isMade }: OfStock): void {
    const known = this.stocks.get(stock);
    this.stocks.set(stock, {
      isAlone: isAlone || known?.isAlone === true,
      isMade: isMade || known?.isMade === true,
    });
  }
}
