import { sql } from "kysely";
import type { FetchedImages } from "../../../core/imports/import.ts";
import type { ImportStep, StoredImport } from "../../../core/imports/import-repository.ts";
import { hashOfAddress } from "../photos/photos-of-addresses.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { type Param, sqlStatement, statement } from "../query/statement.ts";

interface NewWaiting {
  readonly [name: string]: string | number;
  readonly id: number;
  readonly rows: string;
}

/** The photos that are added in one turn of the event loop. */
const ROWS_PER_TURN = 500;

/**
 * The photos of an import that wait to be fetched, within transactions that have locked the import. `pause` lets other
 * work run while many are added.
 */
export const waitingPhotos = (db: SqlDatabase, pause: () => Promise<void> = async () => {}) => {
  const added = sqlStatement<{ place: number }, NewWaiting>(
    db,
    (param: Param<NewWaiting>) => sql<{
      place: number;
    }>`INSERT INTO import_photos (import_id, place, address_hash, dealer_id, vehicle_id, address)
      SELECT ${param("id")}, place, address_hash, dealer_id, vehicle_id, address FROM ${db.jsonRows(param("rows"), {
        place: "integer",
        address_hash: "text",
        dealer_id: "integer",
        vehicle_id: "integer",
        address: "text",
      })} AS given WHERE true ON CONFLICT DO NOTHING RETURNING place`,
  );
  const counted = statement<{ id: number; photos: string }>((param) =>
    db
      .updateTable("imports")
      .set({ photos: param("photos") })
      .where("id", "=", param("id")),
  );
  const forgotten = statement<{ id: number }>((param) =>
    db.deleteFrom("import_photos").where("import_id", "=", param("id")),
  );

  const count = async (tx: Sql, id: number, images: FetchedImages): Promise<void> => {
    await tx.all(counted, { id, photos: JSON.stringify(images) });
  };

  return {
    count,

    /** Adds photos. */
    inStep: (tx: Sql, { id, images }: StoredImport): Pick<ImportStep, "fetchLater"> => ({
      async fetchLater(photos) {
        if (photos.length === 0) return;
        const rows = photos.map(({ place, address, dealerId, vehicleId }) => [
          ...[place, hashOfAddress(address), dealerId, vehicleId],
          address,
        ]);
        let { waiting } = images;
        for (let from = 0; from < rows.length; from += ROWS_PER_TURN) {
          if (from > 0) await pause();
          const part = JSON.stringify(rows.slice(from, from + ROWS_PER_TURN));
          waiting += (await tx.all(added, { id, rows: part })).length;
        }
        await count(tx, id, { ...images, waiting });
      },
    }),

    /** Forgets all that was to be fetched. */
    async forget(tx: Sql, id: number): Promise<void> {
      await tx.all(forgotten, { id });
    },

    /** Ends the fetching of photos that wait, for this reason. */
    async leave(tx: Sql, { id, images }: Pick<StoredImport, "id" | "images">, problem: string): Promise<void> {
      await tx.all(forgotten, { id });
      await count(tx, id, { ...images, waiting: 0, problem });
    },
  };
};
