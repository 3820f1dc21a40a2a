import { describe, expect, test } from "bun:test";
import type { Area } from "./areas/area.ts";
import { AREAS } from "./areas.ts";
import { DEEP_ONLY } from "./deep-only.ts";
import { broken, type Mutant, mutantsOf } from "./mutants.ts";
import { mutantsIn } from "./mutate.ts";
import type { OperatorSet } from "./operators.ts";
import { sourcesIn, textOf } from "./scratch.ts";
import { SURVIVORS } from "./survivors.ts";

const brokenIn = (text: string, set: OperatorSet): string[] =>
  mutantsOf("planted.tsx", text, set, null).map((mutant) => broken(text, mutant));

const EXAMPLES: readonly (readonly [what: string, set: OperatorSet, text: string, broken: readonly string[]])[] = [
  ["a bound", "rules", "a < b", ["a <= b"]],
  ["an equality", "rules", "a === b", ["a !== b"]],
  ["a condition", "rules", "if (a) b();", ["if (true) b();", "if (false) b();"]],
  ["a choice", "rules", "a ? b : c", ["true ? b : c", "false ? b : c"]],
  ["two conditions", "rules", "a && b", ["(a)", "(b)"]],
  ["a negation", "rules", "!a", ["!!(a)"]],
  ["a refusal", "rules", "new Failure({ kind })", ["null"]],
  ["a refusal by a function", "rules", "escalation(text)", ["null"]],
  ["a mask", "rules", "a & b", ["(a)"]],
  ["a quantifier", "rules", "list.some(isIt)", ["list.every(isIt)"]],
  ["a row of the policy", "rules", '({ bound: "own" })', ['({ bound: "filtered" })']],
  ["a permission of the policy", "rules", '({ needs: "keys:read" })', ['({ needs: "keys:write" })']],
  ["a list of names", "rules", '["a", "b"]', ['["b"]', '["a"]']],
  ["a WHERE", "statements", 'q.where("id", "=", id).limit(1)', ["q.limit(1)"]],
  ["a bound of a WHERE", "statements", 'q.where("at", "<", now)', ["q", 'q.where("at", "<=", now)']],
  ["a scope", "statements", "scope === null", ["scope !== null"]],
  ["no other comparison", "statements", "row === null", []],
  ["what some see", "statements", "IS_KEY_VISIBLE.dealer", ["IS_KEY_VISIBLE.everything"]],
  ["a WHERE in SQL", "statements", `sql\`DELETE FROM a WHERE b = \${c}\``, ["sql`DELETE FROM a WHERE 1 = 1`"]],
  [
    "conditions in SQL",
    "statements",
    `sql\`SELECT 1 WHERE (a = \${f({ b })} OR c < 2) AND d IS NULL\``,
    [
      "sql`SELECT 1 WHERE 1 = 1 AND d IS NULL`",
      `sql\`SELECT 1 WHERE (a = \${f({ b })} OR 1 = 0) AND d IS NULL\``,
      `sql\`SELECT 1 WHERE (a = \${f({ b })} OR c < 2) AND 1 = 1\``,
    ],
  ],
  ["a condition by itself in SQL", "statements", `sql<SqlBool>\`a = \${b}\``, ["sql<SqlBool>`1 = 1`"]],
  ["a ceiling", "ceilings", "<Matrix ceiling={held} />", ["<Matrix  />"]],
  ["a step", "durability", "sync(file);", [";"]],
  ["a step that is waited for", "durability", "await sync(file);", [";"]],
  ["a setting", "durability", 'const a = "synchronous = FULL";', ['const a = "synchronous = OFF";']],
  ["a row of a table", "egress", '[["a", "b"], ["c", "d"]]', ['[...[], ["c", "d"]]', '[["a", "b"], ...[]]']],
  ["a cookie's property", "cookies", "({ httpOnly: true })", ["({ httpOnly: undefined })"]],
  ["a cookie's attribute", "cookies", '"a; HttpOnly; Secure"', ['"a;  Secure"', '"a; HttpOnly; "']],
];

