import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeRowMending } from "../../adapters/sql/imports/mending.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import { makeImportWork } from "../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../adapters/sql/jobs/jobs.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { firstProgress } from "../../core/imports/after-step.ts";
import { type ImportOptions, optionsOf } from "../../core/imports/import.ts";
import {
  type ImportStep,
  PIECE_BYTES,
  type StoredImport,
  type StoredRow,
} from "../../core/imports/import-repository.ts";
import { makeImports } from "../../core/imports/imports.ts";
import { comparedKey } from "../../core/imports/matching.ts";
import { handleMissing } from "../../core/imports/missing.ts";
import type { Claim } from "../../core/jobs/job.ts";
import type { VehicleFields } from "../../core/vehicles/vehicle-repository.ts";
import { superAdminKey } from "../core/callers.ts";
import { succeeded, uploadOf } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { dealerFields, MOMENT, made, vehicleFields } from "../support/records.ts";
import { UNLIMITED_IMPORTS } from "../support/unlimited.ts";

setDefaultTimeout(300_000);

/** The number of vehicles whose status is forgotten at once. */
const FORGOTTEN_AT_ONCE = 500;
/** More missing vehicles than are forgotten at once. */
const MANY_MISSING = 1003;

const rowAt = (place: number, fields: Partial<StoredRow>): StoredRow => ({
  ...{ place, line: place + 1, row: place, key: null, dealerId: null, vehicle_id: null, outcome: "failed" },
  ...{ compared: { vin: null, stock_number: null }, changes: {}, errors: [], warnings: [] },
  ...fields,
});

