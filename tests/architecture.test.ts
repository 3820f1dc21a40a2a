import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type IForbiddenRuleType } from "dependency-cruiser";
import ts from "typescript";

const ROOT = join(import.meta.dir, "..");
const FOLDERS = ["core", "adapters", "app", "migrations", "bench", "tests"];

/** Modules of the core that reach the browser as they are: words and sums, without the validator. */
const PORTABLE = "^core/(access/(permissions|rate-limits)|audit/audit-entry)\\.ts$";

/** Who may import what; also what is imported for its types alone counts. */
const RULES: readonly (IForbiddenRuleType & { readonly name: string })[] = [
  {
    name: "core imports itself and typebox only",
    from: { path: "^core/" },
    to: { pathNot: "^core/|(^|/)node_modules/typebox/" },
  },
  {
    name: "an adapter imports no other adapter",
    from: { path: "^adapters/([^/]+)" },
    to: { path: "^adapters/", pathNot: "^adapters/$1/" },
  },
  { name: "app is imported by nobody", from: { pathNot: "^(app|tests)/" }, to: { path: "^app/" } },
  { name: "migrations import themselves only", from: { path: "^migrations/" }, to: { pathNot: "^migrations/" } },
  { name: "nothing but tests reads tests", from: { pathNot: "^tests/" }, to: { path: "^tests/" } },
  {
    name: "the portal takes types of the core, and of its modules the portable ones",
    from: { path: "^adapters/portal/" },
    to: { path: "^core/", pathNot: PORTABLE, dependencyTypesNot: ["type-only"] },
  },
  {
    name: "a portable module imports portable ones",
    from: { path: PORTABLE },
    to: { pathNot: PORTABLE, dependencyTypesNot: ["type-only"] },
  },
  { name: "no import goes in a circle", from: {}, to: { circular: true } },
];

/** Every breach of a rule as `rule: from -> to`, and the files that were looked at. */
const inspect = async (baseDir: string, folders: readonly string[]) => {
  const { output } = await cruise([...folders], {
    baseDir,
    validate: true,
    ruleSet: { forbidden: RULES.map((rule) => ({ severity: "error", ...rule })) },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  });
  if (typeof output === "string") throw new Error("expected a result, not a report");
  return {
    breaches: output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`).sort(),
    files: output.modules.map(({ source }) => source),
  };
};

/** Words that reach time, chance, the process or the world; the core gets all of these through its ports. */
const WORLDLY = new Set(
  "Date Temporal Intl performance console process Bun Deno Buffer crypto fetch globalThis global require eval Function \
WebSocket Worker Atomics setTimeout setInterval setImmediate queueMicrotask clearTimeout clearInterval".split(/\s+/),
);

/** True for an identifier that is only the name of a property, as in `key.process` or `{ process: 1 }`. */
const isPropertyName = (node: ts.Identifier): boolean => {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  if (ts.isQualifiedName(parent)) return parent.right === node;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isMethodSignature(parent))
    return parent.name === node;
  return false;
};

/** True for `Math` in front of anything but `random`. */
const isOtherMath = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAccessExpression(parent) && parent.name.text !== "random";

/** The words of a source text that have no place in the core, found in its syntax tree. */
const worldlyWordsIn = (fileName: string, text: string): string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && !isPropertyName(node)) {
      if (WORLDLY.has(node.text)) found.push(node.text);
      if (node.text === "Math" && !isOtherMath(node)) found.push("Math.random");
    }
    if (ts.isMetaProperty(node)) found.push("import.meta");
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(fileName, text, ts.ScriptTarget.Latest, true));
  return found;
};

const filesIn = (...folders: readonly string[]): string[] =>
  folders.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx}`).scanSync(ROOT)]).sort();

