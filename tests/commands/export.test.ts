import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";
import { recordsOf } from "../support/tables.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const VEHICLES = 400;

describe("export", () => {
  const place = testProgram();
  beforeAll(async () => {
    expect((await place.run("seed", "--dealers", "2", "--vehicles", String(VEHICLES))).code).toBe(0);
  });

  test("writes every vehicle to standard output, and beside it how far it is", async () => {
    const { code, out, err } = await place.run("export");
    expect(code).toBe(0);
    const rows = recordsOf(out);
    expect(rows.length).toBe(VEHICLES);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(VEHICLES);
    expect(err).toEndWith(`vehicles 100%\nExported ${VEHICLES} vehicles.\n`);
    expect(await place.run("export", "-")).toEqual({ code, out, err });
  });

  test("writes the same to a new file, in each form, of a dealer and some states alone", async () => {
    const whole = recordsOf((await place.run("export")).out);
    const wanted = whole.filter(({ dealer_id, status }) => dealer_id === "2" && status !== "available");
    expect(wanted.length).toBeGreaterThan(0);
    const only = ["--dealer", "2", "--status", "sold", "pending"];
    const tsv = place.path("vehicles.tsv");
    const { code, out } = await place.run("export", tsv, "--format", "tsv", ...only);
    expect([code, out]).toEqual([0, ""]);
    expect(recordsOf(readFileSync(tsv, "utf8"), "\t")).toEqual(wanted);
    const ndjson = await place.run("export", "--format", "ndjson", ...only);
    const lines = ndjson.out.trimEnd().split("\n");
    expect(lines.map((line) => String(JSON.parse(line).id))).toEqual(wanted.map(({ id }) => String(id)));
  });

  test("of a dealer without vehicles has the names of the columns, or nothing", async () => {
    const { out, err } = await place.run("export", "--dealer", "77");
    expect([out.split("\r\n").length, recordsOf(out), err]).toEqual([2, [], "Exported 0 vehicles.\n"]);
    expect((await place.run("export", "--dealer", "77", "--format", "ndjson")).out).toBe("");
  });

  test("writes over no file, and nothing where it cannot", async () => {
    const file = place.path("kept.csv");
    writeFileSync(file, "kept");
    expect(await place.run("export", file)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`there is a file ${file} already`),
    });
    expect(readFileSync(file, "utf8")).toBe("kept");
    const nowhere = place.path("nowhere/vehicles.csv");
    expect(await place.run("export", nowhere)).toMatchObject({
      code: 1,
      err: expect.stringContaining("cannot be written"),
    });
    expect(existsSync(nowhere)).toBe(false);
  });

  test("that nobody reads to its end is no failure", async () => {
    expect((await place.through("head -1", "export")).code).toBe(0);
  });

  test("refuses a wrong command line, and names the option", async () => {
    for (const [args, words] of [
      [["--format", "xlsx"], "format"],
      [["--status", "gone"], "--status"],
      [["--dealer", "none"], "--dealer: must be a whole number"],
    ] as const)
      expect(await place.run("export", ...args)).toMatchObject({ code: 2, err: expect.stringContaining(words) });
  });
});
