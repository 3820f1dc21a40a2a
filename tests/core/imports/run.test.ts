import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeImportRepository } from "../../../adapters/sql/imports/repository.ts";
import { makeImportWork } from "../../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../../adapters/sql/jobs/jobs.ts";
import { nextTurn } from "../../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../../adapters/sql/search/vehicle-words.ts";
import { makeBulk } from "../../../adapters/sql/vehicles/bulk.ts";
import { makeVehicleRepository } from "../../../adapters/sql/vehicles/repository.ts";
import { OPERATOR } from "../../../core/access/principal.ts";
import { charactersOf } from "../../../core/imports/failed-cells.ts";
import type { ImportQuery, RowOutcome } from "../../../core/imports/import.ts";
import type { ImportProgress, ImportWork } from "../../../core/imports/import-repository.ts";
import type { Upload } from "../../../core/imports/reception.ts";
import { TURN_MS } from "../../../core/imports/rows.ts";
import { makeImportRun } from "../../../core/imports/run.ts";
import { type Claim, MAX_ATTEMPTS } from "../../../core/jobs/job.ts";
import type { VehicleFields } from "../../../core/vehicles/vehicle-repository.ts";
import { queryDatabase } from "../../support/inspect-database.ts";
import { MOMENT, made, vehicleFields } from "../../support/records.ts";
import { UNLIMITED } from "../../support/unlimited.ts";
import {
  causeOf,
  newDealerBody,
  newSourceBody,
  openUseCases,
  succeeded,
  type UseCases,
  uploadOf,
} from "../use-cases.ts";

/** The rows of a transaction, and the characters of their cells after which it ends. */
const [BATCH_ROWS, BATCH_CHARACTERS] = [100, 128 * 1024];
/** The missing vehicles that are stored in one transaction, and those that are handled. */
const [STORED_AT_ONCE, HANDLED_AT_ONCE] = [500, 50];
const MOST_IMAGES = 100;
/** An import that does not end pauses for ever. */
const MOST_PAUSES = 2000;

/** A cell that ends the batch of its row. */
const LONG = "x".repeat(BATCH_CHARACTERS);
const HEADING = "VIN,Make,Model,Year,Price";
const rowsOf = (vins: readonly string[], price = 9000): string =>
  vins.map((vin) => `${vin},Kia,Rio,2020,${price}\n`).join("");
const fileOf = (vins: readonly string[], price?: number): string => `${HEADING}\n${rowsOf(vins, price)}`;
const numbered = (count: number): string[] => Array.from({ length: count }, (_, n) => `N${n}`);

let uses: UseCases;
let dealer: number;
let jobs: ReturnType<typeof makeJobs>;
const claims = new Map<number, Claim>();

beforeAll(async () => {
  uses = await openUseCases();
  jobs = makeJobs(uses.db, uses.clock);
});
afterAll(() => uses.db.close());

const newDealer = async (fields: object = {}): Promise<void> => {
  dealer = succeeded(await uses.dealers.create(OPERATOR, { ...newDealerBody(), ...fields })).id;
};
const newVehicle = async (fields: Partial<VehicleFields>): Promise<number> =>
  made(await makeVehicleRepository(uses.db).insert(vehicleFields(dealer, fields), OPERATOR)).id;
const newLot = (vins: readonly string[]): Promise<unknown> =>
  makeBulk(uses.db, { now: () => MOMENT }, OPERATOR).addVehicles(
    vins.map((vin) => ({ fields: vehicleFields(dealer, { vin }), images: [] })),
  );
