import { type RawBuilder, sql } from "kysely";
import type { DealerScope } from "../../../core/access/decide.ts";
import type {
  ChangedRecord,
  ChangeFeedRepository,
  FeedHead,
  RecordState,
  ShownVehicle,
} from "../../../core/change-feed/change-feed-repository.ts";
import type { RecordKind } from "../../../core/change-feed/changed-record.ts";
import type { WalkedVehicle } from "../../../core/change-feed/feed-place.ts";
import { msOf, type Timestamp, timestampAt } from "../../../core/clock.ts";
import { IMAGE_FIELDS } from "../../../core/images/image.ts";
import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { COLUMNS as DEALER_COLUMNS, type DealerRow, dealerOf } from "../dealers/repository.ts";
import { type ImageRow, imageOf } from "../images/rows.ts";
import type { SqlDatabase } from "../query/database.ts";
import { idsValue } from "../query/slices.ts";
import { type Param, scopedStatement, sqlStatement, type Values } from "../query/statement.ts";
import { boundsOf, type ChangedRow, changePositions } from "./positions.ts";

/** The kinds and states by their numbers in the table, as the triggers write them. */
const KINDS: readonly (RecordKind | undefined)[] = [undefined, "dealer", "vehicle", "image"];
const STATES: readonly RecordState[] = ["present", "gone", "moved", "gone-with-vehicle", "moved-with-vehicle"];

const FORGOTTEN_AT_ONCE = 500;
/** A change may become visible later than it was made. Nothing is forgotten until a day after the last cursor before it. */
const LATEST_MS = 24 * 60 * 60 * 1000;

type Scoped = { scope: DealerScope };
type Listed = Scoped & { ids: string };
type WalkedFrom = Scoped & { limit: number; "after.created_at": Timestamp | null; "after.id": number | null };

type WalkedRow = ShownVehicle & WalkedVehicle;

const changedOf = ({ kind, id, dealer_id, state, at, tx, number }: ChangedRow): ChangedRecord => ({
  kind: KINDS[kind] ?? "vehicle",
  id,
  dealer_id,
  state: STATES[state] ?? "present",
  at,
  position: { tx, number },
});

