import type { ErrorCode } from "./problem.ts";

const BYTES = Symbol("bytes");
const CODE = Symbol("code");

/**
 * Facts about a response that cannot be read from the response itself. They are stored in the object, as a lookup
 * elsewhere would take longer.
 */
interface ResponseWithFacts extends Response {
  [BYTES]?: number;
  [CODE]?: ErrorCode;
}

/** Records the length of a body in UTF-8. A response whose body is a stream does not show it. */
export const withBytes = (response: ResponseWithFacts, bytes: number): Response => {
  response[BYTES] = bytes;
  return response;
};

/** Records which error a response contains. */
export const withCode = (response: ResponseWithFacts, code: ErrorCode): Response => {
  response[CODE] = code;
  return response;
};

/** The length of a response's body; `null` if it is not known before the body was sent. */
export const bytesOf = (response: ResponseWithFacts): number | null =>
  response[BYTES] ?? (response.body === null ? 0 : null);

/** The error that a response contains; `null` for any other response. */
export const codeOf = (response: ResponseWithFacts): ErrorCode | null => response[CODE] ?? null;
