import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { inGate } from "./support/depth.ts";
import { breachesOf, circlesOf, type Files, type ImportRule } from "./support/import-rules.ts";
import { importsIn, parsed } from "./support/imports.ts";

const ROOT = join(import.meta.dir, "..");
const FOLDERS = ["core", "adapters", "app", "migrations", "client", "bench", "tests"];

/**
 * Modules of the core that also run in the browser: words, arithmetic and the rules of access, without the validator.
 */
const PORTABLE =
  "^core/(advice/estimate|bulk/(new-price|lower-step)|channels/titles|egress/networks|day-numbers|failure|fields|resources|text|imports/(file|headings|headings/languages|headings/systems|workbook)/[a-z0-9-]+|imports/(cell-names|file-warnings)|permissions|settings/(date-order|field-owners)|imports/values/(currencies|dates|known-values|reading|units)|search/words|access/(authority|decide|networks|policy|principal|rate-limits|visibility|rules/[a-z-]+)|audit/(actions|audit-entry|field-words|sentences)|users/state|webhooks/event|(vehicles|dealers)/fields|vehicles/price-doubt)\\.ts$";

/** The rooms of adapters that have several, and which of the rooms before it each may import. */
const ROOMS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  sql: {
    query: [],
    search: ["query"],
    sqlite: ["query"],
    postgres: ["query"],
    access: ["query"],
    audit: ["query", "search", "access"],
    dealers: ["query", "search", "access", "audit"],
    images: ["query", "audit"],
    vehicles: ["query", "search", "audit", "dealers", "images"],
    history: ["query", "audit", "vehicles"],
    report: ["query", "vehicles"],
    suggestions: ["query", "vehicles"],
    facets: ["query", "vehicles"],
    export: ["query", "vehicles"],
    readiness: ["query", "vehicles"],
    feeds: ["query", "access", "audit", "vehicles", "export"],
    removed: ["query", "search", "audit", "vehicles", "images", "report"],
    keys: ["query", "search", "access", "audit"],
    users: ["query", "search", "access", "audit", "keys"],
    "sign-in": ["query", "access", "audit", "users"],
    usage: ["query", "access"],
    schema: ["query", "search", "report"],
    settings: ["query", "access", "audit"],
    jobs: ["query"],
    repeats: ["query"],
    today: ["query", "access", "vehicles"],
    "dealer-figures": ["query", "dealers", "vehicles"],
    webhooks: ["query", "access", "audit"],
    photos: ["query", "sqlite", "images", "jobs"],
    sources: ["query", "access", "audit", "jobs"],
    imports: ["query", "search", "access", "audit", "vehicles", "images", "photos", "jobs", "sources"],
    "fetched-photos": ["query", "access", "images", "photos", "jobs", "imports"],
    "recent-changes": ["query", "audit", "imports"],
    "change-feed": ["query", "dealers", "images"],
    advice: ["query", "vehicles"],
    "scheduled-changes": ["query", "search", "access", "audit", "vehicles", "jobs"],
  },
  http: {
    protocol: [],
    docs: ["protocol"],
    server: ["protocol", "docs"],
    feeds: ["protocol", "server"],
    photos: ["protocol", "server"],
    api: ["protocol"],
    portal: ["protocol", "docs", "server", "api"],
  },
};

const inARoom = (adapter: string) => `every file of ${adapter} is in one of its rooms`;
const importsOf = (adapter: string, room: string, others: readonly string[]) =>
  `of ${adapter}'s rooms, ${room} imports ${others.join(", ") || "no other"}`;

