import type { TObject, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Issue } from "../../core/failure.ts";

type Converter = (text: string) => unknown;

const DIGITS = /^(?:0|[1-9][0-9]{0,15})$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Text as a value of the schema's type; what is not plain stays text and then fails the schema. */
const CONVERTERS: Readonly<Record<string, Converter>> = {
  integer: (text) => (DIGITS.test(text) ? Number(text) : text),
  boolean: (text) => BOOLEANS.get(text) ?? text,
};

interface Annotated {
  readonly type?: string;
  readonly fault?: string;
}

/** Values of a path or query, or every issue with them. */
export type Parameters =
  | { readonly values: Readonly<Record<string, unknown>>; readonly issues: null }
  | { readonly issues: readonly Issue[] };

/**
 * Compiles a converter from text to typed parameters: plain decimal digits, `true`, `false`, `1`, `0`, or text.
 * Known parameters that are empty, bad or given twice are issues; unknown ones are ignored.
 */
export const parameterReader = (schema: TObject) => {
  const required = new Set(schema.required ?? []);
  const readers = Object.entries<TSchema & Annotated>(schema.properties).map(([name, field]) => ({
    name,
    required: required.has(name),
    fault: field.type === "boolean" ? "must be true, false, 1 or 0" : (field.fault ?? "is not valid"),
    convert: CONVERTERS[field.type ?? ""] ?? ((text: string) => text),
    checker: Compile(field),
  }));

  return (valuesOf: (name: string) => readonly string[]): Parameters => {
    const values: Record<string, unknown> = {};
    const issues: Issue[] = [];
    for (const { name, required, fault, convert, checker } of readers) {
      const [text, ...more] = valuesOf(name);
      if (text === undefined) {
        if (required) issues.push({ path: name, message: "is required" });
        continue;
      }
      const value = convert(text);
      if (more.length > 0) issues.push({ path: name, message: "must be given only once" });
      else if (checker.Check(value)) values[name] = value;
      else issues.push({ path: name, message: fault });
    }
    return issues.length > 0 ? { issues } : { values, issues: null };
  };
};
