import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dir, "..");

/** Globals for time, randomness, the process or the outside world. The core gets all of these through its ports. */
const FORBIDDEN_WORDS = new Set(
  "Date Temporal Intl performance console process Bun Deno Buffer crypto fetch globalThis global require eval Function \
WebSocket Worker Atomics setTimeout setInterval setImmediate queueMicrotask clearTimeout clearInterval".split(/\s+/),
);

/** True for an identifier that only names a property, as in `key.process` or `{ process: 1 }`. */
const isPropertyName = (node: ts.Identifier): boolean => {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodSignature(parent))
    return parent.name === node;
  return false;
};

/** True for `Math` before anything but `random`. */
const isOtherMath = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAccessExpression(parent) && parent.name.text !== "random";

/** True for dates that do not depend on a clock: `Date.UTC(…)`, and `new Date(…)` with exactly one argument. */
const isPureDate = (node: ts.Identifier): boolean => {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent))
    return parent.name.text === "UTC" && ts.isCallExpression(parent.parent) && parent.parent.expression === parent;
  if (!ts.isNewExpression(parent) || parent.expression !== node) return false;
  const [moment, ...others] = parent.arguments ?? [];
  return moment !== undefined && !ts.isSpreadElement(moment) && others.length === 0;
};

/** The words in a source text that must not be in the core, found in its syntax tree. */
const forbiddenWordsIn = (fileName: string, text: string): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isPropertyName(node)) {
      if (FORBIDDEN_WORDS.has(node.text) && !(node.text === "Date" && isPureDate(node))) found.push(node.text);
      if (node.text === "Math" && !isOtherMath(node)) found.push("Math.random");
    }
    if (ts.isMetaProperty(node)) found.push("import.meta");
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true));
  return found;
};

test("the core uses no time, randomness, process or console", async () => {
  const core = [...new Bun.Glob("core/**/*.ts").scanSync(ROOT)].sort();
  expect(core).toContain("core/access/policy.ts");
  const words = await Promise.all(
    core.map(async (file) => [file, forbiddenWordsIn(file, await Bun.file(join(ROOT, file)).text())] as const),
  );
  expect(words.filter(([, found]) => found.length > 0)).toEqual([]);
});

describe("a forbidden global", () => {
  const FOUND: readonly (readonly [text: string, words: readonly string[]])[] = [
    ["const now = Date.now();", ["Date"]],
    ["const now = new Date();", ["Date"]],
    ["const now = new Date;", ["Date"]],
    ["const now = new Date(...[]);", ["Date"]],
    ["const local = new Date(2026, 0, 1);", ["Date"]],
    ["const now = Date();", ["Date"]],
    ["const now = Date(0);", ["Date"]],
    [`const now = Date["now"]();`, ["Date"]],
    ["const now = new Date(Date.now());", ["Date"]],
    ["const local = Date.parse(text);", ["Date"]],
    ["const { constructor } = Date.UTC;", ["Date"]],
    ["const now = Date.UTC.constructor(text);", ["Date"]],
    ["const later = new Later(Date);", ["Date"]],
    ["export const f = (day: Date) => day;", ["Date"]],
    ["const { now } = Date;", ["Date"]],
    ["const clock = { Date };", ["Date"]],
    ["const now = globalThis.Date.now();", ["globalThis"]],
    [`const now = globalThis["Da" + "te"];`, ["globalThis"]],
    ["const luck = Math.random();", ["Math.random"]],
    [`const luck = Math["random"]();`, ["Math.random"]],
    ["const { random } = Math;", ["Math.random"]],
    ["const luck = [1, 2].map(Math.random);", ["Math.random"]],
    ["console.log(1);", ["console"]],
    ["const home = process.env.HOME;", ["process"]],
    ["setTimeout(() => {}, 1);", ["setTimeout"]],
    ["export const wait = setInterval;", ["setInterval"]],
    ["setImmediate(() => {}); queueMicrotask(() => {});", ["setImmediate", "queueMicrotask"]],
    ["const key = crypto.randomUUID(); performance.now();", ["crypto", "performance"]],
    [`const now = new Function("return Date")();`, ["Function"]],
    ["const here = import.meta.dir;", ["import.meta"]],
  ];

  for (const [text, words] of FOUND)
    test(`${text} is found`, () => {
      expect(forbiddenWordsIn("planted.ts", text)).toEqual([...words]);
    });

  for (const text of [
    "const most = Math.max(1, Math.round(2.5));",
    `const text = "Date, Math.random, console, process, setTimeout";`,
    "// Date.now() and Math.random()",
    "/** As new Date() would. */ export const ms = 1;",
    "const update = 1, candidate = 2, processed = 3;",
    "interface Step { process(): void; console: string } const step = { Date: 1 }; step.Date;",
    "const date = /Date/;",
    "const ms = Date.UTC(2026, 0, 1);",
    "const moment = new Date(0).toISOString();",
  ])
    test(`${text} is allowed`, () => {
      expect(forbiddenWordsIn("planted.ts", text)).toEqual([]);
    });
});
