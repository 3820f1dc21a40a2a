import { sql } from "kysely";
import type { Clock } from "../../../core/clock.ts";
import { isResting } from "../../../core/imports/import.ts";
import {
  type ImportStep,
  type ImportWork,
  PIECE_BYTES,
  type ProcessedRow,
  type RowStep,
  type StoredImport,
} from "../../../core/imports/import-repository.ts";
import { type Claim, LeaseLost } from "../../../core/jobs/job.ts";
import type { FailingSource } from "../../../core/sources/source-repository.ts";
import { currentPrincipals } from "../access/current-principals.ts";
import { auditTrail } from "../audit/trail.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type SqlValue, sqlStatement, statement } from "../query/statement.ts";
import type { VehicleWords } from "../search/vehicle-words.ts";
import { importOutcomes } from "../sources/import-outcomes.ts";
import { rowSteps } from "./row-steps.ts";
import { IMPORT_COLUMNS, type StoredResult, storedOf } from "./stored.ts";

const DONE_ROWS_PER_READ = 500;
const MISSING_PER_DELETE = 1000;
/** So many missing vehicles are done in one transaction. */
const MISSING_PER_TRANSACTION = 50;
/** What is kept of a vehicle that is missing before anything is done with it. */
const MISSING_RESULT: StoredResult = { line: null, row: null, key: null, changes: {}, errors: [], warnings: [] };
/** How long the file of an import is kept that does not go on by itself. */
export const FILE_RETENTION_SECONDS = 24 * 60 * 60;

/** A list of no vehicles. */
const NO_VEHICLES = "[]";

/** The ids that are also in a stored list. */
const inBoth = (ids: readonly number[], stored: string): readonly number[] => {
  const others = new Set(JSON.parse(stored) as readonly number[]);
  return ids.filter((id) => others.has(id));
};