const query = <Row extends object>(text: string): Promise<readonly Row[]> => queryDatabase<Row>(uses.db.url, text);
/** What the dealer's vehicles have in a column, by their VINs. */
const stock = async (column: string): Promise<Record<string, unknown>> => {
  const text = `SELECT vin, ${column} AS value FROM vehicles WHERE dealer_id = ${dealer} ORDER BY id`;
  return Object.fromEntries((await query<{ vin: string; value: unknown }>(text)).map(({ vin, value }) => [vin, value]));
};
const correct = async (vin: string, changes: object): Promise<void> => {
  const [row] = await query<{ id: number }>(`SELECT id FROM vehicles WHERE dealer_id = ${dealer} AND vin = '${vin}'`);
  succeeded(await uses.vehicles.update(OPERATOR, { id: row?.id ?? 0, input: changes }));
};

/** An import that waits. */
const queued = async (file: string | Upload, options: ImportQuery = {}): Promise<number> => {
  const upload = typeof file === "string" ? uploadOf(file) : file;
  const arrived = succeeded(await uses.imports.receive(OPERATOR, { dealer_id: dealer, ...options }, upload));
  return succeeded(await uses.imports.start(OPERATOR, arrived)).id;
};

const claimOf = async (id: number): Promise<Claim> => {
  for (;;) {
    const claim = claims.get(id);
    if (claim !== undefined) return claim;
    const next = made(await jobs.claim("one", "import"));
    claims.set(next.subjectId, next);
  }
};

interface Ran {
  /** What the transactions stored, with its number. */
  readonly did: readonly string[];
  readonly pauses: number;
  /** The outcomes that were counted. */
  readonly counted: readonly RowOutcome[];
}

/** How an import is run: each reading of the clock takes so long, and it is interrupted after some of what it does. */
interface RunOptions {
  readonly tickMs?: number;
  /** True once the service stops. */
  readonly isStopping?: (did: readonly string[]) => boolean;
  /** Is called while other work has its turn. */
  readonly meanwhile?: (did: readonly string[]) => Promise<unknown>;
  readonly attempts?: number;
}

/** Runs a waiting import, or lets one go on. */
const run = async (
  id: number,
  { tickMs = 0, isStopping = () => false, meanwhile = async () => {}, attempts }: RunOptions = {},
): Promise<Ran> => {
  const did: string[] = [];
  const counted: RowOutcome[] = [];
  let [pauses, steadyMs] = [0, 0];
  const written = makeImportWork(uses.db, { clock: uses.clock, words: vehicleWordsIn(uses.db), pause: nextTurn });
  const work: ImportWork = {
    ...written,
    step: (claim, doing) =>
      written.step(claim, (step) =>
        doing({
          ...step,
          storeRows: (rows) => {
            did.push(`rows ${rows.length}`);
            return step.storeRows(rows);
          },
          storeMissing: (ids, kept) => {
            did.push(`missing ${ids.length}`);
            return step.storeMissing(ids, kept);
          },
          fetchLater: (photos) => {
            did.push(`photos ${photos.length}`);
            return step.fetchLater(photos);
          },
        }),
      ),
  };
  const importing = makeImportRun({
    work,
    clock: {
      ...uses.clock,
      steadyMs() {
        steadyMs += tickMs;
        return steadyMs;
      },
    },
    async pause() {
      pauses++;
      if (pauses > MOST_PAUSES) throw new Error("the import does not end");
      await meanwhile(did);
    },
    images: { max: MOST_IMAGES, issuesOf: () => [] },
    settings: UNLIMITED.settings,
    count: (outcome) => void counted.push(outcome),
  });
  const claim = await claimOf(id);
  await importing.run(attempts === undefined ? claim : { ...claim, attempts }, () => isStopping(did));
  return { did, pauses, counted };
};

const importOf = async (id: number) => succeeded(await uses.imports.get(OPERATOR, id));
const rows = async (id: number, options: { readonly outcome?: RowOutcome; readonly cells?: boolean } = {}) =>
  succeeded(await uses.imports.rows(OPERATOR, id, options)).items;
const progressOf = async (id: number): Promise<ImportProgress> =>
  made(await makeImportRepository(uses.db, uses.clock).stored(id, null)).progress;
