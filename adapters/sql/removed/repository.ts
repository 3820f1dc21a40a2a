import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Visibility } from "../../../core/access/visibility.ts";
import { recordNameIn } from "../../../core/audit/actions.ts";
import { visibleActor } from "../../../core/audit/audit-entries-hide-other-dealers.ts";
import { actorOf } from "../../../core/audit/audit-entry.ts";
import { timestampAfter } from "../../../core/clock.ts";
import { presented } from "../../../core/page.ts";
import { DEALER_GONE, DEALER_INACTIVE, type RemovedRepository } from "../../../core/removed/removed-repository.ts";
import { type RemovedVehicle, restorableUntil } from "../../../core/removed/removed-vehicle.ts";
import { wordsIn } from "../../../core/search/words.ts";
import { JsonRecord } from "../../../core/stored-json.ts";
import { VEHICLE_FIELDS, type Vehicle, type VehicleField } from "../../../core/vehicles/fields.ts";
import { entryFields } from "../audit/entry-fields.ts";
import { contextValues, entryQuery } from "../audit/trail.ts";
import { INSERTED as IMAGE_COLUMNS } from "../images/rows.ts";
import { combinedChanges } from "../query/combined-changes.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { listing } from "../query/listing.ts";
import { readerByRowCount } from "../query/reader-by-row-count.ts";
import { isWithin } from "../query/scope.ts";
import { idsValue, JSON_ESCAPE_FACTOR, type RowSize } from "../query/slices.ts";
import { param, type SqlValue, shapeCache, type Values } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";
import { storedFigures } from "../report/stored-figures.ts";
import { hasWords } from "../search/condition.ts";
import { type NewSpellings, vehicleSpellings } from "../search/spellings.ts";
import { vehicleWordsIn } from "../search/vehicle-words.ts";
import { INSERTED as VEHICLE_COLUMNS, vehicleColumnsOf } from "../vehicles/columns.ts";
import { DuplicateFound, vehicleDuplicates } from "../vehicles/duplicates.ts";
import { pictureOf } from "./picture.ts";

const FIELDS = Object.keys(VEHICLE_FIELDS) as VehicleField[];

/**
 * The number of vehicles that are purged in one transaction. It is so small that SQLite blocks the event loop only
 * briefly.
 */
const BATCH = 100;

const LIST_COLUMNS = [
  "id",
  "created_at",
  "actor_key_id",
  "actor_user_id",
  "actor_name",
  "actor_dealer_id",
  "via",
  "document",
] as const;
type RemovedRow = Pick<Row<"removed_vehicles">, (typeof LIST_COLUMNS)[number]> & { readonly picture: string | null };

/** An address, or the small picture of a photo. */
const MAX_PICTURE = 8000;

const ROW_SIZE: RowSize<RemovedRow> = {
  maxBytes: Number.POSITIVE_INFINITY,
  otherBytes: 1000 + MAX_PICTURE,
  textColumns: { actor_name: JSON_ESCAPE_FACTOR, document: 1, picture: 0 },
};

/** A stored row by columns. It may come from any version of the schema. */
type Stored = Readonly<Record<string, SqlValue>>;

/** The columns of a stored row that the table still has. Columns that were added since get their defaults. */
const currentColumnsOf = (stored: Stored, columns: readonly string[]): Stored =>
  Object.fromEntries(["id", ...columns].flatMap((name) => (name in stored ? [[name, stored[name] ?? null]] : [])));

/** The values of a row as parameters. Their names begin with the name of the row. */
const parameterValues = (row: string, stored: Stored): Values =>
  Object.fromEntries(Object.entries(stored).map(([name, value]) => [`${row}.${name}`, value]));

/**
 * The vehicle of a stored document, with all present fields in their order. Fields that were added since are `null`.
 */
const vehicleIn = (document: string): Vehicle => {
  const stored: Stored = JSON.parse(document);
  return Object.fromEntries(FIELDS.map((name) => [name, stored[name] ?? null])) as unknown as Vehicle;
};

