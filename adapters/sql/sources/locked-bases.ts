import { sql } from "kysely";
import type { SqlDatabase, Tx } from "../query/database.ts";

const SOURCE_TABLES = { source: "import_sources", mapping: "import_mappings" } as const;

/**
 * Returns false if the source or mapping is gone that files were compared for. Otherwise it stays until the end of the
 * transaction. Its deletion takes its bases with it, so it is locked before any of them.
 */
export const heldSources =
  (db: SqlDatabase): ((tx: Tx, source: string) => Promise<boolean>) =>
  async (tx, source) => {
    const [type, id] = source.split(":");
    if (type !== "source" && type !== "mapping") return true;
    const held = tx.selectFrom(SOURCE_TABLES[type]).select("id").where("id", "=", Number(id)).modifyEnd(db.forKeyShare);
    return (await held.executeTakeFirst()) !== undefined;
  };

/**
 * Locks what files of a source said of vehicles, in the order in which removals of vehicles take it away. Deleting a
 * source or mapping takes it away, too: in another order, the two could wait for each other.
 */
export const basesInOrder =
  (db: SqlDatabase, type: keyof typeof SOURCE_TABLES): ((tx: Tx, id: number) => Promise<void>) =>
  async (tx, id) => {
    // SQLite has only one writer.
    if (db.engine === "sqlite") return;
    await sql`SELECT vehicle_id FROM import_bases WHERE source = ${`${type}:${id}`} AND vehicle_id IN (
        SELECT id FROM vehicles WHERE dealer_id = (SELECT dealer_id FROM ${sql.table(SOURCE_TABLES[type])} WHERE id = ${id}))
      ORDER BY vehicle_id ${db.forUpdate}`.execute(tx);
  };
