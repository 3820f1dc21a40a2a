import { type RawBuilder, sql } from "kysely";
import type { AdviceRepository, SoldVehicle } from "../../../core/advice/advice-repository.ts";
import { foldName } from "../../../core/search/names.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, scopedStatement } from "../query/statement.ts";
import { LISTED_AT } from "../vehicles/columns.ts";

/** A dealer's last sales in SQL. An index of its sold vehicles by each likeness has them in their order. */
export const makeAdviceRepository = (db: SqlDatabase): AdviceRepository => {
  const lastSold = (isLike: RawBuilder<unknown>) =>
    scopedStatement<SoldVehicle>((narrowed) => ({
      compile: () =>
        sql<SoldVehicle>`SELECT id, year, ${LISTED_AT} AS listed_at, sold_at,
          COALESCE((SELECT sold_cents FROM vehicle_sales WHERE vehicle_id = vehicles.id
            AND vehicle_sales.dealer_id = vehicles.dealer_id AND present = 1), price_cents) AS cents
          FROM vehicles WHERE dealer_id = ${param("dealer")} ${narrowed ? sql`AND dealer_id = ${param("scope")}` : sql``}
            AND make_folded = ${param("make")} AND ${isLike} AND status = 'sold' AND sold_at IS NOT NULL AND id <> ${param("id")}
          ORDER BY sold_at DESC LIMIT ${param<number>("most")}`.compile(db),
    }));
  const ofModel = lastSold(sql`model_folded = ${param("model")}`);
  const ofStyle = lastSold(sql`body_style = ${param("style")}`);

  return {
    async soldOfModel({ id, dealer_id: dealer, make, model }, scope, most) {
      const values = { id, dealer, make: foldName(make), model: foldName(model), scope, most };
      return db.all(ofModel(scope), values);
    },
    async soldOfStyle({ id, dealer_id: dealer, make, body_style: style }, scope, most) {
      return style === null ? [] : db.all(ofStyle(scope), { id, dealer, make: foldName(make), style, scope, most });
    },
  };
};
