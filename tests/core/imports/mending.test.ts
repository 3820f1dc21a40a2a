import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeImportRepository } from "../../../adapters/sql/imports/repository.ts";
import { makeImportWork } from "../../../adapters/sql/imports/work.ts";
import { makeJobs } from "../../../adapters/sql/jobs/jobs.ts";
import { nextTurn } from "../../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../../adapters/sql/search/vehicle-words.ts";
import { OPERATOR, type Principal } from "../../../core/access/principal.ts";
import { charactersOf } from "../../../core/imports/failed-cells.ts";
import type { ImportQuery, RowOutcome } from "../../../core/imports/import.ts";
import type { ImportProgress } from "../../../core/imports/import-repository.ts";
import { makeImportRun } from "../../../core/imports/run.ts";
import { coreOn } from "../../support/core.ts";
import { queryDatabase } from "../../support/inspect-database.ts";
import { made } from "../../support/records.ts";
import { UNLIMITED } from "../../support/unlimited.ts";
import { dealerKey } from "../callers.ts";
import {
  causeOf,
  newDealerBody,
  newKeyBody,
  newVehicleBody,
  openUseCases,
  pathsOf,
  succeeded,
  type UseCases,
  uploadOf,
} from "../use-cases.ts";

const HEADING = "VIN,Year,Make,Model,Price,Mileage";
const DEALER = "Dealer ID";
const YEAR = { Year: "2020" };

let uses: UseCases;
let dealer: number;

beforeAll(async () => {
  uses = await openUseCases();
});
afterAll(() => uses.db.close());

const newDealer = async (): Promise<void> => {
  dealer = succeeded(await uses.dealers.create(OPERATOR, newDealerBody())).id;
};
const newVehicle = async (fields: object): Promise<number> =>
  succeeded(await uses.vehicles.create(OPERATOR, newVehicleBody({ dealer_id: dealer, ...fields }))).id;

interface Sent extends ImportQuery {
  readonly by?: Principal;
}

/** An import that waits, of these lines below the heading; of the dealer, unless the lines name one. */
const queued = async (
  lines: readonly string[],
  { by = OPERATOR, ...options }: Sent = {},
  heading = HEADING,
): Promise<number> => {
  const file = uploadOf(`${[heading, ...lines].join("\n")}\n`);
  const of = heading.includes(DEALER) ? {} : { dealer_id: dealer };
  const arrived = succeeded(await uses.imports.receive(by, { ...of, ...options }, file));
  return succeeded(await uses.imports.start(by, arrived)).id;
};

/** An import that has ended. */
const imported = async (lines: readonly string[], options: Sent = {}, heading?: string): Promise<number> => {
  const id = await queued(lines, options, heading);
  const importing = makeImportRun({
    work: makeImportWork(uses.db, { clock: uses.clock, words: vehicleWordsIn(uses.db), pause: nextTurn }),
    ...{ clock: uses.clock, pause: nextTurn, settings: UNLIMITED.settings },
    images: { max: 100, issuesOf: () => [] },
    count: () => {},
  });
  const claim = made(await makeJobs(uses.db, uses.clock).claim("one", "import"));
  expect(claim.subjectId).toBe(id);
  await importing.run(claim, () => false);
  return id;
};

type Cells = Readonly<Record<string, string | number | null>>;
/** What becomes of rows whose cells are mended, by their numbers. */
const mended = async (id: number, cells: Readonly<Record<number, Cells>>, dry_run = false) => {
  const rows = Object.entries(cells).map(([row, sent]) => ({ row: Number(row), cells: sent }));
  return succeeded(await uses.mending.mend(OPERATOR, id, { rows, dry_run })).results;
};
const outcomes = async (...sent: Parameters<typeof mended>): Promise<unknown[]> =>
  (await mended(...sent)).map(({ outcome, errors }) => [outcome, ...errors.map(({ code }) => code)].join(" "));

const importOf = async (id: number) => succeeded(await uses.imports.get(OPERATOR, id));
const rows = async (id: number, outcome?: RowOutcome) =>
  succeeded(await uses.imports.rows(OPERATOR, id, { cells: true, ...(outcome !== undefined && { outcome }) })).items;
const vehicleOf = async (vin: string): Promise<Record<string, unknown> | undefined> => {
  const text = `SELECT year, mileage, status FROM vehicles WHERE dealer_id = ${dealer} AND vin = '${vin}'`;
  return (await queryDatabase<Record<string, unknown>>(uses.db.url, text))[0];
};
const change = (text: string): Promise<void> => uses.db.migrate(async (run) => void (await run(text)));
const waitingPhotos = async (id: number): Promise<number> =>
  (await queryDatabase(uses.db.url, `SELECT place FROM import_photos WHERE import_id = ${id}`)).length;
const progressOf = async (id: number): Promise<ImportProgress> =>
  made(await makeImportRepository(uses.db, uses.clock).stored(id, null)).progress;
