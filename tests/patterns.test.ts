import { describe, expect, test } from "bun:test";
import { validator } from "../core/validation.ts";
import { growthOf, isHarmless } from "./patterns/growth.ts";
import {
  allPatterns,
  exportedSchemas,
  type Pattern,
  patternsIn,
  schemaPatterns,
  schemasIn,
} from "./patterns/sources.ts";
import { keptVerdicts, nameOf } from "./patterns/verdicts.ts";
import { DEEP, inGate } from "./support/depth.ts";

const kept = await keptVerdicts();

const verdicts = new Map<string, string>(DEEP ? [] : kept);

/** The verdict on a pattern: the kept one in the gate, if there is one; the analyser's own in the deep run. */
const verdictOn = (pattern: Pattern): string => {
  const name = nameOf(pattern);
  const growth = verdicts.get(name) ?? growthOf(pattern);
  verdicts.set(name, growth);
  return growth;
};

const distinct = (patterns: readonly Pattern[]): Pattern[] => [
  ...new Map(patterns.map((pattern) => [nameOf(pattern), pattern])).values(),
];

const harmful = (patterns: readonly Pattern[]): string[] =>
  distinct(patterns).flatMap((pattern) => {
    const growth = verdictOn(pattern);
    return isHarmless(growth) ? [] : [`${pattern.where} /${pattern.source}/ ${growth}`];
  });

const LONG = 64 * 1024;
/**
 * 64 kB of characters that are slow for patterns: spaces, dots, `@`s, slashes, and those of keys and ids. The gate leaves
 * out other ends: a pattern sees the whole text or nothing of it.
 */
const WORST = [
  " ",
  "\u0001",
  "a",
  "1",
  "@",
  ".",
  "/",
  "a.",
  "a@",
  "a.a@",
  "https://a/",
  "1,",
  "-",
  "\u3000",
  "💥",
].flatMap((unit) =>
  ["", "a@a.", "https://"].flatMap((start) =>
    inGate([""], ["", "@", " ", "!"]).map((end) => start + unit.repeat(LONG / unit.length) + end),
  ),
);

/** The longest text that a pattern matched against while `run` ran. */
const longestMatched = (run: () => void): number => {
  const { exec, test: plain } = RegExp.prototype;
  let longest = 0;
  const measured = <Result>(original: (this: RegExp, text: string) => Result) =>
    function (this: RegExp, text: string): Result {
      longest = Math.max(longest, text.length);
      return original.call(this, text);
    };
  RegExp.prototype.exec = measured(exec);
  RegExp.prototype.test = measured(plain);
  try {
    run();
  } finally {
    RegExp.prototype.exec = exec;
    RegExp.prototype.test = plain;
  }
  return longest;
};

/** Longer than 2048 on purpose: a picture of 64 kB in Base64, which super-admins set. */
const LONG_FIELDS = [["core/settings/installation.ts SettingsChanges.logo", 87_407]];

describe("regular expressions that check received text", () => {
  test("take a number of steps linear in the text, and are literals that can be examined", async () => {
    const { written, made } = await allPatterns();
    expect(written.length).toBeGreaterThan(50);
    expect(harmful(written)).toEqual([]);
    expect(made).toEqual([]);
  });

  test("are recognized as harmful if they are", () => {
    const { written, made } = patternsIn(
      "planted.ts",
      `const a = /^json\\s*(?:;\\s*utf-8\\s*)?;?\\s*$/i; const b = /\\/+$/; const c = /^(a+)+$/; const d = new RegExp(text); const e = /^a+$/;`,
    );
    expect(harmful(written).map((line) => line.replace(/\/.*\/ /, ""))).toEqual([
      "planted.ts:1 polynomial",
      "planted.ts:1 polynomial",
      "planted.ts:1 exponential",
    ]);
    expect(made).toEqual(["planted.ts:1"]);
  });

  test("come after a greatest length in every schema, and are linear there too", async () => {
    const patterned = await schemaPatterns();
    expect(patterned.length).toBeGreaterThan(8);
    const long = patterned.filter(({ maxLength }) => maxLength > 2048);
    expect(long.map(({ where, maxLength }) => [where, maxLength])).toEqual(LONG_FIELDS);
    expect(harmful(patterned)).toEqual([]);
  });

  test("each have their verdict in tests/patterns/verdicts.txt, which has no others: `bun run patterns` keeps it so", async () => {
    const all = distinct([...(await allPatterns()).written, ...(await schemaPatterns())]);
    expect(all.map((pattern) => `${nameOf(pattern)} ${verdictOn(pattern)}`).sort()).toEqual(
      [...kept].map(([name, growth]) => `${name} ${growth}`),
    );
  });

  test("are not applied to text longer than the field allows", async () => {
    const schemas = await exportedSchemas();
    expect(schemas.length).toBeGreaterThan(15);
    for (const { name, schema } of schemas) {
      const checked = validator(schema as Parameters<typeof validator>[0]);
      for (const [field, its] of Object.entries(schema.properties ?? {})) {
        // A character has one or two units in JavaScript.
        const most = 2 * Math.max(20, ...schemasIn(its, field).map((within) => within.schema.maxLength ?? 0));
        for (const text of WORST) {
          const inside = [{ monday: text, network: text }, [text, { resource: text, action: text }]];
          for (const value of [text, ...inside]) {
            const longest = longestMatched(() => void checked.parse({ [field]: value }));
            if (longest > most) throw new Error(`${name}: ${field} let a pattern see ${longest} characters`);
          }
        }
      }
    }
  });
});
