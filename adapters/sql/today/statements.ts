import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import { OUTCOMES } from "../../../core/keys/usage-repository.ts";
import type { AgeSum, CrossingVehicle, FeedCount, KeyRequests, Lot } from "../../../core/today/today-repository.ts";
import type { Engine } from "../../../migrations/migration.ts";
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

/** A feed with its last count, and why most of the vehicles were left out, as JSON. */
type FeedRow = Omit<FeedCount, "reason"> & { readonly counted_state: string | null; readonly reason: string | null };
/** What the last file of a source said of the price of a vehicle. */
type SaidRow = { readonly id: number; readonly cents: number; readonly said: number };

/** The price in what was kept of a file. */
const SAID: Readonly<Record<Engine, RawBuilder<number>>> = {
  sqlite: sql`json_extract(base, '$.price')`,
  postgres: sql`CAST(CAST(base AS JSON) ->> 'price' AS DOUBLE PRECISION)`,
};

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
  /**
   * Selects from the vehicles on a dealer's lot that were listed after a moment, and up to another one. PostgreSQL
   * searches its index only by the columns themselves, so it has a branch for each of them.
   */
  const listedSince = (
    columns: RawBuilder<unknown>,
    { isIn, after, to }: { isIn: (column: string) => RawBuilder<SqlBool>; after: string; to?: string },
  ): RawBuilder<unknown>[] => {
    const from = (column: RawBuilder<unknown>, other = sql``) => {
      const upTo = to === undefined ? sql`` : sql`AND ${column} <= ${param(to)}`;
      return sql`SELECT ${columns} FROM vehicles WHERE ${onLot(isIn)} ${other} AND ${column} > ${param(after)} ${upTo}`;
    };
    return db.engine === "sqlite"
      ? [from(listed)]
      : [from(sql`vehicles.listed_at`), from(sql`vehicles.created_at`, sql`AND vehicles.listed_at IS NULL`)];
  };
  const isSoldAfter = (isIn: (column: string) => RawBuilder<SqlBool>) =>
    sql<SqlBool>`${isIn("vehicles.dealer_id")} AND vehicles.status = 'sold' AND vehicles.sold_at > ${param("after")}`;
  const periods = shapeCache<ReturnType<typeof made<OfTotal<CrossingVehicle>>>>();
  const refusals = shapeCache<ReturnType<typeof made<KeyRequests>>>();

  return {
    lot: made(
      (isIn) => sql<Lot>`SELECT available + pending AS vehicles, mark,
        available_cents + pending_cents AS cents,
        ${inexact(sql`${MS("nowMs")} * (available + pending) - listed_ms`)} AS ms
        FROM dealer_inventory WHERE ${isIn("dealer_id")}`,
    ),
    listedAfter: made(
      (isIn) => sql<AgeSum>`SELECT count(*) AS vehicles, ${inexact(sql`SUM(${MS("nowMs")} - listed_ms)`)} AS ms
        FROM (${sql.join(listedSince(sql`${ms} AS listed_ms`, { isIn, after: "after" }), sql` UNION ALL `)}) AS listed`,
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
          const columns = sql`id AS crossing_id, ${listed} AS crossing_listed`;
          const parts = Array.from({ length: count }, (_, place) =>
            listedSince(columns, { isIn, after: `after${place}`, to: `to${place}` }),
          ).flat();
          return sql<OfTotal<CrossingVehicle>>`SELECT id, title, year, make, model, stock_number, updated_at,
            ${LISTED_AT} AS listed_at, price_cents AS cents, total,
            (SELECT image_url FROM vehicle_images WHERE vehicle_id = vehicles.id
              ORDER BY is_primary DESC, display_order, id LIMIT 1) AS image_url
            FROM (SELECT crossing_id, count(*) OVER () AS total FROM (${sql.join(parts, sql` UNION ALL `)}) AS crossing
              ORDER BY crossing_listed, crossing_id LIMIT ${param("most")}) AS first_ones
            JOIN vehicles ON vehicles.id = crossing_id ORDER BY ${LISTED_AT}, id`;
        }),
      ),
    soldWithoutPrice: made(
      (isIn) => sql<OfTotal<{ id: number }>>`SELECT id, count(*) OVER () AS total
        FROM (SELECT id, dealer_id, sold_at AS at FROM vehicles WHERE ${isSoldAfter(isIn)}
          ORDER BY vehicles.sold_at DESC, id DESC LIMIT ${param("among")}) AS last_sold
        WHERE (SELECT 1 FROM vehicle_sales WHERE vehicle_id = id AND vehicle_sales.dealer_id = last_sold.dealer_id
          AND present = 1 AND sold_cents IS NOT NULL LIMIT 1) IS NULL
        ORDER BY at DESC, id DESC LIMIT ${param("most")}`,
    ),
    /** Only the last changed prices are looked at, whatever the number of vehicles. */
    repriced: made(
      (isIn) => sql<SaidRow>`SELECT id, price_cents AS cents, ${SAID[db.engine]} AS said
        FROM (SELECT id, price_cents, price_changed_at FROM vehicles
          WHERE ${onLot(isIn)} AND price_changed_at IS NOT NULL
          ORDER BY price_changed_at DESC, id DESC LIMIT ${param("most")}) AS repriced
        JOIN import_bases ON vehicle_id = id AND ${isIn("import_bases.dealer_id")}
        WHERE ${SAID[db.engine]} IS NOT NULL
        ORDER BY price_changed_at DESC, id DESC, import_bases.updated_at DESC, source`,
    ),
    feeds: made(
      (isIn) => sql<FeedRow>`SELECT id, name, channel, counted_rows AS rows, counted_left_out AS left_out,
        counted_state, counted_reason AS reason FROM feeds
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