const removedOf = (row: RemovedRow, visibility: Visibility): RemovedVehicle => {
  const by = { keyId: row.actor_key_id, userId: row.actor_user_id, name: row.actor_name, via: row.via };
  return {
    ...vehicleIn(row.document),
    removed_at: row.created_at,
    removed_by: visibleActor(visibility, { actor: actorOf(by), ...by, dealerId: row.actor_dealer_id }),
    restorable_until: restorableUntil(row.created_at),
    picture: row.picture,
  };
};

/**
 * Deletes everything that is stored of removed vehicles. `isMeant` selects them by the column that contains their id.
 */
const deletions = (db: SqlDatabase, isMeant: (id: string) => RawBuilder<SqlBool>) =>
  [
    db.deleteFrom("removed_vehicles").where(isMeant("id")),
    db.deleteFrom("vehicle_history").where(isMeant("vehicle_id")),
    db.deleteFrom("vehicle_sales").where(isMeant("vehicle_id")),
  ] as const;

type Purge = Parameters<RemovedRepository["purge"]>[0];

/** Removed vehicles in SQL; see the port for what it guarantees. */
export const makeRemovedRepository = (db: SqlDatabase, words = vehicleWordsIn(db)): RemovedRepository => {
  const figures = storedFigures(db);
  const spellings = vehicleSpellings(db);
  const duplicates = vehicleDuplicates(db);
  const restorations = shapeCache<ReturnType<typeof combinedChanges>>();
  const purged = combinedChanges(db, ...deletions(db, (id) => sql`${sql.ref(id)} = ${param("id")}`), entryQuery(db));
  const listed = db.jsonRows(param<string>("ids"), { listed_id: "integer" });
  const forgotten = combinedChanges(
    db,
    ...deletions(db, (id) => sql`${sql.ref(id)} IN (SELECT listed_id FROM ${listed} AS listed)`),
  );
  const list = listing<RemovedRow>(db, { table: "removed_vehicles", rowSize: ROW_SIZE });
  const matching =
    ({ scope, since, filter: { dealerId, search } }: Parameters<RemovedRepository["list"]>[0]) =>
    (on: Queries) => {
      let query = on.selectFrom("removed_vehicles").select(LIST_COLUMNS).select(pictureOf(db));
      query = query.where("created_at", ">", since).where(isWithin(scope));
      if (dealerId !== undefined) query = query.where("dealer_id", "=", dealerId);
      if (search !== undefined)
        query = query.where(hasWords(wordsIn(search), (text) => db.contains(sql.ref("words"), text)));
      return query;
    };

  const readerByRows = readerByRowCount(db, "removed_vehicles");

  const locked = (tx: Tx, { id, scope, since }: Pick<Purge, "id" | "scope" | "since">) =>
    tx
      .selectFrom("removed_vehicles")
      .select(["dealer_id", "document", "vehicle", "images"])
      .where("id", "=", id)
      .where("created_at", ">", since)
      .where(isWithin(scope))
      .modifyEnd(db.forUpdate)
      .executeTakeFirst();

  /** Inserts a vehicle and its images with these columns, deletes the removed vehicle, and adds an audit entry. */
  const restoration = (vehicle: Stored, images: readonly Stored[]) => {
    const [columns, ofImages] = [Object.keys(vehicle), Object.keys(images[0] ?? {})];
    return restorations(`${columns} ${ofImages} ${images.length}`, () => {
      const row = Object.fromEntries(columns.map((name) => [name, param(`vehicle.${name}`)]));
      const rows = images.map((_, place) =>
        Object.fromEntries(ofImages.map((name) => [name, param(`image${place}.${name}`)])),
      );
      return combinedChanges(
        db,
        db.insertInto("vehicles").values(row as never),
        ...(rows.length > 0 ? [db.insertInto("vehicle_images").values(rows as never)] : []),
        db.deleteFrom("removed_vehicles").where("id", "=", param("id")),
        entryQuery(db),
      );
    });
  };

  return {
    async list(wanted) {
      const { scope, visibility, filter, page } = wanted;
      const dealer = scope ?? filter.dealerId;
      const source = await readerByRows(dealer === undefined ? null : { column: "dealer_id", value: dealer });
      const listed = await list({ rows: matching(wanted), isFullScan: filter.search !== undefined, page, source });
      return presented(listed, (row) => removedOf(row, visibility));
    },

    async restore({ id, scope, since, now, by }) {
      const stored: NewSpellings[] = [];
      const restoring = db.write(async (tx) => {
        const removed = await locked(tx, { id, scope, since });
        if (removed === undefined) return null;
        const { dealer_id } = removed;
        // The dealer is locked until the end, so that it cannot be deleted or deactivated before.
        const dealer = await tx
          .selectFrom("dealers")
          .select("active")
          .where("id", "=", dealer_id)
          .modifyEnd(db.forNoKeyUpdate)
          .executeTakeFirst();
        if (dealer === undefined) return DEALER_GONE;
        if (dealer.active !== 1) return DEALER_INACTIVE;
        const before = vehicleIn(removed.document);
        const updated_at = timestampAfter(before.updated_at, now);
        const vehicle = {
          ...currentColumnsOf(JSON.parse(removed.vehicle), VEHICLE_COLUMNS),
          ...vehicleColumnsOf({ make: before.make, model: before.model }),
          updated_at,
        };
        const images = (JSON.parse(removed.images) as Stored[]).map((image) => currentColumnsOf(image, IMAGE_COLUMNS));
        const after = { ...before, updated_at };
        await restoration(vehicle, images)(tx, {
          ...contextValues({ at: now, by, resource: "vehicles", after: entryFields(after) }),
          action: "vehicle.restored",
          resource_id: id,
          record_name: recordNameIn("vehicles", { ...after }),
          before: null,
          dealer_id,
          id,
          ...parameterValues("vehicle", vehicle),
          ...Object.assign({}, ...images.map((image, place) => parameterValues(`image${place}`, image))),
        });
        if (before.status !== "sold") await duplicates.refuse(tx, id);
        const newSpellings = spellings.newIn(before);
        await newSpellings?.add(tx);
        if (newSpellings !== null) stored.push(newSpellings);
        await words.keep(tx, id);
        const row = await tx
          .selectFrom("vehicle_documents")
          .select(["updated_at", "document"])
          .where("id", "=", id)
          .executeTakeFirstOrThrow();
        return new JsonRecord<Vehicle>(id, row.updated_at, row.document);
      });
      const restored = await restoring.catch((error: unknown) => {
        if (error instanceof DuplicateFound) return error.found;
        throw error;
      });
      for (const newSpellings of restored instanceof JsonRecord ? stored : []) newSpellings.added();
      return restored;
    },

    purge: ({ id, scope, since, now, by }) =>
      db.write(async (tx) => {
        const removed = await locked(tx, { id, scope, since });
        if (removed === undefined) return false;
        const before = vehicleIn(removed.document);
        await figures.archive(tx, [id]);
        await purged(tx, {
          ...contextValues({ at: now, by, resource: "vehicles", after: null }),
          action: "vehicle.purged",
          resource_id: id,
          record_name: recordNameIn("vehicles", { ...before }),
          dealer_id: removed.dealer_id,
          before: entryFields(before),
          id,
        });
        return true;
      }),

    purgeSome: (before) =>
      db.write(async (tx) => {
        const expired = await tx
          .selectFrom("removed_vehicles")
          .select("id")
          .where("created_at", "<=", before)
          .orderBy("created_at")
          .limit(sql.lit(BATCH))
          // Rows that are being restored at this moment are locked, and skipped.
          .$if(db.hasWritableCtes, (query) => query.forUpdate().skipLocked())
          .execute();
        const ids = expired.map(({ id }) => id);
        if (ids.length === 0) return 0;
        await figures.archive(tx, ids);
        await forgotten(tx, { ids: idsValue(ids) });
        return ids.length;
      }),
  };
};
