import { sql } from "kysely";
import type { Actor } from "../../../core/access/principal.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { centsOf } from "../../../core/vehicles/vehicle.ts";
import { recordNameOf } from "../audit/audited-change.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, statement } from "../query/statement.ts";
import { LISTED_AT } from "./columns.ts";

// The dealer was read before. If the vehicle has moved since then, its sale belongs to another dealer.
const IS_PRESENT = sql<boolean>`vehicle_id = ${param("vehicleId")} AND dealer_id = ${param("dealerId")} AND present = 1`;
const IS_VEHICLE = sql<boolean>`id = ${param("vehicleId")} AND dealer_id = ${param("dealerId")}`;

/** The present sale of a vehicle. The parameters `vehicleId` and `dealerId` say which. */
export const presentSale = (db: SqlDatabase) => ({
  isPresent: IS_PRESENT,
  isVehicle: IS_VEHICLE,
  sale: statement(() => db.selectFrom("vehicle_sales").select(["sold_cents", "note"]).where(IS_PRESENT)),
  /** Adds the sale of a vehicle that was sold before the database kept sales. */
  begin: statement(() =>
    db
      .insertInto("vehicle_sales")
      .columns(["vehicle_id", "made_at", "dealer_id", "sold_at", "listed_at", "present"])
      .expression(
        db
          .selectFrom("vehicles")
          .select(["id", "updated_at", "dealer_id", "sold_at", LISTED_AT.as("listed_at"), sql.lit(1).as("present")])
          .where(IS_VEHICLE)
          .where(sql<boolean>`NOT EXISTS (SELECT 1 FROM vehicle_sales WHERE ${IS_PRESENT})`),
      ),
  ),
});

/** A price that somebody entered beside the status `sold`. */
interface EnteredPrice {
  readonly vehicleId: number;
  readonly price: number;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** Stores what a vehicle was sold for, within the transaction that made it sold. */
export const soldPriceEntry = (db: SqlDatabase): ((tx: Sql, entered: EnteredPrice) => Promise<void>) => {
  const { sale, begin } = presentSale(db);
  const vehicle = statement(() =>
    db
      .selectFrom("vehicles")
      .select(["dealer_id", recordNameOf("vehicles").as("name")])
      .where("id", "=", param("vehicleId")),
  );
  const enter = statement(() =>
    db
      .updateTable("vehicle_sales")
      .set({ sold_cents: param("sold_cents") })
      .where(IS_PRESENT),
  );
  const audit = auditTrail(db);
  return async (tx, { vehicleId, price, now, by }) => {
    const [owned] = await tx.all(vehicle, { vehicleId });
    if (owned === undefined) throw new Error(`vehicle ${vehicleId} is gone within the transaction that sold it`);
    const which = { vehicleId, dealerId: owned.dealer_id };
    await tx.all(begin, which);
    const [present] = await tx.all(sale, which);
    const sold_cents = centsOf(price);
    if (present?.sold_cents === sold_cents) return;
    await tx.all(enter, { ...which, sold_cents });
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
