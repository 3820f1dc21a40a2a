import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Actor } from "../../../core/access/principal.ts";
import { JsonRecord } from "../../../core/stored-json.ts";
import { DuplicateVehicle, duplicateIds, NO_DUPLICATES } from "../../../core/vehicles/duplicates.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import type { NewVehicleFields, VehicleFields, VehicleRepository } from "../../../core/vehicles/vehicle-repository.ts";
import {
  type AuditedChange,
  type AuditedRecord,
  auditColumnsOf,
  auditedChange,
  type Completion,
  type Writes,
} from "../audit/audited-change.ts";
import { entryFields } from "../audit/entry-fields.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, params, type SqlValue, type ValuesOf } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";
import { vehicleSpellings } from "../search/spellings.ts";
import type { VehicleWords } from "../search/vehicle-words.ts";
import { derivedOf, INSERTED, PLAIN_COLUMNS } from "./columns.ts";
import { TOLD_DUPLICATES, vehicleDuplicates } from "./duplicates.ts";
import { catchingRefusal, isRefusal, type Refusal } from "./refusal.ts";
import { soldPriceEntry } from "./sold-price.ts";

/** The values of a new vehicle, which has no former price, was never changed and never came back. */
const UNCHANGED = { previous_price_cents: null, changed_at: null, changed_by: null, returned_at: null };

const DERIVED = ["price_cents", "make_folded", "model_folded"] as const;

type InsertedRow = Pick<AuditedRecord, "resource_id" | "owner_id">;

/** An inserted vehicle, and its duplicates as `TOLD_DUPLICATES` lists them. */
interface ToldRow extends InsertedRow {
  readonly duplicates: string | null;
}

/** The vehicle as the JSON text that was made of it. */
const TEXT = sql`CAST(${param("vehicle")} AS TEXT)`;

const RETURNED = [...auditColumnsOf("vehicle.created"), "dealer_id as owner_id", sql<null>`NULL`.as("before")] as const;

/**
 * The insertion from the vehicle's JSON text, which the audit entry keeps, too: it is sent once, instead of forty
 * values beside it.
 */
const insertionFromText = (db: SqlDatabase, condition: RawBuilder<SqlBool> = sql`TRUE`) => {
  const sent = [...PLAIN_COLUMNS.map((name) => sql.ref(`sent.${name}`)), ...DERIVED.map((name) => param(name))];
  return db
    .insertInto("vehicles")
    .columns([...PLAIN_COLUMNS, ...DERIVED])
    .expression(
      sql`SELECT ${sql.join(sent)} FROM json_populate_record(CAST(NULL AS vehicles), CAST(${TEXT} AS json)) AS sent WHERE ${condition}`,
    )
    .returning([...RETURNED]);
};

const insertionOfColumns = (db: SqlDatabase) =>
  db
    .insertInto("vehicles")
    .values(params(INSERTED) satisfies NewRow<"vehicles">)
    .returning([...RETURNED]);

/** How an engine inserts a vehicle: its statement, and the one that tells duplicates besides, where there is one. */
interface Insertions {
  readonly alone: AuditedChange<InsertedRow>;
  readonly telling: AuditedChange<ToldRow> | null;
  readonly valuesOf: (vehicle: VehicleFields, text: string) => Record<string, SqlValue>;
}

const onPostgres = (db: SqlDatabase, words: VehicleWords): Insertions => {
  const besides = { change: words.insertion, after: TEXT };
  const known = sql`resource_id, owner_id`;
  return {
    alone: auditedChange<InsertedRow>(db, insertionFromText(db), { ...besides, result: known }),
    telling: auditedChange<ToldRow>(db, insertionFromText(db, TOLD_DUPLICATES.areTaken), {
      ...besides,
      result: sql`${known}, ${TOLD_DUPLICATES.listed} AS duplicates`,
    }),
    valuesOf: (vehicle, text) => ({ vehicle: text, ...derivedOf(vehicle), ...words.insertionValues(vehicle) }),
  };
};

const onSqlite = (db: SqlDatabase): Insertions => ({
  alone: auditedChange<InsertedRow>(db, insertionOfColumns(db)),
  telling: null,
  valuesOf: (vehicle) =>
    ({ ...vehicle, ...derivedOf(vehicle), ...UNCHANGED }) satisfies ValuesOf<(typeof INSERTED)[number]>,
});

/** A vehicle to insert, with the values of further parameters of its statement. */
interface Insertion {
  readonly vehicle: NewVehicleFields;
  readonly by: Actor;
  readonly mustBeUnique: boolean;
  readonly more?: Readonly<Record<string, SqlValue>>;
}

