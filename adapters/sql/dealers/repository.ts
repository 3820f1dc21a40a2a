import { type RawBuilder, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { DealerSort, FIGURE_SORTS } from "../../../core/dealers/dealer.ts";
import type { DealerRepository, DealerUpdate } from "../../../core/dealers/dealer-repository.ts";
import { DEALER_FIELDS, type Dealer, type DealerField, fieldsOf } from "../../../core/dealers/fields.ts";
import { located } from "../../../core/dealers/location.ts";
import type { Inventory, VehicleSummary } from "../../../core/dealers/statistics.ts";
import { andThen } from "../../../core/maybe-promise.ts";
import { type ListOrder, NEWEST_FIRST, presented } from "../../../core/page.ts";
import { searchedWords } from "../../../core/search/words.ts";
import { fold } from "../../../core/text.ts";
import {
  type AuditedChange,
  type AuditedRecord,
  auditColumnsOf,
  auditColumnsOfUpdate,
  auditedChange,
  auditedUpdate,
  joinOfPrevious,
} from "../audit/audited-change.ts";
import { entryFields } from "../audit/entry-fields.ts";
import type { AuditContext } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { listing, orderedBy, type SortKey } from "../query/listing.ts";
import { isOneOf, JSON_ESCAPE_FACTOR, type RowSize } from "../query/slices.ts";
import {
  type Param,
  param,
  params,
  type SqlValue,
  scopedStatement,
  shapeCache,
  sqlStatement,
  statement,
} from "../query/statement.ts";
import type { NewRow, Row, Tables } from "../query/tables.ts";
import { versionsIn, versionValues } from "../query/versions.ts";
import { hasWords, withWords } from "../search/condition.ts";
import { searchWords } from "../search/words.ts";
import { storedCodes } from "./codes.ts";
import { figureSorts, needsHelp } from "./figure-values.ts";
import { MEAN_LISTED_MS } from "./mean-listed.ts";

/** The columns of a dealer as it is read. */
export const COLUMNS = Object.keys(DEALER_FIELDS) as DealerField[];
/** Fields that are stored as JSON. */
const JSON_FIELDS = fieldsOf("hours", "networks", "codes");

/** The columns of a new dealer. */
export const INSERTED = [...COLUMNS.filter((name) => name !== "id"), "city_folded", "state_folded"] as const;

/** A dealer as it is read. */
export type DealerRow = Omit<Row<"dealers">, "city_folded" | "state_folded">;

const parseJson = <Value>(json: string | null): Value | null => (json === null ? null : (JSON.parse(json) as Value));

/** The dealer of a row. */
export const dealerOf = (row: DealerRow): Dealer =>
  located({
    ...row,
    hours: parseJson(row.hours),
    social_media: parseJson(row.social_media),
    codes: JSON.parse(row.codes) as readonly string[],
  });

const toJson = (value: object | null): string | null => (value === null ? null : JSON.stringify(value));

/** The columns that fields of a dealer are stored in. */
export const dealerColumnsOf = ({ hours, social_media, codes, ...plain }: DealerUpdate): Record<string, SqlValue> => ({
  ...plain,
  ...(hours !== undefined && { hours: toJson(hours) }),
  ...(social_media !== undefined && { social_media: toJson(social_media) }),
  ...(codes !== undefined && { codes: JSON.stringify(codes) }),
  ...(plain.city !== undefined && { city_folded: fold(plain.city) }),
  ...(plain.state !== undefined && { state_folded: fold(plain.state) }),
});

/** The fields of a dealer, each with its column or expression. */
const expressionsOf = (db: SqlDatabase, names: readonly string[]): Record<string, RawBuilder<unknown>> =>
  Object.fromEntries(
    names.map((name) => [name, JSON_FIELDS.some((field) => field === name) ? db.asJson(name) : sql.ref(name)]),
  );

const ROW_SIZE: RowSize<DealerRow> = {
  maxBytes: Number.POSITIVE_INFINITY,
  otherBytes: 500,
  textColumns: Object.fromEntries([
    ...fieldsOf("name", "email", "url", "text", "long").map((name) => [name, JSON_ESCAPE_FACTOR]),
    ...JSON_FIELDS.map((name) => [name, 1]),
  ]) as RowSize<DealerRow>["textColumns"],
};

const SORTS: Readonly<Record<Exclude<DealerSort, (typeof FIGURE_SORTS)[number]>, SortKey>> = {
  created: { value: sql`dealers.created_at` },
  updated: { value: sql`dealers.updated_at` },
  name: {
    value: sql`(SELECT name FROM dealer_words WHERE dealer_id = dealers.id)`,
    mayBeUnset: true,
    isComputed: true,
  },
  city: { value: sql`dealers.city_folded` },
  state: { value: sql`dealers.state_folded` },
};

const SUMMARY = Object.fromEntries(
  ["id", "make", "model", "year", "created_at"].map((name) => [name, sql.ref(`vehicles.${name}`)]),
);

interface InventoryRow {
  readonly available: number;
  readonly sold: number;
  readonly pending: number;
  readonly available_cents: number;
  readonly sold_cents: number;
  readonly pending_cents: number;
  readonly mean_listed_ms: number | null;
  /** The newest vehicle as JSON. */
  readonly newest: string | null;
  /** The oldest vehicle as JSON. */
  readonly oldest: string | null;
  readonly photo_bytes: number;
}

const inventoryOf = (row: InventoryRow): Inventory => ({
  byStatus: {
    available: { vehicles: row.available, cents: row.available_cents },
    sold: { vehicles: row.sold, cents: row.sold_cents },
    pending: { vehicles: row.pending, cents: row.pending_cents },
  },
  listedMs: row.mean_listed_ms,
  newest: parseJson<VehicleSummary>(row.newest),
  oldest: parseJson<VehicleSummary>(row.oldest),
  photoBytes: Number(row.photo_bytes),
});

/** The values of an update besides those of the columns that it sets. */
type UpdateValues = { now: Timestamp; id: number; scope: DealerScope };
const of: Param<UpdateValues> = param;

/** Dealers in SQL; see the port for what it guarantees. `limitChanged` is called after a change of a dealer's limit. */
export const makeDealerRepository = (db: SqlDatabase, limitChanged = () => {}): DealerRepository => {
  const found = scopedStatement((narrowed, param: Param<{ id: number; scope: DealerScope }>) =>
    db
      .selectFrom("dealers")
      .select(COLUMNS)
      .where("id", "=", param("id"))
      .$if(narrowed, (query) => query.where("id", "=", param("scope"))),
  );
  const present = statement(() => db.selectFrom("dealers").select("id").where("id", "=", param("id")));
  const joined = joinOfPrevious(db);
  const inserted = auditedChange(
    db,
    db
      .insertInto("dealers")
      .values(params(INSERTED) satisfies NewRow<"dealers">)
      .returning([...auditColumnsOf("dealer.created"), "id as owner_id", sql<null>`NULL`.as("before")]),
  );
  // Keys are found by the name of their dealer, so changes of dealers are serialized with changes of keys. Otherwise
  // two changes of one dealer could deadlock while vehicles are assigned to it.
  const accessLock = sqlStatement(db, db.accessLock);
  const updates = shapeCache<AuditedChange<DealerRow>>();
  const words = searchWords(db);
  const dealerCodes = storedCodes(db);
  const summaryOfFirst = (direction: "asc" | "desc") =>
    db
      .selectFrom("vehicles")
      .select(db.jsonObject(SUMMARY).as("json"))
      .whereRef("vehicles.dealer_id", "=", sql.ref("dealer_inventory.dealer_id"))
      .orderBy("created_at", direction)
      .orderBy("id", direction)
      .limit(sql.lit(1));
  const inventories = scopedStatement((narrowed, param: Param<{ id: number; scope: DealerScope }>) =>
    db
      .selectFrom("dealer_inventory")
      .select(["available", "sold", "pending", "available_cents", "sold_cents", "pending_cents"])
      .select(MEAN_LISTED_MS.as("mean_listed_ms"))
      .select([summaryOfFirst("desc").as("newest"), summaryOfFirst("asc").as("oldest")])
      .select(
        sql<number>`(SELECT CAST(COALESCE(SUM(bytes), 0) AS BIGINT) FROM photos WHERE photos.dealer_id = dealer_inventory.dealer_id)`.as(
          "photo_bytes",
        ),
      )
      .where("dealer_id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
  );
  // It is built once, as its forty columns took more time than the rest of a list.
  const everyDealer = db.selectFrom("dealers").select(COLUMNS);
  const list = listing<DealerRow>(db, { table: "dealers", rowSize: ROW_SIZE });
  const matching = ({ scope, filter, sight }: Parameters<DealerRepository["list"]>[0]) => {
    const { city, state, active, search, needsHelp: isHelpNeeded } = filter;
    const foundIn = (text: RawBuilder<string>) => db.contains(sql`dealer_words.words`, text);
    return (_: Queries, isById: boolean) => {
      let query = everyDealer;
      if (scope !== null) query = query.where("id", "=", scope);
      if (city !== undefined) query = query.where("city_folded", "=", fold(city));
      if (state !== undefined) query = query.where("state_folded", "=", fold(state));
      if (active !== undefined) query = query.where("active", "=", active ? 1 : 0);
      if (isHelpNeeded !== undefined && sight !== undefined)
        query = query.where(needsHelp(db.engine, sight, isHelpNeeded));
      if (search !== undefined) {
        const words = hasWords(searchedWords(search), foundIn);
        const few = isById || scope !== null;
        query = query.where(withWords({ table: "dealers", words: "dealer_words", id: "dealer_id" }, few, words));
      }
      return query;
    };
  };

  return {
    async list(wanted) {
      const { filter, page, order = NEWEST_FIRST, sight } = wanted;
      const listed = await list({
        rows: matching(wanted),
        isFullScan: filter.search !== undefined,
        page,
        order:
          sight === undefined
            ? orderedBy("dealers", SORTS, order as ListOrder<keyof typeof SORTS>)
            : orderedBy("dealers", { ...SORTS, ...figureSorts(db.engine, sight) }, order),
      });
      return presented(listed, dealerOf);
    },

    async find(id, scope) {
      const row = await db.first(found(scope), { id, scope });
      return row === null ? null : dealerOf(row);
    },

    async names(ids, scope) {
      const rows = await db
        .selectFrom("dealers")
        .select(["id", "name"])
        .where(isOneOf(db, ids))
        .$if(scope !== null, (query) => query.where("id", "=", scope))
        .execute();
      return new Map(rows.map(({ id, name }) => [id, name]));
    },

    async exists(id) {
      return (await db.first(present, { id })) !== null;
    },

    insert(dealer, by) {
      const context: AuditContext = {
        at: dealer.created_at,
        by,
        resource: "dealers",
        after: entryFields(dealer),
      };
      const complete = async (tx: Sql, [row]: readonly AuditedRecord[]): Promise<void> => {
        await words.keep(tx, "dealers", row?.resource_id ?? 0);
        if (dealer.codes.length > 0) await dealerCodes.set(tx, row?.resource_id ?? 0, dealer.codes);
      };
      const made = inserted(db, { values: dealerColumnsOf(dealer), context, complete }).then(([row]) => {
        if (row === undefined) throw new Error("an inserted dealer has no id");
        return located({ id: row.resource_id, ...dealer });
      });
      return dealerCodes.orTaken(made, dealer.codes);
    },

    update({ id, scope, changes, now, versions, by }) {
      const columns = dealerColumnsOf(changes);
      const names = Object.keys(columns).sort() as (keyof Tables["dealers"])[];
      const change = updates(`${names.join()} ${scope === null} ${versions?.length}`, () => {
        const past = db
          .selectFrom("dealers")
          .select([
            ...auditColumnsOfUpdate("dealer.changed", names),
            "id as owner_id",
            db.jsonObject(expressionsOf(db, Object.keys(changes))).as("before"),
          ])
          .where("id", "=", of("id"))
          .$if(scope !== null, (query) => query.where("id", "=", of("scope")))
          .$if(versions !== null, (query) => query.where(versionsIn(versions ?? [])))
          .modifyEnd(db.forNoKeyUpdate);
        const update = db
          .updateTable("dealers")
          .set({ ...params(names), updated_at: db.nextTimestamp("updated_at", of("now")) })
          .$if(joined.isJoined, (query) => query.from(joined.source))
          .where("id", "=", of("id"))
          .$if(scope !== null, (query) => query.where("id", "=", of("scope")))
          .returning(COLUMNS);
        return auditedUpdate(db, { past, first: accessLock }, update);
      });
      const known = { now, id, scope } satisfies UpdateValues;
      const values = { ...columns, ...known, ...versionValues(versions ?? []) };
      const context: AuditContext = { at: now, by, resource: "dealers", after: entryFields(changes) };
      const complete = async (tx: Sql): Promise<void> => {
        await words.keep(tx, "dealers", id);
        if (changes.codes !== undefined) await dealerCodes.set(tx, id, changes.codes);
      };
      const made = change(db, { values, context, complete }).then(([row]) => {
        if (changes.rate_limit !== undefined) limitChanged();
        return row === undefined ? null : dealerOf(row);
      });
      return dealerCodes.orTaken(made, changes.codes ?? []);
    },

    inventory: (id, scope) =>
      andThen(db.first(inventories(scope), { id, scope }), (row) => (row === null ? null : inventoryOf(row))),
  };
};
