import { expect, test } from "bun:test";
import { base32Of, hotpOf, isTotp, newTotpSecret } from "../../../adapters/sign-in/totp.ts";

/** The key of the vectors in RFC 4226 and, for SHA-1, in RFC 6238. */
const KEY = "12345678901234567890";

test("codes by counter are those of RFC 4226, appendix D", () => {
  const vectors = "755224 287082 359152 969429 338314 254676 287922 162583 399871 520489".split(" ");
  expect(vectors.map((_, counter) => hotpOf(KEY, counter))).toEqual(vectors);
});

/** Unix time in seconds, and the eight digits for it: six-digit codes are their ends. */
const BY_TIME = [
  [59, "94287082"],
  [1_111_111_109, "07081804"],
  [1_111_111_111, "14050471"],
  [1_234_567_890, "89005924"],
  [2_000_000_000, "69279037"],
  [20_000_000_000, "65353130"],
] as const;

test("codes by time are those of RFC 6238, appendix B", () => {
  for (const [seconds, digits] of BY_TIME) {
    expect(hotpOf(KEY, Math.floor(seconds / 30))).toBe(digits.slice(2));
    expect(isTotp(KEY, digits.slice(2), seconds * 1000)).toBe(true);
  }
});

test("a code is accepted in its own half minute and in those before and after, to the millisecond", () => {
  const beginsMs = 1_111_111_110_000;
  const code = hotpOf(KEY, beginsMs / 30_000);
  const accepted = [-30_001, -30_000, 0, 29_999, 59_999, 60_000].map((ms) => isTotp(KEY, code, beginsMs + ms));
  expect(accepted).toEqual([false, true, true, true, true, false]);
});

test("nothing but six correct digits is a code", () => {
  for (const code of ["", "287082 ", " 287082", "28708", "2870820", "287082\0", "２８７０８２", "94287082", "287083"])
    expect(isTotp(KEY, code, 59_000)).toBe(false);
});

test("a secret as people type it is base32 without padding, as in RFC 4648", () => {
  const vectors = {
    "": "",
    f: "MY",
    fo: "MZXQ",
    foo: "MZXW6",
    foob: "MZXW6YQ",
    fooba: "MZXW6YTB",
    foobar: "MZXW6YTBOI",
  };
  for (const [text, base32] of Object.entries(vectors)) expect(base32Of(text)).toBe(base32);
});

test("new secrets have 32 characters of ASCII, and no two are alike", () => {
  const secrets = Array.from({ length: 100 }, newTotpSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const secret of secrets) expect(secret).toMatch(/^[\w-]{32}$/);
});
