import Type, { type Static, type TObject, type TSchema } from "typebox";
import { timestampIn } from "./clock.ts";
import type { Issue } from "./issues.ts";
import { isBlank, isStorable } from "./text.ts";

/**
 * Options of the building blocks of input schemas. `fault` says what the field must be; it follows the field's name in
 * error messages. Types, validation and the OpenAPI document use the same schemas.
 */
interface Annotations {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  /** Additional documentation, which validation ignores. */
  readonly documented?: object;
  /** For parameters of a query: case and accents do not matter. */
  readonly isFolded?: true;
  /** Another parameter that must also be given: always, or only if it has the value `beside`. */
  readonly needs?: { readonly parameter: string; readonly beside?: string };
  /** Another parameter beside which this one must not be given, if that one's value begins like this. */
  readonly notBeside?: { readonly parameter: string; readonly beginning: string; readonly message: string };
}

/** Text of `min` to `max` Unicode code points, without NUL characters and lone surrogates. */
export const text = (min: number, max: number, annotations: Annotations = {}) =>
  Type.Refine(
    Type.String({
      ...(min > 0 && { minLength: min }),
      maxLength: max,
      fault: `must be text of ${min} to ${max} characters, without NUL characters or lone surrogates`,
      ...annotations,
    }),
    isStorable,
  );

/** The same as `text(1, max)`, with at least one visible character. */
export const requiredText = (max: number, annotations: Annotations = {}) =>
  Type.Refine(
    Type.String({
      minLength: 1,
      maxLength: max,
      fault: `must be text of 1 to ${max} characters, not blank, without NUL characters or lone surrogates`,
      documented: { pattern: "\\S" },
      ...annotations,
    }),
    (value) => isStorable(value) && !isBlank(value),
  );

/**
 * Text of up to `max` characters that matches a pattern; `fault` describes the pattern. The length is checked first, so
 * that patterns never see long texts.
 */
export const patterned = ({
  pattern,
  max,
  fault,
  ...annotations
}: Annotations & { readonly pattern: string; readonly max: number; readonly fault: string }) =>
  Type.String({ pattern, maxLength: max, fault, ...annotations });

/** An email address of up to 254 characters: a part before one `@`, and a host with or without dots. */
export const email = (annotations: Annotations = {}) =>
  Type.Refine(
    patterned({
      pattern: "^[^\\s@]+@[^\\s@.]+(?:\\.[^\\s@.]+)*$",
      max: 254,
      fault: "must be an email address of up to 254 characters, such as sales@harbor.example.com",
      examples: ["sales@harbor.example.com"],
      documented: { format: "email" },
      ...annotations,
    }),
    isStorable,
  );

/** An ISO 8601 date and time with a zone, as clients send it. */
export const moment = (annotations: Annotations = {}) =>
  Type.Refine(
    Type.String({
      maxLength: 40,
      fault: "must be an ISO 8601 date and time with a zone, such as 2026-11-20T00:00:00Z",
      documented: { format: "date-time" },
      ...annotations,
    }),
    (text) => timestampIn(text) !== null,
  );

/** A whole number from `minimum` to `maximum`. */
export const integer = (minimum: number, maximum: number, annotations: Annotations = {}) =>
  Type.Integer({
    minimum,
    maximum,
    fault: `must be a whole number from ${minimum} to ${maximum}`,
    ...annotations,
  });

/** A number from `minimum` to `maximum`. It need not be whole. */
export const number = (minimum: number, maximum: number, annotations: Annotations = {}) =>
  Type.Number({ minimum, maximum, fault: `must be a number from ${minimum} to ${maximum}`, ...annotations });

/** The id of a record. */
export const id = (annotations: Annotations = {}) => integer(1, Number.MAX_SAFE_INTEGER, annotations);

/** One of the given words. */
export const oneOf = <const Words extends readonly string[]>(words: Words, annotations: Annotations = {}) =>
  Type.Unsafe<Words[number]>({
    type: "string",
    enum: [...words],
    fault: `must be one of ${words.join(", ")}`,
    ...annotations,
  });

/**
 * A parameter of a query that may be repeated up to `most` times. The result is a list of its values in the order sent.
 */
export const listOf = <Schema extends TSchema>(value: Schema, most: number, annotations: Annotations = {}) =>
  Type.Unsafe<readonly Static<Schema>[]>(
    Type.Array(value, { maxItems: most, fault: `must be given ${most} times at most`, ...annotations }),
  );

