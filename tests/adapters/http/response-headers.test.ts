import { expect, test } from "bun:test";
import fc from "fast-check";
import { SharedHeaders } from "../../../adapters/http/response-headers.ts";

const FIXED = { "cache-control": "private, no-cache", "content-type": "application/json", vary: "Origin" };

const name = fc.constantFrom(...Object.keys(FIXED), "etag", "link", "location", "x-request-id", "ratelimit");
/** Some are refused: what a header may not hold. */
const value = fc.oneof(fc.stringMatching(/^[a-z0-9"-]{1,40}$/), fc.constantFrom("line\nbreak", "snowman ☃"));
const answer = fc.record({
  body: fc.constantFrom(null, "{}"),
  own: fc.dictionary(name, value, { noNullPrototype: true }),
});

const attempt = (shared: SharedHeaders, body: string | null, own: Record<string, string>): Response | null => {
  try {
    return body === null ? shared.withoutType.respond(null, 304, own) : shared.respond(body, 200, own);
  } catch {
    return null;
  }
};

test("an answer has the shared headers and its own, and nothing of any answer before it, a refused one included", () => {
  fc.assert(
    fc.property(fc.array(answer, { minLength: 2, maxLength: 8 }), (answers) => {
      const shared = new SharedHeaders(FIXED);
      for (const { body, own } of answers) {
        const response = attempt(shared, body, own);
        if (response === null) continue;
        const { "content-type": type, ...rest } = FIXED;
        const expected = { ...rest, ...(body !== null && { "content-type": type }), ...own };
        expect(Object.fromEntries(response.headers)).toEqual(expected);
      }
    }),
  );
});

test("an answer keeps its headers while others are made", () => {
  const shared = new SharedHeaders(FIXED);
  const first = shared.respond("{}", 200, { etag: '"1"', "cache-control": "no-store" });
  const second = shared.respond("{}", 200, { "x-request-id": "2" });
  expect(Object.fromEntries(first.headers)).toEqual({ ...FIXED, etag: '"1"', "cache-control": "no-store" });
  expect(Object.fromEntries(second.headers)).toEqual({ ...FIXED, "x-request-id": "2" });
});