/** Changed records and the inventory in SQL; see the port for what it guarantees. */
export const makeChangeFeedRepository = (db: SqlDatabase): ChangeFeedRepository => {
  const positions = changePositions(db);
  const listed = (param: Param<Listed>) => db.jsonRows(param("ids"), { listed_id: "integer" });
  const statementOf = <Row, Params extends Values>(
    query: (narrowed: boolean, param: Param<Params>) => RawBuilder<Row>,
  ) => scopedStatement<Row, Params>((narrowed, param) => ({ compile: () => query(narrowed, param).compile(db) }));
  const dealerColumns = sql.join(DEALER_COLUMNS.map((name) => sql.ref(name)));
  const imageColumns = sql.join(IMAGE_FIELDS.map((name) => sql.ref(`images.${name}`)));
  const shown = sql`documents.id, documents.dealer_id, documents.updated_at, documents.document`;
  const ofDealer = (column: string, narrowed: boolean, param: Param<Scoped>) =>
    narrowed ? sql`AND ${sql.ref(column)} = ${param("scope")}` : sql``;

  const dealers = statementOf(
    (narrowed, param: Param<Scoped & { after: number; limit: number }>) =>
      sql<DealerRow>`SELECT ${dealerColumns} FROM dealers WHERE active = 1 AND id > ${param("after")}
      ${ofDealer("id", narrowed, param)} ORDER BY id LIMIT ${param("limit")}`,
  );
  const dealersByIds = statementOf(
    (narrowed, param: Param<Listed>) => sql<DealerRow>`SELECT ${dealerColumns} FROM dealers
      WHERE id IN (SELECT listed_id FROM ${listed(param)} AS listed) AND active = 1 ${ofDealer("id", narrowed, param)}`,
  );
  const vehiclesFrom = (isAfter: boolean) =>
    statementOf((narrowed, param: Param<WalkedFrom>) => {
      const conditions = [
        ...(narrowed ? [sql`dealer_id = ${param("scope")}`] : []),
        ...(isAfter ? [sql`(created_at, id) < (${param("after.created_at")}, ${param("after.id")})`] : []),
      ];
      const where = conditions.length === 0 ? sql`` : sql`WHERE ${sql.join(conditions, sql` AND `)}`;
      return sql<WalkedRow>`SELECT ${shown}, vehicles.created_at FROM (SELECT id, created_at FROM vehicles ${where}
          ORDER BY created_at DESC, id DESC LIMIT ${param("limit")}) AS vehicles
        JOIN vehicle_documents AS documents ON documents.id = vehicles.id
        ORDER BY vehicles.created_at DESC, vehicles.id DESC`;
    });
  const [newestVehicles, vehiclesAfter] = [vehiclesFrom(false), vehiclesFrom(true)];
  // The ids lead: otherwise the planner might read all vehicles of a large dealer.
  const vehiclesByIds = statementOf(
    (narrowed, param: Param<Listed>) =>
      sql<ShownVehicle>`SELECT ${shown} FROM ${listed(param)} AS listed CROSS JOIN vehicle_documents AS documents
      WHERE documents.id = listed_id ${ofDealer("documents.dealer_id", narrowed, param)}`,
  );
  const imagesOfVehicles = statementOf(
    (narrowed, param: Param<Listed>) => sql<ImageRow>`SELECT ${imageColumns} FROM ${listed(param)} AS listed
      CROSS JOIN vehicles CROSS JOIN vehicle_images AS images
      WHERE vehicles.id = listed_id AND images.vehicle_id = vehicles.id ${ofDealer("vehicles.dealer_id", narrowed, param)}
      ORDER BY images.id`,
  );
  const imagesByIds = statementOf(
    (narrowed, param: Param<Listed>) => sql<ImageRow>`SELECT ${imageColumns} FROM ${listed(param)} AS listed
      CROSS JOIN vehicle_images AS images CROSS JOIN vehicles
      WHERE images.id = listed_id AND vehicles.id = images.vehicle_id ${ofDealer("vehicles.dealer_id", narrowed, param)}`,
  );

  const forgotten = sqlStatement(
    db,
    (param: Param<{ before: Timestamp }>) =>
      sql<{ id: number }>`DELETE FROM changed_records WHERE (kind, id, dealer_id) IN (
      SELECT kind, id, dealer_id FROM changed_records WHERE state > 0 AND at <= ${param("before")}
      ORDER BY at LIMIT ${sql.lit(FORGOTTEN_AT_ONCE)} ${db.hasWritableCtes ? sql`FOR UPDATE SKIP LOCKED` : sql``}) RETURNING id`,
  );

  const every = <Row, Shown>(
    found: MaybePromise<readonly Row[]>,
    form: (row: Row) => Shown,
  ): MaybePromise<readonly Shown[]> => andThen(found, (rows) => rows.map(form));
  const given = (ids: readonly number[], scope: DealerScope) => ({ ids: idsValue(ids), scope });

  return {
    head: () =>
      andThen(db.all(positions.head, {}), ([row]): FeedHead => {
        if (row === undefined) throw new Error("the numbering of changes is missing");
        return { numbering: row.numbering, position: { tx: row.tx, number: row.number } };
      }),

    changed: (scope, { limit, ...range }) =>
      every(db.all(positions.changed(scope), { ...boundsOf(range), limit, scope }), changedOf),

    dealersAfter: (scope, after, limit) => every(db.all(dealers(scope), { scope, after, limit }), dealerOf),

    vehiclesAfter: (scope, after, limit) =>
      db.all((after === null ? newestVehicles : vehiclesAfter)(scope), {
        scope,
        limit,
        "after.created_at": after?.created_at ?? null,
        "after.id": after?.id ?? null,
      }),

    imagesOf: (scope, ids) => every(db.all(imagesOfVehicles(scope), given(ids, scope)), imageOf),
    dealers: (scope, ids) => every(db.all(dealersByIds(scope), given(ids, scope)), dealerOf),
    vehicles: (scope, ids) => db.all(vehiclesByIds(scope), given(ids, scope)),
    async purgeSome(before) {
      const kept = timestampAt(msOf(before) - LATEST_MS);
      return (await db.writeOne(forgotten, { before: kept })).length;
    },
    images: (scope, ids) => every(db.all(imagesByIds(scope), given(ids, scope)), imageOf),
  };
};
