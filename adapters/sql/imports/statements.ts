import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { ScopedChange } from "../../../core/access/scoped-change.ts";
import type { ImportRepository } from "../../../core/imports/import-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { isWithin } from "../query/scope.ts";
import { type Param, sqlStatement } from "../query/statement.ts";
import type { Tables } from "../query/tables.ts";
import { IMPORT_COLUMNS } from "./stored.ts";

const ROWS_PER_DELETE = 1000;
const PIECES_PER_DELETE = 50;

/** True for imports whose file was received completely, and that were not removed. */
export const HAS_ARRIVED = sql<SqlBool>`state NOT IN ('arriving', 'gone')`;

/** An import within a scope. One whose file is still being received is not found. */
export const importIn = (on: Queries, { id, scope }: Pick<ScopedChange, "id" | "scope">) =>
  on.selectFrom("imports").select(IMPORT_COLUMNS).where(HAS_ARRIVED).where("id", "=", id).where(isWithin(scope));

/** A query for the places of rows. */
export type Places = SelectQueryBuilder<Tables, "import_rows", { place: number }>;

/**
 * The rows of an import after a place. An index finds their places first. Otherwise SQLite would read every row of the
 * import if few rows have the wanted outcome.
 */
export const rowsBehind = (
  db: SqlDatabase,
  { id, after }: { readonly id: number; readonly after: number },
  narrowed: (places: Places) => Places,
) => {
  const places = db.selectFrom("import_rows").select("place").where("import_id", "=", id).where("place", ">", after);
  return db
    .selectFrom("import_rows")
    .where("import_id", "=", id)
    .where("place", "in", narrowed(places))
    .orderBy("place");
};

type Expired = Parameters<ImportRepository["removeExpired"]>[0];

/** Statements that remove what has expired. */
export const tidyingStatements = (db: SqlDatabase) => {
  const made = (query: (param: Param<Expired>) => RawBuilder<object>) => sqlStatement<object, Expired>(db, query);
  return {
    // A copy of a database has neither the jobs nor the files of the original.
    orphans: sqlStatement<object, Expired & { error: string }>(
      db,
      (param) => sql`UPDATE imports SET state = 'failed', finished_at = ${param("now")}, error = ${param("error")}
        WHERE state IN ('queued', 'running') AND created_at < ${param("abandoned")}
          AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'import' AND subject_id = imports.id)`,
    ),
    /** Cancels snapshots whose missing vehicles nobody confirmed in time. */
    unconfirmed: made(
      (param) => sql`UPDATE imports SET state = 'cancelled', finished_at = ${param("now")}
        WHERE state = 'needs_confirmation' AND finished_at < ${param("unconfirmed")}`,
    ),
    /** Deletes expired data, a few rows at a time, in this order. */
    expired: [
      made(
        (param) => sql`DELETE FROM import_chunks WHERE (import_id, place) IN (
            SELECT import_id, place FROM import_chunks WHERE import_id IN (
              SELECT id FROM imports WHERE file_until <= ${param("now")}
                OR (state = 'arriving' AND created_at < ${param("abandoned")}))
            LIMIT ${sql.lit(PIECES_PER_DELETE)}) RETURNING place`,
      ),
      made(
        (param) => sql`DELETE FROM import_rows WHERE (import_id, place) IN (
            SELECT import_id, place FROM import_rows WHERE import_id IN (
              SELECT id FROM imports WHERE state = 'gone'
                OR (finished_at < ${param("forgotten")} AND state NOT IN ('queued', 'running')))
            LIMIT ${sql.lit(ROWS_PER_DELETE)}) RETURNING place`,
      ),
      made(
        (param) => sql`DELETE FROM import_photos WHERE (import_id, address_hash, place) IN (
            SELECT import_id, address_hash, place FROM import_photos WHERE import_id IN (
              SELECT id FROM imports WHERE state = 'gone'
                OR (finished_at < ${param("forgotten")} AND state NOT IN ('queued', 'running')))
            LIMIT ${sql.lit(ROWS_PER_DELETE)}) RETURNING place`,
      ),
      made(
        (param) => sql`DELETE FROM imports WHERE id IN (
            SELECT id FROM imports WHERE state = 'gone' OR (state = 'arriving' AND created_at < ${param("abandoned")})
            LIMIT ${sql.lit(PIECES_PER_DELETE)}) RETURNING id`,
      ),
      made((param) => sql`UPDATE imports SET file_until = NULL WHERE file_until <= ${param("now")} RETURNING id`),
    ],
  };
};
