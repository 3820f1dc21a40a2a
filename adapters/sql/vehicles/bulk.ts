import { sql } from "kysely";
import type { Actor } from "../../../core/access/principal.ts";
import type { Audited } from "../../../core/audit/actions.ts";
import type { Clock, Timestamp } from "../../../core/clock.ts";
import type { DealerFields } from "../../../core/dealers/dealer-repository.ts";
import type { PHOTO_FACTS, StoredImage } from "../../../core/images/image.ts";
import type { NewPhoto } from "../../../core/photos/photo-repository.ts";
import type { VehicleFields } from "../../../core/vehicles/vehicle-repository.ts";
import { auditTrail } from "../audit/trail.ts";
import { INSERTED as DEALER_COLUMNS, dealerColumnsOf } from "../dealers/repository.ts";
import { INSERTED as IMAGE_COLUMNS } from "../images/rows.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import {
  param,
  params,
  type SqlValue,
  type Statement,
  sqlStatement,
  statement,
  statementCache,
  type Values,
} from "../query/statement.ts";
import type { NewRow, Row, Tables } from "../query/tables.ts";
import { vehicleSpellings } from "../search/spellings.ts";
import { vehicleWordsIn } from "../search/vehicle-words.ts";
import { searchWords } from "../search/words.ts";
import { INSERTED as VEHICLE_COLUMNS, vehicleColumnsOf } from "./columns.ts";

/**
 * The number of rows in each statement. It saves round trips, and stays below the limits of placeholders of both
 * engines.
 */
const ROWS_PER_STATEMENT = 64;

/** Inserts rows into a table in groups. Returns their ids in the order of the rows. */
const inserter = <Table extends keyof Tables>(db: SqlDatabase, table: Table, newRow: NewRow<Table>) => {
  const columns = Object.keys(newRow);
  const slots = Array.from({ length: ROWS_PER_STATEMENT }, (_, row) =>
    columns.map((column) => ({ column, name: `${row}.${column}` })),
  );
  const insertion = (rows: number): Statement<{ id: number }> => {
    const values = slots.slice(0, rows).map((row) => sql`(${sql.join(row.map(({ name }) => param(name)))})`);
    const query = sql<{
      id: number;
    }>`INSERT INTO ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      VALUES ${sql.join(values)} RETURNING id`;
    return sqlStatement(db, query);
  };
  const group = insertion(ROWS_PER_STATEMENT);
  const single = insertion(1);

  return async (tx: Sql, rows: readonly Values[]): Promise<number[]> => {
    const ids: number[] = [];
    for (let from = 0; from < rows.length; ) {
      const some = rows.slice(from, from + (rows.length - from < ROWS_PER_STATEMENT ? 1 : ROWS_PER_STATEMENT));
      const values: Record<string, SqlValue> = {};
      for (const [index, row] of some.entries())
        for (const { column, name } of slots[index] ?? []) values[name] = row[column] ?? null;
      const added = await tx.all(some.length === 1 ? single : group, values);
      // Ids are assigned in the order of the rows, but may be returned in another order.
      ids.push(...added.map(({ id }) => id).sort((one, other) => one - other));
      from += some.length;
    }
    return ids;
  };
};

/** An image, as it is stored; one of a photo has the facts of that. */
export type InventedImage = Pick<StoredImage, "image_url"> & Partial<Pick<StoredImage, (typeof PHOTO_FACTS)[number]>>;

/** A photo that is stored already, and the dealer whom it counts for. */
export interface InventedPhoto extends NewPhoto {
  readonly dealerId: number;
}

/** A vehicle with its images in display order. The first image is the primary one. */
export interface BulkVehicle {
  readonly fields: VehicleFields;
  readonly images: readonly InventedImage[];
}

/** What is stored in the same transaction as vehicles: photos that are new with them, and accounts of dealers. */
interface PhotosOfBulk {
  readonly photos: readonly InventedPhoto[];
  readonly accounts: ReadonlyMap<number, string>;
}

const NO_PHOTOS: PhotosOfBulk = { photos: [], accounts: new Map() };

/** The result if the database already has dealers. */
export const NOT_EMPTY = Symbol("not empty");

const ACCOUNT_COLUMNS = ["dealer_id", "account_hash"] as const;
const PHOTO_COLUMNS = [
  ...(["photo_id", "dealer_id", "sha256", "width", "height"] as const),
  ...(["placeholder", "bytes", "files", "created_at", "gone"] as const),
];

