import { type SelectQueryBuilder, sql, type Updateable } from "kysely";
import type { ScopedChange } from "../../../core/access/scoped-change.ts";
import type { Clock } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { AS_STORED, type ShownAddresses, shownList } from "../../../core/images/own-address.ts";
import type { ImportError, ImportRow, ImportState } from "../../../core/imports/import.ts";
import { type ImportRepository, type StoredRow, TOO_MANY_WAITING } from "../../../core/imports/import-repository.ts";
import { FILE_RETENTION_SECONDS } from "../../../core/imports/retention.ts";
import { SLICE_BYTES } from "../../../core/page.ts";
import { UNKNOWN_DEALER } from "../../../core/vehicles/vehicle-repository.ts";
import { transactionalJobs } from "../jobs/jobs.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import { type Filtering, newestFirstPages } from "../query/newest-first.ts";
import { byteLengthOf, rowsThatFit } from "../query/rows-that-fit.ts";
import type { NewRow, Row, Tables } from "../query/tables.ts";
import { storedPiece } from "./file-pieces.ts";
import { HAS_ARRIVED, importIn, type Places, rowsBehind, tidyingStatements } from "./statements.ts";
import {
  actorColumns,
  answeredOf,
  IMPORT_COLUMNS,
  QUEUE_OF_MANY_DEALERS,
  type StoredFile,
  type StoredResult,
  storedOf,
  storedProgress,
} from "./stored.ts";
import { waitingPhotos } from "./waiting-photos.ts";

const FILE_NOT_COPIED: ImportError = {
  code: "file_gone",
  message: "The import was under way in the database that this one is a copy of; its file is not here",
};

const FAILED_ROWS_PER_READ = 200;

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

type InScope = Pick<ScopedChange, "id" | "scope">;

const setColumns = (tx: Tx, id: number, columns: Updateable<Tables["imports"]>) =>
  tx.updateTable("imports").set(columns).where("id", "=", id).execute();

const waitingIn = async (on: Queries, dealerId: number | null): Promise<number> => {
  const { waiting } = await on
    .selectFrom("imports")
    .select(sql<number>`count(*)`.as("waiting"))
    .where("state", "=", sql.lit("queued" as const))
    .where(sql<number>`COALESCE(dealer_id, 0)`, "=", dealerId ?? QUEUE_OF_MANY_DEALERS)
    .executeTakeFirstOrThrow();
  return waiting;
};

