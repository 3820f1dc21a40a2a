import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { SqlDatabase } from "../query/database.ts";
import { byteLengthOf } from "../query/rows-that-fit.ts";
import { param, params, type Statement, scopedStatement, sqlStatement, statement } from "../query/statement.ts";
import type { NewRow, Tables } from "../query/tables.ts";
import { ACTOR_COLUMNS, IMPORT_COLUMNS, INSERTED } from "./stored.ts";

const FAILED_ROWS_PER_READ = 200;
const ROWS_PER_DELETE = 1000;
const PIECES_PER_DELETE = 50;

/** True for imports whose file was received completely, and that were not removed. */
export const HAS_ARRIVED = sql<SqlBool>`state NOT IN ('arriving', 'gone')`;

/** A query for the places of rows. */
export type Places = SelectQueryBuilder<Tables, "import_rows", { place: number }>;

/**
 * The rows of an import after a place. An index finds their places first. Otherwise SQLite would read every row of the
 * import if few rows have the wanted outcome.
 */
export const rowsBehind = (db: SqlDatabase, narrowed: (places: Places) => Places) =>
  db
    .selectFrom("import_rows")
    .where("import_id", "=", param("id"))
    .where(
      "place",
      "in",
      narrowed(
        db
          .selectFrom("import_rows")
          .select("place")
          .where("import_id", "=", param("id"))
          .where("place", ">", param("after")),
      ),
    )
    .orderBy("place");

/**
 * Statements on imports. With a scope, they find only imports of that dealer. They never find imports whose files are
 * still being received.
 */
export const importStatements = (db: SqlDatabase) => {
  const made = <Row = object>(query: RawBuilder<Row>): Statement<Row> => sqlStatement(db, query);
  const one = (narrowed: boolean) =>
    db
      .selectFrom("imports")
      .select(IMPORT_COLUMNS)
      .where(HAS_ARRIVED)
      .where("id", "=", param("id"))
      .$if(narrowed, (query) => query.where("dealer_id", "=", param("scope")));
  const failed = (narrowed: (places: Places) => Places) =>
    rowsBehind(db, (places) => narrowed(places.where("outcome", "=", sql.lit("failed" as const))));
  return {
    insert: statement(() =>
      db
        .insertInto("imports")
        .values(params(INSERTED) satisfies NewRow<"imports">)
        .returning("id"),
    ),
    piece: statement(() => db.insertInto("import_chunks").values(params(["import_id", "place", "bytes"]))),
    dealer: statement(() =>
      db.selectFrom("dealers").select("id").where("id", "=", param("dealer")).modifyEnd(db.forUpdate),
    ),
    isDealer: statement(() => db.selectFrom("dealers").select("id").where("id", "=", param("id"))),
    waiting: made<{ waiting: number }>(
      sql`SELECT count(*) AS waiting FROM imports WHERE state = 'queued' AND COALESCE(dealer_id, 0) = ${param("queue")}`,
    ),
    arriving: statement(() => db.selectFrom("imports").select("dealer_id").where("id", "=", param("id"))),
    queue: made(
      sql`UPDATE imports SET state = 'queued', created_at = ${param("now")}, file = ${param("file")},
        columns = ${param("columns")} WHERE id = ${param("id")}`,
    ),
    discard: made(sql`DELETE FROM imports WHERE id = ${param("id")} AND state = 'arriving'`),
    find: scopedStatement(one),
    locked: scopedStatement((narrowed) => one(narrowed).modifyEnd(db.forUpdate)),
    hasFile: made<{ place: number }>(
      sql`SELECT place FROM import_chunks WHERE import_id = ${param("id")} AND place = 0`,
    ),
    resume: made(
      sql`UPDATE imports SET state = 'queued', stops = 0, error = NULL, finished_at = NULL, file_until = NULL,
        options = ${param("options")}, progress = ${param("progress")}, ${sql.join(
          ACTOR_COLUMNS.map((name) => sql`${sql.ref(name)} = ${param(name)}`),
        )} WHERE id = ${param("id")}`,
    ),
    stop: made(sql`UPDATE imports SET stops = 1 WHERE id = ${param("id")}`),
    cancel: made(
      sql`UPDATE imports SET state = 'cancelled', stops = 0, finished_at = ${param("now")},
        file_until = ${param("fileUntil")} WHERE id = ${param("id")}`,
    ),
    remove: made(
      sql`UPDATE imports SET state = 'gone', finished_at = ${param("now")}, file_until = ${param("now")}
        WHERE id = ${param("id")}`,
    ),
    /** The next failed rows, with their sizes. */
    failedBytes: statement(() =>
      failed((places) => places.orderBy("place").limit(sql.lit(FAILED_ROWS_PER_READ))).select([
        "place",
        byteLengthOf(["result", "cells"]).as("bytes"),
      ]),
    ),
    failed: statement(() =>
      failed((places) => places.where("place", "<=", param("last"))).select(["place", "result", "cells"]),
    ),
    // A copy of a database has neither the jobs nor the files of the original.
    orphans: made(
      sql`UPDATE imports SET state = 'failed', finished_at = ${param("now")}, error = ${param("error")}
        WHERE state IN ('queued', 'running') AND created_at < ${param("abandoned")}
          AND NOT EXISTS (SELECT 1 FROM jobs WHERE kind = 'import' AND subject_id = imports.id)`,
    ),
    /** Cancels snapshots whose missing vehicles nobody confirmed in time. */
    unconfirmed: made(
      sql`UPDATE imports SET state = 'cancelled', finished_at = ${param("now")}
        WHERE state = 'needs_confirmation' AND finished_at < ${param("unconfirmed")}`,
    ),
    /** Deletes expired data, a few rows at a time, in this order. */
    tidy: [
      made<{ place: number }>(
        sql`DELETE FROM import_chunks WHERE (import_id, place) IN (
            SELECT import_id, place FROM import_chunks WHERE import_id IN (
              SELECT id FROM imports WHERE file_until <= ${param("now")}
                OR (state = 'arriving' AND created_at < ${param("abandoned")}))
            LIMIT ${sql.lit(PIECES_PER_DELETE)}) RETURNING place`,
      ),
      made<{ place: number }>(
        sql`DELETE FROM import_rows WHERE (import_id, place) IN (
            SELECT import_id, place FROM import_rows WHERE import_id IN (
              SELECT id FROM imports WHERE state = 'gone'
                OR (finished_at < ${param("forgotten")} AND state NOT IN ('queued', 'running')))
            LIMIT ${sql.lit(ROWS_PER_DELETE)}) RETURNING place`,
      ),
      made<{ place: number }>(
        sql`DELETE FROM import_photos WHERE (import_id, address_hash, place) IN (
            SELECT import_id, address_hash, place FROM import_photos WHERE import_id IN (
              SELECT id FROM imports WHERE state = 'gone'
                OR (finished_at < ${param("forgotten")} AND state NOT IN ('queued', 'running')))
            LIMIT ${sql.lit(ROWS_PER_DELETE)}) RETURNING place`,
      ),
      made<{ id: number }>(
        sql`DELETE FROM imports WHERE id IN (
            SELECT id FROM imports WHERE state = 'gone' OR (state = 'arriving' AND created_at < ${param("abandoned")})
            LIMIT ${sql.lit(PIECES_PER_DELETE)}) RETURNING id`,
      ),
      made<{ id: number }>(sql`UPDATE imports SET file_until = NULL WHERE file_until <= ${param("now")} RETURNING id`),
    ],
  };
};
