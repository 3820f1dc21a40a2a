import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { columnsOf } from "../../../core/imports/headings/columns.ts";
import { knownHeading } from "../../../core/imports/headings/headings.ts";
import { SYSTEMS } from "../../../core/imports/headings/systems.ts";
import { found } from "./reading.ts";

const SAMPLES = join(import.meta.dir, "../../samples/imports");

/** The sample of each system; `samples.test.ts` says what its rows become. */
const FILES: Readonly<Record<string, string>> = {
  vAuto: "vauto.csv",
  "HomeNet IOL": "homenet.csv",
  DealerCenter: "dealercenter.csv",
  AutoFunds: "autofunds.csv",
  Autoxloo: "autoxloo.csv",
  "KSL Cars": "ksl.csv",
  "Google vehicle listings": "google-listings.csv",
  "Google vehicle ads": "google-ads.tsv",
  "Meta and TikTok": "meta.csv",
  "Websites 4 Dealers": "websites4dealers.csv",
};

test("every system has a sample", () => {
  expect(SYSTEMS.map(({ name }) => name).sort()).toEqual(Object.keys(FILES).sort());
});

for (const { name, headings, unread } of SYSTEMS)
  describe(`the file of ${name}`, () => {
    const file = FILES[name] ?? "";
    const format = file.endsWith("tsv") ? "tsv" : "csv";
    const { heading } = found(readFileSync(join(SAMPLES, file)), { format });

    test("has no columns but those that the system's table names", () => {
      const named = new Set<string>([...Object.values(headings).flat(), ...unread]);
      expect(heading.filter((text) => !named.has(text))).toEqual([]);
    });

    test("is read without a hand: each column that has a field is taken for it, and the others are named", () => {
      const read = columnsOf(heading, {});
      if ("code" in read) throw new Error(read.message);
      const wrong = Object.entries(headings).flatMap(([field, names]) =>
        names.filter((text) => knownHeading(text)?.field !== field),
      );
      expect(wrong).toEqual([]);
      const fields = new Set<string | null>(read.columns.map(({ field }) => field));
      const has = (names: readonly string[]) => names.some((text) => heading.includes(text));
      for (const [field, names] of Object.entries(headings)) if (has(names)) expect([...fields]).toContain(field);
      const unknown = read.warnings.filter(({ code }) => code === "heading_unknown").map(({ path }) => path);
      expect(unknown.sort()).toEqual(heading.filter((text) => unread.includes(text)).sort());
    });
  });