/** Imports a file to its end. */
const imported = async (file: string | Upload, options?: ImportQuery) => {
  const id = await queued(file, options);
  const ran = await run(id);
  return { ...(await importOf(id)), ...ran };
};
/** Stops an import, once it has stored so often. */
const stopping = (id: number, times: number): NonNullable<RunOptions["meanwhile"]> => {
  let isStopped = false;
  return async (did) => {
    if (isStopped || did.length < times) return;
    isStopped = true;
    succeeded(await uses.imports.cancel(OPERATOR, id));
  };
};
/** The bytes of the results of an import's rows. */
const bytesOf = async (id: number, condition = "1 = 1"): Promise<number> => {
  const text = `SELECT sum(length(CAST(result AS BLOB)) + COALESCE(length(CAST(cells AS BLOB)), 0)) AS bytes FROM import_rows
    WHERE import_id = ${id} AND ${condition}`;
  return Number((await query<{ bytes: number }>(text))[0]?.bytes);
};
/** The characters of the cells of an import's failed rows. */
const cellsOf = async (id: number): Promise<number> => {
  const { rows: failed } = await makeImportRepository(uses.db, uses.clock).failedRows(id, 0);
  return failed.reduce((sum, { cells }) => sum + charactersOf(cells), 0);
};
/** As if an earlier version had stored the progress, which did not know all of it. */
const forgetProgress = async (id: number): Promise<void> => {
  const { pass, position, done, counts, unread, confirmed, isListed } = await progressOf(id);
  const { kept: _, skipped: __, ...known } = counts;
  const progress = JSON.stringify({ pass, position, done, counts: known, unread, confirmed, isListed });
  await uses.db.migrate(
    async (sql) => void (await sql(`UPDATE imports SET progress = '${progress}' WHERE id = ${id}`)),
  );
};

describe("the rows of one transaction", () => {
  test("are so many at most", async () => {
    await newDealer();
    const { did, counted } = await imported(fileOf(numbered(2 * BATCH_ROWS + 1)), { dry_run: true });
    expect(did).toEqual([`rows ${BATCH_ROWS}`, `rows ${BATCH_ROWS}`, "rows 1"]);
    expect(counted).toEqual([]);
  });

  test("end with the one that has so many characters, and numbers are none", async () => {
    await newDealer();
    const row = (vin: string) => `${vin},Kia,Rio,2020,1,`;
    const rest = (vin: string) => "d".repeat(BATCH_CHARACTERS / 4 - row(vin).length + row(vin).split(",").length - 1);
    const lines = ["V1", "V2", "V3", "V4", "V5"].map((vin) => `${row(vin)}${rest(vin)}\n`);
    const file = `${HEADING},Description\n${lines.join("")}`;
    expect((await imported(file, { dry_run: true })).did).toEqual(["rows 4", "rows 1"]);
    const objects = ["V1", "V2"].map((vin) => JSON.stringify({ vin, make: "Kia", model: "Rio", year: 2020, price: 1 }));
    const numbers = await imported({ ...uploadOf(objects.join("\n")), format: "ndjson" }, { dry_run: true });
    expect(numbers.did).toEqual(["rows 2"]);
  });

  test("are no more than those that change so many images", async () => {
    await newDealer();
    const images = Array.from({ length: MOST_IMAGES }, (_, n) => `https://a.example.com/${n}.jpg`).join(" ");
    const lines = ["V1", "V2", "V3"].map((vin) => `${vin},Kia,Rio,2020,1,${images}\n`);
    const { did, counts, state } = await imported(`${HEADING},Images\n${lines.join("")}`);
    expect([did, counts.created, state]).toEqual([["rows 2", "rows 1"], 3, "completed"]);
  });
});

