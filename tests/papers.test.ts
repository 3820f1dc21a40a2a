import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openApiDocument } from "../adapters/http/docs/openapi.ts";
import { ERROR_CODES } from "../adapters/http/protocol/problem.ts";
import type { Route } from "../adapters/http/protocol/route.ts";
import { openSqlite } from "../adapters/sql/sqlite/open.ts";
import { systemClock as clock } from "../adapters/system/clock.ts";
import { type Config, readConfig } from "../app/config.ts";
import { VARIABLES } from "../app/variables.ts";
import packageJson from "../package.json";
import { coreOn, routesOf } from "./support/core.ts";

const ROOT = join(import.meta.dir, "..");
const GUIDE = "CONTRIBUTING.md";
const PAPERS = [
  "README.md",
  "SECURITY.md",
  "CHANGELOG.md",
  GUIDE,
  "client/README.md",
  ...new Bun.Glob("docs/*.md").scanSync(ROOT),
];

const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** The anchors of a document's headings, as code hosts generate them. */
const anchorsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

/** What has to be set for other variables to be read. */
const SWITCHED_ON: Readonly<Record<string, string>> = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

/** Every variable that reading the configuration uses. */
const variablesRead = (): string[] => {
  const asked = new Set<string>();
  const environment = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get(_, name) {
        asked.add(String(name));
        return SWITCHED_ON[String(name)];
      },
    },
  );
  readConfig(environment) satisfies Config;
  return [...asked].sort();
};

/** Every route of the API. */
const apiRoutes = async (): Promise<readonly Route[]> => {
  const db = openSqlite(":memory:");
  try {
    return routesOf(coreOn(db, clock));
  } finally {
    await db.close();
  }
};

/** Every method and path of the API. */
const operations = async (): Promise<string[]> => (await apiRoutes()).map(({ method, path }) => `${method} ${path}`);

/** A record's fields in the OpenAPI document: all of them, and those that every answer has. */
const documentedFields = async (record: string) => {
  const document = openApiDocument(await apiRoutes(), "1") as unknown as {
    readonly components: {
      readonly schemas: Readonly<Record<string, { readonly properties: object; readonly required: readonly string[] }>>;
    };
  };
  const { properties = {}, required = [] } = document.components.schemas[record] ?? {};
  return { known: Object.keys(properties), required };
};

