import { containsKey, type IsSecret } from "./keys-in-text.ts";
import { pathOf } from "./request-path.ts";

const VISIBLE = /^[\x21-\x7e]+$/;
const MAX_LENGTH = 128;

/** The minimum length of a token in a path. */
const SHORTEST_TOKEN = 32;

/** A part of a path as the service reads it, however its letters are encoded. */
const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** The id with its percent-encoded letters decoded. Percent signs that encode nothing are kept. */
const readable = (id: string): string =>
  id.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** True if the id contains what may be a secret in the request's path, such as the token of a feed. */
const repeatsToken = (id: string, url: string): boolean =>
  id.length >= SHORTEST_TOKEN &&
  pathOf(url)
    .split("/")
    .map(decoded)
    .some((part) => part.length >= SHORTEST_TOKEN && (id.includes(part) || readable(id).includes(part)));

/**
 * The client's request id, if it has 1 to 128 visible ASCII characters; otherwise a new one. If the id is a key, or the
 * token in the request's path, it is also replaced, as the id appears in the log, in the audit log and in the answer.
 */
export const requestIdOf = ({ headers, url }: Pick<Request, "headers" | "url">, isSecret: IsSecret): string => {
  const sent = headers.get("x-request-id");
  const isAcceptable =
    sent !== null &&
    sent.length <= MAX_LENGTH &&
    VISIBLE.test(sent) &&
    !containsKey(sent, isSecret) &&
    !repeatsToken(sent, url);
  return isAcceptable ? sent : crypto.randomUUID();
};