/** A parameter of a query with words from a closed list, separated by commas. The result is a list of the words. */
export const commaList = <const Words extends readonly string[]>(words: Words, annotations: Annotations = {}) =>
  Type.Unsafe<readonly Words[number][]>(
    Type.Array(oneOf(words), {
      minItems: 1,
      isCommaList: true,
      fault: `must be of ${words.join(", ")}, separated by commas`,
      ...annotations,
    }),
  );

export const flag = (annotations: Annotations = {}) => Type.Boolean({ fault: "must be true or false", ...annotations });

/** True for a flag that was sent as `true` or 1. */
export const isOn = (flag: boolean | 0 | 1): boolean => flag === true || flag === 1;

/** A boolean that also accepts 1 and 0, as they occur in answers. */
export const flagOrBit = (annotations: Annotations = {}) =>
  Type.Unsafe<boolean | 0 | 1>({
    enum: [true, false, 1, 0],
    documented: { type: ["boolean", "integer"] },
    fault: "must be true, false, 1 or 0",
    ...annotations,
  });

// Every runtime has it, and core knows no other types of theirs.
declare const URL: { canParse(text: string): boolean };

const MAX_ADDRESS = 2048;

/** An http or https address of up to 2048 characters. */
export const url = (annotations: Annotations = {}) =>
  Type.Refine(
    Type.String({
      maxLength: MAX_ADDRESS,
      fault: `must be an http or https address of up to ${MAX_ADDRESS} characters`,
      documented: { format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+([/?#]\\S*)?$" },
      ...annotations,
    }),
    // JavaScript counts a character as one or two units.
    (value) => value.length <= 2 * MAX_ADDRESS && isStorable(value) && isWebAddress(value),
  );

// A scheme and an authority, followed by anything except white space.
const WEB_ADDRESS = /^https?:\/\/([^\s/?#]+)(?:[/?#]\S*)?$/i;
// An optional user, a host (a name, an IPv4 or a bracketed IPv6 address) and an optional port.
const AUTHORITY = /^(?:[^@]*@)?(?:[^@:[\]]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** Programs refuse some hosts and ports of that form, such as 1.2.3.4.5 and 99999: what nobody can open is no address. */
const isWebAddress = (text: string): boolean => AUTHORITY.test(WEB_ADDRESS.exec(text)?.[1] ?? "") && URL.canParse(text);

/** The fields of an answer that a body may send back, as documented: they are accepted and ignored. */
export const ignoredFields = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [name, Type.Optional(Type.Unknown({ readOnly: true, description: "Accepted and ignored." }))]),
  );

/** An optional field that `null` clears. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

/** The values of parameters as they were sent, whether or not they are valid; `undefined` for the others. */
type Given = (name: string) => unknown;

/** The parameters that must be given together with those that are given, each once. */
const missingIn = (fields: readonly [name: string, Annotations][], given: Given): Issue[] => {
  const missing = new Map<string, string>();
  for (const [name, { needs }] of fields) {
    if (needs === undefined) continue;
    const { parameter, beside } = needs;
    const isNeeded = beside === undefined ? given(name) !== undefined : given(name) === beside;
    if (isNeeded && given(parameter) === undefined && !missing.has(parameter))
      missing.set(parameter, `is required with ${beside === undefined ? name : `${name}=${beside}`}`);
  }
  return [...missing].map(([path, message]) => ({ path, message }));
};

/** The parameters that must not be given beside another one that is given. */
const conflictsIn = (fields: readonly [name: string, Annotations][], given: Given): Issue[] =>
  fields.flatMap(([name, { notBeside }]) => {
    if (notBeside === undefined || given(name) === undefined) return [];
    const other = given(notBeside.parameter);
    const isConflict = typeof other === "string" && other.startsWith(notBeside.beginning);
    return isConflict ? [{ path: name, message: notBeside.message }] : [];
  });

/** Finds parameters that must, or must not, be given together; `null` if a query has no such parameters. */
export const combinationIssues = (schema: TObject): ((given: Given) => Issue[]) | null => {
  const fields = Object.entries<TSchema & Annotations>(schema.properties).filter(
    ([, { needs, notBeside }]) => needs !== undefined || notBeside !== undefined,
  );
  return fields.length === 0 ? null : (given) => [...missingIn(fields, given), ...conflictsIn(fields, given)];
};

/** The type of a valid input. */
export type Input<Schema extends TSchema> = Static<Schema>;