describe("what is known of the rows so far", () => {
  const heading = `${HEADING},Mileage (km),Fuel type,Remark`;
  /** A row of each kind, the last of which ends its batch. */
  const half = (vin: string, year: string): string =>
    [
      `${vin},Kia,Rio,2020,9000,1000,Diesel,`,
      `BAD${vin},Kia,Rio,${year},9000,,,`,
      ",Kia,Rio,2020,9000,,,",
      `LONG${vin},Kia,Rio,2020,9000,,Sludge,,too long`,
      heading,
      `NEW${vin},Kia,Rio,2020,9000,2000,Mud,${LONG}`,
      "",
    ].join("\n");
  const file = `${heading}\n${half("V1", "x")}${half("V2", "y")}V1,Kia,Rio,2020,9000,,,\n`;
  const afterFirst = (did: readonly string[]): boolean => did.length > 0;

  const begun = async (): Promise<number> => {
    await newDealer();
    await imported(fileOf(["V1", "V2"]));
    for (const vin of ["V1", "V2"]) await correct(vin, { price: 7 });
    const id = await queued(file);
    expect((await run(id, { isStopping: afterFirst })).did).toEqual(["rows 6"]);
    return id;
  };

  test("goes on after an interruption, and no row is done twice", async () => {
    const id = await begun();
    expect((await importOf(id)).state).toBe("running");
    const { did, counted } = await run(id);
    expect(did).toEqual(["rows 6", "rows 1"]);
    expect(counted.toSorted()).toEqual(["created", "failed", "failed", "failed", "failed", "skipped", "updated"]);
    expect(await stock("price_cents")).toEqual({ V1: 700, V2: 700, NEWV1: 900_000, NEWV2: 900_000 });
    const all = await rows(id, { cells: true });
    expect(all.at(-1)?.errors).toMatchObject([{ code: "duplicate_in_file" }]);
    const withCells = all.filter(({ cells }) => cells !== undefined);
    expect(withCells.map(({ outcome }) => outcome)).toEqual(Array(7).fill("failed"));
    const progress = await progressOf(id);
    expect(progress).toEqual({
      ...{
        pass: "apply",
        done: 13,
        unread: 4,
        unreadLines: [4, 5, 10, 11],
        there: 2,
        confirmed: null,
        isListed: false,
      },
      position: { offset: file.length, line: 15, row: 13 },
      counts: {
        ...{
          created: 2,
          updated: 2,
          unchanged: 0,
          failed: 7,
          skipped: 2,
          missing: 0,
          removed: 0,
          kept: 2,
          warnings: 2,
        },
      },
      notes: [expect.objectContaining({ path: "Mileage (km)", count: 4 })],
      rowWarnings: [expect.objectContaining({ code: "heading_repeated", count: 2, line: 6 })],
      unknownValues: [{ field: "fuel_type", value: "Mud", count: 2 }],
      ...{ kept: await bytesOf(id), keptCells: await cellsOf(id) },
    });
  });

  test("is counted from there on if an earlier version stored it, which knew less", async () => {
    const id = await begun();
    const before = { bytes: await bytesOf(id), cells: await cellsOf(id) };
    await forgetProgress(id);
    await run(id);
    expect(await progressOf(id)).toMatchObject({
      ...{ done: 13, unread: 4, unreadLines: [10, 11] },
      counts: { created: 2, updated: 2, failed: 7, kept: 1, skipped: 1 },
      notes: [{ count: 2 }],
      rowWarnings: [{ count: 1, line: 12 }],
      unknownValues: [{ count: 1 }],
      kept: (await bytesOf(id)) - before.bytes,
      keptCells: (await cellsOf(id)) - before.cells,
    });
  });

  test("is left as it is when somebody stops the import", async () => {
    await newDealer();
    const id = await queued(file);
    const { did } = await run(id, { meanwhile: stopping(id, 1) });
    expect(did).toEqual(["rows 6"]);
    expect(await importOf(id)).toMatchObject({ state: "cancelled", progress: { read: 6 }, counts: { created: 2 } });
    expect(Object.keys(await stock("id"))).toEqual(["V1", "NEWV1"]);
  });
});

