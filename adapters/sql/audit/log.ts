import { sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import {
  type Action,
  type FormerAction,
  presentAction,
  recordNameIn,
  storedNamesOf,
} from "../../../core/audit/actions.ts";
import type { AuditFilter, AuditLog, AuditPage, AuditPosition, WantedEntries } from "../../../core/audit/audit.ts";
import { auditEntriesHideOtherDealers } from "../../../core/audit/audit-entries-hide-other-dealers.ts";
import { type AuditEntry, actorOf, changesBetween } from "../../../core/audit/audit-entry.ts";
import { AS_STORED, type ShownAddresses } from "../../../core/images/own-address.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { type Page, presented } from "../../../core/page.ts";
import { visibilityValues } from "../access/visibility.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { everyPage } from "../query/every-page.ts";
import { listing } from "../query/listing.ts";
import { readerByRowCount } from "../query/reader-by-row-count.ts";
import { JSON_ESCAPE_FACTOR, type RowSize } from "../query/slices.ts";
import { param, type Values } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";
import { hasWords, isSearch, searchValues } from "../search/condition.ts";
import { ACTOR_DEALER, entriesOfDealer, entriesOfVehicle, isOfDealer } from "./entry-queries.ts";

const COLUMNS = [
  "id",
  "created_at",
  "actor_key_id",
  "actor_user_id",
  "actor_name",
  "via",
  "action",
  "resource",
  "resource_id",
  "dealer_id",
  "before",
  "after",
  "address",
  "request_id",
  "record_name",
  "import_id",
  "change_id",
  "reverts",
] as const;

type AuditRow = Omit<Row<"audit_entries">, "actor_dealer_id">;

const fieldsOf = (json: string | null, shown: ShownAddresses): Readonly<Record<string, unknown>> | null => {
  if (json === null) return null;
  const fields: Readonly<Record<string, unknown>> = JSON.parse(json);
  return typeof fields.image_url === "string" ? { ...fields, image_url: shown(fields.image_url) } : fields;
};

const entryFrom = (row: AuditRow, shown: ShownAddresses): AuditEntry => {
  const before = fieldsOf(row.before, shown);
  const after = fieldsOf(row.after, shown);
  return {
    id: row.id,
    at: row.created_at,
    actor: actorOf({ keyId: row.actor_key_id, userId: row.actor_user_id, name: row.actor_name, via: row.via }),
    via: row.via,
    action: presentAction(row.action),
    resource: row.resource,
    resource_id: row.resource_id,
    record_name: row.record_name ?? recordNameIn(row.resource, before ?? after),
    dealer_id: row.dealer_id,
    ...changesBetween(before, after),
    address: row.address,
    request_id: row.request_id,
    import_id: row.import_id,
    change_id: row.change_id,
    reverts: row.reverts,
  };
};

const dealerOf = (visibility: Visibility): number | null =>
  typeof visibility === "object" && "dealerId" in visibility ? visibility.dealerId : null;

/** The column of each simple filter. */
const FILTER_COLUMNS = {
  keyId: "actor_key_id",
  userId: "actor_user_id",
  via: "via",
  resource: "resource",
  resourceId: "resource_id",
  changeId: "change_id",
} as const satisfies Partial<Record<keyof AuditFilter, (typeof COLUMNS)[number]>>;

/** Filters that match few entries and have their own index. */
const SELECTIVE_FILTERS = ["dealerId", "keyId", "userId", "visibleUser", "resourceId", "vehicleId", "changeId"];

/** The parameters of a filter by action: one for each stored name of the action, at most ten. */
const ACTION_VALUES = Array.from({ length: 10 }, (_, place) => `action${place}`);
const actionValues = (action: AuditFilter["action"]): Values =>
  Object.fromEntries(
    action === undefined ? [] : storedNamesOf(action).map((name, place) => [ACTION_VALUES[place] ?? "", name]),
  );

/** `before` and `after` are stored as JSON. */
const ROW_SIZE: RowSize<AuditRow> = {
  maxBytes: Number.POSITIVE_INFINITY,
  // It includes the record's name, which some entries have only in `before` or `after`.
  otherBytes: 1700,
  textColumns: {
    actor_name: JSON_ESCAPE_FACTOR,
    record_name: JSON_ESCAPE_FACTOR,
    request_id: 2,
    change_id: 0,
    reverts: 0,
    address: 0,
    before: 1,
    after: 1,
  },
};

/** The audit log in SQL; see the port for what it guarantees. */
export const makeAuditLog = (db: SqlDatabase, shown: ShownAddresses = AS_STORED): AuditLog => {
  const entryOf = (row: AuditRow): AuditEntry => entryFrom(row, shown);
  // It has the name of its table, so that all other parts of the query are the same for both.
  const ofDealer = entriesOfDealer(db, param("dealerId")).as("audit_entries") as unknown as "audit_entries";
  const ofVehicle = entriesOfVehicle(db, param("vehicleId")).as("audit_entries") as unknown as "audit_entries";
  /** A dealer can search only for its own users. Otherwise it could find out the present names of others. */
  const usersByName = (has: (filter: string) => boolean) => {
    const onlyOwnUsers = has("visibleDealer")
      ? sql` AND user_id IN (SELECT id FROM users WHERE dealer_id = ${param("visibleDealer")})`
      : sql``;
    return sql<number>`(SELECT user_id FROM user_words
      WHERE ${hasWords(has, (text) => db.contains(sql`user_words.name_words`, text))}${onlyOwnUsers})`;
  };
  const entriesFrom = (source: "audit_entries", has: (filter: string) => boolean) => {
    let query = db
      .selectFrom(source)
      .select(COLUMNS)
      .$if(has("visibleDealer"), (all) => all.select(ACTOR_DEALER.as("actor_dealer")));
    // A dealer must not find entries by actors that it cannot see.
    if (has("visibleDealer") && (has("keyId") || has("userId") || isSearch(has)))
      query = query.where(ACTOR_DEALER, "=", param<number>("visibleDealer"));
    if (has("visibleUser")) query = query.where("actor_user_id", "=", param("visibleUser"));
    for (const [filter, column] of Object.entries(FILTER_COLUMNS))
      if (has(filter)) query = query.where(column, "=", param(filter));
    if (isSearch(has)) query = query.where("actor_user_id", "in", usersByName(has));
    const actions = ACTION_VALUES.filter(has).map((name) => param<Action | FormerAction>(name));
    // Without statistics, SQLite considers the index by action as good as the index by dealer or user.
    const action =
      db.engine === "sqlite" && (SELECTIVE_FILTERS.some(has) || isSearch(has))
        ? sql<Action>`+audit_entries.action`
        : "action";
    if (actions.length > 0) query = query.where(action, "in", actions);
    if (has("hidesSales")) query = query.where("action", "<>", sql.lit("vehicle.sale_changed"));
    if (has("from")) query = query.where("created_at", ">=", param("from"));
    if (has("to")) query = query.where("created_at", "<", param("to"));
    return query;
  };
  const inDealer = (source: "audit_entries", has: (filter: string) => boolean) =>
    entriesFrom(source, has).$if(has("dealerId"), (all) => all.where(isOfDealer(db, param("dealerId"))));
  const list = listing(
    db,
    {
      table: "audit_entries",
      rowSize: ROW_SIZE,
      // Each slice is read by id from the table itself. Otherwise the dealer's union would be read again for each
      // slice.
      byIdQuery: (has) => inDealer(has("vehicleId") ? ofVehicle : "audit_entries", has),
    },
    (has) => {
      if (has("vehicleId")) return inDealer(ofVehicle, has);
      // A change has an index of its own, which leads to fewer entries than that of the dealer.
      if (has("changeId")) return inDealer("audit_entries", has);
      return entriesFrom(has("dealerId") ? ofDealer : "audit_entries", has);
    },
  );

  const readerByRows = readerByRowCount(db, "audit_entries");
  /** The reader for entries that the caller may see. A search reads all of them, and the log keeps growing. */
  const readerOf = (visibility: Visibility): MaybePromise<Sql> => {
    if (visibility === "everything") return readerByRows(null);
    return "dealerId" in visibility
      ? readerByRows({ column: "dealer_id", value: visibility.dealerId })
      : readerByRows({ column: "actor_user_id", value: visibility.userId });
  };

  /** A page of the entries. */
  const pageOf = async ({
    visibility,
    filter,
    ...asked
  }: WantedEntries & {
    readonly page: Page;
    readonly after: AuditPosition | null;
    readonly isCounted?: boolean;
    readonly source?: Sql;
  }): Promise<AuditPage> => {
    const dealerId = dealerOf(visibility);
    // To a dealer, all entries that it sees belong to itself.
    if (dealerId !== null && (filter.dealerId ?? dealerId) !== dealerId) return { total: 0, items: [], last: null };
    const after = asked.after && { created_at: asked.after.at, id: asked.after.id };
    const { action, person, resource, resourceId, hidesSales, ...compared } = filter;
    const isVehicle = resource === "vehicles" && resourceId !== undefined;
    const { last, ...listed } = await list({
      ...asked,
      source: asked.source ?? (await readerOf(visibility)),
      filters: {
        ...visibilityValues(visibility),
        ...compared,
        ...(isVehicle
          ? { vehicleId: resourceId }
          : { ...(resource !== undefined && { resource }), ...(resourceId !== undefined && { resourceId }) }),
        ...actionValues(action),
        ...(hidesSales && { hidesSales: 1 }),
        ...(person !== undefined && searchValues(person)),
        ...(dealerId !== null && { dealerId }),
      },
      after,
    });
    return {
      ...presented(listed, (row) => auditEntriesHideOtherDealers(visibility, entryOf(row), row.actor_dealer ?? null)),
      last: last && { at: last.created_at, id: last.id },
    };
  };

  return {
    list: pageOf,
    all: (wanted) =>
      everyPage<AuditEntry, AuditPosition>(db, (place) => pageOf({ ...wanted, ...place, isCounted: false })),
  };
};
