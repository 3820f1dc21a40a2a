import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { MAX_MEMBERS, tooManyParts } from "./json-size.ts";
import { Problem } from "./problem.ts";

/** The maximum size of a body in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;
const JSON_MEDIA_TYPE = "application/json";
const CHARSETS: ReadonlySet<string> = new Set(["charset=utf-8", 'charset="utf-8"']);
/** The maximum length of a Content-Type that is parsed. No spelling of the media type with its charset is longer. */
const MAX_TYPE = 200;

/** True for `application/json`, with or without `charset=utf-8`. Spaces around the parts are allowed. */
const isJsonType = (header: string): boolean => {
  if (header === JSON_MEDIA_TYPE) return true;
  if (header.length > MAX_TYPE) return false;
  const [type, ...parameters] = header.toLowerCase().split(";");
  const given = parameters.map((parameter) => parameter.replaceAll(/\s/g, "")).filter((parameter) => parameter !== "");
  return type?.trim() === JSON_MEDIA_TYPE && given.length <= 1 && given.every((parameter) => CHARSETS.has(parameter));
};

// The rest of a refused body is read up to this size, so that the client can read the refusal.
const DISCARDED_BYTES = 16 * MAX_BODY_BYTES;
const DISCARD_MS = 1000;

const TOO_LARGE = new Problem("body_too_large", `The body is larger than ${MAX_BODY_BYTES} bytes`);
const WRONG_TYPE = new Problem("unsupported_media_type", "The body's Content-Type must be application/json");
const NOT_JSON = new Problem("invalid_json", "The body is not valid JSON in UTF-8");
const TOO_DEEP = new Problem("invalid_json", `The body is nested more than ${MAX_DEPTH} deep`);
const ENCODED = new Problem("unsupported_media_type", "The body must be sent without a Content-Encoding");
const EMPTY = new Problem("invalid_json", "A JSON body is required");

// A byte order mark at the start is not part of the text.
const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The reader of a body's stream. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<void>;
}

/** Reads and discards the rest of a body, up to a limit. */
export const discard = async (reader: BodyReader): Promise<void> => {
  const drain = async (): Promise<void> => {
    for (let length = 0; length < DISCARDED_BYTES; ) {
      const { done, value } = await reader.read();
      if (done) return;
      length += value?.length ?? 0;
    }
  };
  await Promise.race([drain(), new Promise((resume) => setTimeout(resume, DISCARD_MS))]);
  await reader.cancel();
};

/** The bytes of a body of unknown length; `null` if it is longer than allowed. */
const readStream = async (stream: ReadableStream<Uint8Array>): Promise<Uint8Array | null> => {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    length += value.length;
    if (length > MAX_BODY_BYTES) {
      await discard(reader);
      return null;
    }
    chunks.push(value);
  }
};

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING = new Set([91, 123]);
const CLOSING = new Set([93, 125]);

/** True if the text has at most as many opening brackets as may be nested. Brackets inside strings count, too. */
const hasFewBrackets = (json: string): boolean => {
  let left = MAX_DEPTH;
  for (const bracket of ["[", "{"])
    for (let at = json.indexOf(bracket); at !== -1; at = json.indexOf(bracket, at + 1)) if (--left < 0) return false;
  return true;
};

/** True if brackets outside strings are nested too deep. It keeps hostile bodies away from the parser. */
export const isTooDeep = (json: string): boolean => {
  // This is enough for most bodies, and much faster than reading every character.
  if (hasFewBrackets(json)) return false;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < json.length; index++) {
    const character = json.charCodeAt(index);
    if (inString) {
      if (character === BACKSLASH) index++;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) inString = true;
    else if (OPENING.has(character)) {
      if (++depth > MAX_DEPTH) return true;
    } else if (CLOSING.has(character)) depth--;
  }
  return false;
};

const parse = (bytes: ArrayBuffer | Uint8Array, maxMembers: number): unknown => {
  try {
    const text = utf8.decode(bytes);
    return isTooDeep(text) ? TOO_DEEP : (tooManyParts(text, maxMembers) ?? JSON.parse(text));
  } catch {
    return NOT_JSON;
  }
};

/**
 * The result if the connection was closed, or its framing broken, before the body was complete. Nobody is left to
 * answer.
 */
const broken = (): Problem => NOT_JSON;

/** Whether a body may be missing, and how many members all its objects together may have. */
interface BodyRules {
  readonly optional?: boolean;
  readonly maxMembers?: number;
  /** Is called with the bytes of a body that has the right type. */
  readonly note?: (bytes: ArrayBuffer | Uint8Array) => void;
}

/**
 * The JSON of a request: the parsed value, `undefined` if an optional body is missing, or a Problem. Whatever length
 * the client announces, no more than the maximum size is kept in memory.
 */
export const readJson = (
  request: Request,
  { optional = false, maxMembers = MAX_MEMBERS, note }: BodyRules = {},
): MaybePromise<unknown> => {
  const parsed = (bytes: ArrayBuffer | Uint8Array): unknown => {
    note?.(bytes);
    return parse(bytes, maxMembers);
  };
  const declaredLength = request.headers.get("content-length");
  const length = declaredLength === null ? null : Number(declaredLength);
  if (length !== null && length > MAX_BODY_BYTES) return TOO_LARGE;
  // The runtime creates a stream when `request.body` is read, so it is read only if the length is unknown.
  const stream = length === null ? request.body : null;
  const nothing = optional ? undefined : EMPTY;
  if (length === null ? stream === null : length === 0) return nothing;
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity") return ENCODED;
  const type = request.headers.get("content-type");
  const isJson = type !== null && isJsonType(type);
  if (stream === null) return isJson ? request.arrayBuffer().then(parsed, broken) : WRONG_TYPE;
  return readStream(stream).then((bytes) => {
    if (bytes === null) return TOO_LARGE;
    if (bytes.length === 0) return nothing;
    return isJson ? parsed(bytes) : WRONG_TYPE;
  }, broken);
};