/** What the results of an import's rows take, and the cells of those that failed. */
const takenBy = async (id: number): Promise<Partial<ImportProgress>> => {
  const text = `SELECT sum(length(CAST(result AS BLOB)) + COALESCE(length(CAST(cells AS BLOB)), 0)) AS bytes
    FROM import_rows WHERE import_id = ${id}`;
  const [found] = await queryDatabase<{ bytes: number }>(uses.db.url, text);
  const failed = await makeImportRepository(uses.db, uses.clock).failedRows(id, 0);
  const keptCells = failed.rows.reduce((sum, { cells }) => sum + charactersOf(cells), 0);
  return { kept: Number(found?.bytes), keptCells };
};

const bad = (vin: string): string => `${vin},x,Kia,Rio,9000,500`;

test("mended rows count as what they become, and take the room that they take then", async () => {
  await newDealer();
  const id = await imported([...["V1", "V2", "V3", "V4"].map(bad), "V5,2020,Kia,Rio,9000,500", bad("V6")]);
  await newVehicle({ vin: "V2", year: 2020, make: "Kia", model: "Rio", price: 9000, mileage: 500 });
  const nothing = { VIN: "", Year: "", Make: "", Model: "", Price: "", Mileage: "Total" };
  const sent = { 1: YEAR, 2: YEAR, 3: nothing, 4: { ...YEAR, Make: "" } };
  const became = ["created", "unchanged", "skipped", "failed value_missing"];
  const before = await progressOf(id);
  expect(await outcomes(id, sent, true)).toEqual(became);
  expect([await progressOf(id), await vehicleOf("V1")]).toEqual([before, undefined]);
  expect(await outcomes(id, sent)).toEqual(became);
  const counts = { created: 2, updated: 0, unchanged: 1, skipped: 1, failed: 2 };
  expect(await progressOf(id)).toEqual({ ...before, counts: { ...before.counts, ...counts }, ...(await takenBy(id)) });
  const withCells = (await rows(id)).map(({ row, cells }) => [row, cells?.Make]);
  expect(withCells).toEqual([
    [1, undefined],
    [2, undefined],
    [3, undefined],
    [4, ""],
    [5, undefined],
    [6, "Kia"],
  ]);

  expect(await outcomes(id, { 1: YEAR, 4: { Make: "Kia" }, 9: YEAR })).toEqual(["not_found", "created", "not_found"]);
  expect((await progressOf(id)).counts).toEqual({ ...before.counts, ...counts, created: 3, failed: 1 });
});

test("rows that an earlier version left, which did not count all, are counted from there on", async () => {
  await newDealer();
  const id = await imported([bad("V1"), bad("V2")]);
  const {
    kept: _,
    keptCells: __,
    counts: { skipped: ___, ...counts },
    ...known
  } = await progressOf(id);
  await change(`UPDATE imports SET progress = '${JSON.stringify({ ...known, counts })}' WHERE id = ${id}`);
  expect(await outcomes(id, { 1: YEAR })).toEqual(["created"]);
  expect(await progressOf(id)).toEqual({
    ...known,
    counts: { ...counts, created: 1, failed: 1, skipped: 0 },
    ...{ kept: expect.any(Number), keptCells: 0 },
  });
});

test("a cell that is emptied is an empty cell of the file, and those that are not named stay as they came", async () => {
  await newDealer();
  await newVehicle({ vin: "V1", mileage: 5 });
  await newVehicle({ vin: "V2", mileage: 5 });
  const id = await imported([bad("V1"), bad("V2")], { empty: "clear" });
  expect(await outcomes(id, { 1: { ...YEAR, Mileage: null }, 2: YEAR })).toEqual(["updated", "updated"]);
  expect([await vehicleOf("V1"), await vehicleOf("V2")]).toMatchObject([{ mileage: null }, { mileage: 500 }]);
});

test("rows are mended in the mode of their file, and those of a snapshot bring no sold vehicle back", async () => {
  await newDealer();
  await newVehicle({ vin: "V1", status: "sold" });
  const only = await imported([bad("V1"), bad("V2")], { mode: "create" });
  expect(await outcomes(only, { 1: YEAR, 2: YEAR })).toEqual(["failed vehicle_exists", "created"]);
  const whole = await imported([bad("V1"), "V2,2020,Kia,Rio,9000,500"], { mode: "snapshot" });
  expect(await outcomes(whole, { 1: YEAR })).toEqual(["updated"]);
  expect(await vehicleOf("V1")).toMatchObject({ year: 2020, status: "sold" });
});

test("rows are those of the dealer whom their file names, if the import has none", async () => {
  await newDealer();
  const id = await imported([`${bad("V1")},${dealer}`], { dealer_by: "id" }, `${HEADING},${DEALER}`);
  expect([await outcomes(id, { 1: YEAR }), await vehicleOf("V1")]).toMatchObject([["created"], { year: 2020 }]);
});

