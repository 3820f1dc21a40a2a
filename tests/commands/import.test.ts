import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { gzipSync } from "bun";
import { eventually } from "../support/eventually.ts";
import { alter, rowsOf, TEST_TIMEOUT_MS, testCommands } from "../support/program.ts";
import { workbookOf } from "../support/workbooks.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const HEAD = "VIN,Stock Number,Year,Make,Model,Price";
const GOOD = `${HEAD}\nA1,,2020,Honda,Civic,9000\nA2,,2021,Honda,Civic,9500\n`;
const MIXED = `${HEAD}\nA1,,2020,Honda,Civic,9000\nA3,,1,Honda,Civic,1\n`;

/** What an open file is called; nothing if it is closed meanwhile. */
const linkOf = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
};

describe("import", () => {
  const program = testCommands();
  let dealer = 0;
  const file = (name: string, content: string | Uint8Array): string => {
    writeFileSync(program.path(name), content);
    return program.path(name);
  };
  const vehicles = (ofDealer: string) =>
    rowsOf(
      program.database,
      `SELECT vin, status FROM vehicles WHERE dealer_id = ${ofDealer} AND vin LIKE 'A%' ORDER BY vin`,
    );

  const newDealer = async (): Promise<string> => String(++dealer);
  beforeAll(async () => {
    expect((await program.run("seed", "--dealers", "8", "--vehicles", "6", "--no-images")).code).toBe(0);
  });

  test("writes the vehicles of a file, shows its progress and reports the results", async () => {
    const to = await newDealer();
    const { code, out, err } = await program.run("import", file("good.csv", GOOD), "--dealer", to);
    expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringMatching(/^Import \d+: created 2\.\n$/) });
    expect(err).toBe("rows 100%\n");
    expect(vehicles(to).map(({ vin }) => vin)).toEqual(["A1", "A2"]);
    const again = await program.run("import", file("good.csv.gz", gzipSync(GOOD)), "--dealer", to, "--json");
    expect(JSON.parse(again.out)).toMatchObject({
      state: "completed",
      file: { name: "good.csv.gz" },
      counts: { unchanged: 2 },
      by: { name: "Command line" },
    });
    const lines = file("lines.txt", `${JSON.stringify({ vin: "A1", price: 5 })}\n`);
    expect((await program.run("import", lines, "--dealer", to, "--format", "ndjson")).out).toContain("updated 1");
  });

  test("reads a sheet of a workbook, from a file and from standard input", async () => {
    const to = await newDealer();
    const sheetOf = (vin: string) => ({
      name: vin,
      rows: [HEAD.split(","), [vin, null, 2020, "Honda", "Civic", 9000]],
    });
    const book = file("book.xlsx", workbookOf({ sheets: [sheetOf("A1"), sheetOf("A2")] }));
    const first = await program.run("import", book, "--dealer", to);
    expect([first.code, first.out]).toEqual([4, expect.stringContaining("created 1")]);
    expect(first.err).toContain('the sheet "A1" is read, and not "A2"');
    const named = await program.from(book, "import", "-", "--dealer", to, "--sheet", "A2");
    expect([named.code, named.out]).toEqual([0, expect.stringContaining("created 1")]);
    expect(await program.run("import", book, "--dealer", to, "--sheet", "A3")).toMatchObject({
      code: 2,
      err: expect.stringContaining("--sheet: must be a sheet of the workbook"),
    });
    expect(vehicles(to).map(({ vin }) => vin)).toEqual(["A1", "A2"]);
  });

  test("reads standard input", async () => {
    const to = await newDealer();
    const { code, out } = await program.from(file("piped", GOOD), "import", "-", "--dealer", to);
    expect([code, out]).toEqual([0, expect.stringContaining("created 2")]);
    const lines = `${JSON.stringify({ vin: "A1", price: 5 })}\n`;
    const options = ["--dealer", to, "--format", "ndjson", "--json"];
    const ndjson = await program.from(file("lines", lines), "import", "-", ...options);
    expect(JSON.parse(ndjson.out)).toMatchObject({ file: { name: null }, counts: { updated: 1 } });
  });

  test("exits with 3 if some rows failed, and says which and why", async () => {
    const to = await newDealer();
    const mixed = file("mixed.csv", MIXED);
    const { code, out, err } = await program.run("import", mixed, "--dealer", to);
    expect([code, out]).toEqual([3, expect.stringContaining("created 1, failed 1")]);
    expect(err).toContain("line 3: Year must be");
    expect(err).toEndWith("vehicle-inventory: 1 row failed\n");
    const rejecting = await newDealer();
    const rejected = await program.run("import", mixed, "--dealer", rejecting, "--on-error", "reject");
    expect(rejected).toMatchObject({ code: 3, err: expect.stringContaining("nothing was written") });
    expect(vehicles(rejecting)).toEqual([]);
  });

  test("only checks the file if requested", async () => {
    const to = await newDealer();
    // A cell that cannot be read costs its field; what rows were warned of is said once, with an example.
    const rows = "A1,,2020,Honda,Civic,9000,many\nA2,,2021,Honda,Civic,9500,none at all\n";
    const raw = `${HEAD},Odo\n${rows}`;
    const options = ["--dealer", to, "--dry-run", "--merge", "off"];
    const { code, out, err } = await program.run("import", file("good.csv", raw), ...options);
    expect([code, out]).toEqual([0, expect.stringMatching(/^Import \d+, a check: created 2, warnings 2\.\n$/)]);
    expect(err).toContain('Odo in 2 rows, such as line 2: "many" is not a mileage');
    expect(vehicles(to)).toEqual([]);
  });

  test("marks vehicles that a snapshot does not name as sold, unless somebody must confirm that", async () => {
    const to = await newDealer();
    const many = Array.from({ length: 20 }, (_, n) => `A${n},,2020,Honda,Civic,9000`);
    const snapshot = (count: number, ...options: string[]) =>
      program.run(
        "import",
        file("lot.csv", [HEAD, ...many.slice(0, count), ""].join("\n")),
        "--dealer",
        to,
        "--mode",
        "snapshot",
        ...options,
      );
    await snapshot(20, "--max-missing-percent", "100");
    expect(await snapshot(10)).toMatchObject({ code: 1, err: expect.stringContaining("10 vehicles are missing") });
    expect(vehicles(to).every(({ status }) => status === "available")).toBe(true);
    expect((await snapshot(10, "--max-missing-percent", "100")).code).toBe(0);
    expect(vehicles(to).filter(({ status }) => status === "sold")).toHaveLength(10);
  });

  test("works while the service is running", async () => {
    const to = await newDealer();
    const service = await program.serve();
    const { code, out } = await program.run("import", file("good.csv", GOOD), "--dealer", to);
    await service.stop();
    expect([code, out]).toEqual([0, expect.stringContaining("created 2")]);
  });

  test("refuses an unreadable file and a wrong command line", async () => {
    const good = file("good.csv", GOOD);
    for (const [args, code, words] of [
      [["nowhere.csv", "--dealer", "1"], 1, "there is no file nowhere.csv"],
      [[program.folder, "--dealer", "1"], 1, "it is no file"],
      [[`${good}/more.csv`, "--dealer", "1"], 1, "more.csv cannot be read: ENOTDIR"],
      [[file("broken.csv.gz", GOOD), "--dealer", "1"], 1, "cannot be unpacked"],
      [[file("book.xlsx", "x"), "--dealer", "1"], 1, "no workbook"],
      [[file("book.xls", "x"), "--dealer", "1"], 1, "save it as .xlsx or CSV"],
      [[file("empty.csv", ""), "--dealer", "1"], 1, "heading"],
      [[good], 2, "--dealer: is required"],
      [[good, "--dealer", "99"], 2, "--dealer: dealer 99 does not exist"],
      [[good, "--dealer", "1", "--mode", "replace"], 2, "--mode: must be one of"],
      [[good, "--dealer", "1", "--columns", "VIN"], 2, "--columns: must be"],
    ] as const) {
      const { err, ...ran } = await program.run("import", ...args);
      expect([ran.code, err]).toEqual([code, expect.stringContaining(words)]);
      expect(err).not.toContain("    at ");
    }
    const isOpen = (name: string): boolean =>
      readdirSync("/proc/self/fd").some((open) => linkOf(`/proc/self/fd/${open}`).endsWith(name));
    await eventually(
      () => isOpen("/book.xls"),
      (open) => !open,
    );
  });

  test("ends with the whole error where something is broken that nobody expects", async () => {
    const defect = "BEFORE INSERT ON imports BEGIN SELECT RAISE(ABORT, 'a defect'); END";
    alter(program.database, `CREATE TRIGGER refused ${defect}`);
    const { code, err } = await program.run("import", file("good.csv", GOOD), "--dealer", "1");
    alter(program.database, "DROP TRIGGER refused");
    expect([code, err]).toEqual([1, expect.stringMatching(/a defect[\s\S]*\n +at /)]);
  });
});