/** Rooms in their order: each imports only those before it. */
const ORDERED: Readonly<Record<string, readonly string[]>> = {
  core: [
    ...["changes", "cron", "egress", "jobs", "markup", "places", "repeats", "search", "access", "vin"],
    ...[
      "images",
      "photos",
      "suggestions",
      "vehicles",
      "dealers",
      "export",
      "settings",
      "audit",
      "facets",
      "report",
      "history",
    ],
    ...[
      "removed",
      "recent-changes",
      "keys",
      "users",
      "names",
      "sign-in",
      "imports",
      "fetched-photos",
      "sources",
      "webhooks",
      "channels",
      "readiness",
    ],
    ...["bulk", "feeds", "change-feed", "today", "advice", "dealer-figures", "scheduled-changes"],
  ],
  "adapters/portal": [
    ...["api", "settings", "times", "session", "page", "forms", "lists", "choices", "photos", "entry", "permissions"],
    ...[
      "audit",
      "recent-changes",
      "scheduled-changes",
      "advice",
      "keys",
      "webhooks",
      "users",
      "reports",
      "imports",
      "sources",
      "channels",
      "vehicles",
      "feed-problems",
      "sheet",
      "today",
      "walk",
      "dealers",
    ],
    ...["installation", "frame", "palette", "account", "overview"],
  ],
};
const NO_ROOM_ABOVE = (layer: string, room: string) => `${layer}/${room} imports no room above it`;
const HAS_A_PLACE = (layer: string) => `a room of ${layer} has a place in their order`;
const ORDER_RULES = [
  ...Object.entries(ORDERED).flatMap(([layer, rooms]) => [
    ...rooms.slice(0, -1).map((room, place) => ({
      name: NO_ROOM_ABOVE(layer, room),
      from: { path: `^${layer}/${room}/` },
      to: { path: `^${layer}/(${rooms.slice(place + 1).join("|")})/` },
    })),
    {
      name: HAS_A_PLACE(layer),
      from: { path: `^${layer}/[^/]+/`, pathNot: `^${layer}/(${rooms.join("|")})/` },
      to: {},
    },
  ]),
  {
    name: "a file of the core outside of rooms imports none of them",
    from: { path: "^core/[^/]+\\.ts$", pathNot: "^core/all-current-policies\\.ts$" },
    to: { path: "^core/[^/]+/" },
  },
  {
    name: "a room of the portal imports no file outside of rooms, which put them together",
    from: { path: "^adapters/portal/[^/]+/" },
    to: { path: "^adapters/portal/[^/]+$" },
  },
];

const ROOM_RULES = Object.entries(ROOMS).flatMap(([adapter, rooms]) => [
  {
    name: inARoom(adapter),
    from: { path: `^adapters/${adapter}/`, pathNot: `^adapters/${adapter}/(${Object.keys(rooms).join("|")})/` },
    to: {},
  },
  ...Object.entries(rooms).map(([room, others]) => ({
    name: importsOf(adapter, room, others),
    from: { path: `^adapters/${adapter}/${room}/` },
    to: { path: `^adapters/${adapter}/`, pathNot: `^adapters/${adapter}/(${[room, ...others].join("|")})/` },
  })),
]);

/** Who may import what; imports of types count too. */
const RULES: readonly ImportRule[] = [
  {
    name: "core imports itself and typebox only",
    from: { path: "^core/" },
    to: { pathNot: "^core/|^package:typebox(/|$)" },
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
    to: { path: "^core/", pathNot: PORTABLE, mayBeType: true },
  },
  {
    name: "a portable module imports portable ones",
    from: { path: PORTABLE },
    to: { pathNot: PORTABLE, mayBeType: true },
  },
  {
    name: "the client's program imports itself only",
    from: { path: "^client/src/" },
    to: { pathNot: "^client/src/" },
  },
  {
    name: "nothing but tests and recipes uses the client",
    from: { pathNot: "^(client|tests|docs)/" },
    to: { path: "^client/" },
  },
  ...ROOM_RULES,
  ...ORDER_RULES,
];