test("rows after so many images are not reached, and stay as they are until they are sent again", async () => {
  await newDealer();
  const photos = Array.from({ length: 100 }, (_, n) => `https://a.example.com/${n}.jpg`).join(" ");
  const lines = ["V1", "V2", "V3"].map((vin) => `${bad(vin)},${photos}`);
  const id = await imported(lines, { fetch_images: true }, `${HEADING},Photos`);
  await change(`UPDATE imports SET state = 'cancelled' WHERE id = ${id}`);
  const sent = { 1: YEAR, 2: YEAR, 3: YEAR };
  expect(await outcomes(id, sent)).toEqual(["created", "created", "failed not_reached"]);
  expect((await rows(id, "failed")).map(({ row, cells }) => [row, cells?.Year])).toEqual([[3, "x"]]);
  expect((await importOf(id)).counts).toMatchObject({ created: 2, failed: 1 });
  expect(await outcomes(id, sent)).toEqual(["not_found", "not_found", "created"]);
});

test("photos of mended rows are fetched if that was asked for, its maker may still change the vehicles and nobody stopped it", async () => {
  await newDealer();
  const permissions = ["read", "write"].map((action) => ({ resource: "vehicles", action }));
  const key = succeeded(await uses.keys.create(OPERATOR, newKeyBody({ dealer_id: dealer, permissions }))).record.id;
  const by = dealerKey(dealer, { keyId: key });
  const heading = `${HEADING},Photos`;
  const line = (vin: string): string => `${bad(vin)},https://a.example.com/${vin}.jpg`;
  const lines = [line("V1"), line("V2"), bad("V3")];
  const plain = await imported(lines, { by }, heading);
  const [fetching, stopped] = [
    await imported(lines, { by, fetch_images: true }, heading),
    await imported(lines, { by, fetch_images: true }, heading),
  ];
  await change(`UPDATE imports SET state = 'cancelled' WHERE id = ${stopped}`);
  const mend = async (id: number, row: number) => {
    const [result] = await mended(id, { [row]: YEAR });
    return [result?.warnings.map(({ path, message }) => `${path}: ${message}`), await waitingPhotos(id)];
  };
  expect(await mend(plain, 1)).toEqual([[], 0]);
  expect(await mend(stopped, 1)).toEqual([["Photos: stay addresses, as the import was stopped"], 0]);
  expect(await mend(fetching, 1)).toEqual([[], 1]);
  succeeded(await uses.keys.remove(OPERATOR, key));
  const gone = "Photos: stay addresses, as whoever asked for the import may not change these vehicles any more";
  expect(await mend(fetching, 2)).toEqual([[gone], 1]);
  expect(await mend(fetching, 3)).toEqual([[], 1]);
});

test("nothing is mended of an import that has not ended, is not there or only checked its file, nor with faults", async () => {
  await newDealer();
  const mend = (id: number, input: unknown) => uses.mending.mend(OPERATOR, id, input);
  const body = { rows: [{ row: 1, cells: YEAR }] };
  const running = await queued([bad("V1")]);
  expect(causeOf(await mend(running, body))).toMatchObject({ kind: "import-state" });
  succeeded(await uses.imports.cancel(OPERATOR, running));
  const id = await imported([bad("V1")], {});
  const checked = await imported([bad("V1")], { dry_run: true });
  expect(causeOf(await mend(checked, body))).toMatchObject({ kind: "import-state" });
  // Its file could still be imported, or nobody wants that any more.
  await change(`UPDATE imports SET state = 'cancelled' WHERE id = ${checked}`);
  expect(causeOf(await mend(checked, body))).toMatchObject({ kind: "import-state" });
  expect(causeOf(await mend(9e9, body))).toMatchObject({ kind: "not-found" });
  expect(pathsOf(await mend(id, { rows: [] }))).toEqual(["rows"]);
  expect(pathsOf(await mend(id, { rows: [{ row: 1, cells: { Year: true } }] }))).toEqual(["rows[0].cells.Year"]);
  const twice = {
    rows: [
      { row: 1, cells: { Yaer: "2020" } },
      { row: 1, cells: {} },
    ],
  };
  expect(pathsOf(await mend(id, twice))).toEqual(["rows[0].cells", "rows[1].row"]);
  expect(await vehicleOf("V1")).toBeUndefined();
});

test("nothing is mended while the disk is full; it can be checked", async () => {
  await newDealer();
  const id = await imported([bad("V1")]);
  const { mending } = coreOn(uses.db, uses.clock, { freeBytes: () => 0, minFreeMib: 1 });
  const body = { rows: [{ row: 1, cells: YEAR }] };
  expect(causeOf(await mending.mend(OPERATOR, id, body))).toMatchObject({ kind: "storage-full" });
  expect(succeeded(await mending.mend(OPERATOR, id, { ...body, dry_run: true }))).toMatchObject({
    dry_run: true,
    results: [{ row: 1, outcome: "created" }],
  });
  expect(await vehicleOf("V1")).toBeUndefined();
});