test("an import that is interrupted too often at the same place ends as a defect", async () => {
  await newDealer();
  const id = await queued(fileOf(["V1"]));
  expect((await run(id, { attempts: MAX_ATTEMPTS + 1 })).did).toEqual([]);
  expect(await importOf(id)).toMatchObject({ state: "failed", error: { code: "defect" } });
  const next = await queued(fileOf(["V1"]));
  await run(next, { attempts: MAX_ATTEMPTS });
  expect(await importOf(next)).toMatchObject({ state: "completed", counts: { created: 1 } });
});

describe("a correction", () => {
  const corrected = async (options?: ImportQuery): Promise<void> => {
    await newDealer();
    await imported(fileOf(["V1"]), options);
    await correct("V1", { price: 7 });
  };
  const price = async (): Promise<unknown> => (await stock("price_cents")).V1;

  test("stays against the same file, unless it is not to be compared, or people wrote it here", async () => {
    await corrected();
    expect((await imported(fileOf(["V1"]))).counts).toMatchObject({ unchanged: 1, kept: 1 });
    expect(await price()).toBe(700);
    const source = { type: "uploads", id: null, name: null } as const;
    expect(
      succeeded(await uses.corrections.list(OPERATOR, { id: Number((await stock("id")).V1), limit: 1 })),
    ).toMatchObject({ total: 1, items: [{ field: "price", file: 9000, ours: 7, source }], last: null });
    const [own] = await query<{ id: number; created_at: string }>(
      `SELECT id, created_at FROM vehicles WHERE dealer_id = ${dealer}`,
    );
    const exported = `id,created_at,vin,make,model,year,price\n${own?.id},${own?.created_at},V1,Kia,Rio,2020,9000\n`;
    expect((await imported(exported)).counts).toMatchObject({ updated: 1, kept: 0 });
    expect(await price()).toBe(900_000);

    await corrected();
    expect((await imported(fileOf(["V1"]), { merge: "off" })).counts).toMatchObject({ updated: 1, kept: 0 });
    expect(await price()).toBe(900_000);
  });

  test("gives way to the file's value for which somebody asks, unless the vehicle cannot have it", async () => {
    await newDealer({ unique_vin: "refuse" });
    await imported(fileOf(["V1"]));
    const take = async (vin: string, field: string) =>
      uses.corrections.takeFile(OPERATOR, Number((await stock("id"))[vin]), field);
    await correct("V1", { price: 7 });
    expect([await take("V1", "price"), await price(), await take("V1", "price")]).toEqual([true, 900_000, false]);
    await correct("V1", { vin: "X1" });
    await newVehicle({ vin: "V1" });
    expect(causeOf(await take("X1", "vin"))).toMatchObject({ kind: "duplicate-vehicle" });
    expect(Object.keys(await stock("id"))).toEqual(["X1", "V1"]);
  });

  test("is not overwritten once the mapping is gone for which its files are compared", async () => {
    await newDealer();
    const body = { name: "Own", dealer_id: dealer, columns: { Remark: null } };
    const { id: mapping } = succeeded(await uses.mappings.create(OPERATOR, body));
    const text = `${HEADING},Remark\nV1,Kia,Rio,2020,9000,${LONG}\nV2,Kia,Rio,2020,9000,\n`;
    const ids = [await queued(text, { mapping }), await queued(text, { mapping, merge: "off" })];
    await run(ids[0] ?? 0, { isStopping: (did) => did.length > 0 });
    succeeded(await uses.mappings.remove(OPERATOR, mapping));
    for (const id of ids) await run(id);
    const [compared, written] = [await importOf(ids[0] ?? 0), await importOf(ids[1] ?? 0)];
    expect(compared).toMatchObject({ state: "failed", error: { code: "source_gone" }, counts: { created: 1 } });
    expect(written).toMatchObject({ state: "completed", counts: { created: 1, unchanged: 1 } });
  });
});

