import { sql } from "kysely";
import { andThen } from "../../../core/maybe-promise.ts";
import { foldName } from "../../../core/search/names.ts";
import { JsonRecord } from "../../../core/stored-json.ts";
import type { DuplicateVehicle } from "../../../core/vehicles/duplicates.ts";
import { centsOf, type Vehicle } from "../../../core/vehicles/vehicle.ts";
import {
  type NewVehicleFields,
  UNKNOWN_DEALER,
  type VehicleRepository,
  type VehicleUpdate,
} from "../../../core/vehicles/vehicle-repository.ts";
import { SEARCHED_FIELDS } from "../../../core/vehicles/vehicle-words.ts";
import {
  type AuditedChange,
  auditColumnsOf,
  auditColumnsOfUpdate,
  auditedChange,
  auditedUpdate,
  type Completion,
  joinOfPrevious,
} from "../audit/audited-change.ts";
import { entryFields } from "../audit/entry-fields.ts";
import { type AuditContext, changeActorOf } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { keptRows } from "../query/kept-rows.ts";
import { param, params, type SqlValue, scopedStatement, shapeCache, statement } from "../query/statement.ts";
import type { NewRow, Tables } from "../query/tables.ts";
import { versionsIn, versionValues } from "../query/versions.ts";
import { vehicleSpellings } from "../search/spellings.ts";
import { vehicleWordsIn } from "../search/vehicle-words.ts";
import { INSERTED, vehicleFields } from "./columns.ts";
import { derivedChanges } from "./derived-changes.ts";
import { DuplicateFound, vehicleDuplicates } from "./duplicates.ts";
import { vehicleList } from "./list.ts";
import { vehicleRemoval } from "./removal.ts";
import { soldPriceEntry } from "./sold-price.ts";

/** A vehicle as it is read. */
type VehicleRow = Pick<Tables["vehicle_documents"], "updated_at" | "document">;

/** A vehicle with its dealer, as it is kept in memory. */
type KeptVehicle = Pick<Tables["vehicle_documents"], "dealer_id" | "updated_at" | "document">;

/** The values of a new vehicle, which has no former price, was never changed and never came back. */
const UNCHANGED = { previous_price_cents: null, changed_at: null, changed_by: null, returned_at: null };

/** The columns that are computed from a vehicle's fields. */
const derivedOf = ({ price, make, model }: VehicleUpdate): Record<string, SqlValue> => ({
  ...(price !== undefined && { price_cents: centsOf(price) }),
  ...(make !== undefined && { make_folded: foldName(make) }),
  ...(model !== undefined && { model_folded: foldName(model) }),
});

/** The columns that fields of a vehicle are stored in. */
export const vehicleColumnsOf = (fields: Omit<VehicleUpdate, "sold_price" | "undo_sale">): Record<string, SqlValue> => {
  const { price: _, ...plain } = fields;
  return { ...plain, ...derivedOf(fields) };
};

