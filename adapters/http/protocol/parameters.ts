import type { TObject, TSchema } from "typebox";
import { compiledAhead } from "../../../core/compiled.ts";
import type { Issue } from "../../../core/issues.ts";
import { nearestWord } from "../../../core/nearest-word.ts";
import { combinationIssues } from "../../../core/schema.ts";
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
  /** Set if the parameter's values may be separated by commas, too. */
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
  /** True if each text may have several values. */
  readonly isCommaList: boolean;
  readonly fault: string;
  readonly tooMany: string;
  readonly convert: Converter;
  readonly checkerOf: ReturnType<typeof compiledAhead>;
}

const asText: Converter = (text) => text;

/** The values of a list that is sent as one text. */
const separated: Converter = (text) => [...new Set(text.split(","))];

const readerOf = (name: string, field: Field): ParameterReader => {
  if (field.isCommaList)
    return {
      name,
      maxValues: Number.POSITIVE_INFINITY,
      isCommaList: true,
      fault: field.fault ?? "is not valid",
      tooMany: "is given too often",
      convert: separated,
      checkerOf: compiledAhead(field),
    };
  const value = field.items ?? field;
  return {
    name,
    maxValues: field.items === undefined ? null : (field.maxItems ?? Number.POSITIVE_INFINITY),
    isCommaList: false,
    fault: value.type === "boolean" ? "must be true, false, 1 or 0" : (value.fault ?? "is not valid"),
    tooMany: field.items === undefined ? "must be given only once" : (field.fault ?? "is given too often"),
    convert: value.isFolded ? foldLetters : (CONVERTERS[value.type ?? ""] ?? asText),
    checkerOf: compiledAhead(value),
  };
};

/** The readers of a schema's parameters, by the names under which they may be sent: `make[]` is the same as `make`. */
const readersOf = (schema: TObject): ReadonlyMap<string, ParameterReader> =>
  new Map(
    Object.entries<Field>(schema.properties).flatMap(([name, field]) => {
      const reader = readerOf(name, field);
      return [
        [name, reader],
        [`${name}[]`, reader],
      ];
    }),
  );

/** Names that clients add for themselves, such as those of campaigns and against caches. */
const isForeign = (name: string): boolean => name.startsWith("_") || name.startsWith("utm_");

/** The number of unknown names of one query that are compared with the known ones, which takes time. */
const MAX_COMPARED_NAMES = 10;
const MAX_NAME = 100;

/** The issues with names that a schema does not have. A misspelt filter must not answer everything. */
const unknownNames = (schema: TObject, names: ReadonlySet<string>): Issue[] => {
  const known = Object.keys(schema.properties);
  return [...names].map((name, place) => {
    const nearest = place < MAX_COMPARED_NAMES ? nearestWord(name.replace(/\[\]$/, ""), known) : null;
    const meant = nearest === null ? "" : `; did you mean ${nearest}?`;
    return { path: name.slice(0, MAX_NAME), message: `is not a known parameter${meant}` };
  });
};

/** The names under which parameters of a schema may be sent. */
export const sentNamesOf = (schema: TObject): ReadonlySet<string> => new Set(readersOf(schema).keys());

/**
 * Compiles a converter from text to typed parameters: plain decimal digits, `true`, `false`, `1`, `0`, or text. Empty,
 * invalid, repeated and `broken` parameters are issues, and so are missing parameters that other parameters require.
 * A list may be repeated. Unknown parameters are issues, too, or ignored.
 */
export const parameterReader = (
  schema: TObject,
  unknown: "refused" | "ignored",
): ((sent: SentParameters, broken?: ReadonlySet<string> | null) => Parameters) => {
  const required: readonly string[] = schema.required ?? [];
  const readers = readersOf(schema);
  const combinations = combinationIssues(schema);

  return (sent, broken) => {
    if (sent.length === 0 && required.length === 0) return NO_VALUES;
    const values: Record<string, unknown> = {};
    let faults: Map<string, string> | null = null;
    let unknownSent: Set<string> | null = null;
    for (const [sentName, text] of sent) {
      const reader = readers.get(sentName);
      if (reader === undefined) {
        if (unknown === "refused" && !isForeign(sentName)) unknownSent = (unknownSent ?? new Set()).add(sentName);
        continue;
      }
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
      else if (reader.isCommaList) values[name] = [...new Set([...(before ?? []), ...(value as unknown[])])];
      else if (before === undefined) values[name] = [value];
      else before.push(value);
    }
    for (const name of required)
      if (!(name in values || faults?.has(name))) faults = (faults ?? new Map()).set(name, "is required");
    if (combinations !== null) {
      const given = (name: string): unknown => values[name] ?? (faults?.has(name) ? null : undefined);
      for (const { path, message } of combinations(given)) faults = (faults ?? new Map()).set(path, message);
    }
    if (faults === null && unknownSent === null) return { values, issues: null };
    return {
      issues: [...inSchemaOrder(schema, faults ?? NO_FAULTS), ...unknownNames(schema, unknownSent ?? NO_NAMES)],
    };
  };
};

const NO_VALUES: Parameters = { values: {}, issues: null };
const NO_FAULTS: ReadonlyMap<string, string> = new Map();
const NO_NAMES: ReadonlySet<string> = new Set();

/** Issues in the order of the schema. */
const inSchemaOrder = (schema: TObject, faults: ReadonlyMap<string, string>): Issue[] =>
  Object.keys(schema.properties).flatMap((name) => {
    const message = faults.get(name);
    return message === undefined ? [] : [{ path: name, message }];
  });
