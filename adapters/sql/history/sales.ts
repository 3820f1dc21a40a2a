import { sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Sale } from "../../../core/history/sale.ts";
import type { SaleRepository, StoredSale } from "../../../core/history/sale-repository.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import { centsOf } from "../../../core/vehicles/vehicle.ts";
import { recordNameOf } from "../audit/audited-change.ts";
import { listedValues, listing } from "../audit/change-list.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, scopedStatement, statement } from "../query/statement.ts";
import { LISTED_AT } from "../vehicles/columns.ts";
import { presentSale } from "../vehicles/sold-price.ts";

/** Identifies a sale: the vehicle, and the dealer that sold it. */
type SaleKey = { readonly vehicleId: number; readonly dealerId: number };

const unitsOf = (cents: number | null | undefined): number | null => (cents == null ? null : cents / 100);

const statementsOf = (db: SqlDatabase) => {
  const vehicle = (narrowed: boolean) =>
    db
      .selectFrom("vehicles")
      .select(["dealer_id", "status", "sold_at", "updated_at", LISTED_AT.as("listed_at")])
      .select(recordNameOf("vehicles").as("name"))
      .where("id", "=", param("vehicleId"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")));
  const { isPresent, isVehicle, sale, begin } = presentSale(db);
  return {
    vehicle: scopedStatement(vehicle),
    lockedVehicle: scopedStatement((narrowed) =>
      vehicle(narrowed)
        .where("updated_at", "=", param("version"))
        .where("status", "=", sql.lit("sold"))
        .modifyEnd(db.forUpdate),
    ),
    sale,
    date: statement(() =>
      db
        .updateTable("vehicles")
        .set({ sold_at: param("sold_at"), updated_at: db.nextTimestamp("updated_at", param("now")) })
        .where(isVehicle),
    ),
    begin,
    describe: statement(() =>
      db
        .updateTable("vehicle_sales")
        .set({ sold_cents: param("sold_cents"), note: param("note") })
        .where(isPresent),
    ),
  };
};

/** Sales in SQL; see the port for what it guarantees. */
export const makeSaleRepository = (db: SqlDatabase): SaleRepository => {
  const statements = statementsOf(db);
  const audit = auditTrail(db);
  const listed = listing(db);

  const saleIn = async (tx: Sql, which: SaleKey, sold_at: string | null): Promise<Sale> => {
    const [row] = await tx.all(statements.sale, which);
    return { sold_price: unitsOf(row?.sold_cents), sold_at, note: row?.note ?? null };
  };

  return {
    find: (vehicleId, scope: DealerScope) =>
      andThen(db.first(statements.vehicle(scope), { vehicleId, scope }), (vehicle) => {
        if (vehicle === null) return null;
        const { dealer_id: dealerId, status, listed_at, sold_at, updated_at } = vehicle;
        return andThen(
          db.first(statements.sale, { vehicleId, dealerId }),
          (row): StoredSale => ({
            status,
            listed_at,
            updated_at,
            sold_at,
            sold_price: unitsOf(row?.sold_cents),
            note: row?.note ?? null,
          }),
        );
      }),

    change: ({ vehicleId, scope, version, changes, now, by }) =>
      db.write(async (tx) => {
        const [vehicle] = await tx.all(statements.lockedVehicle(scope), { vehicleId, scope, version });
        if (vehicle === undefined) return null;
        const which: SaleKey = { vehicleId, dealerId: vehicle.dealer_id };
        const before = await saleIn(tx, which, vehicle.sold_at);
        const after = { ...before, ...changes };
        if (after.sold_at !== before.sold_at) await tx.all(statements.date, { ...which, sold_at: after.sold_at, now });
        await tx.all(statements.begin, which);
        const sold_cents = after.sold_price === null ? null : centsOf(after.sold_price);
        await tx.all(statements.describe, { ...which, sold_cents, note: after.note });
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
