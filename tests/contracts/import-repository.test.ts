import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeStoredBytes } from "../../adapters/sql/imports/stored-bytes.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { Failure } from "../../core/failure.ts";
import { firstProgress } from "../../core/imports/after-step.ts";
import { optionsOf } from "../../core/imports/import.ts";
import {
  type ImportRepository,
  PIECE_BYTES,
  type ResumableImport,
  TOO_MANY_WAITING,
} from "../../core/imports/import-repository.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { makeImportRun } from "../../core/imports/run.ts";
import { UNKNOWN_DEALER } from "../../core/vehicles/vehicle-repository.ts";
import { readableProgress } from "../../migrations/0061-readable-progress.ts";
import { succeeded, uploadOf } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { dealerFields, MOMENT, momentAfter } from "../support/records.ts";
import { UNLIMITED, UNLIMITED_IMPORTS } from "../support/unlimited.ts";

setDefaultTimeout(300_000);

const reader = (scope: number | null) => ({ scope, visibility: "everything" as const });
const unchanged = ({ stored: { options, progress } }: ResumableImport) => ({ options, progress });
const MOST = 10;
const DAY_MS = 86_400_000;
/** More rows than are deleted or read at once. */
const MANY_ROWS = 703;
const FAILED_ROWS_AT_ONCE = 200;
/** No entry of the audit log is so late. */
const NO_ENTRIES = "2999-01-01T00:00:00.000Z";

