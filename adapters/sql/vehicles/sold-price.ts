import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { centsOf } from "../../../core/vehicles/vehicle.ts";
import { recordNameOf } from "../audit/audited-change.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { LISTED_AT } from "./columns.ts";

/** Identifies a sale: the vehicle, and the dealer that sold it. */
export interface SaleKey {
  readonly vehicleId: number;
  readonly dealerId: number;
}

/** True for the present sale. If the vehicle has moved since its dealer was read, its sale is another dealer's. */
export const isPresentSale = ({ vehicleId, dealerId }: SaleKey): RawBuilder<SqlBool> =>
  sql<SqlBool>`vehicle_id = ${vehicleId} AND dealer_id = ${dealerId} AND present = 1`;

/** The present sale of a vehicle, if it is known. */
export const presentSale = (on: Queries, which: SaleKey) =>
  on.selectFrom("vehicle_sales").select(["sold_cents", "note"]).where(isPresentSale(which)).executeTakeFirst();

/** Adds the sale of a vehicle that was sold before the database kept sales. */
export const beginSale = async (tx: Tx, which: SaleKey): Promise<void> => {
  const vehicle = tx
    .selectFrom("vehicles")
    .select(["id", "updated_at", "dealer_id", "sold_at", LISTED_AT.as("listed_at"), sql.lit(1).as("present")])
    .where("id", "=", which.vehicleId)
    .where("dealer_id", "=", which.dealerId)
    .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM vehicle_sales WHERE ${isPresentSale(which)})`);
  await tx
    .insertInto("vehicle_sales")
    .columns(["vehicle_id", "made_at", "dealer_id", "sold_at", "listed_at", "present"])
    .expression(vehicle)
    .execute();
};

/** A price that somebody entered beside the status `sold`. */
interface EnteredPrice {
  readonly vehicleId: number;
  readonly price: number;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** Stores what a vehicle was sold for, within the transaction that made it sold. */
export const soldPriceEntry = (db: SqlDatabase): ((tx: Tx, entered: EnteredPrice) => Promise<void>) => {
  const audit = auditTrail(db);
  return async (tx, { vehicleId, price, now, by }) => {
    const owned = await tx
      .selectFrom("vehicles")
      .select(["dealer_id", recordNameOf("vehicles").as("name")])
      .where("id", "=", vehicleId)
      .executeTakeFirstOrThrow();
    const which = { vehicleId, dealerId: owned.dealer_id };
    await beginSale(tx, which);
    const present = await presentSale(tx, which);
    const sold_cents = centsOf(price);
    if (present?.sold_cents === sold_cents) return;
    await tx.updateTable("vehicle_sales").set({ sold_cents }).where(isPresentSale(which)).execute();
    await audit(tx, {
      at: now,
      by,
      action: "vehicle.sale_changed",
      resourceId: vehicleId,
      dealerId: owned.dealer_id,
      recordName: owned.name,
      before: { sold_price: present?.sold_cents == null ? null : present.sold_cents / 100 },
      after: { sold_price: price },
    });
  };
};
