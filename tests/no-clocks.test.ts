import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import ts from "typescript";

const ROOT = join(import.meta.dir, "..");

/** Files that may read the machine's clock, wait for it or draw by chance, each with the reason. */
const ALLOWED: Readonly<Record<string, string>> = {
  "tests/support/eventually.ts": "its one limit only means that something hangs",
  "tests/support/timer-turns.ts": "gives timers their turns, however long these take",
  "tests/support/postgres-programs.ts": "its limit only means that something hangs",
  "tests/mutation/mutate.ts": "tells how long mutants took",
  "tests/mutation/trials.ts": "mutants that hang must end",
  "tests/run/deep.ts": "the deep run draws a new seed, and prints it",
  "tests/run/part.ts": "tells how long parts took",
  "tests/run/orphaned.ts": "ends a run whose parent is gone, and proves nothing",
};

const FORBIDDEN: Readonly<Record<string, readonly string[]>> = {
  Bun: ["sleep", "sleepSync", "nanoseconds"],
  Date: ["now"],
  performance: ["now"],
  Math: ["random"],
};
const TIMERS = ["setTimeout", "setInterval"];
/** Files without any of these words need no look. */
const SUSPICIOUS = /\b(?:sleep|sleepSync|nanoseconds|now|random|setTimeout|setInterval|timers)\b|new Date\b/;

/** The forbidden name of an access such as `Date.now` or `Date["now"]`. */
const accessed = (node: ts.Node): string | null => {
  const isNamed = ts.isPropertyAccessExpression(node);
  if (!isNamed && !ts.isElementAccessExpression(node)) return null;
  const member = isNamed ? node.name.text : node.argumentExpression;
  const name = typeof member === "string" ? member : ts.isStringLiteralLike(member) ? member.text : "";
  const owner = ts.isIdentifier(node.expression) ? node.expression.text : "";
  return FORBIDDEN[owner]?.includes(name) ? `${owner}.${name}` : null;
};

const forbiddenIn = (node: ts.Node): string | null => {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier))
    return /^(?:node:)?timers\b/.test(node.moduleSpecifier.text) ? node.moduleSpecifier.text : null;
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "Date")
    return (node.arguments ?? []).length === 0 ? "new Date()" : null;
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && TIMERS.includes(node.expression.text)) {
    const [, delay] = node.arguments;
    return delay === undefined || delay.getText() === "0" ? null : node.expression.text;
  }
  if (ts.isVariableDeclaration(node) && ts.isObjectBindingPattern(node.name)) {
    const owner = node.initializer?.getText() ?? "";
    const taken = node.name.elements.map((one) => (one.propertyName ?? one.name).getText());
    const name = taken.find((one) => FORBIDDEN[owner]?.includes(one));
    return name === undefined ? null : `${owner}.${name}`;
  }
  return accessed(node);
};

/** What in a source text depends on the machine's clock or on chance. */
const clocksIn = (fileName: string, text: string): string[] => {
  if (!SUSPICIOUS.test(text)) return [];
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const name = forbiddenIn(node);
    if (name !== null) found.push(name);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true));
  return found;
};

test("no test depends on the machine's clock or on chance, and each exception is still one", async () => {
  const files = [...new Bun.Glob("tests/**/*.{ts,tsx}").scanSync(ROOT)].sort();
  expect(files).toContain("tests/faults/deadline.test.ts");
  const all = await Promise.all(
    files.map(async (file) => [file, clocksIn(file, await Bun.file(join(ROOT, file)).text())] as const),
  );
  const found = new Map(all.filter(([, clocks]) => clocks.length > 0));
  expect([...found].filter(([file]) => !(file in ALLOWED))).toEqual([]);
  expect(Object.keys(ALLOWED).filter((file) => !found.has(file))).toEqual([]);
});

describe("a dependence on the machine's clock or on chance is found:", () => {
  for (const [text, found] of [
    ["await Bun.sleep(20);", "Bun.sleep"],
    ["await Bun.sleep(PAUSE_MS);", "Bun.sleep"],
    ["Bun.sleepSync(20);", "Bun.sleepSync"],
    ["const { sleep } = Bun;", "Bun.sleep"],
    ["const since = Bun.nanoseconds();", "Bun.nanoseconds"],
    ["const since = Date.now();", "Date.now"],
    [`const since = Date["now"]();`, "Date.now"],
    ["const clock = { nowMs: Date.now };", "Date.now"],
    ["const since = new Date().toISOString();", "new Date()"],
    ["const since = new Date;", "new Date()"],
    ["const since = performance.now();", "performance.now"],
    ["const { now: present } = performance;", "performance.now"],
    ["const index = Math.floor(Math.random() * 5);", "Math.random"],
    ["const some = [1, 2].map(Math.random);", "Math.random"],
    ["setTimeout(() => {}, 20);", "setTimeout"],
    ["setTimeout(() => {}, PAUSE_MS);", "setTimeout"],
    ["await new Promise((resume) => setTimeout(resume, 1));", "setTimeout"],
    ["setInterval(() => {}, 10);", "setInterval"],
    [`import { setTimeout as pause } from "node:timers/promises";`, "node:timers/promises"],
  ] as const)
    test(text, () => expect(clocksIn("planted.test.ts", text)).toEqual([found]));
});

describe("what does not depend on them is left alone:", () => {
  for (const text of [
    "const moment = clock.now();",
    "const day = new Date(2026, 0, 1);",
    "const moment = new Date(ms).toISOString();",
    "const noon = Date.parse('2026-11-20T12:00:00Z');",
    "const most = Math.max(1, 2);",
    "await new Promise((resume) => setTimeout(resume));",
    "await new Promise((resume) => setTimeout(resume, 0));",
    "socket.setTimeout(1000);",
    "clearTimeout(timer);",
    "const text = 'Date.now() and Math.random()'; // performance.now()",
  ])
    test(text, () => expect(clocksIn("planted.test.ts", text)).toEqual([]));
});
