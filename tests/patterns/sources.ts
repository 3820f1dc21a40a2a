import { join } from "node:path";
import { Glob } from "bun";
import type { TSchema } from "typebox";
import ts from "typescript";
import { parsed } from "../support/imports.ts";

const ROOT = join(import.meta.dir, "../..");
const FOLDERS = ["core", "adapters", "app", "migrations"];

/** A pattern in the sources, and its position. */
export interface Pattern {
  readonly where: string;
  readonly source: string;
  readonly flags: string;
}

const sourceFiles = (folder: string): string[] =>
  [...new Glob("**/*.{ts,tsx}").scanSync(`${ROOT}/${folder}`)].map((file) => `${folder}/${file}`).sort();

/** Every literal pattern in a source; `made` are those constructed at run time. */
export const patternsIn = (file: string, text: string): { written: Pattern[]; made: string[] } => {
  const written: Pattern[] = [];
  const made: string[] = [];
  const root = parsed(file, text);
  const visit = (node: ts.Node): void => {
    const where = () => `${file}:${root.getLineAndCharacterOfPosition(node.getStart(root)).line + 1}`;
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      written.push({ where: where(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    } else if (
      (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
      ts.isIdentifier(node.expression) &&
      node.expression.text === "RegExp"
    )
      made.push(where());
    ts.forEachChild(node, visit);
  };
  visit(root);
  return { written, made };
};

const readPatterns = async (): Promise<ReturnType<typeof patternsIn>> => {
  const found = await Promise.all(
    FOLDERS.flatMap(sourceFiles).map(async (file) => patternsIn(file, await Bun.file(`${ROOT}/${file}`).text())),
  );
  return { written: found.flatMap(({ written }) => written), made: found.flatMap(({ made }) => made) };
};

let all: ReturnType<typeof readPatterns> | undefined;
/** Every pattern in the sources of the service, which are read once. */
export const allPatterns = (): ReturnType<typeof readPatterns> => {
  all ??= readPatterns();
  return all;
};

/** A schema within a schema. */
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
export const schemasIn = (schema: FieldSchema, path: string): { path: string; schema: FieldSchema }[] => [
  { path, schema },
  ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => schemasIn(inner, `${path}.${name}`)),
  ...Object.values(schema.patternProperties ?? {}).flatMap((inner) => schemasIn(inner, `${path}.*`)),
  ...(schema.anyOf ?? []).flatMap((inner) => schemasIn(inner, path)),
  ...(schema.items === undefined ? [] : schemasIn(schema.items, `${path}[]`)),
];

/** Every object schema that the core exports, for bodies and queries. */
export const exportedSchemas = async (): Promise<{ name: string; schema: FieldSchema }[]> => {
  const found: { name: string; schema: FieldSchema }[] = [];
  for (const file of sourceFiles("core")) {
    const exported: Record<string, unknown> = await import(`${ROOT}/${file}`);
    for (const [name, value] of Object.entries(exported))
      if (typeof value === "object" && value !== null && "type" in value && "properties" in value)
        found.push({ name: `${file} ${name}`, schema: value as unknown as FieldSchema });
  }
  return found;
};

/** Every pattern of a schema that the core exports, with the greatest length of the text. */
export const schemaPatterns = async (): Promise<(Pattern & { readonly maxLength: number })[]> =>
  (await exportedSchemas())
    .flatMap(({ name, schema }) => schemasIn(schema, name))
    .flatMap(({ path, schema: { pattern, maxLength = Number.POSITIVE_INFINITY } }) =>
      pattern === undefined ? [] : [{ where: path, source: pattern, flags: "u", maxLength }],
    );
