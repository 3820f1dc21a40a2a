import type { TObject, TSchema } from "typebox";
import { compiledOnUse } from "../../../core/compiled.ts";
import type { Issue } from "../../../core/issues.ts";
import { missingParameters } from "../../../core/schema.ts";
import { foldLetters } from "../../../core/search/words.ts";

type Converter = (text: string) => unknown;

const DIGITS = /^(?:0|[1-9][0-9]{0,15})$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Converts text to the type of the schema. Text in another form stays text, so that the schema refuses it. */
const CONVERTERS: Readonly<Record<string, Converter>> = {
  integer: (text) => (DIGITS.test(text) ? Number(text) : text),
  boolean: (text) => BOOLEANS.get(text) ?? text,
};

interface Annotated {
  readonly type?: string;
  readonly fault?: string;
  readonly isFolded?: true;
  /** Set if the parameter may be repeated: the schema of each value. */
  readonly items?: TSchema & Annotated;
  readonly maxItems?: number;
  /** Set if the parameter is sent once, with its values separated by commas. */
  readonly isCommaList?: true;
}

/** The names and texts of a path or query, in the order in which they were sent. */
export type SentParameters = readonly (readonly [name: string, text: string])[];

/** No parameters at all. */
export const NO_PARAMETERS: SentParameters = [];

/** The values of a path or query, or every issue with them. */
export type Parameters =
  | { readonly values: Readonly<Record<string, unknown>>; readonly issues: null }
  | { readonly issues: readonly Issue[] };

type Field = TSchema & Annotated;

/** How to read a parameter. */
interface ParameterReader {
  readonly name: string;
  /** The maximum number of values; `null` if the parameter has a single value. */
  readonly maxValues: number | null;
  readonly fault: string;
  readonly tooMany: string;
  readonly convert: Converter;
  readonly checkerOf: ReturnType<typeof compiledOnUse>;
}

const asText: Converter = (text) => text;

/** The values of a list that is sent as one text. */
const separated: Converter = (text) => [...new Set(text.split(","))];

const readerOf = (name: string, field: Field): ParameterReader => {
  if (field.isCommaList)
    return {
      name,
      maxValues: null,
      fault: field.fault ?? "is not valid",
      tooMany: "must be given only once",
      convert: separated,
      checkerOf: compiledOnUse(field),
    };
  const value = field.items ?? field;
  return {
    name,
    maxValues: field.items === undefined ? null : (field.maxItems ?? Number.POSITIVE_INFINITY),
    fault: value.type === "boolean" ? "must be true, false, 1 or 0" : (value.fault ?? "is not valid"),
    tooMany: field.items === undefined ? "must be given only once" : (field.fault ?? "is given too often"),
    convert: value.isFolded ? foldLetters : (CONVERTERS[value.type ?? ""] ?? asText),
    checkerOf: compiledOnUse(value),
  };
};

/** The readers of a schema's parameters, by the names under which they may be sent: `make[]` is the same as `make`. */
const readersOf = (schema: TObject): ReadonlyMap<string, ParameterReader> =>
  new Map(
    Object.entries<Field>(schema.properties).flatMap(([name, field]) => {
      const reader = readerOf(name, field);
      return reader.maxValues === null
        ? [[name, reader]]
        : [
            [name, reader],
            [`${name}[]`, reader],
          ];
    }),
  );

/** The names under which parameters of a schema may be sent. */
export const sentNamesOf = (schema: TObject): ReadonlySet<string> => new Set(readersOf(schema).keys());

/**
 * Compiles a converter from text to typed parameters: plain decimal digits, `true`, `false`, `1`, `0`, or text. Empty,
 * invalid, repeated and `broken` parameters are issues, and so are missing parameters that other parameters require.
 * Unknown parameters are ignored. A list may be repeated.
 */
export const parameterReader = (
  schema: TObject,
): ((sent: SentParameters, broken?: ReadonlySet<string> | null) => Parameters) => {
  const required = schema.required ?? [];
  const readers = readersOf(schema);
  const missing = missingParameters(schema);

  if (readers.size === 0) return () => NO_VALUES;
  return (sent, broken) => {
    const values: Record<string, unknown> = {};
    let faults: Map<string, string> | null = null;
    for (const [sentName, text] of sent) {
      const reader = readers.get(sentName);
      if (reader === undefined) continue;
      const { name, maxValues } = reader;
      const value = reader.convert(text);
      if (broken?.has(sentName)) {
        faults = (faults ?? new Map()).set(name, "must be UTF-8 in percent-encoding");
        continue;
      }
      const before = values[name] as unknown[] | undefined;
      const isTooMany =
        maxValues === null ? name in values || faults?.has(name) : before !== undefined && before.length >= maxValues;
      if (isTooMany || !reader.checkerOf().Check(value))
        faults = (faults ?? new Map()).set(name, isTooMany ? reader.tooMany : reader.fault);
      else if (maxValues === null) values[name] = value;
      else if (before === undefined) values[name] = [value];
      else before.push(value);
    }
    for (const name of required)
      if (!(name in values || faults?.has(name))) faults = (faults ?? new Map()).set(name, "is required");
    const given = (name: string): unknown => values[name] ?? (faults?.has(name) ? null : undefined);
    for (const { path, message } of missing(given)) faults = (faults ?? new Map()).set(path, message);
    return faults === null ? { values, issues: null } : { issues: inSchemaOrder(schema, faults) };
  };
};

const NO_VALUES: Parameters = { values: {}, issues: null };

/** Issues in the order of the schema. */
const inSchemaOrder = (schema: TObject, faults: ReadonlyMap<string, string>): Issue[] =>
  Object.keys(schema.properties).flatMap((name) => {
    const message = faults.get(name);
    return message === undefined ? [] : [{ path: name, message }];
  });
