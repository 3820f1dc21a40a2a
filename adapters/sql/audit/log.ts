import { type RawBuilder, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import { type Action, presentAction, recordNameIn, storedNamesOf } from "../../../core/audit/actions.ts";
import type { AuditFilter, AuditLog, AuditPage, AuditPosition, WantedEntries } from "../../../core/audit/audit.ts";
import { auditEntriesHideOtherDealers } from "../../../core/audit/audit-entries-hide-other-dealers.ts";
import { type AuditEntry, actorOf, changesBetween } from "../../../core/audit/audit-entry.ts";
import { AS_STORED, type ShownAddresses } from "../../../core/images/own-address.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { type Page, presented } from "../../../core/page.ts";
import { searchedWords } from "../../../core/search/words.ts";
import type { Reader, SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { everyPage } from "../query/every-page.ts";
import { listing } from "../query/listing.ts";
import { readerByRowCount } from "../query/reader-by-row-count.ts";
import { JSON_ESCAPE_FACTOR, type RowSize } from "../query/slices.ts";
import type { Row } from "../query/tables.ts";
import { hasWords } from "../search/condition.ts";
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
  /** It has the name of its table, so that all other parts of the query are the same for each of them. */
  const named = (entries: RawBuilder<object>) => entries.as("audit_entries") as unknown as "audit_entries";
  /** A dealer can search only for its own users. Otherwise it could find out the present names of others. */
  const usersByName = (person: string, dealer: number | null) => {
    const words = hasWords(searchedWords(person), (text) => db.contains(sql`user_words.name_words`, text));
    const onlyOwnUsers =
      dealer === null ? sql`` : sql` AND user_id IN (SELECT id FROM users WHERE dealer_id = ${dealer})`;
    return sql<number>`(SELECT user_id FROM user_words WHERE ${words}${onlyOwnUsers})`;
  };
  const matching = ({ visibility, filter }: WantedEntries) => {
    const dealer = dealerOf(visibility);
    const user = typeof visibility === "object" && "userId" in visibility ? visibility.userId : null;
    const { keyId, userId, resource, resourceId, changeId, person, action, hidesSales, from, to } = filter;
    const dealerId = dealer ?? filter.dealerId;
    const vehicleId = resource === "vehicles" ? resourceId : undefined;
    // Without statistics, SQLite considers the index by action as good as one that leads to fewer entries.
    const isSelective = [dealerId, keyId, userId, user ?? undefined, resourceId, changeId, person].some(
      (one) => one !== undefined,
    );
    const actionColumn = db.engine === "sqlite" && isSelective ? sql<Action>`+audit_entries.action` : "action";
    const isOfPerson = keyId !== undefined || userId !== undefined || person !== undefined;

    const entriesFrom = (on: Queries, source: "audit_entries") => {
      let query = on
        .selectFrom(source)
        .select(COLUMNS)
        .$if(dealer !== null, (all) => all.select(ACTOR_DEALER.as("actor_dealer")));
      // A dealer must not find entries by actors that it cannot see.
      if (dealer !== null && isOfPerson) query = query.where(ACTOR_DEALER, "=", dealer);
      if (user !== null) query = query.where("actor_user_id", "=", user);
      for (const [name, column] of Object.entries(FILTER_COLUMNS)) {
        const wanted = filter[name as keyof typeof FILTER_COLUMNS];
        // The entries of a vehicle are those of its images, too.
        const isOfVehicle = vehicleId !== undefined && column.startsWith("resource");
        if (wanted !== undefined && !isOfVehicle) query = query.where(column, "=", wanted as never);
      }
      if (person !== undefined) query = query.where("actor_user_id", "in", usersByName(person, dealer));
      if (action !== undefined) query = query.where(actionColumn, "in", storedNamesOf(action));
      if (hidesSales) query = query.where("action", "<>", sql.lit("vehicle.sale_changed"));
      if (from !== undefined) query = query.where("created_at", ">=", from);
      if (to !== undefined) query = query.where("created_at", "<", to);
      return query;
    };
    const inDealer = (on: Queries, source: "audit_entries") =>
      entriesFrom(on, source).$if(dealerId !== undefined, (all) => all.where(isOfDealer(db, sql.val(dealerId ?? 0))));
    return (on: Queries, isById: boolean) => {
      if (vehicleId !== undefined) return inDealer(on, named(entriesOfVehicle(db, sql.val(vehicleId))));
      // A change has an index of its own, which leads to fewer entries than that of the dealer. Each slice is read by id
      // from the table itself: otherwise the dealer's union would be read again for each slice.
      if (isById || changeId !== undefined || dealerId === undefined) return inDealer(on, "audit_entries");
      return entriesFrom(on, named(entriesOfDealer(db, sql.val(dealerId))));
    };
  };
  const list = listing<AuditRow & { readonly actor_dealer?: number | null }>(db, {
    table: "audit_entries",
    rowSize: ROW_SIZE,
  });

  const readerByRows = readerByRowCount(db, "audit_entries");
  /** The reader for entries that the caller may see. A search reads all of them, and the log keeps growing. */
  const readerOf = (visibility: Visibility): MaybePromise<Reader> => {
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
    readonly source?: Reader;
  }): Promise<AuditPage> => {
    const dealerId = dealerOf(visibility);
    // To a dealer, all entries that it sees belong to itself.
    if (dealerId !== null && (filter.dealerId ?? dealerId) !== dealerId) return { total: 0, items: [], last: null };
    const after = asked.after && { created_at: asked.after.at, id: asked.after.id };
    const { last, ...listed } = await list({
      ...asked,
      source: asked.source ?? (await readerOf(visibility)),
      rows: matching({ visibility, filter }),
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
