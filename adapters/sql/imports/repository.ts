import { sql } from "kysely";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { AS_STORED, type ShownAddresses, shownList } from "../../../core/images/own-address.ts";
import type { ImportError, ImportRow } from "../../../core/imports/import.ts";
import { type ImportRepository, type StoredRow, TOO_MANY_WAITING } from "../../../core/imports/import-repository.ts";
import { FILE_RETENTION_SECONDS } from "../../../core/imports/retention.ts";
import { SLICE_BYTES } from "../../../core/page.ts";
import { UNKNOWN_DEALER } from "../../../core/vehicles/vehicle-repository.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { newestFirstPages } from "../query/newest-first.ts";
import { byteLengthOf, rowsThatFit } from "../query/rows-that-fit.ts";
import { param, statementCache } from "../query/statement.ts";
import type { Row } from "../query/tables.ts";
import { storedPiece } from "./file-pieces.ts";
import { HAS_ARRIVED, importStatements, type Places, rowsBehind } from "./statements.ts";
import {
  actorColumns,
  answeredOf,
  IMPORT_COLUMNS,
  QUEUE_OF_MANY_DEALERS,
  type StoredFile,
  type StoredResult,
  storedOf,
} from "./stored.ts";
import { waitingPhotos } from "./waiting-photos.ts";

const FILE_NOT_COPIED: ImportError = {
  code: "file_gone",
  message: "The import was under way in the database that this one is a copy of; its file is not here",
};

const PHOTOS_STOPPED = "Somebody stopped it";

type RowRecord = Pick<Row<"import_rows">, "place" | "outcome" | "vehicle_id" | "result"> &
  Partial<Pick<Row<"import_rows">, "cells">>;

const rowOf = (
  { outcome, vehicle_id, result, cells = null }: RowRecord,
  shown: ShownAddresses,
): ImportRow & Pick<StoredRow, "cells"> => {
  // Rows that an earlier version stored have no `kept`.
  const { line, row, key, kept = [], errors, warnings, ...stored } = JSON.parse(result) as StoredResult;
  const { images } = stored.changes;
  const changes =
    images === undefined
      ? stored.changes
      : { ...stored.changes, images: [shownList(shown, images[0]), shownList(shown, images[1])] as const };
  const more = cells === null ? {} : { cells: JSON.parse(cells) as NonNullable<StoredRow["cells"]> };
  return { line, row, key, outcome, vehicle_id, changes, kept: kept.map(shownKept(shown)), errors, warnings, ...more };
};

const shownKept =
  (shown: ShownAddresses) =>
  (kept: ImportRow["kept"][number]): ImportRow["kept"][number] =>
    kept.field === "images" ? { ...kept, file: shownList(shown, kept.file), ours: shownList(shown, kept.ours) } : kept;

