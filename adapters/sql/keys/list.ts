import { type RawBuilder, type SqlBool, sql } from "kysely";
import { KEY_STATUSES, type KeySort, type KeyStatus } from "../../../core/keys/key.ts";
import { type KeyOrder, type KeyRepository, NEWEST_FIRST } from "../../../core/keys/key-repository.ts";
import { presented } from "../../../core/page.ts";
import { fold } from "../../../core/text.ts";
import { type KeyRow, keyOf, selectKeys } from "../access/key-rows.ts";
import { SEES } from "../access/key-visibility.ts";
import { visibilityValues } from "../access/visibility.ts";
import type { SqlDatabase } from "../query/database.ts";
import { listing } from "../query/listing.ts";
import { ESCAPED, type Width } from "../query/slices.ts";
import { param } from "../query/statement.ts";

/** Escapes text for a LIKE pattern. */
const literal = (text: string): string => fold(text).replaceAll(/[\\%_]/g, "\\$&");

/** The WHERE condition of each status, at a given time. */
const HAS_STATUS: Readonly<Record<KeyStatus, RawBuilder<SqlBool>>> = {
  revoked: sql<SqlBool>`api_keys.active = 0`,
  expired: sql<SqlBool>`(api_keys.active = 1 AND api_keys.expires_at <= ${param("now")})`,
  active: sql<SqlBool>`(api_keys.active = 1 AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ${param("now")}))`,
};

const statusFilter = (status: KeyStatus): string => `status is ${status}`;

/** The sort columns. Names sort without regard to case, because the folded text begins with the name. */
const SORTED_BY: Readonly<Record<KeySort, RawBuilder<unknown>>> = {
  created: sql`api_keys.created_at`,
  name: sql`substr(api_keys.search_folded, 1, length(api_keys.name))`,
  last_used: sql`key_usage.last_used_at`,
  expires: sql`api_keys.expires_at`,
};

const orderOf = ({ by, ascending }: KeyOrder) => {
  const direction = sql.raw(ascending ? "ASC" : "DESC");
  // Only nullable columns get NULLS LAST: on others it would keep the planner from walking the index.
  const last = by === "last_used" || by === "expires" ? sql` NULLS LAST` : sql``;
  return {
    name: `${by} ${ascending}`,
    by: sql`${SORTED_BY[by]} ${direction}${last}, api_keys.id ${direction}`,
  };
};

/** `rest` includes up to 1.5 kB of permissions. */
const WIDTH: Width<KeyRow> = {
  most: 125_000,
  rest: 2800,
  columns: { name: ESCAPED, description: ESCAPED, app_id: 0, key_start: 0, old_start: 0, old_day: 0 },
};

/** The list of keys in SQL; see the port for what it guarantees. */
export const keyList = (db: SqlDatabase): KeyRepository["list"] => {
  const list = listing(db, { table: "api_keys", width: WIDTH }, (has) => {
    let query = selectKeys(db, has("visibleDealer") ? "dealer" : has("visibleUser") ? "user" : "everything");
    if (has("visibleDealer")) query = query.where(SEES.dealer);
    if (has("visibleUser")) query = query.where(SEES.user);
    if (has("dealerId")) query = query.where("dealer_keys.dealer_id", "=", param("dealerId"));
    if (has("userId")) query = query.where("api_keys.user_id", "=", param("userId"));
    if (has("appType")) query = query.where("api_keys.app_type", "=", param("appType"));
    if (has("active")) query = query.where("api_keys.active", "=", param("active"));
    for (const status of KEY_STATUSES) if (has(statusFilter(status))) query = query.where(HAS_STATUS[status]);
    if (has("association")) query = query.where("api_keys.association", "=", param("association"));
    if (has("expiresBefore")) query = query.where("api_keys.expires_at", "<", param("expiresBefore"));
    if (has("idleSince"))
      query = query.where(
        sql<SqlBool>`COALESCE(key_usage.last_used_at, api_keys.bound_since, api_keys.created_at) < ${param("idleSince")}`,
      );
    if (has("search"))
      query = query.where(
        sql<SqlBool>`(api_keys.search_folded LIKE ${param("search")} ESCAPE '\\'
          OR lower(api_keys.key_start) LIKE ${param("start")} ESCAPE '\\')`,
      );
    return query;
  });

  return async ({ visibility, filter, page, order = NEWEST_FIRST }) => {
    const listed = await list({
      filters: {
        ...visibilityValues(visibility),
        ...(filter.dealerId !== undefined && { dealerId: filter.dealerId }),
        ...(filter.userId !== undefined && { userId: filter.userId }),
        ...(filter.appType !== undefined && { appType: filter.appType }),
        ...(filter.active !== undefined && { active: filter.active ? 1 : 0 }),
        ...(filter.status !== undefined && { [statusFilter(filter.status.is)]: 1, now: filter.status.at }),
        ...(filter.association !== undefined && { association: filter.association }),
        ...(filter.expiresBefore !== undefined && { expiresBefore: filter.expiresBefore }),
        ...(filter.idleSince !== undefined && { idleSince: filter.idleSince }),
        ...(filter.search !== undefined && {
          search: `%${literal(filter.search)}%`,
          start: `${literal(filter.search)}%`,
        }),
      },
      page,
      after: null,
      order: orderOf(order),
    });
    return presented(listed, keyOf);
  };
};
