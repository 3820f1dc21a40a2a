import { sql } from "kysely";
import type { InventoryState, InventoryStates } from "../../../core/dealers/inventory-versions.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import { MEAN_LISTED_MS } from "../dealers/mean-listed.ts";
import type { SqlDatabase } from "../query/database.ts";
import { keptUntilCommit } from "../query/kept-until-commit.ts";
import { param, scopedStatement } from "../query/statement.ts";
import { daysOnLot } from "./days-on-lot.ts";

/** The states of inventories in SQL; see the port for what they guarantee. */
export const makeInventoryStates = (db: SqlDatabase): InventoryStates => {
  const found = scopedStatement((narrowed) =>
    db
      .selectFrom("dealer_inventory")
      .select(["mark", MEAN_LISTED_MS.as("listedMs")])
      .where("dealer_id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
  );
  const summed = scopedStatement((narrowed) =>
    db
      .selectFrom("vehicles")
      .select(sql<number>`CAST(COALESCE(SUM(${daysOnLot(db.engine, param("as_of"))}), 0) AS BIGINT)`.as("days"))
      .where("dealer_id", "=", param("id"))
      .where("status", "<>", sql.lit("sold"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
  );
  const kept = keptUntilCommit<InventoryState | null>(db);
  return {
    find: (id, scope) => kept(`${id} ${scope}`, () => db.first(found(scope), { id, scope })),
    daysOnLot: (id, scope, asOf) =>
      andThen(db.first(summed(scope), { id, scope, as_of: asOf }), (row) => row?.days ?? 0),
  };
};
