import { sql } from "kysely";
import type { HeldPhoto } from "../../../core/photos/photo-copies.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/** The number of photos that are read at once. No transaction is open between the pages. */
export const HELD_PER_PAGE = 200;

/** The columns of a photo whose files must be in the storage. */
export interface HeldRow {
  readonly photo_id: string;
  readonly vehicle_id: number | null;
  readonly files: string;
}

/** The beginning of a statement that reads such rows. */
export const HELD_ROWS = `SELECT photo_id, files, (SELECT min(vehicle_id) FROM vehicle_images
    WHERE substr(image_url, 1, 6) = 'photo:' AND substr(image_url, 40, 32) = photos.photo_id) AS vehicle_id
  FROM photos WHERE gone = 0`;

/** The photo of a row. */
export const heldOf = ({ photo_id, vehicle_id, files }: HeldRow): HeldPhoto => ({
  photoId: photo_id,
  vehicleId: vehicle_id === null ? null : Number(vehicle_id),
  files: JSON.parse(files),
});

/** The photos whose files must be in the storage, for commands. */
export const heldPhotos = (db: SqlDatabase) => {
  const page = sqlStatement<HeldRow>(
    db,
    sql`${sql.raw(HELD_ROWS)} AND photo_id > ${param("after")} ORDER BY photo_id LIMIT ${sql.lit(HELD_PER_PAGE)}`,
  );
  const one = sqlStatement<HeldRow>(db, sql`${sql.raw(HELD_ROWS)} AND photo_id = ${param("photoId")}`);
  const counted = sqlStatement<{ photos: number }>(
    db,
    sql`SELECT CAST(count(*) AS BIGINT) AS photos FROM photos WHERE gone = 0`,
  );
  return {
    count: async (): Promise<number> => Number((await db.all(counted, {}))[0]?.photos ?? 0),
    /** False for a photo that was removed meanwhile. */
    isHeld: async (photoId: string): Promise<boolean> => (await db.all(one, { photoId })).length > 0,
    async *all(): AsyncGenerator<HeldPhoto, void> {
      for (let after = ""; ; ) {
        const rows = await db.all(page, { after });
        yield* rows.map(heldOf);
        const last = rows.at(-1);
        if (last === undefined || rows.length < HELD_PER_PAGE) return;
        after = last.photo_id;
      }
    },
  };
};