const filesIn = (...folders: readonly string[]): string[] =>
  folders.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.{ts,tsx,js}`).scanSync(ROOT)]).sort();

const sources = new Map<string, ts.SourceFile>();

/** A file of the project as a tree, which is read once. */
const sourceOf = (file: string): ts.SourceFile => {
  const source = sources.get(file) ?? parsed(file, readFileSync(join(ROOT, file), "utf8"));
  sources.set(file, source);
  return source;
};

describe("the project", () => {
  test("keeps every rule of who may import what, and none of its imports goes in a circle", () => {
    // That nothing else reads tests is seen where it would be read. Circles among the tests are left to the deep run.
    const folders = inGate(
      FOLDERS.filter((folder) => folder !== "tests"),
      FOLDERS,
    );
    const files = filesIn(...folders);
    const imports = new Map(files.map((file) => [file, importsIn(sourceOf(file))]));
    expect(breachesOf(imports, RULES)).toEqual([]);
    expect(circlesOf(imports)).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        "core/access/policy.ts",
        "adapters/http/server/server.ts",
        "adapters/portal/app.tsx",
        "app/compose.ts",
      ]),
    );
  });

  test("lists the rooms of adapters in their order: each imports only those before it", () => {
    for (const rooms of Object.values(ROOMS).map(Object.entries<readonly string[]>))
      for (const [place, [, others]] of rooms.entries())
        expect(rooms.slice(0, place).map(([room]) => room)).toEqual(expect.arrayContaining([...others]));
  });
});

describe("a violation", () => {
  /** Files that follow the rules. */
  const INNOCENT: Readonly<Record<string, string>> = {
    "core/port.ts": `import Type from "typebox"; import { Compile } from "typebox/compile"; export type Port = typeof Type | typeof Compile;`,
    "core/one.ts": `export type One = 1;`,
    "core/two.ts": `import type { One } from "./one.ts"; export type Two = One;`,
    "core/use.ts": `import type { Port } from "./port.ts"; export const use = (port: Port) => port;`,
    "adapters/http/server/server.ts": `import { use } from "../../../core/use.ts"; import "../protocol/body.ts"; import "pino"; export { use };`,
    "adapters/http/protocol/body.ts": `import "node:fs"; export {};`,
    "adapters/portal/app.tsx": `import type { Port } from "../../core/port.ts"; import { ONE } from "../../core/permissions.ts"; export const app = <b>{ONE satisfies Port}</b>;`,
    "core/permissions.ts": `import type { Port } from "./port.ts"; export const ONE: Port = 1;`,
    "adapters/sql/query/rows.ts": `export type Row = 1;`,
    "adapters/sql/keys/rows.ts": `import type { Row } from "../query/rows.ts"; export type KeyRow = Row;`,
    "adapters/sql/schema/migrate.ts": `import "../../../migrations/index.ts"; import "../query/rows.ts"; export {};`,
    "migrations/index.ts": `import "./first.ts";`,
    "migrations/first.ts": `export {};`,
    "client/src/index.ts": `export type Client = 1;`,
    "client/build.ts": `import "node:fs"; import "./src/index.ts";`,
    "app/main.ts": `import "../adapters/http/server/server.ts"; import "../adapters/sql/query/rows.ts"; import "./config.ts";`,
    "app/config.ts": `export type Config = 1;`,
    "bench/run.ts": `import "../core/use.ts";`,
    "tests/any.ts": `import "../app/config.ts"; import "../adapters/http/server/server.ts"; import "../core/use.ts";`,
  };

  const [CORE, ADAPTER, APP, MIGRATIONS, TESTS, PORTAL, PORTED, CLIENT, CLIENT_USED] = RULES.map(({ name }) => name);

  /** For every room, a file that imports a room which is closed to it. */
  const plantedInRooms = Object.entries(ROOMS).flatMap(([adapter, rooms]) =>
    Object.entries(rooms).flatMap(([room, others]) => {
      const closed = Object.keys(rooms).find((other) => other !== room && !others.includes(other));
      const file = `adapters/${adapter}/${room}/planted.ts`;
      return closed === undefined
        ? []
        : [
            [
              importsOf(adapter, room, others),
              file,
              `import "../${closed}/any.ts"`,
              `adapters/${adapter}/${closed}/any.ts`,
            ],
          ];
    }),
  );
  const plantedOutside = Object.entries(ROOMS).map(([adapter, rooms]) => {
    const room = Object.keys(rooms)[0];
    return [
      inARoom(adapter),
      `adapters/${adapter}/loose.ts`,
      `import "./${room}/any.ts"`,
      `adapters/${adapter}/${room}/any.ts`,
    ];
  });

  const plantedInOrder = Object.entries(ORDERED).flatMap(([layer, rooms]) => [
    ...rooms.slice(0, -1).map((room, place) => {
      const above = rooms[place + 1];
      return [
        NO_ROOM_ABOVE(layer, room),
        `${layer}/${room}/planted.ts`,
        `import type {} from "../${above}/any.ts"`,
        `${layer}/${above}/any.ts`,
      ];
    }),
    [HAS_A_PLACE(layer), `${layer}/new/any.ts`, `import "../${rooms[0]}/any.ts"`, `${layer}/${rooms[0]}/any.ts`],
  ]);

  // [rule, file, its only statement, the import that must be reported].
  const PLANTED = [
    [CORE, "core/node.ts", `import { readFileSync } from "node:fs"`, "node:fs"],
    [CORE, "core/required.ts", `import fs = require("node:fs")`, "node:fs"],
    [CORE, "core/asked.ts", `export const fs = require("node:fs")`, "node:fs"],
    [CORE, "core/referred.ts", `/// <reference path="../migrations/index.ts" />\nexport {}`, "migrations/index.ts"],
    [CORE, "core/bun.ts", `import { Database } from "bun:sqlite"`, "bun:sqlite"],
    [CORE, "core/package.ts", `import "kysely"`, "package:kysely"],
    [CORE, "core/alike.ts", `import "typebox-more"`, "package:typebox-more"],
    [CORE, "core/type.ts", `import type { Row } from "../adapters/sql/query/rows.ts"`, "adapters/sql/query/rows.ts"],
    [CORE, "core/inline.ts", `import { type Row } from "../adapters/sql/query/rows.ts"`, "adapters/sql/query/rows.ts"],
    [
      CORE,
      "core/query.ts",
      `export type T = import("../adapters/sql/query/rows.ts").Row`,
      "adapters/sql/query/rows.ts",
    ],
    [
      CORE,
      "core/maybe-promise.ts",
      `export const f = () => import("../adapters/sql/query/rows.ts")`,
      "adapters/sql/query/rows.ts",
    ],
    [CORE, "core/passed.ts", `export * from "../adapters/sql/query/rows.ts"`, "adapters/sql/query/rows.ts"],
    [CORE, "core/typed.ts", `export type { Row } from "../adapters/sql/query/rows.ts"`, "adapters/sql/query/rows.ts"],
    [CORE, "core/upwards.ts", `import "../migrations/index.ts"`, "migrations/index.ts"],
    [
      ADAPTER,
      "adapters/http/api/sql.ts",
      `import type { Row } from "../../sql/query/rows.ts"`,
      "adapters/sql/query/rows.ts",
    ],
    [ADAPTER, "adapters/sql/keys/http.ts", `import "../../http/protocol/body.ts"`, "adapters/http/protocol/body.ts"],
    [ADAPTER, "adapters/bridge.ts", `import "./http/protocol/body.ts"`, "adapters/http/protocol/body.ts"],
    [ADAPTER, "adapters/httpish/copy.ts", `import "../http/protocol/body.ts"`, "adapters/http/protocol/body.ts"],
    [APP, "adapters/system/app.ts", `import type { Config } from "../../app/config.ts"`, "app/config.ts"],
    [APP, "bench/app.ts", `import "../app/config.ts"`, "app/config.ts"],
    [TESTS, "bench/tests.ts", `import "../tests/any.ts"`, "tests/any.ts"],
    [TESTS, "app/tests.ts", `import type {} from "../tests/any.ts"`, "tests/any.ts"],
    [MIGRATIONS, "migrations/core.ts", `import type { Port } from "../core/port.ts"`, "core/port.ts"],
    [MIGRATIONS, "migrations/package.ts", `import "kysely"`, "package:kysely"],
    [PORTAL, "adapters/portal/use.tsx", `import { use } from "../../core/use.ts"`, "core/use.ts"],
    [PORTAL, "adapters/portal/both.ts", `import use, { type Use } from "../../core/use.ts"`, "core/use.ts"],
    [PORTAL, "adapters/portal/mixed.ts", `import { type Use, use } from "../../core/use.ts"`, "core/use.ts"],
    [PORTAL, "adapters/portal/run.ts", `import {} from "../../core/use.ts"`, "core/use.ts"],
    [PORTAL, "adapters/portal/short.ts", `export * from "../../core/use"`, "core/use.ts"],
    [PORTAL, "adapters/portal/later.ts", `export const f = () => import("../../core/use.ts")`, "core/use.ts"],
    [
      ADAPTER,
      "adapters/portal/http.tsx",
      `import type {} from "../http/protocol/body.ts"`,
      "adapters/http/protocol/body.ts",
    ],
    [APP, "adapters/portal/config.ts", `import type { Config } from "../../app/config.ts"`, "app/config.ts"],
    [PORTED, "core/access/rate-limits.ts", `import { use } from "../use.ts"; export { use }`, "core/use.ts"],
    [PORTED, "core/access/rules/any.ts", `import { use } from "../../use.ts"; export { use }`, "core/use.ts"],
    [CLIENT, "client/src/node.ts", `import "node:fs"`, "node:fs"],
    [CLIENT, "client/src/record.ts", `import type { One } from "../../core/one.ts"`, "core/one.ts"],
    [CLIENT_USED, "app/client.ts", `import type {} from "../client/src/index.ts"`, "client/src/index.ts"],
    [CLIENT_USED, "adapters/http/api/client.ts", `import "vehicle-inventory-client"`, "client/src/index.ts"],
    ...plantedInRooms,
    ...plantedOutside,
    ...plantedInOrder,
    [
      "a file of the core outside of rooms imports none of them",
      "core/loose.ts",
      `import "./vehicles/any.ts"`,
      "core/vehicles/any.ts",
    ],
    [
      "a room of the portal imports no file outside of rooms, which put them together",
      "adapters/portal/page/app.ts",
      `import "../app.tsx"`,
      "adapters/portal/app.tsx",
    ],
  ] as const;

  const ROOM_FILES = [
    ...Object.entries(ORDERED).flatMap(([layer, rooms]) => rooms.map((room) => `${layer}/${room}/any.ts`)),
    ...Object.entries(ROOMS).flatMap(([adapter, rooms]) =>
      Object.keys(rooms).map((room) => `adapters/${adapter}/${room}/any.ts`),
    ),
  ];
  const filesOf = (texts: Iterable<readonly [file: string, text: string]>): Files =>
    new Map([...texts].map(([file, text]) => [file, importsIn(parsed(file, text))]));
  const innocent = filesOf([...Object.entries(INNOCENT), ...ROOM_FILES.map((file) => [file, "export {};"] as const)]);
  const planted = filesOf(PLANTED.map(([, file, text]) => [file ?? "", `${text};`]));
  const found = breachesOf(new Map([...innocent, ...planted]), RULES);

  test("is not found where there is none", () => {
    expect(breachesOf(innocent, RULES)).toEqual([]);
    expect(circlesOf(innocent)).toEqual([]);
  });

  for (const [rule, file, text, to] of PLANTED)
    test(`${file} with ${text} is found`, () => {
      expect(found.filter((breach) => breach.includes(` ${file} -> `))).toEqual([`${rule}: ${file} -> ${to}`]);
    });

  test("is found nowhere else", () => {
    expect([...found]).toEqual(PLANTED.map(([rule, file, , to]) => `${rule}: ${file} -> ${to}`).sort());
  });

  test("that goes in a circle is found, once for each circle, whatever is imported", () => {
    const circles = filesOf([
      ["core/one.ts", `import type { Two } from "./two.ts";`],
      ["core/two.ts", `export type Two = import("./three.ts").Three;`],
      ["core/three.ts", `import "./own.ts"; export * from "./one.ts";`],
      ["core/own.ts", `import "./own.ts"; import "./six.ts";`],
      ["core/six.ts", `export {};`],
    ]);
    expect(circlesOf(circles)).toEqual([
      "core/own.ts -> core/own.ts",
      "core/one.ts -> core/two.ts -> core/three.ts -> core/one.ts",
    ]);
  });
});