const imageRows = (
  vehicleId: number,
  images: readonly InventedImage[],
  createdAt: Timestamp,
): Partial<Row<"vehicle_images">>[] =>
  images.map((image, index) => ({
    ...image,
    vehicle_id: vehicleId,
    is_primary: index === 0 ? 1 : 0,
    display_order: index,
    created_at: createdAt,
  }));

/**
 * Inserts many records with few statements. Each call is one transaction with one audit entry. It bypasses the use
 * cases, so the records must already be valid.
 */
export const makeBulk = (db: SqlDatabase, clock: Pick<Clock, "now">, by: Actor) => {
  const audit = auditTrail(db);
  const recordSeeding = (tx: Sql, action: Audited, after: object): Promise<void> =>
    audit(tx, { at: clock.now(), by, action, resourceId: null, dealerId: null, before: null, after });

  const insertDealers = inserter(db, "dealers", params(DEALER_COLUMNS));
  const insertVehicles = inserter(db, "vehicles", params(VEHICLE_COLUMNS));
  const insertImages = inserter(db, "vehicle_images", params(IMAGE_COLUMNS));
  const insertAccount = statement(() =>
    db.insertInto("photo_accounts").values(params(ACCOUNT_COLUMNS) satisfies NewRow<"photo_accounts">),
  );
  const insertPhoto = statement(() => db.insertInto("photos").values(params(PHOTO_COLUMNS) satisfies NewRow<"photos">));
  const words = searchWords(db);
  const spellings = vehicleSpellings(db);
  const vehicleWords = vehicleWordsIn(db);
  const counts = statementCache<{ dealer_id: number }>();
  // Every vehicle has a dealer, so without dealers there are no vehicles.
  const anyDealer = statement(() => db.selectFrom("dealers").select("id").limit(sql.lit(1)));

  /**
   * Locks the stored counts of these dealers in the order of their ids, as every reassignment does. Locking them in the
   * order of the vehicles could deadlock with a reassignment.
   */
  const lockCounts = async (tx: Sql, dealers: ReadonlySet<number>): Promise<void> => {
    const values = Object.fromEntries([...dealers].map((dealer, index) => [`dealer${index}`, dealer]));
    const names = Object.keys(values);
    const query = counts(String(names.length), () =>
      db
        .selectFrom("dealer_inventory")
        .select("dealer_id")
        .where("dealer_id", "in", names.map(param<number>))
        .orderBy("dealer_id")
        .modifyEnd(db.forUpdate),
    );
    await tx.all(query, values);
  };

  return {
    /**
     * Inserts dealers, and returns their ids in order. If they must be `alone` and other dealers exist, none is
     * inserted.
     */
    addDealers: (dealers: readonly DealerFields[], alone: boolean): Promise<readonly number[] | typeof NOT_EMPTY> =>
      db.writeWithoutTimeout(async (tx) => {
        if (alone && (await tx.all(anyDealer, {})).length > 0) return NOT_EMPTY;
        const ids = await insertDealers(tx, dealers.map(dealerColumnsOf));
        await words.keep(tx, "dealers", ...ids);
        await recordSeeding(tx, "dealer.seeded", {
          dealers: ids.length,
          first_id: ids[0] ?? null,
          last_id: ids.at(-1) ?? null,
        });
        return ids;
      }),

    async addVehicles(vehicles: readonly BulkVehicle[], { photos, accounts } = NO_PHOTOS): Promise<void> {
      const found = spellings.newIn(...vehicles.map(({ fields }) => fields));
      await db.writeWithoutTimeout(async (tx) => {
        for (const [dealer_id, account_hash] of accounts) await tx.all(insertAccount, { dealer_id, account_hash });
        for (const { files, dealerId, photoId, ...photo } of photos)
          await tx.all(insertPhoto, {
            ...photo,
            photo_id: photoId,
            dealer_id: dealerId,
            files: JSON.stringify(files),
            created_at: clock.now(),
            gone: 0,
          });
        await lockCounts(tx, new Set(vehicles.map(({ fields }) => fields.dealer_id)));
        const ids = await insertVehicles(
          tx,
          vehicles.map(({ fields }) => vehicleColumnsOf(fields)),
        );
        const rows = vehicles.flatMap(({ fields, images }, index) =>
          imageRows(ids[index] ?? 0, images, fields.created_at),
        );
        await insertImages(tx, rows);
        await recordSeeding(tx, "vehicle.seeded", {
          vehicles: ids.length,
          images: rows.length,
          first_id: ids[0] ?? null,
          last_id: ids.at(-1) ?? null,
        });
        await vehicleWords.keep(tx, ...ids);
        await found?.add(tx);
      });
      found?.added();
    },
  };
};
