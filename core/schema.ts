import Type, { type Static, type TSchema } from "typebox";
import { isBlank, isStorable } from "./text.ts";

/**
 * The vocabulary of input schemas. Every one carries `fault`: the sentence, after the field's name, that tells
 * a client what the field must be. Schemas serve types, validation and the OpenAPI document alike.
 */
interface Annotations {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  /** What readers are told besides, and what is not validated by it. */
  readonly documented?: object;
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
 * Text of up to `max` characters that matches a pattern; `fault` says in words what the pattern wants. The length is
 * looked at first, so that no pattern meets a long text.
 */
export const patterned = ({
  pattern,
  max,
  fault,
  ...annotations
}: Annotations & { readonly pattern: string; readonly max: number; readonly fault: string }) =>
  Type.String({ pattern, maxLength: max, fault, ...annotations });

/** An email address of up to 254 characters: one `@`, then a dotted or bare host. */
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

/** A whole number from `minimum` to `maximum`. */
export const integer = (minimum: number, maximum: number, annotations: Annotations = {}) =>
  Type.Integer({
    minimum,
    maximum,
    fault: `must be a whole number from ${minimum} to ${maximum}`,
    ...annotations,
  });

/** The number of a record. */
export const id = (annotations: Annotations = {}) => integer(1, Number.MAX_SAFE_INTEGER, annotations);

/** One of a closed list of words. */
export const oneOf = <const Words extends readonly string[]>(words: Words, annotations: Annotations = {}) =>
  Type.Unsafe<Words[number]>({
    type: "string",
    enum: [...words],
    fault: `must be one of ${words.join(", ")}`,
    ...annotations,
  });

/** A boolean. */
export const flag = (annotations: Annotations = {}) => Type.Boolean({ fault: "must be true or false", ...annotations });

/** A boolean that also accepts the 1 and 0 it is answered with. */
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
    // A character is one or two units of JavaScript's text.
    (value) => value.length <= 2 * MAX_ADDRESS && isStorable(value) && isWebAddress(value),
  );

// A scheme, an authority, then anything but white space.
const WEB_ADDRESS = /^https?:\/\/([^\s/?#]+)(?:[/?#]\S*)?$/i;
// Maybe a user, a host (name, IPv4 or bracketed IPv6), maybe a port.
const AUTHORITY = /^(?:[^@]*@)?(?:[^@:[\]]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

const isWebAddress = (text: string): boolean => AUTHORITY.test(WEB_ADDRESS.exec(text)?.[1] ?? "");

/** An optional field that `null` clears. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

/** What an input schema yields. */
export type Input<Schema extends TSchema> = Static<Schema>;