/** Vehicles in SQL; see the port for what it guarantees. */
export const makeVehicleRepository = (db: SqlDatabase, words = vehicleWordsIn(db)): VehicleRepository => {
  const fields = vehicleFields(db);
  // SQLite's RETURNING runs before the AFTER triggers that store the document, so the document is built here.
  const changedDocument = db.engine === "sqlite" ? db.jsonObject(fields) : sql.ref<string>("document");
  const recordOf = (id: number, row: VehicleRow | null | undefined): JsonRecord<Vehicle> | null =>
    row ? new JsonRecord(id, row.updated_at, row.document) : null;
  const found = scopedStatement((narrowed) =>
    db.build
      .selectFrom("vehicle_documents")
      .select(["dealer_id", "updated_at", "document"])
      .where("id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
  );
  const kept = keptRows<KeptVehicle>(db, "vehicle_documents");
  const ofVersion = scopedStatement((narrowed) =>
    db.build
      .selectFrom("vehicles")
      .select("id")
      .where("id", "=", param("id"))
      .where("updated_at", "=", param("version"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope"))),
  );
  const owner = statement(() => db.build.selectFrom("vehicles").select("dealer_id").where("id", "=", param("id")));
  const joined = joinOfPrevious(db, "vehicles");
  const inserted = auditedChange(
    db,
    db.build
      .insertInto("vehicles")
      .values(params(INSERTED) satisfies NewRow<"vehicles">)
      .returning([...auditColumnsOf("vehicle.created"), "dealer_id as owner_id", sql<null>`NULL`.as("before")]),
    words.insertion,
  );
  const updates = shapeCache<AuditedChange<VehicleRow>>();
  const removed = vehicleRemoval(db);
  const enterSoldPrice = soldPriceEntry(db);

  const spellings = vehicleSpellings(db);
  const duplicates = vehicleDuplicates(db);

  /** Runs a change of a vehicle, and stores its new spellings within the same transaction. */
  const withSpellings = async <Row>(
    vehicle: VehicleUpdate,
    besides: Completion<Row> | undefined,
    change: (complete: Completion<Row> | undefined) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> => {
    const found = spellings.newIn(vehicle);
    if (found === null) return change(besides);
    const rows = await change(async (tx, changed) => {
      await found.add(tx);
      await besides?.(tx, changed);
    });
    if (rows.length > 0) found.added();
    return rows;
  };

  /** Waits for a change of a vehicle. Returns why it was not made, instead of throwing, if its dealer is the reason. */
  const catchingRefusal = async <Result>(
    write: Promise<Result>,
  ): Promise<Result | typeof UNKNOWN_DEALER | DuplicateVehicle> => {
    try {
      return await write;
    } catch (error) {
      if (error instanceof DuplicateFound) return error.found;
      if (db.violation(error) === "foreign-key") return UNKNOWN_DEALER;
      throw error;
    }
  };

  return {
    list: vehicleList(db),

    find: (id, scope) =>
      andThen(
        kept(
          id,
          ({ dealer_id }) => scope === null || dealer_id === scope,
          () => db.first(found(scope), { id, scope }),
        ),
        (row) => recordOf(id, row),
      ),

    isVersion: (id, scope, version) =>
      andThen(db.first(ofVersion(scope), { id, scope, version }), (row) => row !== null),

    async ownerOf(id) {
      return (await db.first(owner, { id }))?.dealer_id ?? null;
    },

    duplicatesOf: duplicates.of,

    refusesDuplicates: duplicates.refuses,

    insert({ sold_price: price, ...vehicle }: NewVehicleFields, by, mustBeUnique = false) {
      const text = JSON.stringify(vehicle);
      const context: AuditContext = {
        at: vehicle.created_at,
        by,
        resource: "vehicles",
        after: entryFields(vehicle, text),
      };
      const keepWords = words.inserted(vehicle);
      const inserting: typeof keepWords =
        price === undefined && !mustBeUnique
          ? keepWords
          : async (tx, rows) => {
              await keepWords?.(tx, rows);
              for (const { resource_id: vehicleId } of rows) {
                if (mustBeUnique) await duplicates.refuse(tx, vehicleId);
                if (price !== undefined) await enterSoldPrice(tx, { vehicleId, price, now: vehicle.created_at, by });
              }
            };
      return catchingRefusal(
        withSpellings(vehicle, inserting, (complete) =>
          inserted(
            { ...vehicle, ...derivedOf(vehicle), ...UNCHANGED, ...words.insertionValues(vehicle) },
            context,
            complete,
          ),
        ).then(([row]) => {
          if (row === undefined) throw new Error("an inserted vehicle has no id");
          const { resource_id: id } = row;
          return new JsonRecord<Vehicle>(id, vehicle.updated_at, `{"id":${id},${text.slice(1)}`);
        }),
      );
    },

    update({ id, scope, changes: { sold_price: price, undo_sale, ...changes }, now, versions, unique = [], by }) {
      const set = vehicleColumnsOf(changes);
      const names = Object.keys(set).sort();
      const isStanding = undo_sale === false;
      const change = updates(`${names.join()} ${scope === null} ${versions?.length} ${isStanding}`, () => {
        const before = Object.fromEntries(Object.entries(fields).filter(([name]) => name in changes));
        const moment = db.nextTimestamp("updated_at", param("now"));
        const past = db.build
          .selectFrom("vehicles")
          .select([
            ...auditColumnsOfUpdate("vehicle.changed", names),
            "dealer_id as owner_id",
            db.jsonObject(before).as("before"),
          ])
          .where("id", "=", param("id"))
          .$if(scope !== null, (query) => query.where("dealer_id", "=", param("scope")))
          .$if(versions !== null, (query) => query.where(versionsIn(versions ?? [])))
          .modifyEnd(db.forUpdate);
        const update = db.build
          .updateTable("vehicles")
          .set({
            ...derivedChanges(names, moment),
            ...params(names),
            ...(isStanding && { returned_at: moment }),
            updated_at: moment,
          })
          .$if(joined.isJoined, (query) => query.from(joined.source).where(joined.match))
          .where("id", "=", param("id"))
          .$if(scope !== null, (query) => query.where("dealer_id", "=", param("scope")))
          .$if(versions !== null, (query) => query.where(versionsIn(versions ?? [])))
          .returning(["updated_at", changedDocument.as("document")]);
        return auditedUpdate(db, { past }, update);
      });
      const values = { ...set, now, id, scope, changed_by: changeActorOf(by), ...versionValues(versions ?? []) };
      const context: AuditContext = {
        at: now,
        by,
        resource: "vehicles",
        after: entryFields(changes),
        ...(by.change !== undefined && {
          fields: [...Object.keys(changes), ...(price === undefined ? [] : ["sold_price"])],
        }),
      };
      const keepWords = SEARCHED_FIELDS.some((field) => field in changes)
        ? (tx: Sql): Promise<void> => words.keep(tx, id)
        : undefined;
      const updating =
        price === undefined && unique.length === 0
          ? keepWords
          : async (tx: Sql): Promise<void> => {
              if (unique.length > 0) await duplicates.refuse(tx, id, unique);
              await keepWords?.(tx);
              if (price !== undefined) await enterSoldPrice(tx, { vehicleId: id, price, now, by });
            };
      return catchingRefusal(
        withSpellings<VehicleRow>(changes, updating, (complete) => change(values, context, complete)).then(([row]) =>
          recordOf(id, row),
        ),
      );
    },

    remove: (removal) => db.write((tx) => removed(tx, removal)),
  };
};
