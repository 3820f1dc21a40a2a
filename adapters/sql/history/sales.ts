import type { DealerScope } from "../../../core/access/decide.ts";
import type { Sale } from "../../../core/history/sale.ts";
import type { SaleRepository } from "../../../core/history/sale-repository.ts";
import { centsOf } from "../../../core/vehicles/vehicle.ts";
import { recordNameOf } from "../audit/audited-change.ts";
import { listedValues, listing } from "../audit/change-list.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { isWithin } from "../query/scope.ts";
import { LISTED_AT } from "../vehicles/columns.ts";
import { beginSale, isPresentSale, presentSale, type SaleKey } from "../vehicles/sold-price.ts";

const unitsOf = (cents: number | null | undefined): number | null => (cents == null ? null : cents / 100);

const vehicleIn = (on: Queries, vehicleId: number, scope: DealerScope) =>
  on
    .selectFrom("vehicles")
    .select(["dealer_id", "status", "sold_at", "updated_at", LISTED_AT.as("listed_at")])
    .select(recordNameOf("vehicles").as("name"))
    .where("id", "=", vehicleId)
    .where(isWithin(scope));

/** Sales in SQL; see the port for what it guarantees. */
export const makeSaleRepository = (db: SqlDatabase): SaleRepository => {
  const audit = auditTrail(db);
  const listed = listing(db);

  return {
    async find(vehicleId, scope: DealerScope) {
      const vehicle = await vehicleIn(db, vehicleId, scope).executeTakeFirst();
      if (vehicle === undefined) return null;
      const { dealer_id: dealerId, status, listed_at, sold_at, updated_at } = vehicle;
      const sale = await presentSale(db, { vehicleId, dealerId });
      const sold_price = unitsOf(sale?.sold_cents);
      return { status, listed_at, updated_at, sold_at, sold_price, note: sale?.note ?? null };
    },

    change: ({ vehicleId, scope, version, changes, now, by }) =>
      db.write(async (tx) => {
        const vehicle = await vehicleIn(tx, vehicleId, scope)
          .where("updated_at", "=", version)
          .where("status", "=", "sold")
          .modifyEnd(db.forUpdate)
          .executeTakeFirst();
        if (vehicle === undefined) return null;
        const which: SaleKey = { vehicleId, dealerId: vehicle.dealer_id };
        const sale = await presentSale(tx, which);
        const before: Sale = {
          sold_price: unitsOf(sale?.sold_cents),
          sold_at: vehicle.sold_at,
          note: sale?.note ?? null,
        };
        const after = { ...before, ...changes };
        if (after.sold_at !== before.sold_at)
          await tx
            .updateTable("vehicles")
            .set({ sold_at: after.sold_at, updated_at: db.nextTimestamp("updated_at", now) })
            .where("id", "=", vehicleId)
            .where("dealer_id", "=", which.dealerId)
            .execute();
        await beginSale(tx, which);
        const sold_cents = after.sold_price === null ? null : centsOf(after.sold_price);
        await tx
          .updateTable("vehicle_sales")
          .set({ sold_cents, note: after.note })
          .where(isPresentSale(which))
          .execute();
        await audit(tx, {
          at: now,
          by,
          action: "vehicle.sale_changed",
          resourceId: vehicleId,
          dealerId: vehicle.dealer_id,
          recordName: vehicle.name,
          before,
          after: changes,
        });
        const ofChange = listedValues({ by, resource: "vehicles", fields: Object.keys(changes) });
        if (ofChange !== null) await listed(tx, ofChange, { resource_id: vehicleId, dealer_id: vehicle.dealer_id });
        return after;
      }),
  };
};
