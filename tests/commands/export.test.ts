import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readSheet } from "../core/imports/workbook.ts";
import { TEST_TIMEOUT_MS, testCommands } from "../support/program.ts";
import { refusalOf } from "../support/refusal.ts";
import { recordsOf } from "../support/tables.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const VEHICLES = 400;

describe("export", () => {
  const program = testCommands();
  beforeAll(async () => {
    expect(
      (await program.runWith({ IMAGE_STORAGE: "off" }, "seed", "--dealers", "2", "--vehicles", String(VEHICLES))).code,
    ).toBe(0);
  });

  test("writes every vehicle to standard output, and its progress to standard error", async () => {
    const { code, out, err } = await program.run("export");
    expect(code).toBe(0);
    const rows = recordsOf(out);
    expect(rows.length).toBe(VEHICLES);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(VEHICLES);
    expect(err).toEndWith(`vehicles 100%\nExported ${VEHICLES} vehicles.\n`);
    expect(await program.run("export", "-")).toEqual({ code, out, err });
  });

  test("writes the same to a new file in each format, optionally of one dealer and some statuses only", async () => {
    const whole = recordsOf((await program.run("export")).out);
    const wanted = whole.filter(({ dealer_id, status }) => dealer_id === "2" && status !== "available");
    expect(wanted.length).toBeGreaterThan(0);
    const only = ["--dealer", "2", "--status", "sold", "pending"];
    const tsv = program.path("vehicles.tsv");
    const { code, out } = await program.run("export", tsv, "--format", "tsv", ...only);
    expect([code, out]).toEqual([0, ""]);
    expect(recordsOf(readFileSync(tsv, "utf8"), "\t")).toEqual(wanted);
    const book = program.path("vehicles.xlsx");
    expect((await program.run("export", book, "--format", "xlsx", ...only)).code).toBe(0);
    const { rows } = await readSheet(readFileSync(book));
    expect(rows.map(({ cells }) => String(cells.id))).toEqual(wanted.map(({ id }) => String(id)));
    const ndjson = await program.run("export", "--format", "ndjson", ...only);
    const lines = ndjson.out.trimEnd().split("\n");
    expect(lines.map((line) => String(JSON.parse(line).id))).toEqual(wanted.map(({ id }) => String(id)));
  });

  test("writes only the column names, or nothing, for a dealer without vehicles", async () => {
    const { out, err } = await program.run("export", "--dealer", "77");
    expect([out.split("\r\n").length, recordsOf(out), err]).toEqual([2, [], "Exported 0 vehicles.\n"]);
    expect((await program.run("export", "--dealer", "77", "--format", "ndjson")).out).toBe("");
  });

  test("overwrites no file, and leaves no file where it cannot write", async () => {
    const file = program.path("kept.csv");
    writeFileSync(file, "kept");
    const database = `sqlite:${program.database}`;
    expect(await refusalOf(database, "export", file)).toMatchObject({
      code: 1,
      message: expect.stringContaining(`there is a file ${file} already`),
    });
    expect(readFileSync(file, "utf8")).toBe("kept");
    const nowhere = program.path("nowhere/vehicles.csv");
    expect(await refusalOf(database, "export", nowhere)).toMatchObject({
      code: 1,
      message: expect.stringContaining("cannot be written"),
    });
    expect(existsSync(nowhere)).toBe(false);
  });

  test("succeeds even if its reader stops early", async () => {
    expect((await program.through("head -1", "export")).code).toBe(0);
  });

  test("refuses a wrong command line and names the option", async () => {
    for (const [args, words] of [
      [["--format", "xls"], "format"],
      [["--status", "gone"], "--status"],
      [["--dealer", "none"], "--dealer: must be a whole number"],
    ] as const)
      expect(await refusalOf(`sqlite:${program.database}`, "export", ...args)).toMatchObject({
        code: 2,
        message: expect.stringContaining(words),
      });
  });
});