const statementsOf = (db: SqlDatabase) => {
  const given = db.jsonRows(param<string>("rows"), {
    place: "integer",
    outcome: "text",
    dealer_id: "integer",
    vehicle_id: "integer",
    vin: "text",
    stock_number: "text",
    result: "text",
    cells: "text",
  });
  const rowsOfFile = sql`import_rows WHERE import_id = ${param("id")} AND place <= ${param("rows")}`;
  return {
    begun: statement(() =>
      db.build
        .updateTable("imports")
        .set({ state: "running", started_at: sql<string>`COALESCE(started_at, ${param("now")})` })
        .where("id", "=", param("id"))
        .where("state", "in", [sql.lit("queued" as const), sql.lit("running" as const)])
        .returning(IMPORT_COLUMNS),
    ),
    /** Cancelling, deleting and running all lock the import before its job, so that they cannot deadlock. */
    locked: statement(() =>
      db.build.selectFrom("imports").select(IMPORT_COLUMNS).where("id", "=", param("id")).modifyEnd(db.forUpdate),
    ),
    vehiclesById: sqlStatement(
      db,
      sql<{ id: number }>`SELECT id FROM vehicles WHERE dealer_id = ${param("dealer")}
        AND id IN (SELECT id FROM ${db.jsonRows(param<string>("ids"), { id: "integer" })} AS given) ORDER BY id ${db.forUpdate}`,
    ),
    /** Unsold vehicles that no row names: neither a processed row, nor the key of a failed one. */
    missing: sqlStatement(
      db,
      // As one text: to take over each row of a large lot would hold the event loop.
      sql<{ ids: string | null }>`SELECT string_agg(CAST(id AS TEXT), ',' ORDER BY id) AS ids FROM vehicles
        WHERE dealer_id = ${param("dealer")} AND status <> 'sold' AND id NOT IN (SELECT vehicle_id FROM ${rowsOfFile} AND vehicle_id IS NOT NULL)
        AND (vin IS NULL OR lower(vin) NOT IN (SELECT vin FROM ${rowsOfFile} AND outcome = 'failed' AND vin IS NOT NULL))
        AND (stock_number IS NULL OR lower(stock_number) NOT IN (
          SELECT stock_number FROM ${rowsOfFile} AND outcome = 'failed' AND stock_number IS NOT NULL
          UNION ALL SELECT lower(value) FROM vehicle_spellings WHERE field = 'stock_number' AND folded IN (
            SELECT stock_number FROM ${rowsOfFile} AND outcome = 'failed' AND stock_number IS NOT NULL)))`,
    ),
    missingBefore: statement(() =>
      db.build.selectFrom("imports").select("missing_before").where("id", "=", param("id")),
    ),
    saveMissingBefore: statement(() =>
      db.build
        .updateTable("imports")
        .set({ missing_before: param("before") })
        .where("id", "=", param("id")),
    ),
    lastMissing: statement(() =>
      db.build
        .selectFrom("import_sources")
        .select("missing_lately")
        .where("id", "=", param("source"))
        .where("dealer_id", "=", param("dealer"))
        .modifyEnd(db.forUpdate),
    ),
    saveLastMissing: statement(() =>
      db.build
        .updateTable("import_sources")
        .set({ missing_lately: param("ids") })
        .where("id", "=", param("source"))
        .where("dealer_id", "=", param("dealer")),
    ),
    missingAfter: statement(() =>
      db.build
        .selectFrom("import_rows")
        .select(["place", "vehicle_id"])
        .where("import_id", "=", param("id"))
        .where("outcome", "=", sql.lit("missing" as const))
        .where("place", ">", param("after"))
        .orderBy("place")
        .limit(sql.lit(MISSING_PER_TRANSACTION)),
    ),
    deleteMissing: sqlStatement(
      db,
      sql<{ place: number }>`DELETE FROM import_rows WHERE import_id = ${param("id")} AND place IN (
          SELECT place FROM import_rows WHERE import_id = ${param("id")} AND place > ${param("behind")}
          ORDER BY place LIMIT ${sql.lit(MISSING_PER_DELETE)}) RETURNING place`,
    ),
    saveMissing: sqlStatement(
      db,
      sql<object>`INSERT INTO import_rows (import_id, place, outcome, dealer_id, vehicle_id, result)
        SELECT ${param("id")}, place, 'missing', ${param("dealer")}, vehicle_id, ${param("result")}
        FROM ${db.jsonRows(param<string>("rows"), { place: "integer", vehicle_id: "integer" })} AS given`,
    ),
    keep: sqlStatement(
      db,
      sql<object>`INSERT INTO import_rows (import_id, place, outcome, dealer_id, vehicle_id, vin, stock_number, result, cells)
        SELECT ${param("id")}, place, outcome, dealer_id, vehicle_id, vin, stock_number, result, cells FROM ${given} AS given
        WHERE true ON CONFLICT (import_id, place) DO UPDATE SET outcome = excluded.outcome,
          dealer_id = excluded.dealer_id, vehicle_id = excluded.vehicle_id, vin = excluded.vin,
          stock_number = excluded.stock_number, result = excluded.result, cells = excluded.cells`,
    ),
    progress: statement(() =>
      db.build
        .updateTable("imports")
        .set({ progress: param("progress") })
        .where("id", "=", param("id")),
    ),
    ended: statement(() =>
      db.build
        .updateTable("imports")
        .set({
          state: param("state"),
          progress: param("progress"),
          error: param("error"),
          stops: 0,
          finished_at: param("now"),
          file_until: param("fileUntil"),
        })
        .where("id", "=", param("id")),
    ),
    piece: statement(() =>
      db.build
        .selectFrom("import_chunks")
        .select("bytes")
        .where("import_id", "=", param("id"))
        .where("place", "=", param("place")),
    ),
    done: statement(() =>
      db.build
        .selectFrom("import_rows")
        .select(["place", "outcome", "dealer_id", "vehicle_id", "vin", "stock_number"])
        .where("import_id", "=", param("id"))
        .where("place", ">", param("after"))
        .where("place", "<=", param("done"))
        .orderBy("place")
        .limit(sql.lit(DONE_ROWS_PER_READ)),
    ),
  };
};