for (const engine of ENGINES)
  describe(`the import repository on ${engine.name}`, () => {
    let db: TestDatabase;
    let repository: ImportRepository;
    let service: ReturnType<typeof open>;

    const open = () => {
      const clock = fakeClock(Date.parse(MOMENT));
      const work = makeImportWork(db, { clock, words: vehicleWordsIn(db), pause: nextTurn });
      const imports = makeImportRepository(db, clock);
      const images = { max: 100, issuesOf: () => [] };
      return {
        ...{ clock, work, imports, jobs: makeJobs(db, clock) },
        uses: makeImports({
          ...UNLIMITED_IMPORTS,
          imports,
          mappings: makeMappingRepository(db),
          work,
          clock,
          nudge: () => {},
          pause: nextTurn,
        }),
        runner: makeImportRun({ ...UNLIMITED, work, clock, pause: nextTurn, images }),
      };
    };

    beforeAll(async () => {
      db = await engine.open();
      service = open();
      repository = service.imports;
    });
    afterAll(() => db.close());

    const newDealer = async (): Promise<number> => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;

    const received = async (dealer_id: number, text = "VIN,Make,Model,Year,Price\nV1,Kia,Rio,2020,1\n") =>
      succeeded(await service.uses.receive(OPERATOR, { dealer_id }, uploadOf(text)));

    const queued = async (dealerId: number, text?: string): Promise<number> =>
      succeeded(await service.uses.start(OPERATOR, await received(dealerId, text))).id;

    const runAll = async (): Promise<void> => {
      for (;;) {
        const claim = await service.jobs.claim("test", "import");
        if (claim === null) return;
        await service.runner.run(claim, () => false);
      }
    };

    const set = (id: number, values: string): Promise<void> =>
      db.migrate(async (run) => void (await run(`UPDATE imports SET ${values} WHERE id = ${id}`)));

    const states = async (...ids: readonly number[]): Promise<readonly (string | null)[]> => {
      const rows = await queryDatabase<{ id: number; state: string }>(db.url, "SELECT id, state FROM imports");
      return ids.map((id) => rows.find((row) => row.id === id)?.state ?? null);
    };

    const counted = async (table: string, id: number): Promise<number> => {
      const text = `SELECT count(*) AS n FROM ${table} WHERE import_id = ${id}`;
      return (await queryDatabase<{ n: number }>(db.url, text))[0]?.n ?? 0;
    };

    /** Has a photo wait to be fetched for an import. */
    const addPhoto = (id: number, dealer: number): Promise<void> =>
      db.migrate(
        async (run) =>
          void (await run(`INSERT INTO import_photos (import_id, place, address_hash, dealer_id, vehicle_id, address)
            VALUES (${id}, 1, 'hash', ${dealer}, 1, 'https://a.example.com/1.jpg')`)),
      );

    const times = (now: string, before: string | null = null) => ({
      ...{ now, abandoned: MOMENT, unconfirmed: MOMENT, forgotten: MOMENT },
      ...(before !== null && { abandoned: before, unconfirmed: before, forgotten: before }),
    });

    const removeAllExpired = async (given: ReturnType<typeof times>): Promise<void> => {
      while (await repository.removeExpired(given));
    };

    test("finds, cancels, resumes and removes only the given import, and only for its own dealer", async () => {
      const [ours, theirs] = [await newDealer(), await newDealer()];
      const [one, two] = [await queued(ours), await queued(theirs)];
      for (const refused of [
        await repository.find(one, reader(theirs)),
        await repository.stored(one, theirs),
        await repository.end({ id: one, scope: theirs, now: MOMENT }, () => "remove"),
        await repository.end({ id: one, scope: theirs, now: MOMENT }, () => "cancel"),
        await repository.resume({ id: one, scope: theirs, by: OPERATOR }, unchanged),
      ])
        expect(refused).toBeNull();
      expect(await states(one, two)).toEqual(["queued", "queued"]);
      expect(await repository.find(one, reader(ours))).toMatchObject({ id: one });
      const listed = async (state?: "queued" | "failed") => {
        const { items, total } = await repository.list({
          ...{ ...reader(ours), limit: 10, after: null },
          ...(state && { state }),
        });
        return [...items.map(({ id }) => id), total];
      };
      expect([await listed(), await listed("queued"), await listed("failed")]).toEqual([[one, 1], [one, 1], [0]]);

      const refused = new Failure({ kind: "last-super-admin" });
      expect(await repository.end({ id: one, scope: ours, now: MOMENT }, () => refused)).toBe(refused);
      expect(await repository.end({ id: one, scope: ours, now: MOMENT }, () => null)).toBe(true);
      expect(await states(one, two)).toEqual(["queued", "queued"]);
      expect(
        await repository.end({ id: one, scope: ours, now: MOMENT }, ({ id, state }) => {
          expect({ id, state }).toEqual({ id: one, state: "queued" });
          return "cancel";
        }),
      ).toBe(true);
      expect(await states(one, two)).toEqual(["cancelled", "queued"]);
      const resumption = { id: one, scope: ours, by: OPERATOR };
      expect(await repository.resume(resumption, () => refused)).toBe(refused);
      expect(await states(one, two)).toEqual(["cancelled", "queued"]);
      await set(two, "state = 'failed'");
      expect(await repository.resume(resumption, unchanged)).toBe(true);
      expect(await states(one, two)).toEqual(["queued", "failed"]);
      await set(two, "state = 'running'");
      await set(one, "state = 'running'");
      expect(await repository.end({ id: one, scope: null, now: MOMENT }, () => "stop")).toBe(true);
      const stops = await queryDatabase<{ id: number; stops: number }>(
        db.url,
        `SELECT id, stops FROM imports WHERE id IN (${one}, ${two}) ORDER BY id`,
      );
      expect(stops.map((row) => row.stops)).toEqual([1, 0]);
      await set(one, "state = 'completed'");
      expect(await repository.end({ id: one, scope: null, now: MOMENT }, () => "remove")).toBe(true);
      expect(await states(one, two)).toEqual(["gone", "running"]);
      await set(two, "state = 'gone'");
    });

    test("shows nobody an import whose file is still arriving, or one that was removed", async () => {
      const dealer = await newDealer();
      const { id: arriving } = await received(dealer);
      const gone = await queued(dealer);
      await set(gone, "state = 'gone'");
      for (const id of [arriving, gone]) {
        expect(await repository.find(id, reader(null))).toBeNull();
        expect(await repository.stored(id, null)).toBeNull();
        expect(await repository.end({ id, scope: null, now: MOMENT }, () => "remove")).toBeNull();
      }
      expect(await repository.list({ ...reader(null), dealerId: dealer, limit: 10, after: null })).toMatchObject({
        ...{ items: [], total: 0 },
      });
      await repository.discard(arriving);
    });

    test("counts what a dealer keeps, whatever characters the headings of its files have", async () => {
      const dealer = await newDealer();
      const rows = [{ vin: "V1", make: "Kia", model: "Rio", year: 2020, "mileage (km)\0": 5 }];
      const file = { ...uploadOf(JSON.stringify(rows)), format: "json" as const };
      const arrived = succeeded(await service.uses.receive(OPERATOR, { dealer_id: dealer }, file));
      const { id } = succeeded(await service.uses.start(OPERATOR, arrived));
      await runAll();
      const { warnings = [] } = (await repository.find(id, reader(dealer))) ?? {};
      expect(warnings.map(({ code }) => code)).toContain("unit_converted");
      expect(await makeStoredBytes(db).of(dealer, MOMENT)).toBeGreaterThan(0);

      // As earlier versions stored it, until the migration.
      await db.migrate(async (run) => {
        await run(`UPDATE imports SET progress = replace(progress, '\uFFFD', '\\u0000') WHERE id = ${id}`);
        for (const statement of readableProgress.statements(db.engine)) await run(statement);
      });
      expect(await makeStoredBytes(db).of(dealer, MOMENT)).toBeGreaterThan(0);
    });

    test("counts nothing of another dealer as kept, and no rows of an import that is gone", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const keptBy = (id: number, since = NO_ENTRIES) => makeStoredBytes(db).of(id, since);
      const own = await queued(dealer);
      await runAll();
      const kept = await keptBy(dealer);
      expect([kept > PIECE_BYTES, await keptBy(other)]).toEqual([true, 0]);
      const entries = await keptBy(other, MOMENT);
      await queued(dealer);
      await runAll();
      expect(await keptBy(other, MOMENT)).toBe(entries);
      const both = await keptBy(dealer);
      await set(own, "state = 'gone'");
      expect(await keptBy(dealer)).toBe(both - (kept - PIECE_BYTES));
    });

    test("queues no import for a missing dealer", async () => {
      const { file } = await received(await newDealer());
      const options = optionsOf({}, {});
      const arriving = { sourceId: null, progress: firstProgress(options), by: OPERATOR, now: MOMENT, options };
      const id = await repository.begin({ ...arriving, dealerId: 1_000_000 });
      expect(await repository.queue({ id, file, now: MOMENT, most: MOST })).toBe(UNKNOWN_DEALER);
      expect(await states(id)).toEqual(["arriving"]);
      await repository.discard(id);
    });

    test("resumes an import by what is there of its own file, and of the imports that wait in its queue", async () => {
      const [dealer, another] = [await newDealer(), await newDealer()];
      const [one, two] = [await queued(dealer), await queued(dealer)];
      const elsewhere = await queued(another);
      await set(one, "state = 'cancelled'");
      const presentIn = async (id: number) => {
        let present: object = {};
        await repository.resume({ id, scope: null, by: OPERATOR }, ({ stored, ...found }) => {
          present = { id: stored.id, ...found };
          return new Failure({ kind: "last-super-admin" });
        });
        return present;
      };
      expect(await presentIn(one)).toEqual({ id: one, hasFile: true, waiting: 1 });
      await db.migrate(async (run) => void (await run(`UPDATE import_chunks SET place = 1 WHERE import_id = ${one}`)));
      await set(two, "state = 'cancelled'");
      expect(await presentIn(one)).toEqual({ id: one, hasFile: false, waiting: 0 });
      expect(await presentIn(two)).toEqual({ id: two, hasFile: true, waiting: 0 });
      for (const id of [one, two, elsewhere]) await set(id, "state = 'gone'");
    });

    test("queues imports per dealer, and counts only those that wait", async () => {
      const [ours, theirs] = [await newDealer(), await newDealer()];
      const [one] = [await queued(ours), await queued(theirs)];
      const ended = await queued(ours);
      await set(ended, "state = 'completed'");
      expect(await repository.hasWaiting(ours, 1)).toBe(true);
      expect(await repository.hasWaiting(ours, 2)).toBe(false);
      expect(await repository.hasWaiting(null, 1)).toBe(false);
      const next = await received(ours);
      const arriving = { id: next.id, file: next.file, now: MOMENT };
      expect(await repository.queue({ ...arriving, most: 1 })).toBe(TOO_MANY_WAITING);
      expect(await states(next.id)).toEqual(["arriving"]);
      expect(await repository.hasDealer(ours)).toBe(true);
      expect(await repository.hasDealer(theirs + 1000)).toBe(false);
      await repository.discard(one);
      const other = await received(theirs);
      await repository.discard(next.id);
      expect(await states(one, next.id, other.id)).toEqual(["queued", null, "arriving"]);
      await repository.discard(other.id);
    });

    test("reads only an import's own rows, each once, page by page and by outcome", async () => {
      const dealer = await newDealer();
      const lines = Array.from({ length: MANY_ROWS }, (_, n) => `V${n},Kia,Rio,${n % 3 === 0 ? "never" : 2020},1`);
      const heading = "VIN,Make,Model,Year,Price";
      const id = await queued(dealer, `${heading}\n${lines.join("\n")}\n`);
      await runAll();
      const other = await queued(dealer, `${heading}\nW1,Kia,Rio,never,1\nW2,Kia,Rio,2020,1\n`);
      await runAll();
      const failing = lines.flatMap((line, n) => (line.includes("never") ? [n + 1] : []));

      const read = async (of: number, limit: number, outcome?: "failed" | "created", isKept = false) => {
        const places: (number | null)[] = [];
        let total = 0;
        for (let after: number | null = null; ; ) {
          const page = await repository.rows({
            id: of,
            limit,
            after,
            isKept,
            ...(outcome !== undefined && { outcome }),
          });
          places.push(...page.items.map(({ row }) => row));
          total = page.total;
          // A page that comes again would come for ever.
          if (page.next === null || places.length > MANY_ROWS) return { places, total };
          after = page.next;
        }
      };
      const every = lines.map((_, n) => n + 1);
      expect(await read(id, 500)).toEqual({ places: every, total: MANY_ROWS });
      expect(await read(id, 100, "failed")).toEqual({ places: failing, total: failing.length });
      expect(await read(other, 1)).toEqual({ places: [1, 2], total: 2 });
      await db.migrate(
        async (run) => void (await run(`UPDATE import_rows SET kept = 1 WHERE import_id = ${other} AND place = 2`)),
      );
      expect(await read(other, 1, undefined, true)).toEqual({ places: [2], total: 1 });

      const failedRows: unknown[] = [];
      for (let after = 0; ; ) {
        const { rows, last } = await repository.failedRows(id, after);
        expect(rows.length).toBeLessThanOrEqual(FAILED_ROWS_AT_ONCE);
        failedRows.push(...rows.map(({ cells }) => cells[0]));
        if (last === null || failedRows.length > failing.length) break;
        after = last;
      }
      expect(failedRows).toEqual(failing.map((row) => `V${row - 1}`));

      const processed: number[] = [];
      for await (const rows of service.work.processedRows(id, MANY_ROWS - 1)) {
        processed.push(...rows.map(({ vin }) => Number(vin?.slice(1))));
        if (processed.length > MANY_ROWS) break;
      }
      expect(processed).toEqual(lines.slice(0, -1).map((_, n) => n));
    });

    test("ends abandoned imports that have no job, and snapshots that nobody confirmed in time", async () => {
      const dealer = await newDealer();
      const ids: number[] = [];
      for (let made = 0; made < 6; made++) ids.push(await queued(dealer));
      const [a, b, c, d, e, f] = ids as [number, number, number, number, number, number];
      await db.migrate(async (run) => {
        await run(`DELETE FROM jobs WHERE kind = 'import' AND subject_id IN (${[c, d, e, f].join(", ")})`);
        // A job of another kind with the same number is not the import's.
        await run(`UPDATE jobs SET kind = 'source' WHERE kind = 'import' AND subject_id = ${a}`);
      });
      const [early, late] = [momentAfter(-1), momentAfter(0)];
      await set(a, `state = 'running', created_at = '${early}'`);
      await set(b, `state = 'running', created_at = '${early}'`);
      await set(c, `created_at = '${late}'`);
      await set(d, `state = 'completed', created_at = '${early}', finished_at = '${late}'`);
      await set(e, `state = 'needs_confirmation', finished_at = '${early}'`);
      await set(f, `state = 'needs_confirmation', finished_at = '${late}'`);
      await removeAllExpired(times(MOMENT));
      expect(await states(a, b, c, d, e, f)).toEqual([
        ...["failed", "running", "queued", "completed", "cancelled", "needs_confirmation"],
      ]);
      for (const id of ids) await set(id, "state = 'gone'");
    });

    test("deletes an import's file, its rows and the import itself when each has expired, and nothing of other imports", async () => {
      const dealer = await newDealer();
      const lines = Array.from({ length: MANY_ROWS }, (_, n) => `X${n},Kia,Rio,2020,1`);
      const old = await queued(dealer, `VIN,Make,Model,Year,Price\n${lines.join("\n")}\n`);
      const fresh = await queued(dealer);
      await runAll();
      const [abandoned, arriving] = [(await received(dealer)).id, (await received(dealer)).id];
      const gone = await queued(dealer);
      const all = [old, fresh, abandoned, arriving, gone];
      const [early, late] = [momentAfter(-1), momentAfter(0)];
      await set(old, `finished_at = '${early}', file_until = '${momentAfter(DAY_MS)}'`);
      await set(fresh, `finished_at = '${late}', file_until = '${momentAfter(DAY_MS + 1)}'`);
      await set(abandoned, `created_at = '${early}'`);
      await set(arriving, `created_at = '${late}'`);
      await set(gone, `state = 'gone', finished_at = '${late}'`);
      for (const id of [old, fresh, gone]) await addPhoto(id, dealer);

      await removeAllExpired(times(momentAfter(DAY_MS)));
      expect(await states(...all)).toEqual(["completed", "completed", null, "arriving", null]);
      const files = await Promise.all(all.map((id) => counted("import_chunks", id)));
      expect(files.map((pieces) => pieces > 0)).toEqual([false, true, false, true, false]);
      for (const table of ["import_rows", "import_photos"])
        expect(await Promise.all([old, fresh, gone].map((id) => counted(table, id)))).toEqual([0, 1, 0]);
      const until = await queryDatabase<{ file_until: string | null }>(
        db.url,
        `SELECT file_until FROM imports WHERE id IN (${old}, ${fresh}) ORDER BY id`,
      );
      expect(until.map(({ file_until }) => file_until !== null)).toEqual([false, true]);
      await repository.discard(arriving);
    });

    test("keeps the rows and photos of an import that runs again although it ended long ago", async () => {
      const dealer = await newDealer();
      const id = await queued(dealer);
      await runAll();
      await addPhoto(id, dealer);
      await set(id, `state = 'running', finished_at = '${momentAfter(-1)}'`);
      await removeAllExpired(times(MOMENT));
      expect([await counted("import_rows", id), await counted("import_photos", id)]).toEqual([1, 1]);
    });
  });
