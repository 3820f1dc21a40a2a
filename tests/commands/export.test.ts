import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { run } from "../../app/commands/program.ts";
import { readSheet } from "../core/imports/workbook.ts";
import { runPart } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { alter, TEST_TIMEOUT_MS, testCommands } from "../support/program.ts";
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

  test("leaves no file behind if it fails halfway", async () => {
    const file = program.path("half.csv");
    const heard = (): void => {
      expect(existsSync(file)).toBe(true);
      throw new Error("nobody listens");
    };
    const environment = { DATABASE_URL: `sqlite:${program.database}` };
    const { err } = await runPart(() => run(["export", file]), { environment, heard });
    expect(err).toContain("nobody listens");
    expect(existsSync(file)).toBe(false);
  });

  test("shows its progress unless the vehicles are shown on a terminal", async () => {
    const onTerminal = (...line: readonly string[]) =>
      runPart(() => run(["export", ...line]), {
        environment: { DATABASE_URL: `sqlite:${program.database}` },
        isTerminal: true,
      });
    expect((await onTerminal()).err).toBe(`Exported ${VEHICLES} vehicles.\n`);
    expect((await onTerminal(program.path("shown.csv"))).err).toEndWith(
      `vehicles 100%\nExported ${VEHICLES} vehicles.\n`,
    );
  });

  test("waits for a reader that is slower than it", async () => {
    const { write } = process.stdout;
    let [written, isFull, isDone] = [0, true, false];
    const slow = (): boolean => {
      written++;
      return !isFull;
    };
    const exporting = async (): Promise<void> => {
      process.stdout.write = slow;
      try {
        await run(["export"]);
      } finally {
        process.stdout.write = write;
        isDone = true;
      }
    };
    const ran = runPart(exporting, { environment: { DATABASE_URL: `sqlite:${program.database}` } });
    for (const pieces of [1, 2]) {
      await eventually(() => isDone || process.stdout.listenerCount("drain") > 0, Boolean);
      expect(written).toBe(pieces);
      isFull = pieces < 2;
      process.stdout.emit("drain");
    }
    expect((await ran).code).toBe(0);
  });

  test("names photos by the addresses at which the service gives them", async () => {
    const one = testCommands();
    await one.run("seed", "--dealers", "1", "--vehicles", "1", "--no-images");
    alter(
      one.database,
      `INSERT INTO vehicle_images (vehicle_id, image_url, is_primary, display_order, created_at)
       VALUES (1, 'photo:${"a".repeat(32)}/${"b".repeat(32)}/public', 1, 0, '2026-01-01T00:00:00.000Z')`,
    );
    const photo = `/${"a".repeat(32)}/${"b".repeat(32)}/public`;
    for (const [environment, base] of [
      [{ HOST: "127.0.0.2", PORT: "3100" }, "http://127.0.0.2:3100/images"],
      [{ PUBLIC_URL: "https://inventory.example.com" }, "https://inventory.example.com/images"],
      [{ PUBLIC_URL: "https://a.example.com", IMAGE_DELIVERY_BASE: "https://b.example.com" }, "https://b.example.com"],
    ] as const)
      expect((await one.runWith(environment, "export")).out).toContain(`${base}${photo}`);
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