for (const engine of ENGINES)
  describe(`the work of imports on ${engine.name}`, () => {
    const clock = fakeClock(Date.parse(MOMENT));
    let db: TestDatabase;
    let service: ReturnType<typeof open>;
    const claims = new Map<number, Claim>();

    const open = () => {
      const words = vehicleWordsIn(db);
      const work = makeImportWork(db, { clock, words, pause: nextTurn });
      const imports = makeImportRepository(db, clock);
      return {
        ...{ work, imports, jobs: makeJobs(db, clock), vehicles: makeVehicleRepository(db, words) },
        mending: makeRowMending(db, { clock, words, pause: nextTurn }),
        uses: makeImports({
          ...UNLIMITED_IMPORTS,
          imports,
          mappings: makeMappingRepository(db),
          work,
          clock,
          nudge: () => {},
          pause: nextTurn,
        }),
      };
    };

    beforeAll(async () => {
      db = await engine.open();
      service = open();
    });
    afterAll(() => db.close());

    const run = (text: string): Promise<void> => db.migrate(async (query) => void (await query(text)));

    const newDealer = async (): Promise<number> => (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;

    const newVehicle = async (dealer: number, fields: Partial<VehicleFields> = {}): Promise<number> =>
      made(await service.vehicles.insert(vehicleFields(dealer, fields), OPERATOR)).id;

    /** An import of a file with so many rows. */
    const queued = async (
      dealer_id: number,
      rows = 1,
      options: Pick<Partial<ImportOptions>, "missing"> = {},
    ): Promise<number> => {
      const file = uploadOf(`VIN,Make,Model,Year,Price\n${"V1,Kia,Rio,2020,1\n".repeat(rows)}`);
      const received = succeeded(
        await service.uses.receive(OPERATOR, { dealer_id, mode: "snapshot", ...options }, file),
      );
      return succeeded(await service.uses.start(OPERATOR, received)).id;
    };

    const claimOf = async (id: number): Promise<Claim> => {
      for (;;) {
        const claim = claims.get(id);
        if (claim !== undefined) return claim;
        const next = await service.jobs.claim("test", "import");
        if (next === null) throw new Error(`import ${id} has no free job`);
        claims.set(next.subjectId, next);
      }
    };

    const begun = async (dealer: number, rows?: number, options?: Pick<ImportOptions, "missing">): Promise<number> => {
      const id = await queued(dealer, rows, options);
      expect(await service.work.open(await claimOf(id))).toMatchObject({ id, state: "running" });
      return id;
    };

    const step = async <Result>(id: number, work: (step: ImportStep) => Promise<Result>): Promise<Result> =>
      service.work.step(await claimOf(id), work);

    const stored = async (id: number): Promise<StoredImport> => made(await service.imports.stored(id, null));

    const missing = async (id: number): Promise<readonly number[]> => service.work.missing(await stored(id));

    const listed = (id: number, after = 0): Promise<readonly number[]> =>
      step(id, async ({ missingAfter }) => (await missingAfter(after)).map(({ vehicleId }) => vehicleId));

    test("begins for its own import, while that waits or runs, and for no other", async () => {
      const [other, own, cancelled] = [
        await queued(await newDealer()),
        await queued(await newDealer()),
        await queued(await newDealer()),
      ];
      await run(`UPDATE imports SET state = 'cancelled' WHERE id = ${cancelled}`);
      const opened = async (id: number) => (await service.work.open(await claimOf(id)))?.id ?? null;
      expect([await opened(own), await opened(own), await opened(cancelled)]).toEqual([own, own, null]);
      const states = [other, own, cancelled].map(async (id) => (await stored(id)).state);
      expect(await Promise.all(states)).toEqual(["queued", "running", "cancelled"]);
    });

    test("sees, saves and ends its own import, and leaves another as it is", async () => {
      const [other, own] = [await begun(await newDealer()), await begun(await newDealer())];
      const before = await stored(other);
      await step(own, async ({ current, become }) => {
        expect(current.id).toBe(own);
        await become({ state: "running", progress: { ...current.progress, done: 7 } });
      });
      expect((await stored(own)).progress.done).toBe(7);
      expect(await stored(other)).toEqual(before);
      await step(own, ({ become }) => become({ state: "completed" }));
      expect((await stored(own)).state).toBe("completed");
      expect(await stored(other)).toEqual(before);
    });

    test("finds the vehicles that it asks for, and never another dealer's", async () => {
      const dealer = await newDealer();
      const asked = await newVehicle(dealer);
      await newVehicle(dealer);
      const foreign = await newVehicle(await newDealer());
      const found = await step(await begun(dealer), ({ vehiclesOf }) => vehiclesOf(dealer, [asked, foreign]));
      expect(found.map(({ id }) => id)).toEqual([asked]);
    });

    test("reads the pieces of its own file, from any byte on", async () => {
      const dealerId = await newDealer();
      const options = optionsOf({}, {});
      const received = async (...pieces: readonly Uint8Array[]): Promise<number> => {
        const arriving = { dealerId, sourceId: null, options, by: OPERATOR, now: MOMENT };
        const id = await service.imports.begin({ ...arriving, progress: firstProgress(options) });
        for (const [place, bytes] of pieces.entries()) await service.imports.addPiece(id, place, bytes);
        return id;
      };
      const ends = Uint8Array.of(7, 8, 9);
      const other = await received(Uint8Array.of(1));
      const own = await received(new Uint8Array(PIECE_BYTES).fill(2), ends);
      const read = async (id: number, offset: number): Promise<readonly number[]> => {
        const bytes: number[] = [];
        for await (const piece of service.work.bytesFrom(id, offset)) {
          bytes.push(...piece);
          if (bytes.length > PIECE_BYTES + ends.length) break;
        }
        return bytes;
      };
      expect(await read(other, 0)).toEqual([1]);
      expect((await read(own, 0)).length).toBe(PIECE_BYTES + ends.length);
      expect(await read(own, PIECE_BYTES - 1)).toEqual([2, ...ends]);
      expect(await read(own, PIECE_BYTES + 1)).toEqual([8, 9]);
    });

    test("misses the dealer's unsold vehicles that no row of its own file is about", async () => {
      const dealer = await newDealer();
      await newVehicle(await newDealer());
      const of = (vin: string | null, stock_number: string | null = null, fields = {}) =>
        newVehicle(dealer, { vin, stock_number, ...fields });
      const named = await of("NAMED", "S1");
      await of("SOLD", null, { status: "sold" });
      await of("FAILEDVIN");
      await of(null, "Große 7");
      // The trim's spelling has no accents, while they tell stock numbers apart.
      const spelled = await of("ABSENT", "Öst 2", { trim: "Öst 2" });
      const absent = [spelled, await of("ABSENT2"), await of(null, "Süd 3"), await of(null)];
      const earlier = await begun(dealer);
      await step(earlier, async ({ storeRows, become }) => {
        await storeRows([rowAt(1, { outcome: "updated", vehicle_id: absent[0] ?? 0 })]);
        await become({ state: "completed" });
      });

      const id = await begun(dealer, 5);
      await step(id, async ({ storeRows, storeMissing }) => {
        await storeRows([
          // A good row is about the vehicle that was found for it, whatever else has the row's VIN or stock number.
          rowAt(1, {
            ...{ outcome: "updated", vehicle_id: named },
            compared: comparedKey({ vin: "ABSENT2", stock_number: "Süd 3" }),
          }),
          rowAt(2, { compared: comparedKey({ vin: "failedvin", stock_number: null }) }),
          rowAt(3, { compared: comparedKey({ vin: null, stock_number: "GROSSE 7" }) }),
          rowAt(4, {}),
          rowAt(5, { compared: comparedKey({ vin: null, stock_number: "Ost 2" }) }),
        ]);
        await storeMissing(absent, 0);
      });
      expect(await missing(id)).toEqual(absent);
    });

    test("does not miss a vehicle whose former key a failed row of its file has, and no other row counts", async () => {
      const dealer = await newDealer();
      const byStock = await newVehicle(dealer, { stock_number: "NEW3" });
      const vehicles = [await newVehicle(dealer, { vin: "NEW1" }), await newVehicle(dealer, { vin: "NEW2" })];
      const [earlier, id] = [await begun(await newDealer(), 2), await begun(dealer, 3)];
      const bases = vehicles.map((vehicleId, at) => ({ dealerId: dealer, vehicleId, base: { vin: `OLD${at + 1}` } }));
      const baseOfStock = { dealerId: dealer, vehicleId: byStock, base: { stock_number: "OLD3" } };
      await step(id, ({ storeBases }) => storeBases("uploads", [...bases, baseOfStock], MOMENT));
      const called = (vin: string) => ({ compared: comparedKey({ vin, stock_number: null }) });
      await step(earlier, ({ storeRows }) => storeRows([rowAt(1, called("OLD2"))]));
      await step(id, ({ storeRows }) =>
        storeRows([
          rowAt(1, called("OLD1")),
          rowAt(2, { ...called("OLD2"), outcome: "skipped" }),
          rowAt(3, { compared: comparedKey({ vin: null, stock_number: "OLD3" }) }),
          // It is behind the rows of the file.
          rowAt(4, called("OLD2")),
        ]),
      );
      const { progress, ...others } = await stored(id);
      const withFailed = { ...others, progress: { ...progress, counts: { ...progress.counts, failed: 1 } } };
      expect(await service.work.missing(withFailed)).toEqual(vehicles.slice(1));
    });

    test("lists the vehicles that are missing behind the rows of its file, a few at a time", async () => {
      const [other, own] = [await begun(await newDealer()), await begun(await newDealer(), 2)];
      await step(other, ({ storeMissing }) => storeMissing([1, 2, 3, 4], 0));
      await step(own, async ({ storeRows, storeMissing }) => {
        await storeRows([rowAt(1, { outcome: "created", vehicle_id: 10 }), rowAt(2, {})]);
        await storeMissing([11, 12], 0);
        await storeMissing([13], 2);
      });
      expect(await listed(own)).toEqual([11, 12, 13]);
      expect(await listed(own, 3)).toEqual([12, 13]);
      expect(await listed(other)).toEqual([1, 2, 3, 4]);
    });

    for (const [action, changes, left] of [
      ["remove", {}, []],
      ["sold", { status: ["available", "sold"] }, [["THERE", "sold"]]],
      ["report", {}, [["THERE", "available"]]],
    ] as const)
      test(`handles missing vehicles by ${action}, and leaves those alone that were sold or removed meanwhile`, async () => {
        const dealer = await newDealer();
        const there = await newVehicle(dealer, { vin: "THERE" });
        const sold = await newVehicle(dealer, { vin: "SOLD", status: "sold" });
        const gone = await newVehicle(dealer, { vin: "GONE" });
        const by = superAdminKey({ keyId: null });
        await service.vehicles.remove({ id: gone, scope: null, versions: null, now: MOMENT, by });
        const id = await begun(dealer, 1, { missing: action });
        await step(id, ({ storeMissing }) => storeMissing([there, sold, gone], 0));
        const results = await step(id, (all) => handleMissing(all, { by, clock, done: 0 }));
        expect(results).toMatchObject([
          { vehicle_id: there, key: "THERE", outcome: "missing", changes },
          { vehicle_id: sold, key: "SOLD", outcome: "missing", changes: {} },
          { vehicle_id: gone, key: null, outcome: "missing", changes: {} },
        ]);
        const stock = await step(id, ({ vehiclesOf }) => vehiclesOf(dealer, [there, sold, gone]));
        expect(stock.map(({ vin, status }) => [vin, status]).sort()).toEqual([
          ["SOLD", "sold"],
          ...left.map((one) => [...one]),
        ]);
        expect(await step(id, (all) => handleMissing(all, { by, clock, done: 3 + 1 }))).toBeNull();
      });

    test("forgets all vehicles that were missing, but neither the rows of its file nor another import's", async () => {
      const ids = Array.from({ length: MANY_MISSING }, (_, n) => n + 1);
      const [other, own] = [await begun(await newDealer(), 2), await begun(await newDealer(), 2)];
      for (const id of [other, own])
        await step(id, async ({ storeRows, storeMissing }) => {
          await storeRows([rowAt(1, { outcome: "created", vehicle_id: 10 }), rowAt(2, {})]);
          await storeMissing(ids, 0);
        });
      while (await step(own, ({ deleteMissing }) => deleteMissing()));
      const rows = [own, other].map(async (id) => (await service.imports.rows({ id, limit: 1, after: null })).total);
      expect(await Promise.all(rows)).toEqual([2, 2 + MANY_MISSING]);
    });

    describe("forgets what a file said of the status of", () => {
      const UPLOADS = "uploads";
      const ELSEWHERE = "elsewhere";
      /** Each vehicle is said to be available, by its dealer's uploads and by another source. */
      const say = (id: number, vehicles: readonly (readonly [dealer: number, vehicle: number])[]) =>
        step(id, async ({ storeBases }) => {
          const bases = vehicles.map(([dealerId, vehicleId]) => ({
            dealerId,
            vehicleId,
            base: { status: "available" },
          }));
          for (const source of [UPLOADS, ELSEWHERE]) await storeBases(source, bases, MOMENT);
        });
      /** The names of those whose status is forgotten. */
      const forgotten = async (named: Readonly<Record<string, number>>): Promise<readonly string[]> => {
        const text = "SELECT vehicle_id, source FROM import_bases WHERE status IS NULL ORDER BY vehicle_id, source";
        const rows = await queryDatabase<{ vehicle_id: number; source: string }>(db.url, text);
        return Object.entries(named).flatMap(([name, id]) =>
          rows.filter((row) => row.vehicle_id === id).map(({ source }) => `${name} by ${source}`),
        );
      };

      test("the vehicles that it misses: those of its own dealer and source alone", async () => {
        const [dealer, other] = [await newDealer(), await newDealer()];
        const named = { one: await newVehicle(dealer), two: await newVehicle(dealer), theirs: await newVehicle(other) };
        const id = await begun(dealer);
        await say(id, [
          [dealer, named.one],
          [dealer, named.two],
          [other, named.theirs],
        ]);
        await step(id, ({ forgetStatusOf }) => forgetStatusOf(UPLOADS, [named.one, named.theirs]));
        expect(await forgotten(named)).toEqual([`one by ${UPLOADS}`]);
      });

      test("sold vehicles that are not among its rows: those of its own dealer and source alone", async () => {
        const [dealer, other] = [await newDealer(), await newDealer()];
        const sold = (ofDealer: number) => newVehicle(ofDealer, { status: "sold" });
        const named = {
          ...{ absent: await sold(dealer), first: await sold(dealer), last: await sold(dealer) },
          ...{ missing: await sold(dealer), unsold: await newVehicle(dealer), theirs: await sold(other) },
          ...{ came: await sold(dealer), left: await sold(other) },
        };
        const [earlier, id] = [await begun(await newDealer(), 2), await begun(dealer, 3)];
        await say(id, [
          ...[named.absent, named.first, named.last, named.missing, named.unsold].map(
            (vehicle) => [dealer, vehicle] as const,
          ),
          [other, named.theirs],
          // As if what was said of vehicles that moved were still there.
          [other, named.came],
          [dealer, named.left],
        ]);
        await step(earlier, ({ storeRows }) => storeRows([rowAt(1, { outcome: "updated", vehicle_id: named.absent })]));
        await step(id, ({ storeRows }) =>
          storeRows([
            rowAt(1, { outcome: "updated", vehicle_id: named.first }),
            rowAt(2, {}),
            rowAt(3, { outcome: "unchanged", vehicle_id: named.last }),
            // Behind the rows of the file are the vehicles that it misses.
            rowAt(4, { outcome: "missing", vehicle_id: named.missing }),
          ]),
        );
        expect(await step(id, ({ forgetStatusOfAbsent }) => forgetStatusOfAbsent(UPLOADS))).toBe(false);
        expect(await forgotten(named)).toEqual([`absent by ${UPLOADS}`, `missing by ${UPLOADS}`]);
      });

      test("so many vehicles in one transaction, each once", async () => {
        const dealer = await newDealer();
        const lot = Array.from({ length: FORGOTTEN_AT_ONCE }, () => ({
          fields: vehicleFields(dealer, { status: "sold" }),
          images: [],
        }));
        await makeBulk(db, { now: () => MOMENT }, OPERATOR).addVehicles(lot);
        const text = `SELECT id FROM vehicles WHERE dealer_id = ${dealer}`;
        const ids = (await queryDatabase<{ id: number }>(db.url, text)).map((row) => row.id);
        const id = await begun(dealer);
        await say(
          id,
          ids.map((vehicle) => [dealer, vehicle] as const),
        );
        const forget = () => step(id, ({ forgetStatusOfAbsent }) => forgetStatusOfAbsent(UPLOADS));
        expect([await forget(), await forget()]).toEqual([true, false]);
      });
    });

    test("finds the failed rows of its own import that are asked for to be mended, and saves its own progress", async () => {
      const [dealer, other] = [await newDealer(), await newDealer()];
      const ids = [await begun(dealer, 3), await begun(other, 3)] as const;
      for (const id of ids)
        await step(id, ({ storeRows }) =>
          storeRows([rowAt(1, { cells: [id] }), rowAt(2, { cells: [id] }), rowAt(3, { outcome: "skipped" })]),
        );
      for (const id of ids) {
        const failed = await service.mending.within({ id, scope: null }, ({ failedRows }) => failedRows([1, 3]));
        expect([...made(failed)].map(([place, { cells }]) => [place, cells])).toEqual([[1, [id]]]);
      }
      const [own, theirs] = ids;
      const before = await stored(theirs);
      await service.mending.within({ id: own, scope: dealer }, ({ current, progressed }) =>
        progressed({ ...current.progress, done: 9 }),
      );
      expect([(await stored(own)).progress.done, await stored(theirs)]).toEqual([9, before]);
      expect(await service.mending.within({ id: theirs, scope: dealer }, async () => true)).toBeNull();
    });

    test("has the photos of its own rows fetched later, and leaves those of another import waiting", async () => {
      const [own, other] = [await newDealer(), await newDealer()];
      const ids = [await begun(own), await begun(other)] as const;
      for (const [at, dealerId] of [own, other].entries()) {
        const one = { place: 1, dealerId, vehicleId: await newVehicle(dealerId) };
        const addresses = ["https://a.example.com/1.jpg", "https://a.example.com/2.jpg"].slice(at);
        await step(ids[at] ?? 0, ({ fetchLater }) => fetchLater(addresses.map((address) => ({ ...one, address }))));
      }
      const waiting = async () => {
        const text = `SELECT import_id FROM import_photos WHERE import_id IN (${ids.join(", ")}) ORDER BY import_id`;
        const rows = await queryDatabase<{ import_id: number }>(db.url, text);
        return [
          ...(await Promise.all(ids.map(stored))).map(({ images }) => images.waiting),
          ...rows.map((row) => row.import_id),
        ];
      };
      expect(await waiting()).toEqual([2, 1, ids[0], ids[0], ids[1]]);
      await service.imports.end({ id: ids[0], scope: own, now: MOMENT }, () => "leave-photos");
      expect(await waiting()).toEqual([0, 1, ids[1]]);
    });

    test("compares what is missing with the previous file of its own source, once", async () => {
      const dealer = await newDealer();
      const newSource = async (lately: readonly number[]): Promise<number> => {
        await run(`INSERT INTO import_sources
          (name, dealer_id, url, schedule, timezone, options, active, missing_lately, failures, runs, created_at, updated_at)
          VALUES ('Nightly', ${dealer}, 'https://lot.example.com/stock.csv', '0 4 * * *', 'UTC', '{}', 1,
            '${JSON.stringify(lately)}', 0, '[]', '${MOMENT}', '${MOMENT}')`);
        const [source] = await queryDatabase<{ id: number }>(db.url, "SELECT max(id) AS id FROM import_sources");
        return source?.id ?? 0;
      };
      const [own, other] = [await newSource([1, 2]), await newSource([5])];
      const fetchedFrom = async (source: number): Promise<number> => {
        const id = await begun(dealer);
        await run(`UPDATE imports SET source_id = ${source} WHERE id = ${id}`);
        return id;
      };
      const inBoth = (id: number, ids: readonly number[]) =>
        step(id, ({ missingInBothFiles }) => missingInBothFiles(ids));
      const lately = async (): Promise<readonly unknown[]> => {
        const text = `SELECT missing_lately FROM import_sources WHERE id IN (${own}, ${other}) ORDER BY id`;
        const rows = await queryDatabase<{ missing_lately: string }>(db.url, text);
        return rows.map(({ missing_lately }) => JSON.parse(missing_lately));
      };
      const elsewhere = await begun(await newDealer());
      const first = await fetchedFrom(own);
      expect(await inBoth(first, [2, 3])).toEqual([2]);
      const kept = `SELECT missing_before FROM imports WHERE id IN (${elsewhere}, ${first}) ORDER BY id`;
      expect(await queryDatabase<object>(db.url, kept)).toEqual([
        { missing_before: null },
        { missing_before: "[1,2]" },
      ]);
      expect(await lately()).toEqual([[2, 3], [5]]);
      expect(await inBoth(first, [1, 3])).toEqual([1]);
      expect(await lately()).toEqual([[2, 3], [5]]);
      await step(first, ({ become }) => become({ state: "completed" }));
      expect(await inBoth(await fetchedFrom(other), [5, 6])).toEqual([5]);
      const after = [
        [2, 3],
        [5, 6],
      ];
      expect(await lately()).toEqual(after);
      // An import of another dealer neither reads nor changes what was missing lately.
      await run(`UPDATE imports SET source_id = ${own} WHERE id = ${elsewhere}`);
      expect(await inBoth(elsewhere, [3, 4])).toEqual([]);
      expect(await lately()).toEqual(after);
    });

    test("misses, once the files of its source were compared, only what both left out", async () => {
      const dealer = await newDealer();
      const [both, lately] = [await newVehicle(dealer), await newVehicle(dealer)];
      const other = await begun(await newDealer());
      const own = await begun(dealer);
      await run(`UPDATE imports SET source_id = 1, missing_before = '[${lately}]' WHERE id = ${other}`);
      await run(`UPDATE imports SET source_id = 1 WHERE id = ${own}`);
      expect(await missing(own)).toEqual([both, lately]);
      await run(`UPDATE imports SET missing_before = '[${both}]' WHERE id = ${own}`);
      expect(await missing(own)).toEqual([both]);
    });
  });
