import { sql } from "kysely";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement, statement } from "../query/statement.ts";

const SOURCE_TABLES = { source: "import_sources", mapping: "import_mappings" } as const;

/**
 * Returns false if the source or mapping is gone that files were compared for. Otherwise it stays until the end of the
 * transaction. Its deletion takes its bases with it, so it is locked before any of them.
 */
export const heldSources = (db: SqlDatabase): ((tx: Sql, source: string) => Promise<boolean>) => {
  const inTable = (table: (typeof SOURCE_TABLES)[keyof typeof SOURCE_TABLES]) =>
    statement(() => db.selectFrom(table).select("id").where("id", "=", param("id")).modifyEnd(db.forKeyShare));
  const held = { source: inTable(SOURCE_TABLES.source), mapping: inTable(SOURCE_TABLES.mapping) };
  return async (tx, source) => {
    const [type, id] = source.split(":");
    if (type !== "source" && type !== "mapping") return true;
    return (await tx.all(held[type], { id: Number(id) })).length > 0;
  };
};

/**
 * Locks what files of a source said of vehicles, in the order in which removals of vehicles take it away. Deleting a
 * source or mapping takes it away, too: in another order, the two could wait for each other.
 */
export const basesInOrder = (
  db: SqlDatabase,
  type: keyof typeof SOURCE_TABLES,
): ((tx: Sql, id: number) => Promise<void>) => {
  const locked = sqlStatement(
    db,
    sql<object>`SELECT vehicle_id FROM import_bases WHERE source = ${param("source")} AND vehicle_id IN (
        SELECT id FROM vehicles WHERE dealer_id = (SELECT dealer_id FROM ${sql.table(SOURCE_TABLES[type])} WHERE id = ${param("id")}))
      ORDER BY vehicle_id ${db.forUpdate}`,
  );
  return async (tx, id) => {
    // SQLite has only one writer.
    if (db.engine === "postgres") await tx.all(locked, { source: `${type}:${id}`, id });
  };
};
