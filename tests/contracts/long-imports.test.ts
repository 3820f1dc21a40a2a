import { describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { rowResults } from "../../adapters/sql/imports/row-results.ts";
import { makeStoredBytes } from "../../adapters/sql/imports/stored-bytes.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { MAX_FAILED_CELLS } from "../../core/imports/failed-cells.ts";
import type { Import, ImportQuery } from "../../core/imports/import.ts";
import { type ImportWork, PIECE_BYTES } from "../../core/imports/import-repository.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { makeImportRun } from "../../core/imports/run.ts";
import { succeeded, uploadOf } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { cutText } from "../support/cut-text.ts";
import { ENGINES } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { recording } from "../support/recording.ts";
import { dealerFields, MOMENT, made } from "../support/records.ts";
import { UNLIMITED, UNLIMITED_IMPORTS } from "../support/unlimited.ts";

const ROWS = 12;
/** Empty cells, which make a row slow to read. */
const EMPTY_CELLS = 200_000;
const IMAGES = 60;

for (const engine of ENGINES)
  describe(`long imports on ${engine.name}`, () => {
    /** A database with a dealer, and functions that run imports of files. */
    const openImports = async (pause: () => Promise<void>) => {
      const db = await engine.open();
      const clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
      const work = makeImportWork(db, { clock, words: vehicleWordsIn(db), pause: nextTurn });
      const stored = { imports: makeImportRepository(db, clock), mappings: makeMappingRepository(db) };
      const imports = makeImports({ ...UNLIMITED_IMPORTS, ...stored, work, clock, nudge: () => {}, pause: nextTurn });
      const dealer_id = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const steps: number[] = [];
      /** Records how many rows each transaction writes. */
      const watched: ImportWork = {
        ...work,
        step: (claim, doing) =>
          work.step(claim, (step) =>
            doing({
              ...step,
              async storeRows(rows) {
                steps.push(rows.length);
                return step.storeRows(rows);
              },
            }),
          ),
      };
      const { run } = makeImportRun({
        ...UNLIMITED,
        work: watched,
        clock,
        pause,
        images: { max: 100, issuesOf: () => [] },
      });
      /** Continues the waiting import until `isStopping`. */
      const goOn = async (isStopping = () => false): Promise<void> => {
        const jobs = makeJobs(db, clock);
        const claim = made(await jobs.claim("one", "import"));
        await run(claim, isStopping);
        await jobs.release(claim);
      };
      const imported = async (
        text: string,
        { isStopping, ...options }: ImportQuery & { readonly isStopping?: () => boolean } = {},
      ): Promise<Import> => {
        const arrived = succeeded(await imports.receive(OPERATOR, { ...options, dealer_id }, uploadOf(text)));
        const { id } = succeeded(await imports.start(OPERATOR, arrived));
        await goOn(isStopping);
        return succeeded(await imports.get(OPERATOR, id));
      };
      return { db, imports, imported, goOn, steps };
    };

    test("read few rows of one outcome through an index", async () => {
      if (engine.name !== "SQLite") return;
      const { db, imported } = await openImports(nextTurn);
      const { id } = await imported("vin,year,make,model,price\nA1,2020,Kia,Rio,9000\nA2,2020,Kia,Rio,x\n");
      const watched = recording(db);
      const imports = makeImportRepository(watched.db, fakeClock(0));
      const { items } = await imports.rows({ id, outcome: "failed", limit: 10, after: null });
      expect([items.length, (await imports.failedRows(id, 0)).rows.length]).toEqual([1, 1]);
      const ran = watched.ran();
      expect(ran).toHaveLength(5);
      for (const { plan } of ran)
        expect((await plan()).filter((step) => step.startsWith("SEARCH") && !step.includes("AND place=?"))).toEqual([
          expect.stringContaining("COVERING INDEX import_rows_by_outcome (import_id=? AND outcome=?"),
        ]);
      await db.close();
    });

    test("keep of failed rows and long texts what is bounded, and the dealer's kept bytes count files, results and entries of a day", async () => {
      const { db, imports, imported, goOn } = await openImports(nextTurn);
      const stored = makeStoredBytes(db);
      const [dealer, since] = [1, "2026-11-19T09:11:00.000Z"];
      const entries = async (): Promise<number> =>
        Number(
          (
            await queryDatabase<{ entries: number }>(
              db.url,
              `SELECT count(*) AS entries FROM audit_entries WHERE dealer_id = ${dealer} AND created_at >= '${since}'`,
            )
          )[0]?.entries,
        );
      expect(await stored.of(dealer, since)).toBe(2048 * (await entries()));
      const long = "d".repeat(3000);
      const text = `VIN,Make,Model,Year,Price,Description\nV1,Kia,Rio,2020,1,${long}\nV2,Kia,Rio,x,1,${long}\n`;
      const { id } = await imported(text);
      const [good, bad] = succeeded(await imports.rows(OPERATOR, id, {})).items;
      expect(good?.changes.description).toEqual([null, cutText(long)]);
      expect(bad?.errors.map(({ code }) => code)).not.toContain("cells_not_kept");
      const sizes = await queryDatabase<{ bytes: number }>(
        db.url,
        "SELECT sum(length(result) + COALESCE(length(cells), 0)) AS bytes FROM import_rows",
      );
      // Only the ellipsis of the cut text takes more bytes than characters.
      const rows = Number(sizes[0]?.bytes) + 2;
      expect(await stored.of(dealer, since)).toBe(PIECE_BYTES + rows + 2048 * (await entries()));
      expect(await stored.of(null, since)).toBe(0);

      // As if failed rows before these had almost filled the bound.
      await imported(text, { isStopping: () => true });
      const full = JSON.stringify({ keptCells: MAX_FAILED_CELLS - 100 }).slice(1);
      await db.migrate(
        async (run) =>
          void (await run(
            `UPDATE imports SET progress = '{' || '${full.slice(0, -1)},' || substr(progress, 2) WHERE id = ${id + 1}`,
          )),
      );
      await goOn();
      const [, unkept] = succeeded(await imports.rows(OPERATOR, id + 1, {})).items;
      expect(unkept?.errors.map(({ code }) => code)).toContain("cells_not_kept");
      const { rows: failed } = await makeImportRepository(db, fakeClock(0)).failedRows(id + 1, 0);
      expect(failed.map(({ line, cells }) => [line, cells])).toEqual([[3, []]]);
      await db.close();
    });

    test("let others in between the pieces of a file with long rows, even within one batch", async () => {
      let pauses = 0;
      const { db, imported } = await openImports(async () => void pauses++);
      const lines = Array.from({ length: ROWS }, (_, n) => `V${n},Kia,Rio,2020,${n + 1}${",".repeat(EMPTY_CELLS)}`);
      const text = `VIN,Make,Model,Year,Price\n${lines.join("\n")}\n`;
      expect(await imported(text)).toMatchObject({ state: "completed", counts: { created: ROWS } });
      expect(pauses).toBeGreaterThanOrEqual(text.length / PIECE_BYTES);
      await db.close();
    });

    test("store the results of rows with long texts in parts, each in a turn of its own", async () => {
      const db = await engine.open();
      const clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
      const work = makeImportWork(db, { clock, words: vehicleWordsIn(db), pause: nextTurn });
      const stored = { imports: makeImportRepository(db, clock), mappings: makeMappingRepository(db) };
      const imports = makeImports({ ...UNLIMITED_IMPORTS, ...stored, work, clock, nudge: () => {}, pause: nextTurn });
      const dealer_id = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const file = uploadOf("VIN,Make,Model,Year,Price\nV1,Kia,Rio,2020,1\n");
      const { id } = succeeded(
        await imports.start(OPERATOR, succeeded(await imports.receive(OPERATOR, { dealer_id }, file))),
      );
      const rows = Array.from({ length: 100 }, (_, n) => ({
        ...{ place: n + 1, line: n + 2, row: n + 1, key: null, dealerId: dealer_id, outcome: "updated" as const },
        ...{ compared: { vin: null, stock_number: null }, vehicle_id: n + 1, errors: [], warnings: [] },
        changes: { description: ["é".repeat(900), "à".repeat(900)] as const },
      }));
      const parts: number[] = [];
      let turn = 0;
      const turns: number[] = [];
      const bytes = await db.write((tx) =>
        rowResults(db, async () => void turn++)(
          {
            ...tx,
            all(statement, values) {
              parts.push((JSON.parse(String(values.rows)) as unknown[]).length);
              turns.push(turn);
              return tx.all(statement, values);
            },
          },
          id,
          rows,
        ),
      );
      expect(bytes).toBeGreaterThan(100 * 3600);
      expect(parts.length).toBeGreaterThan(4);
      expect(parts.reduce((sum, rows) => sum + rows, 0)).toBe(100);
      expect(new Set(turns).size).toBe(parts.length);
      const repository = makeImportRepository(db, clock);
      expect((await repository.rows({ id, outcome: "updated", limit: 1000, after: null })).total).toBe(100);
      await db.close();
    });

    test("let others in while they skip the rows that are already done", async () => {
      let pauses = 0;
      const { db, imported, goOn, steps } = await openImports(async () => void pauses++);
      const lines = Array.from({ length: 700 }, (_, n) => `V${n},Kia,Rio,2020,${n + 1}`);
      const done = () => steps.reduce((sum, rows) => sum + rows, 0);
      await imported(`VIN,Make,Model,Year,Price\n${lines.join("\n")}\n`, {
        isStopping: () => done() >= 600,
      });
      expect(done()).toBe(600);
      pauses = 0;
      let asked = 0;
      await goOn(() => asked++ > 0);
      expect(pauses).toBeGreaterThanOrEqual(600 / 500);
      await goOn();
      expect(done()).toBe(700);
      await db.close();
    });

    test("let others in while they collect the many vehicles that a snapshot does not name, and can be stopped then", async () => {
      let whilePaused = async (): Promise<void> => {};
      const { db, imports, imported, goOn } = await openImports(() => whilePaused());
      const lines = Array.from({ length: 700 }, (_, n) => `V${n},Kia,Rio,2020,${n + 1}`);
      const heading = "VIN,Make,Model,Year,Price";
      const first = await imported(`${heading}\n${lines.join("\n")}\n`);
      const missing = async (id: number) => succeeded(await imports.rows(OPERATOR, id, { outcome: "missing" })).total;
      const rest = `${heading}\n${lines.slice(0, 100).join("\n")}\n`;
      const stored = new Set<number>();
      whilePaused = async () => void stored.add(await missing(first.id + 1));
      const { id, counts } = await imported(rest, { mode: "snapshot", missing: "report" });
      expect(counts.missing).toBe(600);
      expect([...stored]).toEqual([0, 500, 600]);
      const repository = makeImportRepository(db, fakeClock(0));
      const { items, total } = await repository.rows({ id, outcome: "missing", limit: 500, after: null });
      expect([total, items.length, items.at(0)?.row]).toEqual([600, 500, null]);

      const next = id + 1;
      whilePaused = async () => {
        if ((await missing(next)) === 0) return;
        whilePaused = async () => {};
        succeeded(await imports.cancel(OPERATOR, next));
      };
      const stopped = await imported(rest, { mode: "snapshot" });
      expect(stopped).toMatchObject({ id: next, state: "cancelled" });
      succeeded(await imports.run(OPERATOR, next));
      await goOn();
      const again = succeeded(await imports.get(OPERATOR, next));
      expect(again).toMatchObject({ state: "needs_confirmation", counts: { unchanged: 100, missing: 600 } });
      expect(await missing(next)).toBe(600);
      await db.close();
    });

    test("end when the mapping is deleted that their files are compared for, and overwrite no correction", async () => {
      const { db, imports, imported, goOn, steps } = await openImports(nextTurn);
      const mappings = makeMappingRepository(db);
      const mapping = await mappings.insert(
        { name: "Own", dealer_id: 1, columns: {}, values: {}, created_at: MOMENT, updated_at: MOMENT },
        OPERATOR,
      );
      if (typeof mapping !== "object") throw new Error("the dealer is there");
      const file = (miles: number): string =>
        `VIN,Make,Model,Year,Price,Mileage,Description\n${Array.from(
          { length: 120 },
          (_, n) => `V${n},Kia,Rio,2020,${n + 1},${miles},of the file`,
        ).join("\n")}\n`;
      const by = { mapping: mapping.id };
      expect(await imported(file(1), by)).toMatchObject({ state: "completed", counts: { created: 120 } });
      const vehicles = makeVehicleRepository(db);
      const correct = (id: number) =>
        vehicles.update({
          ...{ id, scope: null, now: MOMENT, versions: null, by: OPERATOR },
          changes: { description: "corrected" },
        });
      for (const id of [1, 120]) await correct(id);
      const seen = steps.length;
      const { id } = await imported(file(2), { ...by, isStopping: () => steps.length > seen });
      await mappings.remove({ id: mapping.id, scope: null, now: MOMENT, by: OPERATOR });
      await goOn();
      expect(succeeded(await imports.get(OPERATOR, id))).toMatchObject({
        ...{ state: "failed", error: { code: "source_gone" }, counts: { updated: 100 } },
      });
      const told = await queryDatabase(
        db.url,
        "SELECT id, mileage FROM vehicles WHERE description = 'corrected' ORDER BY id",
      );
      expect(told.map((row) => Object.values(row).map(Number))).toEqual([
        [1, 2],
        [120, 1],
      ]);
      await db.close();
    });

    test("let others write between rows that change many images", async () => {
      const { db, imported, steps } = await openImports(async () => {});
      const file = (name: string): string => {
        const images = Array.from({ length: IMAGES }, (_, n) => `https://a.example/${name}${n}`).join(" ");
        const lines = Array.from({ length: 6 }, (_, n) => `V${n},Kia,Rio,2020,${n + 1},${images}`);
        return `VIN,Make,Model,Year,Price,Images\n${lines.join("\n")}\n`;
      };
      expect(await imported(file("a"))).toMatchObject({ state: "completed", counts: { created: 6 } });
      expect(await imported(file("b"))).toMatchObject({ state: "completed", counts: { updated: 6 } });
      expect(await imported(file("b"))).toMatchObject({ state: "completed", counts: { unchanged: 6 } });
      // A batch ends at 200 images, including those that are removed.
      expect(steps).toEqual([4, 2, 2, 2, 2, 6]);
      await db.close();
    });
  });
