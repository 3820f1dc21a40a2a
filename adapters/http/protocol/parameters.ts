import type { TObject, TSchema } from "typebox";
import { compiledOnUse } from "../../../core/compiled.ts";
import type { Issue } from "../../../core/issues.ts";

type Converter = (text: string) => unknown;

const DIGITS = /^(?:0|[1-9][0-9]{0,15})$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Converts text to the schema's type. Text in another form stays text, and the schema refuses it. */
const CONVERTERS: Readonly<Record<string, Converter>> = {
  integer: (text) => (DIGITS.test(text) ? Number(text) : text),
  boolean: (text) => BOOLEANS.get(text) ?? text,
};

interface Annotated {
  readonly type?: string;
  readonly fault?: string;
}

/** The names and texts of a path or query, in the order in which they were sent. */
export type Sent = readonly (readonly [name: string, text: string])[];

/** No parameters at all. */
export const NOTHING_SENT: Sent = [];

/** The values of a path or query, or every issue with them. */
export type Parameters =
  | { readonly values: Readonly<Record<string, unknown>>; readonly issues: null }
  | { readonly issues: readonly Issue[] };

/**
 * Compiles a converter from text to typed parameters: plain decimal digits, `true`, `false`, `1`, `0`, or text. Empty,
 * invalid, repeated and `broken` parameters are issues; unknown ones are ignored.
 */
export const parameterReader = (schema: TObject): ((sent: Sent, broken?: ReadonlySet<string> | null) => Parameters) => {
  const required = schema.required ?? [];
  const readers = new Map(
    Object.entries<TSchema & Annotated>(schema.properties).map(([name, field]) => [
      name,
      {
        fault: field.type === "boolean" ? "must be true, false, 1 or 0" : (field.fault ?? "is not valid"),
        convert: CONVERTERS[field.type ?? ""] ?? ((text: string) => text),
        checkerOf: compiledOnUse(field),
      },
    ]),
  );

  if (readers.size === 0) return () => NOTHING;
  return (sent, broken) => {
    const values: Record<string, unknown> = {};
    let faults: Map<string, string> | null = null;
    for (const [name, text] of sent) {
      const reader = readers.get(name);
      if (reader === undefined) continue;
      const value = reader.convert(text);
      if (broken?.has(name)) {
        faults = (faults ?? new Map()).set(name, "must be UTF-8 in percent-encoding");
        continue;
      }
      const isRepeated = name in values || faults?.has(name);
      if (!isRepeated && reader.checkerOf().Check(value)) values[name] = value;
      else faults = (faults ?? new Map()).set(name, isRepeated ? "must be given only once" : reader.fault);
    }
    for (const name of required)
      if (!(name in values || faults?.has(name))) faults = (faults ?? new Map()).set(name, "is required");
    return faults === null ? { values, issues: null } : { issues: inOrder(readers, faults) };
  };
};

const NOTHING: Parameters = { values: {}, issues: null };

/** Issues in the order of the schema. */
const inOrder = (readers: ReadonlyMap<string, unknown>, faults: ReadonlyMap<string, string>): Issue[] =>
  [...readers.keys()].flatMap((name) => {
    const message = faults.get(name);
    return message === undefined ? [] : [{ path: name, message }];
  });