/** Imports in SQL; see the port for what it guarantees. */
export const makeImportRepository = (
  db: SqlDatabase,
  clock: Clock,
  shown: ShownAddresses = AS_STORED,
): ImportRepository => {
  const statements = importStatements(db);
  const photos = waitingPhotos(db);
  const jobs = transactionalJobs(clock);
  const pages = newestFirstPages(db, { table: "imports", texts: ["options", "file", "columns"] }, (has) =>
    db
      .selectFrom("imports")
      .select(IMPORT_COLUMNS)
      .where(HAS_ARRIVED)
      .$if(has("dealer"), (query) => query.where("dealer_id", "=", param("dealer")))
      .$if(has("state"), (query) => query.where("state", "=", param("state"))),
  );
  const rows = statementCache<RowRecord>();
  const weights = statementCache<{ place: number; bytes: number }>();
  const totals = statementCache<{ total: number }>();

  const waitingIn = async (source: Sql, dealerId: number | null): Promise<number> =>
    (await source.all(statements.waiting, { queue: dealerId ?? QUEUE_OF_MANY_DEALERS }))[0]?.waiting ?? 0;

  return {
    async begin({ dealerId, sourceId, options, progress, by, now }) {
      const [row] = await db.writeOne(statements.insert, {
        created_at: now,
        dealer_id: dealerId,
        source_id: sourceId,
        state: "arriving",
        options: JSON.stringify(options),
        file: null,
        columns: null,
        progress: JSON.stringify(progress),
        stops: 0,
        ...actorColumns(by),
        started_at: null,
        finished_at: null,
        file_until: null,
        missing_before: null,
        error: null,
        photos: null,
      });
      if (row === undefined) throw new Error("an inserted import has no id");
      return row.id;
    },

    async addPiece(id, place, bytes) {
      await db.writeOne(statements.piece, { import_id: id, place, bytes: storedPiece(bytes) });
    },

    queue: ({ id, file: { file, found, columns }, now, most }) =>
      db.write(async (tx) => {
        const [arriving] = await tx.all(statements.arriving, { id });
        if (arriving === undefined) throw new Error(`import ${id} is gone while its file arrived`);
        const { dealer_id: dealer } = arriving;
        // Concurrent imports of this dealer wait here, so that each is counted only after the previous one was added.
        if (dealer !== null && (await tx.all(statements.dealer, { dealer })).length === 0) return UNKNOWN_DEALER;
        if ((await waitingIn(tx, dealer)) >= most) return TOO_MANY_WAITING;
        const stored: StoredFile = { ...file, found };
        await tx.all(statements.queue, { id, now, file: JSON.stringify(stored), columns: JSON.stringify(columns) });
        await jobs.add(tx, { kind: "import", queue: dealer ?? QUEUE_OF_MANY_DEALERS, subject: id });
        return true;
      }),

    hasDealer: async (id) => (await db.all(statements.isDealer, { id })).length > 0,

    hasWaiting: async (dealerId, most) => (await waitingIn(db, dealerId)) >= most,

    async discard(id) {
      await db.writeOne(statements.discard, { id });
    },

    async find(id, { scope, visibility }) {
      const row = await db.first(statements.find(scope), { id, scope });
      return row === null ? null : answeredOf(row, visibility);
    },

    async list({ scope, visibility, dealerId, state, limit, after }) {
      const dealer = scope ?? dealerId ?? null;
      const filters = { ...(dealer !== null && { dealer }), ...(state !== undefined && { state }) };
      const { rows, ...page } = await pages({ dealer, filters, limit, after });
      return { items: rows.map((row) => answeredOf(row, visibility)), ...page };
    },

    async rows({ id, outcome, isKept = false, withCells = false, limit, after }) {
      const filters = { id, ...(outcome !== undefined && { outcome }) };
      const name = `rows ${outcome !== undefined} ${isKept} ${withCells}`;
      const matching = () =>
        db
          .selectFrom("import_rows")
          .where("import_id", "=", param("id"))
          .$if(outcome !== undefined, (query) => query.where("outcome", "=", param("outcome")))
          .$if(isKept, (query) => query.where("kept", "=", sql.lit(1 as const)));
      const from = { ...filters, after: after ?? 0 };
      const behind = (narrowed: (places: Places) => Places) =>
        rowsBehind(db, (places) =>
          narrowed(
            places
              .$if(outcome !== undefined, (query) => query.where("outcome", "=", param("outcome")))
              .$if(isKept, (query) => query.where("kept", "=", sql.lit(1 as const))),
          ),
        );
      const weighed = await db.all(
        weights(name, () =>
          behind((places) => places.orderBy("place").limit(param<number>("limit"))).select([
            "place",
            byteLengthOf(withCells ? ["result", "cells"] : ["result"]).as("bytes"),
          ]),
        ),
        { ...from, limit: limit + 1 },
      );
      const fits = rowsThatFit(weighed, { limit });
      const last = weighed[fits - 1]?.place ?? null;
      const items = await db.all(
        rows(name, () =>
          behind((places) => places.where("place", "<=", param("last")))
            .select(["place", "outcome", "vehicle_id", "result"])
            .$if(withCells, (query) => query.select("cells")),
        ),
        { ...from, last: last ?? 0 },
      );
      const [count] = await db.all(
        totals(name, () => matching().select(sql<number>`count(*)`.as("total"))),
        filters,
      );
      return {
        items: items.map((item) => rowOf(item, shown)),
        total: count?.total ?? 0,
        next: weighed.length > fits ? last : null,
      };
    },

    async failedRows(id, after) {
      const weighed = await db.all(statements.failedBytes, { id, after });
      const fits = rowsThatFit(weighed, { limit: weighed.length, maxBytes: SLICE_BYTES });
      const found = await db.all(statements.failed, { id, after, last: weighed[fits - 1]?.place ?? after });
      return {
        rows: found.map(({ result, cells }) => {
          const { line, errors } = JSON.parse(result) as StoredResult;
          return { line, errors, cells: cells === null ? [] : JSON.parse(cells) };
        }),
        last: found.at(-1)?.place ?? null,
      };
    },

    async stored(id, scope) {
      const row = await db.first(statements.find(scope), { id, scope });
      return row === null ? null : storedOf(row);
    },

    resume: ({ id, scope, by }, decide) =>
      db.write(async (tx) => {
        const [row] = await tx.all(statements.locked(scope), { id, scope });
        if (row === undefined) return null;
        const stored = storedOf(row);
        const { dealerId } = stored;
        const hasFile = (await tx.all(statements.hasFile, { id })).length > 0;
        if (dealerId !== null) await tx.all(statements.dealer, { dealer: dealerId });
        const decided = decide({ stored, hasFile, waiting: await waitingIn(tx, dealerId) });
        if (decided instanceof Failure) return decided;
        await tx.all(statements.resume, {
          id,
          options: JSON.stringify(decided.options),
          progress: JSON.stringify(decided.progress),
          ...actorColumns(by),
        });
        await jobs.add(tx, { kind: "import", queue: dealerId ?? QUEUE_OF_MANY_DEALERS, subject: id });
        return true;
      }),

    end: ({ id, scope, now }, decide) =>
      db.write(async (tx) => {
        const [row] = await tx.all(statements.locked(scope), { id, scope });
        if (row === undefined) return null;
        const stored = storedOf(row);
        const decided = decide(stored);
        if (decided instanceof Failure) return decided;
        if (decided === "stop") await tx.all(statements.stop, { id });
        if (decided === "leave-photos") {
          await jobs.end(tx, "import-photos", id);
          await photos.leave(tx, stored, PHOTOS_STOPPED);
        }
        if (decided === "stop" || decided === "leave-photos" || decided === null) return true;
        await jobs.end(tx, "import", id);
        if (decided === "remove") await tx.all(statements.remove, { id, now });
        else await tx.all(statements.cancel, { id, now, fileUntil: clock.after(FILE_RETENTION_SECONDS) });
        return true;
      }),

    async removeExpired(times) {
      const values = { ...times };
      await db.writeOne(statements.unconfirmed, values);
      await db.writeOne(statements.orphans, { ...values, error: JSON.stringify(FILE_NOT_COPIED) });
      for (const step of statements.tidy) if ((await db.writeOne<object>(step, values)).length > 0) return true;
      return false;
    },
  };
};
