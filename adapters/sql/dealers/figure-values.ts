import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { DealerSort } from "../../../core/dealers/dealer.ts";
import { type FigureSight, LOW_SCORE, OFTEN_REFUSED } from "../../../core/dealers/figure-sight.ts";
import type { Engine } from "../../../migrations/migration.ts";
import { IS_USAGE_VISIBLE, isKeyVisible } from "../access/key-visibility.ts";
import { HAS_REFUSED, REFUSED } from "../access/refusals.ts";
import { kindOf } from "../access/visibility.ts";
import type { SortKey } from "../query/listing.ts";
import { MEAN_LISTED_MS } from "./mean-listed.ts";

/** The figures that a list of dealers can be sorted by. */
type Figure = Exclude<DealerSort, "created" | "updated" | "name" | "city" | "state">;

/** PostgreSQL sorts by no bare constant. */
const UNSET = sql`CAST(NULL AS INTEGER)`;
const OF_DEALER = sql`dealer_id = dealers.id`;
const lastFile = (column: string) => sql`(SELECT ${sql.raw(column)} FROM imports
  WHERE ${OF_DEALER} AND state = 'completed' ORDER BY created_at DESC, id DESC LIMIT 1)`;

/** The number of rows that failed in the dealer's last file. */
const FAILED: Readonly<Record<Engine, RawBuilder<unknown>>> = {
  sqlite: lastFile("json_extract(progress, '$.counts.failed')"),
  postgres: lastFile("CAST(CAST(progress AS JSON) #>> '{counts,failed}' AS BIGINT)"),
};

/** The last of its changes; before changes were noted, that of the dealer itself. */
const LAST_CHANGE: Readonly<Record<Engine, RawBuilder<string>>> = {
  sqlite: sql`COALESCE((SELECT at FROM changed_records WHERE ${OF_DEALER} ORDER BY number DESC LIMIT 1), dealers.updated_at)`,
  postgres: sql`COALESCE((SELECT at FROM changed_records WHERE ${OF_DEALER} ORDER BY tx DESC, number DESC LIMIT 1), dealers.updated_at)`,
};

/** The keys of the dealer that the reader sees and that were refused often. Only their hours with refusals are visited. */
const refusedKeys = ({ keys, usageFrom }: FigureSight): RawBuilder<unknown> => {
  if (keys === null) return UNSET;
  const kind = kindOf(keys);
  return sql`(SELECT COUNT(*) FROM (SELECT api_keys.id FROM (
      SELECT key_id AS bound_id FROM dealer_keys WHERE ${OF_DEALER}
      UNION ALL SELECT of_user.id FROM users AS holder JOIN api_keys AS of_user ON of_user.user_id = holder.id
      WHERE holder.dealer_id = dealers.id AND of_user.association = 'user') AS bound
    JOIN api_keys ON api_keys.id = bound_id JOIN key_usage_hours ON key_id = api_keys.id AND ${HAS_REFUSED}
      AND hour >= ${usageFrom} AND ${IS_USAGE_VISIBLE[kind]("key_usage_hours.hour")}
    WHERE ${isKeyVisible(keys)} GROUP BY api_keys.id, api_keys.bound_since
    HAVING SUM(${REFUSED}) >= ${sql.lit(OFTEN_REFUSED)} AND SUM(${REFUSED}) * 10 >= (
      SELECT SUM(whole.served + whole.failed + whole.denied + whole.limited + whole.unauthorized)
      FROM key_usage_hours AS whole WHERE whole.key_id = api_keys.id AND whole.hour >= ${usageFrom}
      AND ${IS_USAGE_VISIBLE[kind]("whole.hour")})) AS often)`;
};

/** The value of each figure of a dealer, of the table `dealers`. What the reader may not see is unset. */
export const figureValues = (engine: Engine, sight: FigureSight) => ({
  vehicles: sql`(SELECT available + pending FROM dealer_inventory WHERE ${OF_DEALER})`,
  listed: sql`(SELECT ${MEAN_LISTED_MS} FROM dealer_inventory WHERE ${OF_DEALER})`,
  quality: sql`(SELECT score FROM dealer_scores WHERE ${OF_DEALER})`,
  leftOut: sight.feeds
    ? sql`(SELECT SUM(CAST(counted_left_out AS INTEGER)) FROM feeds WHERE ${OF_DEALER} AND deleted_at IS NULL AND active = 1)`
    : UNSET,
  refusedKeys: refusedKeys(sight),
  fileId: sight.files ? lastFile("id") : UNSET,
  fileAt: sight.files ? lastFile("created_at") : UNSET,
  failed: sight.files ? FAILED[engine] : UNSET,
  lastChange: LAST_CHANGE[engine],
});

/** The orders by figures. */
export const figureSorts = (engine: Engine, sight: FigureSight): Readonly<Record<Figure, SortKey>> => {
  const values = figureValues(engine, sight);
  const by = (value: RawBuilder<unknown>): SortKey => ({ value, mayBeUnset: true, isComputed: true });
  return {
    vehicles: by(values.vehicles),
    age: by(sql`-${values.listed}`),
    quality: by(values.quality),
    left_out: by(values.leftOut),
    refused_keys: by(values.refusedKeys),
    last_file: by(values.fileAt),
    last_change: by(values.lastChange),
  };
};

/** The condition that a dealer needs help, or that it needs none, for a reason that the reader may see. */
export const needsHelp = (engine: Engine, sight: FigureSight, isWanted: boolean): RawBuilder<SqlBool> => {
  const { quality, leftOut, refusedKeys: refused, failed } = figureValues(engine, sight);
  const asNumber = (value: RawBuilder<unknown>) => sql`COALESCE(CAST(${value} AS INTEGER), 0)`;
  return sql<SqlBool>`(CASE WHEN COALESCE(${quality}, 100) < ${sql.lit(LOW_SCORE)} OR ${asNumber(leftOut)} > 0
    OR ${asNumber(failed)} > 0 OR ${asNumber(refused)} > 0 THEN 1 ELSE 0 END) = ${isWanted ? 1 : 0}`;
};