describe("the project", () => {
  test("keeps every rule of who may import what, and every file of it is looked at", async () => {
    const { breaches, files } = await inspect(ROOT, FOLDERS);
    expect(breaches).toEqual([]);
    expect(filesIn(...FOLDERS).filter((file) => !files.includes(file))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        "core/access/policy.ts",
        "adapters/http/server.ts",
        "adapters/portal/app.tsx",
        "app/compose.ts",
      ]),
    );
  });

  test("has a core that knows neither time nor chance, nor the process, nor the console", async () => {
    const core = filesIn("core");
    expect(core).toContain("core/access/policy.ts");
    const words = await Promise.all(
      core.map(async (file) => [file, worldlyWordsIn(file, await Bun.file(join(ROOT, file)).text())] as const),
    );
    expect(words.filter(([, found]) => found.length > 0)).toEqual([]);
  });
});

describe("a planted breach", () => {
  /** Files as they may be. */
  const INNOCENT: Readonly<Record<string, string>> = {
    "core/port.ts": `import Type from "typebox"; import { Compile } from "typebox/compile"; export type Port = typeof Type | typeof Compile;`,
    "core/one.ts": `export type One = 1;`,
    "core/two.ts": `import type { One } from "./one.ts"; export type Two = One;`,
    "core/use.ts": `import type { Port } from "./port.ts"; export const use = (port: Port) => port;`,
    "adapters/http/server.ts": `import { use } from "../../core/use.ts"; import "./routes.ts"; import "pino"; export { use };`,
    "adapters/http/routes.ts": `import "node:fs"; export {};`,
    "adapters/portal/app.tsx": `import type { Port } from "../../core/port.ts"; import { ONE } from "../../core/access/permissions.ts"; export const app = <b>{ONE satisfies Port}</b>;`,
    "core/access/permissions.ts": `import type { Port } from "../port.ts"; export const ONE: Port = 1;`,
    "adapters/sql/rows.ts": `import "../../migrations/index.ts"; export type Row = 1;`,
    "migrations/index.ts": `import "./first.ts";`,
    "migrations/first.ts": `export {};`,
    "app/main.ts": `import "../adapters/http/server.ts"; import "../adapters/sql/rows.ts"; import "./config.ts";`,
    "app/config.ts": `export type Config = 1;`,
    "bench/run.ts": `import "../core/use.ts";`,
    "tests/any.ts": `import "../app/config.ts"; import "../adapters/http/server.ts"; import "../core/use.ts";`,
    "node_modules/typebox/package.json": `{"name": "typebox", "type": "module", "exports": {".": "./index.js", "./compile": "./compile.js"}}`,
    "node_modules/typebox/index.js": `export default {};`,
    "node_modules/typebox/compile.js": `export const Compile = 1;`,
    "node_modules/typebox-more/package.json": `{"name": "typebox-more", "main": "index.js"}`,
    "node_modules/typebox-more/index.js": ``,
  };

  const [CORE, ADAPTER, APP, MIGRATIONS, TESTS, PORTAL, PORTED, CIRCLE] = RULES.map(({ name }) => name);

  // [rule, file, its only statement, what it must be reported to import].
  const PLANTED = [
    [CORE, "core/node.ts", `import { readFileSync } from "node:fs"`, "fs"],
    [CORE, "core/required.ts", `import fs = require("node:fs")`, "fs"],
    [CORE, "core/bun.ts", `import { Database } from "bun:sqlite"`, "bun:sqlite"],
    [CORE, "core/package.ts", `import "kysely"`, "kysely"],
    [CORE, "core/alike.ts", `import "typebox-more"`, "node_modules/typebox-more/index.js"],
    [CORE, "core/type.ts", `import type { Row } from "../adapters/sql/rows.ts"`, "adapters/sql/rows.ts"],
    [CORE, "core/inline.ts", `import { type Row } from "../adapters/sql/rows.ts"`, "adapters/sql/rows.ts"],
    [CORE, "core/query.ts", `export type T = import("../adapters/sql/rows.ts").Row`, "adapters/sql/rows.ts"],
    [CORE, "core/later.ts", `export const f = () => import("../adapters/sql/rows.ts")`, "adapters/sql/rows.ts"],
    [CORE, "core/passed.ts", `export * from "../adapters/sql/rows.ts"`, "adapters/sql/rows.ts"],
    [CORE, "core/typed.ts", `export type { Row } from "../adapters/sql/rows.ts"`, "adapters/sql/rows.ts"],
    [CORE, "core/upwards.ts", `import "../migrations/index.ts"`, "migrations/index.ts"],
    [ADAPTER, "adapters/http/sql.ts", `import type { Row } from "../sql/rows.ts"`, "adapters/sql/rows.ts"],
    [ADAPTER, "adapters/sql/deep/http.ts", `import "../../http/routes.ts"`, "adapters/http/routes.ts"],
    [ADAPTER, "adapters/bridge.ts", `import "./http/routes.ts"`, "adapters/http/routes.ts"],
    [ADAPTER, "adapters/httpish/copy.ts", `import "../http/routes.ts"`, "adapters/http/routes.ts"],
    [APP, "adapters/system/app.ts", `import type { Config } from "../../app/config.ts"`, "app/config.ts"],
    [APP, "bench/app.ts", `import "../app/config.ts"`, "app/config.ts"],
    [TESTS, "bench/tests.ts", `import "../tests/any.ts"`, "tests/any.ts"],
    [TESTS, "app/tests.ts", `import type {} from "../tests/any.ts"`, "tests/any.ts"],
    [MIGRATIONS, "migrations/core.ts", `import type { Port } from "../core/port.ts"`, "core/port.ts"],
    [MIGRATIONS, "migrations/package.ts", `import "kysely"`, "kysely"],
    [PORTAL, "adapters/portal/use.tsx", `import { use } from "../../core/use.ts"`, "core/use.ts"],
    [PORTAL, "adapters/portal/later.ts", `export const f = () => import("../../core/use.ts")`, "core/use.ts"],
    [ADAPTER, "adapters/portal/http.tsx", `import type {} from "../http/routes.ts"`, "adapters/http/routes.ts"],
    [APP, "adapters/portal/config.ts", `import type { Config } from "../../app/config.ts"`, "app/config.ts"],
    [PORTED, "core/access/rate-limits.ts", `import { use } from "../use.ts"; export { use }`, "core/use.ts"],
    [CIRCLE, "core/one.ts", `import type { Two } from "./two.ts"; export type One = Two`, "core/two.ts"],
  ] as const;

  const folder = mkdtempSync(join(tmpdir(), "architecture-"));
  const plant = async (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    await Bun.write(join(folder, file), text);
  };
  let found: readonly string[];
  beforeAll(async () => {
    for (const [file, text] of Object.entries(INNOCENT)) await plant(file, text);
    expect((await inspect(folder, FOLDERS)).breaches).toEqual([]);
    for (const [, file, text] of PLANTED) await plant(file, `${text};`);
    ({ breaches: found } = await inspect(folder, FOLDERS));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  for (const [rule, file, text, to] of PLANTED)
    test(`${file} with ${text} is found`, () => {
      expect(found.filter((breach) => breach.includes(` ${file} -> `))).toEqual([`${rule}: ${file} -> ${to}`]);
    });

  test("is found nowhere else", () => {
    expect([...found]).toEqual(PLANTED.map(([rule, file, , to]) => `${rule}: ${file} -> ${to}`).sort());
  });
});

describe("a planted word", () => {
  const FOUND: readonly (readonly [text: string, words: readonly string[]])[] = [
    ["const now = Date.now();", ["Date"]],
    ["const day = new Date(0);", ["Date"]],
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
      expect(worldlyWordsIn("planted.ts", text)).toEqual([...words]);
    });

  for (const text of [
    "const most = Math.max(1, Math.round(2.5));",
    `const text = "Date, Math.random, console, process, setTimeout";`,
    "// Date.now() and Math.random()",
    "/** As new Date() would. */ export const ms = 1;",
    "const update = 1, candidate = 2, processed = 3;",
    "interface Step { process(): void; console: string } const step = { Date: 1 }; step.Date;",
    "const date = /Date/;",
  ])
    test(`${text} is innocent`, () => {
      expect(worldlyWordsIn("planted.ts", text)).toEqual([]);
    });
});