describe("a loop outside of every function", () => {
  // All modules are one function in the program: once it is hot, the runtime compiles the whole of it for the loop.
  /** The loops of a file that run when it is loaded, by line. */
  const loopsIn = (source: ts.SourceFile): string[] => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isFunctionLike(node)) return;
      if (ts.isIterationStatement(node, false))
        found.push(`${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  };
  /** A program of its own, which is no part of the service. */
  const OWN_PROGRAM = "app/make-zip-table.ts";

  test("is in no module of the service", () => {
    const files = filesIn("core", "adapters", "app", "migrations").filter((file) => file !== OWN_PROGRAM);
    expect(files).toContain("core/vin/makers.ts");
    expect(files.flatMap((file) => loopsIn(sourceOf(file)))).toEqual([]);
  });

  for (const text of ["for (const a of b) c(a);", "if (a) { while (b) c(); }", "try { for (;;) a(); } finally {}"])
    test(`as in ${text} is found`, () => {
      expect(loopsIn(parsed("core/one.ts", `const a = 1;\n${text}`))).toEqual(["core/one.ts:2"]);
    });

  test("is not what a function does", () => {
    expect(
      loopsIn(parsed("core/one.ts", "const f = () => { for (;;) {} }; class A { m() { while (a) b(); } }")),
    ).toEqual([]);
  });
});

describe("parameters", () => {
  const MOST_PARAMETERS = 3;
  const PRODUCT = ["core", "adapters", "app", "migrations", "client", "bench", "tests/support"];

  /** The functions of a file that take too many parameters, by line; `this` is not one. */
  const crowdedIn = (source: ts.SourceFile): string[] => {
    const found: string[] = [];
    const visit = (node: ts.Node): void => {
      const parameters = ts.isFunctionLike(node) ? node.parameters : [];
      if (parameters.filter(({ name }) => !(ts.isIdentifier(name) && name.text === "this")).length > MOST_PARAMETERS)
        found.push(`${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`);
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  };

  test("are three at most, of every function and port: what needs more takes one object", () => {
    const files = filesIn(...PRODUCT);
    expect(files).toEqual(expect.arrayContaining(["core/vehicles/vehicle-repository.ts", "adapters/portal/app.tsx"]));
    expect(files.flatMap((file) => crowdedIn(sourceOf(file)))).toEqual([]);
  });

  for (const text of [
    "function f(a, b, c, d) {}",
    "const f = (a, b, c, d) => a;",
    "const f = (a) => (b, c, d, e) => a;",
    "const f = async (a, { b }, [c], d = 1) => a;",
    "const f = (a, b, c, ...d) => a;",
    "interface Port { f(a: 1, b: 2, c: 3, d?: 4): void }",
    "type F = (a: 1, b: 2, c: 3, d: 4) => void;",
    "class A { constructor(private a, b, c, d) {} }",
    "class A { f(a, b, c, d) {} }",
    "const port = { f(a, b, c, d) {} };",
  ])
    test(`of ${text} are found to be too many`, () => {
      expect(crowdedIn(parsed("planted.ts", text))).toEqual(["planted.ts:1"]);
    });

  for (const text of [
    "const f = (a, b, c) => a;",
    "function f(this: A, a, b, c) {}",
    "const f = ({ a, b, c, d }) => a;",
    "f(a, b, c, d);",
  ])
    test(`of ${text} are not too many`, () => {
      expect(crowdedIn(parsed("planted.ts", text))).toEqual([]);
    });
});

describe("queries", () => {
  const COUNTS = /\bnum(Inserted|Updated|Deleted|Affected|Changed)\w*Rows\b/;

  test("are not asked how many rows they changed, which the driver does not know: they return them", async () => {
    const files = filesIn("adapters", "app", "bench");
    const asking = await Promise.all(
      files.map(async (file) => (COUNTS.test(await Bun.file(join(ROOT, file)).text()) ? [file] : [])),
    );
    expect(files).toContain("adapters/sql/query/driver.ts");
    expect(asking.flat()).toEqual([]);
    expect(COUNTS.test("const { numUpdatedRows } = result")).toBe(true);
  });
});