describe("mutants", () => {
  for (const [what, set, text, expected] of EXAMPLES)
    test(`change ${what}: ${text}`, () => {
      expect(brokenIn(text, set)).toEqual([...expected]);
    });

  test("never change types", () => {
    expect(brokenIn('type A = B extends "x" ? C : D; const a = b as ["x", "y"];', "rules")).toEqual([]);
  });

  test("have unique names that do not depend on their lines", () => {
    const text = "const f = () => a === b;\nconst g = () => [a === b, a === b];";
    const names = mutantsOf("planted.ts", text, "rules", null).map(({ name }) => name);
    expect(names).toEqual([
      "planted.ts f: comparison: a === b → a !== b",
      "planted.ts g: comparison: a === b → a !== b",
      "planted.ts g: comparison: a === b → a !== b (2)",
    ]);
    expect(mutantsOf("planted.ts", `\n\n${text}`, "rules", null).map(({ name }) => name)).toEqual(names);
    expect(mutantsOf("planted.ts", text, "rules", ["f"])).toHaveLength(1);
  });
});

/** Code that builds and runs statements, and has none on a resource. */
const STATEMENT_TOOLS = /^adapters\/sql\/(?:query|schema|sqlite|postgres)\//;

/** Names of mutants that change what a caller reaches. */
const OF_REACH =
  /\b(?:scope|visibility|dealer_id|IS_\w+_VISIBLE|is(?:Within|KeyVisible|UserVisible)|USAGE_VISIBLE_AFTER)\b/i;

/** One mutant in so many may be left to the deep run. */
const DEEP_SHARE = 50;

describe("the areas of the mutation tests", () => {
  const areas: readonly (readonly [area: Area, mutants: readonly Mutant[]])[] = AREAS.map((area) => [
    area,
    mutantsIn(area),
  ]);
  const all = areas.flatMap(([, mutants]) => mutants);
  const names = new Set(all.map(({ name }) => name));

  for (const [area, mutants] of areas)
    test(`include ${area.name}, whose files all have mutants and whose test files all exist`, async () => {
      for (const place of area.files) {
        const isThere = mutants.some(({ file }) => file === place || file.startsWith(`${place}/`));
        expect([place, isThere]).toEqual([place, true]);
      }
      for (const name of area.tests.flat().filter((word) => word.endsWith(".test.ts")))
        expect([name, await Bun.file(name).exists()]).toEqual([name, true]);
      for (const name of area.within ?? [])
        expect([name, mutants.some((mutant) => mutant.name.startsWith(`${mutant.file} ${name}: `))]).toEqual([
          name,
          true,
        ]);
    });

  test("include every statement on a resource", () => {
    const inAreas = new Set(all.map(({ file }) => file));
    const files = sourcesIn("adapters/sql").filter((file) => !STATEMENT_TOOLS.test(file) && !inAreas.has(file));
    const withStatements = files.filter((file) => mutantsOf(file, textOf(file), "statements", null).length > 0);
    expect(inAreas.size).toBeGreaterThan(40);
    expect(withStatements).toEqual([]);
  });

  test("have no survivor that is no longer a mutant", () => {
    expect(Object.keys(SURVIVORS).filter((name) => !names.has(name))).toEqual([]);
  });

  test("leave few mutants to the deep run, and none of a vital area or of what a caller reaches", () => {
    const left = Object.keys(DEEP_ONLY);
    const vital = new Set(areas.flatMap(([{ isVital }, mutants]) => (isVital ? mutants.map(({ name }) => name) : [])));
    expect(vital.size).toBeGreaterThan(500);
    expect(left.filter((name) => !names.has(name) || name in SURVIVORS)).toEqual([]);
    expect(left.filter((name) => vital.has(name) || OF_REACH.test(name))).toEqual([]);
    expect(left.length).toBeLessThanOrEqual(names.size / DEEP_SHARE);
  });
});
