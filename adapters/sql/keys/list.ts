import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { KeyRecord, KeySort, KeyStatus } from "../../../core/keys/key.ts";
import type { KeyRepository, KeySearch, ListedKeys } from "../../../core/keys/key-repository.ts";
import { NEWEST_FIRST, type PositionedListing, presented } from "../../../core/page.ts";
import { searchedWords } from "../../../core/search/words.ts";
import { type KeyRow, keyOf, LAST_SEEN, selectKeys } from "../access/key-rows.ts";
import { IS_USAGE_VISIBLE, isKeyVisible } from "../access/key-visibility.ts";
import { HAS_REFUSED, REFUSED } from "../access/refusals.ts";
import { kindOf, type VisibilityKind } from "../access/visibility.ts";
import type { Reader, SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { everyPage } from "../query/every-page.ts";
import { listing, orderedBy, type SortKey } from "../query/listing.ts";
import { JSON_ESCAPE_FACTOR, type RowSize } from "../query/slices.ts";
import { hasWords, withWords } from "../search/condition.ts";

/** The WHERE condition of each status, at a given time. */
const HAS_STATUS: Readonly<Record<KeyStatus, (at: string) => RawBuilder<SqlBool>>> = {
  revoked: () => sql<SqlBool>`api_keys.active = 0`,
  expired: (at) => sql<SqlBool>`(api_keys.active = 1 AND api_keys.expires_at <= ${at})`,
  active: (at) => sql<SqlBool>`(api_keys.active = 1 AND (api_keys.expires_at IS NULL OR api_keys.expires_at > ${at}))`,
};

/** The hours of a key that a reader may see, from a given one on. */
const visibleHours = (kind: VisibilityKind, from: string) =>
  sql`FROM key_usage_hours WHERE key_id = api_keys.id AND ${IS_USAGE_VISIBLE[kind]("key_usage_hours.hour")}
    AND hour >= ${from}`;

const REQUESTS = sql`(served + denied + limited + failed + unauthorized)`;

/** The orders. Requests count from an hour on, as far as the reader may see them. */
const sortsOf = (kind: VisibilityKind, usageFrom: string): Readonly<Record<KeySort, SortKey>> => {
  /** A sum over the hours of each key. It visits only these. */
  const summed = (value: RawBuilder<unknown>, isMeant = sql`1 = 1`): SortKey => ({
    value: sql`(SELECT ${value} ${visibleHours(kind, usageFrom)} AND ${isMeant})`,
    isComputed: true,
  });
  return {
    requests: summed(sql`COALESCE(SUM(${REQUESTS}), 0)`),
    refused: summed(sql`COALESCE(SUM(${REFUSED}), 0)`, HAS_REFUSED),
    // It is unset for a key without requests.
    refused_share: { ...summed(sql`SUM(${REFUSED}) * 1.0 / SUM(${REQUESTS})`), mayBeUnset: true },
    created: { value: sql`api_keys.created_at` },
    name: { value: sql`(SELECT name FROM key_words WHERE key_id = api_keys.id)`, mayBeUnset: true, isComputed: true },
    last_used: { value: sql`key_usage.last_used_at`, mayBeUnset: true },
    expires: { value: sql`api_keys.expires_at`, mayBeUnset: true },
  };
};

/** Matches a text anywhere in the key's own texts, and at the start of words in the names that may be searched. */
const matchesText =
  (db: SqlDatabase, { inDealerNames, inUserNames }: KeySearch) =>
  (text: RawBuilder<string>): RawBuilder<SqlBool> => {
    const places = [db.contains(sql`key_words.words`, sql`substr(${text}, 2)`)];
    if (inDealerNames) places.push(db.contains(sql`COALESCE(key_words.dealer_words, '')`, text));
    if (inUserNames) places.push(db.contains(sql`COALESCE(key_words.user_words, '')`, text));
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
  const list = listing<KeyRow>(db, { table: "api_keys", rowSize: ROW_SIZE });
  const matching = ({ visibility, filter }: Pick<ListedKeys, "visibility" | "filter">) => {
    const kind = kindOf(visibility);
    const { dealerId, userId, appType, active, status, association } = filter;
    const { expiresBefore, idleSince, refusedSince, isUnused, search } = filter;
    return (on: Queries, isById: boolean) => {
      let query = selectKeys(on, kind).where(isKeyVisible(visibility));
      if (dealerId !== undefined) query = query.where("dealer_keys.dealer_id", "=", dealerId);
      if (userId !== undefined) query = query.where("api_keys.user_id", "=", userId);
      if (appType !== undefined) query = query.where("api_keys.app_type", "=", appType);
      if (active !== undefined) query = query.where("api_keys.active", "=", active ? 1 : 0);
      if (status !== undefined) query = query.where(HAS_STATUS[status.is](status.at));
      if (association !== undefined) query = query.where("api_keys.association", "=", association);
      if (expiresBefore !== undefined) query = query.where("api_keys.expires_at", "<", expiresBefore);
      if (idleSince !== undefined)
        query = query.where(
          sql<SqlBool>`COALESCE(key_usage.last_used_at, api_keys.bound_since, api_keys.created_at) < ${idleSince}`,
        );
      if (refusedSince !== undefined)
        query = query.where(sql<SqlBool>`EXISTS (SELECT 1 ${visibleHours(kind, refusedSince)} AND ${HAS_REFUSED})`);
      if (isUnused)
        query = query.where("api_keys.idle_noticed_at", "is not", null).where(
          sql<SqlBool>`CASE WHEN api_keys.active = 0 THEN api_keys.disabled_reason = 'idle'
          ELSE api_keys.idle_noticed_at >= ${LAST_SEEN} END`,
        );
      if (search !== undefined) {
        const words = hasWords(searchedWords(search.q), matchesText(db, search));
        const few = isById || kind !== "everything";
        query = query.where(withWords({ table: "api_keys", words: "key_words", id: "key_id" }, few, words));
      }
      return query;
    };
  };

  /** A page of keys. */
  const pageOf = async ({
    visibility,
    filter,
    order = NEWEST_FIRST,
    usageFrom = "",
    ...asked
  }: ListedKeys & {
    readonly after?: Position | null;
    readonly isCounted?: boolean;
    readonly source?: Reader;
  }): Promise<PositionedListing<KeyRecord, Position>> => {
    const listed = await list({
      ...asked,
      rows: matching({ visibility, filter }),
      isFullScan: filter.search !== undefined,
      order: orderedBy("api_keys", sortsOf(kindOf(visibility), usageFrom), order),
    });
    return { ...presented(listed, keyOf), last: listed.last };
  };

  return {
    list: pageOf,
    all: (wanted) => everyPage<KeyRecord, Position>(db, (place) => pageOf({ ...wanted, ...place, isCounted: false })),
  };
};
