import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import { OUTCOMES } from "../../../core/keys/usage-repository.ts";
import type { AgeSum, CrossingVehicle, FeedCount, KeyRequests, Lot } from "../../../core/today/today-repository.ts";
import { IS_KEY_VISIBLE, USAGE_VISIBLE_AFTER } from "../access/key-visibility.ts";
import { kindOf } from "../access/visibility.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, scopedStatement, shapeCache } from "../query/statement.ts";
import { LISTED_AT } from "../vehicles/columns.ts";
import { LISTED_INDEX, listedMs } from "../vehicles/days-on-lot.ts";

/** A row of a few, with the number of all. */
type OfTotal<Row> = Row & { readonly total: number };

const MS = (name: string) => sql<number>`CAST(${param(name)} AS BIGINT)`;
/** The nearest floating-point number of a sum, which may have more digits than a number of JavaScript. */
const inexact = (sum: RawBuilder<unknown>) => sql<number>`COALESCE(CAST(${sum} AS DOUBLE PRECISION), 0)`;

/** Statements on one dealer, in the parameter `dealer`. With a scope, they find nothing of another one. */
export const todayStatements = (db: SqlDatabase) => {
  const { listed } = LISTED_INDEX[db.engine];
  const ms = listedMs(db.engine);
  const made = <Row>(query: (isIn: (column: string) => RawBuilder<SqlBool>) => RawBuilder<Row>) =>
    scopedStatement<Row>((narrowed) => ({
      compile: () =>
        query(
          (column) =>
            sql<SqlBool>`${sql.ref(column)} = ${param("dealer")} ${narrowed ? sql`AND ${sql.ref(column)} = ${param("scope")}` : sql``}`,
        ).compile(db),
    }));
  const onLot = (isIn: (column: string) => RawBuilder<SqlBool>) =>
    sql<SqlBool>`${isIn("vehicles.dealer_id")} AND vehicles.status <> 'sold'`;
  const isSoldAfter = (isIn: (column: string) => RawBuilder<SqlBool>) =>
    sql<SqlBool>`${isIn("vehicles.dealer_id")} AND vehicles.status = 'sold' AND vehicles.sold_at > ${param("after")}`;
  const periods = shapeCache<ReturnType<typeof made<OfTotal<CrossingVehicle>>>>();
  const refusals = shapeCache<ReturnType<typeof made<KeyRequests>>>();

  return {
    lot: made(
      (isIn) => sql<Lot>`SELECT available + pending AS vehicles, available + pending + sold AS ${sql.ref("all")},
        available_cents + pending_cents AS cents,
        ${inexact(sql`${MS("nowMs")} * (available + pending) - listed_ms`)} AS ms
        FROM dealer_inventory WHERE ${isIn("dealer_id")}`,
    ),
    listedAfter: made(
      (isIn) => sql<AgeSum>`SELECT count(*) AS vehicles, ${inexact(sql`SUM(${MS("nowMs")} - ${ms})`)} AS ms
        FROM vehicles WHERE ${onLot(isIn)} AND ${listed} > ${param("after")}`,
    ),
    soldAfter: made(
      (isIn) => sql<AgeSum>`SELECT count(*) AS vehicles, ${inexact(sql`SUM(${MS("afterMs")} - ${ms})`)} AS ms
        FROM vehicles WHERE ${isSoldAfter(isIn)} AND ${LISTED_AT} <= ${param("after")}`,
    ),
    // With its LIMIT, PostgreSQL looks for the images of each vehicle, and not for the vehicles of all images.
    withoutImages: made(
      (isIn) => sql<{ vehicles: number }>`SELECT count(*) AS vehicles FROM vehicles WHERE ${onLot(isIn)}
        AND (SELECT 1 FROM vehicle_images WHERE vehicle_id = vehicles.id LIMIT 1) IS NULL`,
    ),
    /** Each period is searched for by itself in the index of the lot. */
    listedWithin: (count: number) =>
      periods(`${count}`, () =>
        made((isIn) => {
          const parts = Array.from(
            { length: count },
            (_, place) => sql`SELECT id AS crossing_id, ${listed} AS crossing_listed FROM vehicles WHERE ${onLot(isIn)}
              AND ${listed} > ${param(`after${place}`)} AND ${listed} <= ${param(`to${place}`)}`,
          );
          return sql<OfTotal<CrossingVehicle>>`SELECT id, title, year, make, model, stock_number,
            ${LISTED_AT} AS listed_at, price_cents AS cents, total,
            (SELECT image_url FROM vehicle_images WHERE vehicle_id = vehicles.id
              ORDER BY is_primary DESC, display_order, id LIMIT 1) AS image_url
            FROM (SELECT crossing_id, count(*) OVER () AS total FROM (${sql.join(parts, sql` UNION ALL `)}) AS crossing
              ORDER BY crossing_listed, crossing_id LIMIT ${param("most")}) AS first_ones
            JOIN vehicles ON vehicles.id = crossing_id ORDER BY ${LISTED_AT}, id`;
        }),
      ),
    soldWithoutPrice: made(
      (isIn) => sql<
        OfTotal<{ id: number }>
      >`SELECT id, count(*) OVER () AS total FROM vehicles WHERE ${isSoldAfter(isIn)}
        AND (SELECT 1 FROM vehicle_sales WHERE vehicle_id = vehicles.id AND vehicle_sales.dealer_id = vehicles.dealer_id
          AND present = 1 AND sold_cents IS NOT NULL LIMIT 1) IS NULL
        ORDER BY vehicles.sold_at DESC, id DESC LIMIT ${param("most")}`,
    ),
    feeds: made(
      (isIn) => sql<FeedCount>`SELECT id, name, channel, counted_rows AS rows, counted_left_out AS left_out FROM feeds
        WHERE ${isIn("dealer_id")} AND deleted_at IS NULL AND active = 1 AND counted_left_out IS NOT NULL
        ORDER BY counted_left_out DESC, id LIMIT ${param("most")}`,
    ),
    lastImport: made(
      (isIn) => sql<{ id: number; progress: string }>`SELECT id, progress FROM imports
        WHERE ${isIn("dealer_id")} AND state = 'completed' ORDER BY created_at DESC, id DESC LIMIT 1`,
    ),
    /** The keys that are bound to the dealer, as far as the caller sees them, since they were bound to it. */
    keys: (visibility: Visibility) => {
      const kind = kindOf(visibility);
      return refusals(kind, () =>
        made(
          (isIn) => sql<KeyRequests>`SELECT api_keys.id, api_keys.name, ${sql.join(
            OUTCOMES.map((name) => sql`CAST(SUM(${sql.ref(name)}) AS BIGINT) AS ${sql.ref(name)}`),
          )}, (SELECT code FROM key_denials WHERE key_id = api_keys.id
              AND at > ${USAGE_VISIBLE_AFTER.dealer} AND at >= ${param("first")}
              GROUP BY code ORDER BY count(*) DESC, code LIMIT 1) AS code
            FROM dealers CROSS JOIN api_keys JOIN key_usage_hours ON key_id = api_keys.id
              AND hour > ${USAGE_VISIBLE_AFTER.dealer} AND hour >= ${param("first")}
            WHERE ${isIn("dealers.id")} AND ${IS_KEY_VISIBLE.dealer} AND ${IS_KEY_VISIBLE[kind]}
            GROUP BY api_keys.id, api_keys.name, api_keys.bound_since`,
        ),
      );
    },
  };
};
