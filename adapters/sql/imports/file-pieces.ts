import { type ImportWork, PIECE_BYTES } from "../../../core/imports/import-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { SqlValue } from "../query/statement.ts";

/** A piece of a file as it is stored: compressed, and encoded as text. */
export const storedPiece = (bytes: Uint8Array): string =>
  Buffer.from(Bun.gzipSync(new Uint8Array(bytes), { level: 1 })).toString("base64");

const bytesIn = (stored: SqlValue): Uint8Array => Bun.gunzipSync(new Uint8Array(Buffer.from(String(stored), "base64")));

/** Reads the uncompressed bytes of an import's file, beginning at an offset. */
export const fileBytes = (db: SqlDatabase): ImportWork["bytesFrom"] =>
  async function* (id, offset) {
    const first = Math.floor(offset / PIECE_BYTES);
    for (let place = first; ; place++) {
      const piece = db.selectFrom("import_chunks").select("bytes").where("import_id", "=", id);
      const stored = await piece.where("place", "=", place).executeTakeFirst();
      if (stored === undefined) return;
      const bytes = bytesIn(stored.bytes);
      yield place === first ? bytes.subarray(offset - first * PIECE_BYTES) : bytes;
    }
  };
