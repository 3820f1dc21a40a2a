import { expect, test } from "bun:test";
import fc from "fast-check";
import { cookieNamed } from "../../../adapters/sign-in/cookies.ts";

/** The simple way, which parses every cookie. */
const plainly = (header: string, name: string): string | null => {
  const values = header
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 ? (values[0] ?? null) : null;
};

test("a cookie is found by its whole name, and not where there are two of it or it stands in another one's value", () => {
  for (const [header, value] of [
    ["session=a", "a"],
    ["other=1; session=a.b%20c ; more=2", "a.b%20c"],
    ["session=", ""],
    ["session=a; session=b", null],
    ["other=session=a", null],
    ["my_session=a; session_id=b", null],
    ["my session=a", null],
    ["", null],
  ] as const)
    expect(cookieNamed(header, "session")).toBe(value);
  expect(cookieNamed(null, "session")).toBeNull();
});

test("it is found in whatever is sent as when all cookies were taken apart", () => {
  const piece = fc.constantFrom(";", " ", "\t", "=", "s", "s=", "; s=1", "as=", "x");
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const header = pieces.join("");
      expect(cookieNamed(header, "s")).toBe(plainly(header, "s"));
    }),
  );
});
