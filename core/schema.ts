import Type, { type Static, type TObject, type TSchema } from "typebox";
import { timestampIn } from "./clock.ts";
import type { Issue } from "./issues.ts";
import { isBlank, isStorable } from "./text.ts";

/**
 * The building blocks of input schemas. Each has a `fault`: the sentence after the field's name that says what the
 * field must be. Types, validation and the OpenAPI document use the same schemas.
 */
interface Annotations {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  /** Additional documentation, which validation ignores. */
  readonly documented?: object;
  /** As a parameter of a query, it is taken without regard to case and accents. */
  readonly isFolded?: true;
  /** Another parameter that must be there beside this one: always, or only beside one value of it. */
  readonly needs?: { readonly parameter: string; readonly beside?: string };
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

/** Text as `text(1, max)` that has at least one visible character. */
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
 * patterns never see long texts.
 */
export const patterned = ({
  pattern,
  max,
  fault,
  ...annotations
}: Annotations & { readonly pattern: string; readonly max: number; readonly fault: string }) =>
  Type.String({ pattern, maxLength: max, fault, ...annotations });

/** An email address of up to 254 characters: one `@`, then a host with or without dots. */
export const email = () =>
  Type.Refine(
    patterned({
      pattern: "^[^\\s@]+@[^\\s@.]+(?:\\.[^\\s@.]+)*$",
      max: 254,
      fault: "must be an email address of up to 254 characters, such as sales@harbor.example.com",
      examples: ["sales@harbor.example.com"],
      documented: { format: "email" },
    }),
    isStorable,
  );

/** A moment: an ISO 8601 date and time with a zone, as it is sent. */
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

/** A number from `minimum` to `maximum`, whole or not. */
export const number = (minimum: number, maximum: number, annotations: Annotations = {}) =>
  Type.Number({ minimum, maximum, fault: `must be a number from ${minimum} to ${maximum}`, ...annotations });

/** The id of a record. */
export const id = (annotations: Annotations = {}) => integer(1, Number.MAX_SAFE_INTEGER, annotations);

/** One word of a closed list. */
export const oneOf = <const Words extends readonly string[]>(words: Words, annotations: Annotations = {}) =>
  Type.Unsafe<Words[number]>({
    type: "string",
    enum: [...words],
    fault: `must be one of ${words.join(", ")}`,
    ...annotations,
  });

/** A parameter of a query that may be given up to `most` times: a list of its values in the order sent. */
export const listOf = <Schema extends TSchema>(value: Schema, most: number, annotations: Annotations = {}) =>
  Type.Unsafe<readonly Static<Schema>[]>(
    Type.Array(value, { maxItems: most, fault: `must be given ${most} times at most`, ...annotations }),
  );

/** A parameter of a query that chooses words of a closed list, separated by commas: a list of them. */
export const commaList = <const Words extends readonly string[]>(words: Words, annotations: Annotations = {}) =>
  Type.Unsafe<readonly Words[number][]>(
    Type.Array(oneOf(words), {
      minItems: 1,
      isCommaList: true,
      fault: `must be of ${words.join(", ")}, separated by commas`,
      ...annotations,
    }),
  );

/** A boolean. */
export const flag = (annotations: Annotations = {}) => Type.Boolean({ fault: "must be true or false", ...annotations });

/** A boolean that also accepts 1 and 0, the form in answers. */
export const flagOrBit = (annotations: Annotations = {}) =>
  Type.Unsafe<boolean | 0 | 1>({
    enum: [true, false, 1, 0],
    documented: { type: ["boolean", "integer"] },
    fault: "must be true, false, 1 or 0",
    ...annotations,
  });

const MAX_ADDRESS = 2048;

/** An http or https address of up to 2 048 characters. */
export const url = (annotations: Annotations = {}) =>
  Type.Refine(
    Type.String({
      maxLength: MAX_ADDRESS,
      fault: `must be an http or https address of up to ${MAX_ADDRESS} characters`,
      documented: { format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+([/?#]\\S*)?$" },
      ...annotations,
    }),
    // A character takes one or two units in JavaScript.
    (value) => value.length <= 2 * MAX_ADDRESS && isStorable(value) && isWebAddress(value),
  );

// A scheme, an authority, then anything but white space.
const WEB_ADDRESS = /^https?:\/\/([^\s/?#]+)(?:[/?#]\S*)?$/i;
// An optional user, a host (name, IPv4 or bracketed IPv6), an optional port.
const AUTHORITY = /^(?:[^@]*@)?(?:[^@:[\]]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

const isWebAddress = (text: string): boolean => AUTHORITY.test(WEB_ADDRESS.exec(text)?.[1] ?? "");

/** An optional field that `null` clears. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

/**
 * Finds what is missing beside the parameters that are given, each once. `given` has their values, whether these are
 * valid or not.
 */
export const missingParameters = (schema: TObject) => {
  const needs = Object.entries<TSchema & Annotations>(schema.properties).flatMap(([name, field]) =>
    field.needs === undefined ? [] : [{ name, ...field.needs }],
  );
  return (given: (name: string) => unknown): Issue[] => {
    const missing = new Map<string, string>();
    for (const { name, parameter, beside } of needs) {
      const isNeeded = beside === undefined ? given(name) !== undefined : given(name) === beside;
      if (isNeeded && given(parameter) === undefined && !missing.has(parameter))
        missing.set(parameter, `is required with ${beside === undefined ? name : `${name}=${beside}`}`);
    }
    return [...missing].map(([path, message]) => ({ path, message }));
  };
};

/** The type of a valid input. */
export type Input<Schema extends TSchema> = Static<Schema>;
