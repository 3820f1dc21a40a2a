import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { Glob } from "bun";
import type { TSchema } from "typebox";
import ts from "typescript";
import { validator } from "../core/validation.ts";

const ROOT = join(import.meta.dir, "..");
const FOLDERS = ["core", "adapters", "app", "migrations"];

// The analysis in JavaScript is the same everywhere, and faster than starting a program for each pattern.
process.env.RECHECK_BACKEND = "pure";
const { checkSync } = await import("recheck");

/** A pattern in the sources, and its position. */
interface Pattern {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

const sourceFiles = (folder: string): string[] =>
  [...new Glob("**/*.{ts,tsx}").scanSync(`${ROOT}/${folder}`)].map((file) => `${folder}/${file}`).sort();

/** Every literal pattern in a source; `made` are those constructed at run time. */
const patternsIn = (file: string, text: string): { written: Pattern[]; made: string[] } => {
  const written: Pattern[] = [];
  const made: string[] = [];
  const root = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    const where = `${file}:${root.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      written.push({ where, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp")
      made.push(where);
    node.forEachChild(visit);
  };
  visit(root);
  return { written, made };
};

const HARMLESS = new Set(["constant", "linear", "safe"]);
/**
 * The other checker tries random texts, so its results vary. It is not used for patterns that this one does not
 * support, such as lookaheads.
 */
const ANALYSIS = { checker: "automaton", timeout: 60_000 } as const;
const analysed = (source: string, flags: string): string => {
  const result = checkSync(source, flags.replace(/[vd]/g, ""), ANALYSIS);
  return result.status === "unknown" ? `unknown: ${result.error.kind}` : (result.complexity?.type ?? result.status);
};

/**
 * How the matching steps grow with the text in the worst case, by analysis of the pattern. Bounded repetitions are
 * first treated as unbounded: those take at least as many steps, and are analysed at once.
 */
const growthOf = ({ source, flags }: Pattern): string => {
  const wider = analysed(
    source.replace(/(?<!\\[pP])\{(\d+)(?:,\d*)?\}/g, (_, least) => (least === "0" ? "*" : "+")),
    flags,
  );
  return HARMLESS.has(wider) ? wider : analysed(source, flags);
};
const harmful = (patterns: readonly Pattern[]): string[] =>
  patterns.flatMap((pattern) => {
    const growth = growthOf(pattern);
    return HARMLESS.has(growth) ? [] : [`${pattern.where} /${pattern.source}/ ${growth}`];
  });

interface FieldSchema extends TSchema {
  readonly type?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly properties?: Record<string, FieldSchema>;
  readonly items?: FieldSchema;
  readonly anyOf?: readonly FieldSchema[];
  readonly patternProperties?: Record<string, FieldSchema>;
}

/** Every schema within a schema, including itself, with its path. */
const schemasIn = (schema: FieldSchema, path: string): { path: string; schema: FieldSchema }[] => [
  { path, schema },
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => schemasIn(inner, `${path}.${name}`)),
  ...Object.values(schema.patternProperties ?? {}).flatMap((inner) => schemasIn(inner, `${path}.*`)),
  ...(schema.anyOf ?? []).flatMap((inner) => schemasIn(inner, path)),
  ...(schema.items === undefined ? [] : schemasIn(schema.items, `${path}[]`)),
];

/** Every object schema that the core exports, for bodies and queries. */
const exportedSchemas = async (): Promise<{ name: string; schema: FieldSchema }[]> => {
  const found: { name: string; schema: FieldSchema }[] = [];
  for (const file of sourceFiles("core")) {
    const exported: Record<string, unknown> = await import(`${ROOT}/${file}`);
    for (const [name, value] of Object.entries(exported))
      if (typeof value === "object" && value !== null && "type" in value && "properties" in value)
        found.push({ name: `${file} ${name}`, schema: value as unknown as FieldSchema });
  }
  return found;
};

const LONG = 64 * 1024;
/** 64 kB of characters that are slow for patterns: spaces, dots, `@`s, slashes, and those of keys and ids. */
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
    ["", "@", " ", "!"].map((end) => start + unit.repeat(LONG / unit.length) + end),
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
  const files = FOLDERS.flatMap(sourceFiles);

  test("take a number of steps linear in the text, and are literals that can be examined", async () => {
    const found = await Promise.all(
      files.map(async (file) => patternsIn(file, await Bun.file(`${ROOT}/${file}`).text())),
    );
    const written = found.flatMap((each) => each.written);
    expect(written.length).toBeGreaterThan(50);
    expect(harmful(written)).toEqual([]);
    expect(found.flatMap((each) => each.made)).toEqual([]);
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
    const patterned = (await exportedSchemas())
      .flatMap(({ name, schema }) => schemasIn(schema, name))
      .filter(({ schema }) => schema.pattern !== undefined);
    expect(patterned.length).toBeGreaterThan(8);
    const long = patterned.filter(({ schema }) => (schema.maxLength ?? Number.POSITIVE_INFINITY) > 2048);
    expect(long.map(({ path, schema }) => [path, schema.maxLength])).toEqual(LONG_FIELDS);
    const patterns = patterned.map(({ path, schema }) => ({ where: path, source: schema.pattern ?? "", flags: "u" }));
    expect(
      harmful([...Map.groupBy(patterns, ({ source }) => source).values()].flatMap(([first]) => first ?? [])),
    ).toEqual([]);
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
