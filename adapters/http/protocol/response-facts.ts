import type { ErrorCode } from "./problem.ts";

const BYTES = Symbol("bytes");
const CODE = Symbol("code");

/**
 * Facts about a response that the response itself no longer shows. They are kept on the object because a lookup costs
 * more.
 */
interface ResponseWithFacts extends Response {
  [BYTES]?: number;
  [CODE]?: ErrorCode;
}

/** Records the length of a body in UTF-8, where the response only has a stream. */
export const withBytes = (response: ResponseWithFacts, bytes: number): Response => {
  response[BYTES] = bytes;
  return response;
};

/** Records which error a response carries. */
export const withCode = (response: ResponseWithFacts, code: ErrorCode): Response => {
  response[CODE] = code;
  return response;
};

/** The length of a response's body; `null` if it is known only after sending. */
export const bytesOf = (response: ResponseWithFacts): number | null =>
  response[BYTES] ?? (response.body === null ? 0 : null);

/** The error that a response carries; `null` for any other response. */
export const codeOf = (response: ResponseWithFacts): ErrorCode | null => response[CODE] ?? null;