/** The work of an import, in SQL; see the port for what it guarantees. */
export const makeImportWork = (
  db: SqlDatabase,
  {
    clock,
    warnOfSource = () => {},
    ...parts
  }: {
    readonly clock: Clock;
    readonly words: VehicleWords;
    readonly mostImages: number;
    readonly pause: () => Promise<void>;
    /** Called for a source that keeps failing. */
    readonly warnOfSource?: (source: FailingSource) => void;
  },
): ImportWork => {
  const statements = statementsOf(db);
  const jobs = transactionalJobs(db, clock);
  const steps = rowSteps(db, parts);
  const currentPrincipalOf = currentPrincipals(db);
  const audit = auditTrail(db);
  const recordOutcome = importOutcomes(db, clock);
  /** By job id, so that statements are compiled once for each import. */
  const stepsByJob = new Map<number, ReturnType<typeof steps.join>>();

  /** Runs a transaction if this process still has the job. */
  const withLease = <Result>(
    claim: Claim,
    work: (tx: Sql, present: StoredImport) => Promise<Result>,
  ): Promise<Result> =>
    db.write(async (tx) => {
      const [row] = await tx.all(statements.locked, { id: claim.subjectId });
      if (!(await jobs.renewLease(tx, claim))) throw new LeaseLost(`import ${claim.subjectId} is another process's`);
      if (row === undefined) throw new LeaseLost(`import ${claim.subjectId} is gone`);
      return work(tx, storedOf(row));
    });

  const stepIn = (
    tx: Sql,
    claim: Claim,
    { rows, present }: { readonly rows: RowStep; readonly present: StoredImport },
  ) => {
    const { id } = present;
    let isEnded = false;
    let failing: FailingSource | null = null;
    const step: ImportStep = {
      ...rows,
      current: present,
      importer: () => currentPrincipalOf(tx, present.by, clock.now()),
      async vehiclesOf(dealer, ids) {
        const asked = { dealer, ids: JSON.stringify(ids.map((one) => [one])) };
        return steps.documentsOf(tx, await tx.all(statements.vehiclesById, asked));
      },
      async missingAfter(after) {
        const rows = await tx.all(statements.missingAfter, { id, after });
        return rows.map(({ place, vehicle_id }) => ({ place, vehicleId: vehicle_id ?? 0 }));
      },
      async deleteMissing() {
        const deleted = await tx.all(statements.deleteMissing, { id, behind: present.found.rows });
        return deleted.length === MISSING_PER_DELETE;
      },
      async storeMissing(ids, kept) {
        const first = present.found.rows + kept + 1;
        await tx.all(statements.saveMissing, {
          id,
          dealer: present.dealerId,
          result: JSON.stringify(MISSING_RESULT),
          rows: JSON.stringify(ids.map((one, n) => [first + n, one])),
        });
      },
      async missingInBothFiles(absent) {
        const [kept] = await tx.all(statements.missingBefore, { id });
        const { sourceId: source, dealerId: dealer } = present;
        const [lately] = await tx.all(statements.lastMissing, { source, dealer });
        const before = kept?.missing_before ?? lately?.missing_lately ?? NO_VEHICLES;
        if (kept?.missing_before == null) {
          await tx.all(statements.saveMissingBefore, { id, before });
          await tx.all(statements.saveLastMissing, { source, dealer, ids: JSON.stringify(absent) });
        }
        return inBoth(absent, before);
      },
      async storeRows(rows) {
        const listed = rows.map(({ place, outcome, dealerId, vehicle_id, compared, ...rest }) => {
          const { line, row, key, changes, errors, warnings, cells } = rest;
          const result = JSON.stringify({ line, row, key, changes, errors, warnings } satisfies StoredResult);
          const { vin, stock_number } = compared;
          const kept = cells === undefined ? null : JSON.stringify(cells);
          return [place, outcome, dealerId, vehicle_id, vin, stock_number, result, kept];
        });
        await tx.all(statements.keep, { id, rows: JSON.stringify(listed) });
      },
      async save(progress) {
        await tx.all(statements.progress, { id, progress: JSON.stringify(progress) });
        await jobs.resetAttempts(tx, claim);
      },
      async end(state, { progress = present.progress, error } = {}) {
        const now = clock.now();
        await tx.all(statements.ended, {
          id,
          state,
          now,
          progress: JSON.stringify(progress),
          error: error === undefined ? null : JSON.stringify(error),
          fileUntil: isResting(state) ? clock.after(FILE_RETENTION_SECONDS) : null,
        });
        await jobs.end(tx, "import", id);
        await audit(tx, {
          at: now,
          by: { ...present.by, importId: id },
          action: "import.ended",
          resourceId: id,
          dealerId: present.dealerId,
          before: null,
          after: { state, ...progress.counts },
          recordName: present.file.name,
        });
        const { sourceId, dealerId } = present;
        if (sourceId !== null && dealerId !== null)
          failing = await recordOutcome(tx, { sourceId, importId: id, dealerId });
        isEnded = true;
      },
    };
    return { step, came: () => ({ isEnded, failing }) };
  };

  return {
    async open(claim) {
      return db.write(async (tx) => {
        await tx.all(statements.locked, { id: claim.subjectId });
        if (!(await jobs.renewLease(tx, claim))) return null;
        const [row] = await tx.all(statements.begun, { id: claim.subjectId, now: clock.now() });
        if (row !== undefined) return storedOf(row);
        await jobs.end(tx, "import", claim.subjectId);
        return null;
      });
    },

    async *processedRows(id, done) {
      for (let after = 0; ; ) {
        const rows: readonly (ProcessedRow & { readonly place: number })[] = await db.all(statements.done, {
          id,
          after,
          done,
        });
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        after = last.place;
      }
    },

    async missing({ id, dealerId, sourceId, found }) {
      const [all] = await db.longReads.all(statements.missing, { id, dealer: dealerId, rows: found.rows });
      const absent = JSON.parse(`[${all?.ids ?? ""}]`) as readonly number[];
      const [kept] = sourceId === null ? [] : await db.all(statements.missingBefore, { id });
      return kept?.missing_before == null ? absent : inBoth(absent, kept.missing_before);
    },

    async *bytesFrom(id, offset) {
      const first = Math.floor(offset / PIECE_BYTES);
      for (let place = first; ; place++) {
        const [piece] = await db.all(statements.piece, { id, place });
        if (piece === undefined) return;
        const bytes = bytesIn(piece.bytes);
        yield place === first ? bytes.subarray(offset - first * PIECE_BYTES) : bytes;
      }
    },

    async step(claim, work) {
      const own = stepsByJob.get(claim.id) ?? steps.join();
      // It remembers what it has stored, which is wrong if the step was not committed.
      stepsByJob.delete(claim.id);
      const { result, isEnded, failing } = await withLease(claim, (tx, present) =>
        own.within(tx, async (rows) => {
          const { step, came } = stepIn(tx, claim, { rows, present });
          return { result: await work(step), ...came() };
        }),
      );
      if (!isEnded) stepsByJob.set(claim.id, own);
      if (failing !== null) warnOfSource(failing);
      return result;
    },
  };
};

/** A piece of a file as stored: compressed, as text. */
export const storedPiece = (bytes: Uint8Array): string =>
  Buffer.from(Bun.gzipSync(new Uint8Array(bytes), { level: 1 })).toString("base64");

const bytesIn = (stored: SqlValue): Uint8Array => Bun.gunzipSync(new Uint8Array(Buffer.from(String(stored), "base64")));
