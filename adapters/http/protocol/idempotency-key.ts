import type { Issue } from "../../../core/issues.ts";

const HEADER = "idempotency-key";
const VISIBLE = /^[\x21-\x7e]{1,255}$/;
const QUOTED = /^"(.*)"$/;

/** The name that a request gives to its change, without quotes; `null` if it gives none. */
export const idempotencyKeyOf = ({ headers }: Request): string | null => {
  const sent = headers.get(HEADER);
  return sent === null ? null : (QUOTED.exec(sent)?.[1] ?? sent);
};

/** What is wrong with the name of a change. */
export const idempotencyIssues = (name: string | null): readonly Issue[] =>
  name === null || VISIBLE.test(name)
    ? []
    : [{ path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" }];

/** The media type of a form is different each time that the form is sent, as it names the boundary between its parts. */
const BOUNDARY = /;\s*boundary=[^;]*/i;

/** A hash of parts of what was sent. */
export const digestOf = (...parts: readonly (string | Uint8Array)[]): Uint8Array => {
  const hash = new Bun.CryptoHasher("sha256");
  for (const part of parts) hash.update(new Bun.CryptoHasher("sha256").update(part).digest());
  return hash.digest();
};

/** A hash of what was sent. Two requests with the same one ask for the same. */
export const fingerprintOf = ({ headers, url }: Request, body: Uint8Array | ArrayBuffer | string): string => {
  const query = url.indexOf("?");
  return new Bun.CryptoHasher("sha256")
    .update(`${(headers.get("content-type") ?? "").replace(BOUNDARY, "")}\n${query === -1 ? "" : url.slice(query)}\n`)
    .update(body)
    .digest("hex");
};