test("photos are fetched only if that was asked for", async () => {
  await newDealer();
  const file = `${HEADING},Images\nV1,Kia,Rio,2020,1,https://a.example.com/1.jpg https://a.example.com/2.jpg\n`;
  const plain = await imported(file);
  expect([plain.did, plain.images]).toEqual([["rows 1"], null]);
  const fetching = await imported(file, { fetch_images: true });
  expect([fetching.did, fetching.images?.waiting]).toEqual([["rows 1", "photos 2"], 2]);
});

test("others have their turn whenever rows have taken so long, and only then", async () => {
  await newDealer();
  const pauses = async (rows: number, tickMs = 0): Promise<number> => {
    const id = await queued(fileOf(numbered(rows)), { dry_run: true });
    return (await run(id, { tickMs })).pauses;
  };
  const least = await pauses(1);
  expect(await pauses(9)).toBe(least);
  // Before the second, fourth, sixth and eighth row: when they are read, and when it is decided about them.
  expect(await pauses(9, TURN_MS / 2)).toBe(least + 4 + 4);
});

/** A snapshot of these VINs. */
const snapshot = (vins: readonly string[], options: ImportQuery = {}): Promise<number> =>
  queued(fileOf(vins), { mode: "snapshot", max_missing_percent: 100, ...options });