interface Inserted<Row> {
  readonly row: Row;
  readonly record: JsonRecord<Vehicle>;
}

/** What is known of the duplicates of a vehicle that has none of the values by which it is compared. */
const NOTHING_FOUND = { refuses: false, duplicates: NO_DUPLICATES };

const hasComparedValue = ({ vin, stock_number }: NewVehicleFields): boolean => (vin ?? stock_number) !== null;

/** The same fields if there is no sale among them, as nearly always: to copy forty of them takes time. */
const withoutSale = (vehicle: NewVehicleFields): VehicleFields => {
  if (!("sold_price" in vehicle)) return vehicle;
  const { sold_price: _, ...fields } = vehicle;
  return fields;
};

/** Inserts vehicles; see the port for what it guarantees. */
export const vehicleInsertion = (
  db: SqlDatabase,
  words: VehicleWords,
): ((writes: Writes) => Pick<VehicleRepository, "insert" | "insertCompared">) => {
  const { alone, telling, valuesOf } = db.hasWritableCtes ? onPostgres(db, words) : onSqlite(db);
  const enterSoldPrice = soldPriceEntry(db);
  const spellings = vehicleSpellings(db);
  const duplicates = vehicleDuplicates(db);

  /** What is left to do once the vehicle is inserted; `undefined` if there is nothing. */
  const completionOf = (
    vehicle: VehicleFields,
    { vehicle: { sold_price: price }, by, mustBeUnique }: Insertion,
  ): { readonly complete: Completion<InsertedRow> | undefined; readonly added: () => void } => {
    const found = spellings.newIn(vehicle);
    const keepWords = words.inserted(vehicle);
    const isMore = found !== null || keepWords !== undefined || mustBeUnique || price !== undefined;
    const complete: Completion<InsertedRow> = async (tx, rows) => {
      await found?.add(tx);
      await keepWords?.(tx, rows);
      for (const { resource_id: vehicleId } of rows) {
        if (mustBeUnique) await duplicates.refuse(tx, vehicleId);
        if (price !== undefined) await enterSoldPrice(tx, { vehicleId, price, now: vehicle.created_at, by });
      }
    };
    return { complete: isMore ? complete : undefined, added: () => found?.added() };
  };

  /** Inserts a vehicle. `null` if the statement leaves this one to another. */
  const insertWith = <Row extends InsertedRow>(
    made: AuditedChange<Row>,
    writes: Writes,
    insertion: Insertion,
  ): Promise<Inserted<Row> | Refusal | null> => {
    const { vehicle, by, more } = insertion;
    const stored = withoutSale(vehicle);
    const text = JSON.stringify(stored);
    const fields = entryFields(stored, text);
    const after = db.hasWritableCtes && fields === text ? null : fields;
    const { complete, added } = completionOf(stored, insertion);
    return catchingRefusal(db, async () => {
      const [row] = await made(writes, {
        values: Object.assign(valuesOf(stored, text), more),
        context: { at: vehicle.created_at, by, resource: "vehicles", after },
        complete,
      });
      if (row === undefined) return null;
      added();
      const { resource_id: id } = row;
      return { row, record: new JsonRecord<Vehicle>(id, vehicle.updated_at, `{"id":${id},${text.slice(1)}`) };
    });
  };

  return (writes) => {
    const insert: VehicleRepository["insert"] = async (vehicle, by, mustBeUnique = false) => {
      const inserted = await insertWith(alone, writes, { vehicle, by, mustBeUnique });
      if (inserted === null) throw new Error("an inserted vehicle has no id");
      return isRefusal(inserted) ? inserted : inserted.record;
    };

    const insertAfterAsking: VehicleRepository["insertCompared"] = async (vehicle, by) => {
      const known = hasComparedValue(vehicle) ? await duplicates.of(writes, vehicle) : NOTHING_FOUND;
      if (known.refuses && duplicateIds(known.duplicates).length > 0) return new DuplicateVehicle(known.duplicates);
      const record = await insert(vehicle, by, known.refuses);
      return isRefusal(record) ? record : { record, others: known.duplicates };
    };

    return {
      insert,
      async insertCompared(vehicle, by) {
        if (telling === null || !hasComparedValue(vehicle)) return insertAfterAsking(vehicle, by);
        const more = TOLD_DUPLICATES.valuesOf(vehicle);
        const told = await insertWith(telling, writes, { vehicle, by, mustBeUnique: false, more });
        if (told === null) return insertAfterAsking(vehicle, by);
        if (isRefusal(told)) return told;
        return { record: told.record, others: TOLD_DUPLICATES.read(told.row.duplicates) };
      },
    };
  };
};
