import type { HeldPhoto } from "../../../core/photos/photo-copies.ts";
import { Sqlite } from "../sqlite/addon.ts";
import { HELD_PER_PAGE, HELD_ROWS, type HeldRow, heldOf } from "./held-photos.ts";

const BUSY_MS = 5000;
const HAS_PHOTOS = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'photos'";

/** The photos that a database file names. */
export interface PhotosOfFile {
  readonly count: number;
  isHeld(photoId: string): boolean;
  all(): Generator<HeldPhoto, void>;
}

/**
 * Reads the photos of a SQLite file, which may be in use and is not changed. It is not migrated either: a database of an
 * earlier version has no photos.
 */
export const withPhotosOf = async <Result>(
  file: string,
  work: (photos: PhotosOfFile) => Promise<Result>,
): Promise<Result> => {
  const connection = new Sqlite(file, { fileMustExist: true, timeout: BUSY_MS });
  try {
    connection.pragma("query_only = ON");
    if (connection.prepare(HAS_PHOTOS).all().length === 0)
      return await work({ count: 0, isHeld: () => false, *all() {} });
    const page = connection.prepare(`${HELD_ROWS} AND photo_id > ? ORDER BY photo_id LIMIT ${HELD_PER_PAGE}`);
    const one = connection.prepare(`${HELD_ROWS} AND photo_id = ?`);
    return await work({
      count: Number(connection.prepare("SELECT count(*) FROM photos WHERE gone = 0").pluck().all()[0]),
      isHeld: (photoId) => one.all(photoId).length > 0,
      *all() {
        for (let after = ""; ; ) {
          const rows = page.all(after) as HeldRow[];
          yield* rows.map(heldOf);
          const last = rows.at(-1);
          if (last === undefined || rows.length < HELD_PER_PAGE) return;
          after = last.photo_id;
        }
      },
    });
  } finally {
    connection.close();
  }
};