describe("missing vehicles", () => {
  test("are stored in steps, and none if none is missing", async () => {
    await newDealer();
    await newLot(numbered(STORED_AT_ONCE));
    const report = { missing: "report" } as const;
    expect((await run(await snapshot(["V1"], report))).did).toEqual(["rows 1", `missing ${STORED_AT_ONCE}`]);
    const id = await snapshot(["V2"], report);
    const isStopping = (did: readonly string[]): boolean => did.length > 1;
    expect((await run(id, { isStopping })).did).toEqual(["rows 1", `missing ${STORED_AT_ONCE}`]);
    // What an interruption left is counted again.
    expect((await run(id)).did).toEqual([`missing ${STORED_AT_ONCE}`, "missing 1"]);
    expect((await importOf(id)).counts).toMatchObject({ created: 1, missing: STORED_AT_ONCE + 1, removed: 0 });
    const stopped = await snapshot(["V3"], report);
    expect((await run(stopped, { meanwhile: stopping(stopped, 2) })).did).toEqual([
      "rows 1",
      `missing ${STORED_AT_ONCE}`,
    ]);
    expect((await importOf(stopped)).state).toBe("cancelled");

    await newDealer();
    expect((await run(await snapshot(["V1"]))).did).toEqual(["rows 1"]);
  });

  const lot = numbered(HANDLED_AT_ONCE + 1);

  test("are removed in steps, between which an interruption or a stop leaves the others", async () => {
    await newDealer();
    await newLot(lot);
    const id = await snapshot(["V1"], { missing: "remove" });
    const left = async (): Promise<number> => Object.keys(await stock("id")).length;
    const listed = await run(id, { isStopping: (did) => did.length > 1 });
    expect([listed.did, await left()]).toEqual([["rows 1", `missing ${lot.length}`], lot.length + 1]);
    const handled = await run(id, { isStopping: (did) => did.length > 0 });
    expect([handled.did, await left()]).toEqual([[`rows ${HANDLED_AT_ONCE}`], 2]);
    expect((await run(id)).did).toEqual(["rows 1"]);
    expect(await importOf(id)).toMatchObject({
      state: "completed",
      counts: { created: 1, missing: lot.length, removed: lot.length },
    });
    expect([await left(), (await progressOf(id)).kept]).toEqual([1, await bytesOf(id)]);
    // Nobody sold them.
    expect((await rows(id, { outcome: "missing" }))[0]?.changes).toEqual({});

    await newLot(lot);
    const stopped = await snapshot(["V1"], { missing: "remove" });
    await run(stopped, { meanwhile: stopping(stopped, 3) });
    expect([(await importOf(stopped)).state, await left()]).toEqual(["cancelled", 2]);
  });

  test("are named by their keys, and counted from there on if an earlier version listed them", async () => {
    await newDealer();
    await newLot(["N1"]);
    await newVehicle({ stock_number: "S7" });
    const id = await snapshot(["V1"]);
    await run(id, { isStopping: (did) => did.length > 1 });
    await forgetProgress(id);
    await run(id);
    expect(await stock("status")).toEqual({ N1: "sold", null: "sold", V1: "available" });
    expect((await rows(id, { outcome: "missing" })).map(({ key }) => key)).toEqual(["N1", "S7"]);
    const { counts, kept } = await progressOf(id);
    expect(counts).toMatchObject({ missing: 2, removed: 0 });
    expect(kept).toBe(await bytesOf(id, "outcome = 'missing'"));
  });

  test("that somebody sells before they are handled stay as they were sold", async () => {
    await newDealer();
    await newLot(["N1"]);
    const id = await snapshot(["V1"]);
    await run(id, { isStopping: (did) => did.length > 1 });
    await correct("N1", { status: "sold" });
    const sold = await stock("updated_at");
    uses.clock.advance(1000);
    await run(id);
    expect(await stock("updated_at")).toEqual(sold);
    expect(await rows(id, { outcome: "missing" })).toMatchObject([{ key: "N1", changes: {} }]);
  });

  test("wait for a confirmation if they are many", async () => {
    await newDealer();
    await newLot(numbered(4));
    const id = await snapshot(["V1"], { max_missing_percent: 20 });
    await run(id);
    expect(await importOf(id)).toMatchObject({ state: "needs_confirmation", counts: { missing: 4 } });
    claims.delete(id);
    succeeded(await uses.imports.confirm(OPERATOR, id, { missing: 4 }));
    await run(id);
    expect((await importOf(id)).state).toBe("completed");
    expect(new Set(Object.values(await stock("status")))).toEqual(new Set(["sold", "available"]));
  });

  test("of a source are those that two files in a row leave out, which only a file changes that is read whole", async () => {
    await newDealer();
    const gone = await newVehicle({ vin: "GONE" });
    const { id: sourceId } = succeeded(await uses.sources.create(OPERATOR, newSourceBody({ dealer_id: dealer })));
    const fetched = async (lines: string, options: ImportQuery = {}) => {
      const file = { ...uploadOf(`${HEADING},Status\n${lines}`), sourceId };
      const { counts } = await imported(file, { mode: "snapshot", max_missing_percent: 100, ...options });
      const [source] = await query<{ lately: string | null }>(
        `SELECT missing_lately AS lately FROM import_sources WHERE id = ${sourceId}`,
      );
      const said = await query<{ vin: string; status: string | null }>(
        `SELECT vin, import_bases.status FROM import_bases JOIN vehicles ON vehicles.id = vehicle_id
         WHERE import_bases.dealer_id = ${dealer} ORDER BY vehicles.id`,
      );
      return {
        missing: counts.missing,
        lately: JSON.parse(source?.lately ?? "null"),
        said: said.map(Object.values),
      };
    };
    const line = (vin: string) => `${vin},Kia,Rio,2020,9000,available\n`;
    const both = [
      ["V1", "available"],
      ["V2", "available"],
    ];
    const whole = line("V1") + line("V2");
    expect(await fetched(whole, { dry_run: true })).toEqual({ missing: 1, lately: null, said: [] });
    expect(await fetched(whole)).toEqual({ missing: 0, lately: [gone], said: both });
    await correct("V2", { status: "sold" });
    expect(await fetched(line("V1"), { dry_run: true })).toEqual({ missing: 1, lately: [gone], said: both });
    expect(await fetched(`${line("V1")},Kia,Rio,2020,1,available\n`)).toEqual({
      missing: null,
      lately: [gone],
      said: both,
    });
    const forgotten = [
      ["V1", "available"],
      ["V2", null],
    ];
    expect(await fetched(line("V1"))).toEqual({ missing: 1, lately: [gone], said: forgotten });
    expect((await stock("status")).GONE).toBe("sold");
  });
});
