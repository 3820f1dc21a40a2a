import { expect, test } from "bun:test";
import fc from "fast-check";
import { jsonResponse, notModified } from "../../../../adapters/http/protocol/headers.ts";

const FIXED = { "cache-control": "private, no-cache", "content-type": "application/json", vary: "Origin" };

const name = fc.constantFrom(...Object.keys(FIXED), "etag", "link", "location", "x-request-id", "ratelimit");
const value = fc.stringMatching(/^[a-z0-9"-]{1,40}$/);
const answer = fc.record({
  isKnown: fc.boolean(),
  own: fc.dictionary(name, value, { noNullPrototype: true }),
});

test("an answer has the shared headers and its own, and nothing of earlier answers", () => {
  fc.assert(
    fc.property(fc.array(answer, { minLength: 2, maxLength: 8 }), (answers) => {
      const shared = new Headers(FIXED);
      const given = answers.map(({ isKnown, own }) =>
        isKnown ? notModified('"1"', { ...own }, shared) : jsonResponse("{}", { status: 200, headers: shared }, own),
      );
      for (const [index, { isKnown, own }] of answers.entries()) {
        const { "content-type": _, ...bodiless } = { ...FIXED, ...own, etag: '"1"' };
        const expected = isKnown ? bodiless : { ...FIXED, ...own };
        expect(Object.fromEntries(given[index]?.headers ?? [])).toEqual(expected);
      }
      expect(Object.fromEntries(shared)).toEqual(FIXED);
    }),
  );
});