const METRIC = /\b(?:registry\.(?:gauge|counter|histogram)\(\s*"|name: "(?=inventory_[a-z_]+_total"))([a-z_]+)"/g;
/** The names of all metrics, from the places that add them. */
const METRICS = [...new Bun.Glob("{adapters,app}/**/*.ts").scanSync(ROOT)].flatMap((file) =>
  [...textOf(file).matchAll(METRIC)].map(([, name = ""]) => name),
);

const INTERFACE = "docs/interface.md";
const SOURCES = [...new Bun.Glob("{core,adapters,app,bench,migrations,tests}/**/*.{ts,tsx}").scanSync(ROOT)];
/** Matches "interface 5.4", "interface 6.1 and 5.5" and "interface 5.6 to 5.9". */
const POINTER = /\binterface(?:\s+\*)?\s+(\d+(?:\.\d+)?(?:(?:,| and| to) \d+(?:\.\d+)?)*)/gi;

/** The section numbers that a text refers to. */
const pointersIn = (text: string): string[] =>
  [...text.matchAll(POINTER)].flatMap(([, numbers = ""]) => numbers.match(/[\d.]+/g) ?? []);

describe("the interface document", () => {
  const text = textOf(INTERFACE);
  const sections = [...text.matchAll(/^#{2,3} (\d+(?:\.\d+)?)\.? /gm)].map(([, number = ""]) => number);

  test("numbers its sections in order, without gaps", () => {
    const expected = sections.map((number, index) => {
      const [chapter = 0, section] = (sections[index - 1] ?? "0").split(".").map(Number);
      return number.includes(".") ? `${chapter}.${(section ?? 0) + 1}` : `${chapter + 1}`;
    });
    expect(sections).toEqual(expected);
  });

  test("names every section in its table of contents, in order", () => {
    const [, contents = ""] = text.split("**Contents**");
    const [listed = ""] = contents.split(/^## /m);
    expect([...listed.matchAll(/\[(\d+(?:\.\d+)?)\.? [^\]]+\]\(#/g)].map(([, number]) => number)).toEqual(sections);
  });

  test("has every section that comments, or the document itself, refer to", () => {
    const pointers = SOURCES.flatMap((file) =>
      pointersIn(textOf(file)).map((number) => ({ file, number, exists: sections.includes(number) })),
    );
    expect(pointers.length).toBeGreaterThan(40);
    expect(pointers.filter(({ exists }) => !exists)).toEqual([]);
    const own = [...text.matchAll(/[(,:] ?(?:[Ss]ee )?(\d+\.\d+)\)/g)].map(([, number = ""]) => number);
    expect(own.filter((number) => !sections.includes(number))).toEqual([]);
  });

  test("is the only document whose numbered sections comments refer to", () => {
    const others = SOURCES.filter((file) => /\b(?:specification|contract) \d/i.test(textOf(file)));
    expect(others.filter((file) => file !== "tests/papers.test.ts")).toEqual([]);
  });

  test("has every operation of the API and no other", async () => {
    const table = [...text.matchAll(/^\| (GET|POST|PUT|DELETE) \| `([^`]+)` \|/gm)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    expect(table.sort()).toEqual((await operations()).sort());
  });

  for (const [section, record] of [
    ["Vehicle", "Vehicle"],
    ["Dealer", "Dealer"],
    ["Image", "Image"],
    ["API key", "ApiKey"],
    ["User", "User"],
    ["Audit entry", "AuditEntry"],
    ["Settings", "Settings"],
  ] as const)
    test(`has every field that each ${record} has, and none that it never has`, async () => {
      const [, table = ""] = text.split(new RegExp(`^### 2\\.\\d ${section}$`, "m"));
      const [own = ""] = table.split(/^### /m);
      const named = [...own.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) => cell.match(/\w+/g) ?? []);
      const { known, required } = await documentedFields(record);
      expect(required.length).toBeGreaterThan(5);
      expect(required.filter((field) => !named.includes(field))).toEqual([]);
      expect(named.filter((field) => !known.includes(field))).toEqual([]);
    });

  test("has every error code with its status and no other", () => {
    const table = [...text.matchAll(/^\| `(\w+)` \| ([45]\d{2}) \|/gm)].map(([, code, status]) => `${code} ${status}`);
    const known = Object.entries(ERROR_CODES).map(([code, [status]]) => `${code} ${status}`);
    expect(table.sort()).toEqual(known.sort());
  });
});

/** A file that a contributor makes. */
const NEW_MIGRATION = "migrations/NNNN-name.ts";

/** The source files and folders that a text names in full. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/`((?:core|adapters|app|migrations|tests|bench|deploy)\/[\w./-]*)`/g)].map(([, path]) =>
    String(path),
  );

describe("the guide for contributors", () => {
  /** Its paragraphs, steps and rows of tables. */
  const parts = textOf(GUIDE).split(/\n\s*\n|\n(?=\s*(?:\d+\.|-|\|) )/);
  /** Names that a contributor's own file declares, and SQL. */
  const OWN = ["FIELDS", "PLACE", "WHERE"];

  const all = SOURCES.map(textOf).join("\n");

  test("names constants that exist, in a file beside the name", () => {
    const lost = parts.flatMap((part) => {
      // The files in a table say where a forgotten name is found, not where it is declared.
      const files = part.startsWith("|") ? [] : pathsIn(part).filter((path) => /\.tsx?$/.test(path));
      const present = files.filter((file) => existsSync(join(ROOT, file)));
      const text = files.length === 0 ? all : present.map(textOf).join("\n");
      const names = [...part.matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map(([, name]) => String(name));
      return names.filter((name) => !new RegExp(`\\bconst ${name}\\b`).test(text));
    });
    expect(lost.filter((name) => !OWN.includes(name))).toEqual([]);
  });

  test("quotes titles of tests that exist", () => {
    const quoted = parts.flatMap((part) => (part.startsWith("|") ? [...part.matchAll(/"([^"]+)"/g)] : []));
    expect(quoted.length).toBeGreaterThan(8);
    expect(quoted.map(([, title = ""]) => title).filter((title) => !all.includes(title))).toEqual([]);
  });
});

describe("the documents", () => {
  test("name every variable of the configuration in docs/configuration.md, as the help does, and no other", () => {
    const table = [...textOf("docs/configuration.md").matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|/gm)].map(([, name]) =>
      String(name),
    );
    expect(table.sort()).toEqual(variablesRead());
    expect(Object.keys(VARIABLES).sort()).toEqual(variablesRead());
  });

  test("name every metric in docs/operations.md and no other", () => {
    const [, section = ""] = textOf("docs/operations.md").split(/^## Metrics$/m);
    const table = [...section.matchAll(/^\| `([a-z_]+)(?:\{[^}]*\})?` \|/gm)].map(([, name]) => String(name));
    expect(table.sort()).toEqual(METRICS.toSorted());
  });

  for (const file of ["deploy/alerts.yml", "deploy/grafana.json"])
    test(`name only existing metrics in ${file}`, () => {
      const named =
        textOf(file).match(/\b(?:http_server|db_client|inventory|process|event_loop)_[a-z_]+\b(?=[{[\\)])/g) ?? [];
      const families = named.map((name) =>
        METRICS.includes(name) ? name : name.replace(/_(?:bucket|sum|count)$/, ""),
      );
      expect(new Set(families).size).toBeGreaterThan(8);
      expect(families.filter((name) => !METRICS.includes(name))).toEqual([]);
    });

  for (const file of PAPERS)
    test(`link only to existing targets in ${file}`, () => {
      const links = [...textOf(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)];
      const dead = links.filter(([, path = "", anchor]) => {
        const target = path === "" ? file : join(dirname(file), path);
        return !existsSync(join(ROOT, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
      });
      expect(dead.map(([link]) => link)).toEqual([]);
    });

  for (const file of PAPERS.filter((name) => name !== "CHANGELOG.md"))
    test(`name only existing source files in ${file}`, () => {
      const missing = pathsIn(textOf(file)).filter((path) => !existsSync(join(ROOT, path)));
      expect(missing.filter((path) => path !== NEW_MIGRATION)).toEqual([]);
    });

  test("include a README of at most 150 lines", () => {
    expect(textOf("README.md").split("\n").length).toBeLessThanOrEqual(151);
  });

  test("have notes of the version that package.json names, newest first", () => {
    const releases = [...textOf("CHANGELOG.md").matchAll(/^## (\d.*)$/gm)].map(([, version]) => version);
    expect(releases[0]).toBe(packageJson.version);
  });

  test("say how to install the Bun version that package.json pins", () => {
    expect(textOf("README.md")).toInclude(
      `npx --yes bun@${packageJson.devDependencies.bun} install --frozen-lockfile\n`,
    );
  });
});
