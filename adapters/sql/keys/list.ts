import { type RawBuilder, type SqlBool, sql } from "kysely";
import { KEY_STATUSES, type KeyRecord, type KeySort, type KeyStatus } from "../../../core/keys/key.ts";
import type { KeyRepository, ListedKeys } from "../../../core/keys/key-repository.ts";
import { NEWEST_FIRST, type PositionedListing, presented } from "../../../core/page.ts";
import { type KeyRow, keyOf, LAST_SEEN, selectKeys } from "../access/key-rows.ts";
import { IS_KEY_VISIBLE, IS_USAGE_VISIBLE } from "../access/key-visibility.ts";
import { HAS_REFUSED, REFUSED } from "../access/refusals.ts";
import { kindOf, type VisibilityKind, visibilityValues } from "../access/visibility.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { everyPage } from "../query/every-page.ts";
import { listing, orderedBy, type SortKey } from "../query/listing.ts";
import { JSON_ESCAPE_FACTOR, type RowSize } from "../query/slices.ts";
import { param } from "../query/statement.ts";
import { hasWords, isSearch, searchValues, withWords } from "../search/condition.ts";

/** The WHERE condition of each status, at a given time. */
const HAS_STATUS: Readonly<Record<KeyStatus, RawBuilder<SqlBool>>> = {
  revoked: sql<SqlBool>`api_keys.active = 0`,
  expired: sql<SqlBool>`(api_keys.active = 1 AND api_keys.expires_at <= ${param("now")})`,
  active: sql<SqlBool>`(api_keys.active = 1 AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ${param("now")}))`,
};

const statusFilter = (status: KeyStatus): string => `status is ${status}`;

/** The hours of a key that a reader may see, from a given one on. */
const visibleHours = (kind: VisibilityKind, from: string) =>
  sql`FROM key_usage_hours WHERE key_id = api_keys.id AND ${IS_USAGE_VISIBLE[kind]("key_usage_hours.hour")}
    AND hour >= ${param(from)}`;

/** A sum over the hours that count for an order by requests. It visits only the hours of each key. */
const summed = (kind: VisibilityKind, value: RawBuilder<unknown>, isMeant = sql`1 = 1`): SortKey => ({
  value: sql`(SELECT ${value} ${visibleHours(kind, "usageFrom")} AND ${isMeant})`,
  isComputed: true,
});
const REQUESTS = sql`(served + denied + limited + failed + unauthorized)`;

const sortsOf = (kind: VisibilityKind): Readonly<Record<KeySort, SortKey>> => ({
  requests: summed(kind, sql`COALESCE(SUM(${REQUESTS}), 0)`),
  refused: summed(kind, sql`COALESCE(SUM(${REFUSED}), 0)`, HAS_REFUSED),
  // It is unset for a key without requests.
  refused_share: { ...summed(kind, sql`SUM(${REFUSED}) * 1.0 / SUM(${REQUESTS})`), mayBeUnset: true },
  created: { value: sql`api_keys.created_at` },
  name: { value: sql`(SELECT name FROM key_words WHERE key_id = api_keys.id)`, mayBeUnset: true, isComputed: true },
  last_used: { value: sql`key_usage.last_used_at`, mayBeUnset: true },
  expires: { value: sql`api_keys.expires_at`, mayBeUnset: true },
});

/** Matches a text anywhere in the key's own texts, and at the start of words in the names that may be searched. */
const matchesText =
  (db: SqlDatabase, has: (filter: string) => boolean) =>
  (text: RawBuilder<string>): RawBuilder<SqlBool> => {
    const places = [db.contains(sql`key_words.words`, sql`substr(${text}, 2)`)];
    if (has("inDealerNames")) places.push(db.contains(sql`COALESCE(key_words.dealer_words, '')`, text));
    if (has("inUserNames")) places.push(db.contains(sql`COALESCE(key_words.user_words, '')`, text));
    return sql<SqlBool>`(${sql.join(places, sql` OR `)})`;
  };

/** `otherBytes` includes up to 1.5 kB of permissions. */
const ROW_SIZE: RowSize<KeyRow> = {
  maxBytes: 125_000,
  otherBytes: 2800,
  textColumns: {
    name: JSON_ESCAPE_FACTOR,
    description: JSON_ESCAPE_FACTOR,
    app_id: 0,
    allowed_origins: 1,
    allowed_networks: 1,
    owner_email: 1,
    key_start: 0,
    old_start: 0,
    old_day: 0,
  },
};

/** The position directly after this key in a list whose newest keys come first. */
interface Position {
  readonly created_at: string;
  readonly id: number;
}

/** The lists of keys in SQL; see the port for what they guarantee. */
export const keyList = (db: SqlDatabase): Pick<KeyRepository, "list" | "all"> => {
  const rows = (has: (filter: string) => boolean, few: boolean) => {
    const kind = has("visibleDealer") ? "dealer" : has("visibleUser") ? "user" : "everything";
    let query = selectKeys(db, kind);
    if (has("visibleDealer")) query = query.where(IS_KEY_VISIBLE.dealer);
    if (has("visibleUser")) query = query.where(IS_KEY_VISIBLE.user);
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
    if (has("refusedSince"))
      query = query.where(sql<SqlBool>`EXISTS (SELECT 1 ${visibleHours(kind, "refusedSince")} AND ${HAS_REFUSED})`);
    if (has("isUnused"))
      query = query.where("api_keys.idle_noticed_at", "is not", null).where(
        sql<SqlBool>`CASE WHEN api_keys.active = 0 THEN api_keys.disabled_reason = 'idle'
          ELSE api_keys.idle_noticed_at >= ${LAST_SEEN} END`,
      );
    if (isSearch(has))
      query = query.where(
        withWords({ table: "api_keys", words: "key_words", id: "key_id" }, few, hasWords(has, matchesText(db, has))),
      );
    return query;
  };
  const list = listing(
    db,
    { table: "api_keys", rowSize: ROW_SIZE, byIdQuery: (has) => rows(has, true), isFullScan: isSearch },
    (has) => rows(has, has("visibleDealer") || has("visibleUser")),
  );

  /** A page of keys. */
  const pageOf = async ({
    visibility,
    filter,
    order = NEWEST_FIRST,
    usageFrom,
    ...asked
  }: ListedKeys & {
    readonly after?: Position | null;
    readonly isCounted?: boolean;
    readonly source?: Sql;
  }): Promise<PositionedListing<KeyRecord, Position>> => {
    const listed = await list({
      ...asked,
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
        ...(filter.refusedSince !== undefined && { refusedSince: filter.refusedSince }),
        ...(usageFrom !== undefined && { usageFrom }),
        ...(filter.isUnused && { isUnused: 1 }),
        ...(filter.search !== undefined && {
          ...searchValues(filter.search.q),
          ...(filter.search.inDealerNames && { inDealerNames: 1 }),
          ...(filter.search.inUserNames && { inUserNames: 1 }),
        }),
      },
      order: orderedBy("api_keys", sortsOf(kindOf(visibility)), order),
    });
    return { ...presented(listed, keyOf), last: listed.last };
  };

  return {
    list: pageOf,
    all: (wanted) => everyPage<KeyRecord, Position>(db, (place) => pageOf({ ...wanted, ...place, isCounted: false })),
  };
};
