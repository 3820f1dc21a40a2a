import type { ErrorCode } from "./problem.ts";

const BYTES = Symbol("bytes");
const CODE = Symbol("code");

/** What an answer was made of and does not tell any more; kept on it, as to look it up elsewhere would cost more. */
interface Informed extends Response {
  [BYTES]?: number;
  [CODE]?: ErrorCode;
}

/** Says how long a body is in UTF-8, where the answer gets it as a stream. */
export const withBytes = (response: Informed, bytes: number): Response => {
  response[BYTES] = bytes;
  return response;
};

/** Says which error an answer tells of. */
export const withCode = (response: Informed, code: ErrorCode): Response => {
  response[CODE] = code;
  return response;
};

/** The length of an answer's body; `null` where it is known only when it was sent. */
export const bytesOf = (response: Informed): number | null => response[BYTES] ?? (response.body === null ? 0 : null);

/** The error that an answer tells of; `null` for any other answer. */
export const codeOf = (response: Informed): ErrorCode | null => response[CODE] ?? null;