/** Imports in SQL; see the port for what it guarantees. */
export const makeImportRepository = (
  db: SqlDatabase,
  clock: Clock,
  shown: ShownAddresses = AS_STORED,
): ImportRepository => {
  const tidying = tidyingStatements(db);
  const photos = waitingPhotos(db);
  const jobs = transactionalJobs(clock);
  const pages = newestFirstPages(
    db,
    { table: "imports", texts: ["options", "file", "columns"] },
    ({ has, param }: Filtering<{ dealer: number; state: ImportState }>) =>
      db
        .selectFrom("imports")
        .select(IMPORT_COLUMNS)
        .where(HAS_ARRIVED)
        .$if(has("dealer"), (query) => query.where("dealer_id", "=", param("dealer")))
        .$if(has("state"), (query) => query.where("state", "=", param("state"))),
  );

  const locked = async (tx: Tx, which: InScope) =>
    (await importIn(tx, which).modifyEnd(db.forUpdate).executeTakeFirst()) ?? null;

  /** Concurrent imports of a dealer wait here, so that each is counted only after the previous one was added. */
  const lockDealer = (tx: Tx, dealer: number) =>
    tx.selectFrom("dealers").select("id").where("id", "=", dealer).modifyEnd(db.forUpdate).executeTakeFirst();

  return {
    async begin({ dealerId, sourceId, options, progress, by, now }) {
      const row = await db
        .insertInto("imports")
        .values({
          created_at: now,
          dealer_id: dealerId,
          source_id: sourceId,
          state: "arriving" as const,
          options: JSON.stringify(options),
          file: null,
          columns: null,
          progress: storedProgress(progress),
          stops: 0 as const,
          ...actorColumns(by),
          started_at: null,
          finished_at: null,
          file_until: null,
          missing_before: null,
          error: null,
          photos: null,
        } satisfies NewRow<"imports">)
        .returning("id")
        .executeTakeFirstOrThrow();
      return row.id;
    },

    async addPiece(id, place, bytes) {
      await db
        .insertInto("import_chunks")
        .values({ import_id: id, place, bytes: storedPiece(bytes) })
        .execute();
    },

    queue: ({ id, file: { file, found, columns }, now, most }) =>
      db.write(async (tx) => {
        const arriving = tx.selectFrom("imports").select("dealer_id").where("id", "=", id);
        const { dealer_id: dealer } = await arriving.executeTakeFirstOrThrow();
        if (dealer !== null && (await lockDealer(tx, dealer)) === undefined) return UNKNOWN_DEALER;
        if ((await waitingIn(tx, dealer)) >= most) return TOO_MANY_WAITING;
        const stored: StoredFile = { ...file, found };
        await setColumns(tx, id, {
          state: "queued",
          created_at: now,
          file: JSON.stringify(stored),
          columns: JSON.stringify(columns),
        });
        await jobs.add(tx, { kind: "import", queue: dealer ?? QUEUE_OF_MANY_DEALERS, subject: id });
        return true;
      }),

    hasDealer: async (id) =>
      (await db.selectFrom("dealers").select("id").where("id", "=", id).executeTakeFirst()) !== undefined,

    hasWaiting: async (dealerId, most) => (await waitingIn(db, dealerId)) >= most,

    async discard(id) {
      await db.deleteFrom("imports").where("id", "=", id).where("state", "=", "arriving").execute();
    },

    async find(id, { scope, visibility }) {
      const row = await importIn(db, { id, scope }).executeTakeFirst();
      return row === undefined ? null : answeredOf(row, visibility);
    },

    async list({ scope, visibility, dealerId, state, limit, after }) {
      const dealer = scope ?? dealerId ?? null;
      const filters = { ...(dealer !== null && { dealer }), ...(state !== undefined && { state }) };
      const { rows, ...page } = await pages({ dealer, filters, limit, after });
      return { items: rows.map((row) => answeredOf(row, visibility)), ...page };
    },

    async rows({ id, outcome, isKept = false, withCells = false, limit, after }) {
      const matching = <Selected>(query: SelectQueryBuilder<Tables, "import_rows", Selected>) =>
        query
          .$if(outcome !== undefined, (rows) => rows.where("outcome", "=", outcome ?? null))
          .$if(isKept, (rows) => rows.where("kept", "=", sql.lit(1 as const)));
      const behind = (narrowed: (places: Places) => Places) =>
        rowsBehind(db, { id, after: after ?? 0 }, (places) => narrowed(matching(places)));
      const weighed = await behind((places) => places.orderBy("place").limit(limit + 1))
        .select(["place", byteLengthOf(withCells ? ["result", "cells"] : ["result"]).as("bytes")])
        .execute();
      const fits = rowsThatFit(weighed, { limit });
      const last = weighed[fits - 1]?.place ?? null;
      const items: RowRecord[] = await behind((places) => places.where("place", "<=", last ?? 0))
        .select(["place", "outcome", "vehicle_id", "result"])
        .$if(withCells, (query) => query.select("cells"))
        .execute();
      const { total } = await matching(db.selectFrom("import_rows").where("import_id", "=", id))
        .select(sql<number>`count(*)`.as("total"))
        .executeTakeFirstOrThrow();
      return {
        items: items.map((item) => rowOf(item, shown)),
        total,
        next: weighed.length > fits ? last : null,
      };
    },

    async failedRows(id, after) {
      const failed = (narrowed: (places: Places) => Places) =>
        rowsBehind(db, { id, after }, (places) => narrowed(places.where("outcome", "=", sql.lit("failed" as const))));
      const weighed = await failed((places) => places.orderBy("place").limit(sql.lit(FAILED_ROWS_PER_READ)))
        .select(["place", byteLengthOf(["result", "cells"]).as("bytes")])
        .execute();
      const fits = rowsThatFit(weighed, { limit: weighed.length, maxBytes: SLICE_BYTES });
      const found = await failed((places) => places.where("place", "<=", weighed[fits - 1]?.place ?? after))
        .select(["place", "result", "cells"])
        .execute();
      return {
        rows: found.map(({ result, cells }) => {
          const { line, errors } = JSON.parse(result) as StoredResult;
          return { line, errors, cells: cells === null ? [] : JSON.parse(cells) };
        }),
        last: found.at(-1)?.place ?? null,
      };
    },

    async stored(id, scope) {
      const row = await importIn(db, { id, scope }).executeTakeFirst();
      return row === undefined ? null : storedOf(row);
    },

    resume: ({ id, scope, by }, decide) =>
      db.write(async (tx) => {
        const row = await locked(tx, { id, scope });
        if (row === null) return null;
        const stored = storedOf(row);
        const { dealerId } = stored;
        const first = await tx
          .selectFrom("import_chunks")
          .select("place")
          .where("import_id", "=", id)
          .where("place", "=", 0)
          .executeTakeFirst();
        if (dealerId !== null) await lockDealer(tx, dealerId);
        const decided = decide({ stored, hasFile: first !== undefined, waiting: await waitingIn(tx, dealerId) });
        if (decided instanceof Failure) return decided;
        await setColumns(tx, id, {
          state: "queued",
          stops: 0,
          error: null,
          finished_at: null,
          file_until: null,
          options: JSON.stringify(decided.options),
          progress: storedProgress(decided.progress),
          ...actorColumns(by),
        });
        await jobs.add(tx, { kind: "import", queue: dealerId ?? QUEUE_OF_MANY_DEALERS, subject: id });
        return true;
      }),

    end: ({ id, scope, now }, decide) =>
      db.write(async (tx) => {
        const row = await locked(tx, { id, scope });
        if (row === null) return null;
        const stored = storedOf(row);
        const decided = decide(stored);
        if (decided instanceof Failure) return decided;
        if (decided === "stop") await setColumns(tx, id, { stops: 1 });
        if (decided === "leave-photos") {
          await jobs.end(tx, "import-photos", id);
          await photos.leave(tx, stored, PHOTOS_STOPPED);
        }
        if (decided === "stop" || decided === "leave-photos" || decided === null) return true;
        await jobs.end(tx, "import", id);
        const isGone = decided === "remove";
        await setColumns(tx, id, {
          finished_at: now,
          ...(isGone
            ? { state: "gone", file_until: now }
            : { state: "cancelled", stops: 0, file_until: clock.after(FILE_RETENTION_SECONDS) }),
        });
        return true;
      }),

    async removeExpired(times) {
      await db.writeOne(tidying.unconfirmed, times);
      await db.writeOne(tidying.orphans, { ...times, error: JSON.stringify(FILE_NOT_COPIED) });
      for (const step of tidying.expired) if ((await db.writeOne(step, times)).length > 0) return true;
      return false;
    },
  };
};
