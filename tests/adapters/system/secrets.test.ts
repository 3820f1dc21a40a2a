import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isAdoptable, secrets } from "../../../adapters/system/secrets.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FORM = /^vis_(web|desktop|mobile)_([A-Za-z0-9._-]{1,64})_([0-9A-Za-z]{22})([0-9A-Za-z]{6})$/;

const appTypes = fc.constantFrom("web", "desktop", "mobile");
const appIds = fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/);
const issued = fc.tuple(appTypes, appIds).map(([appType, appId]) => secrets.issue(appType, appId));

/** CRC-32 as in ISO 3309, bit by bit, independent of the runtime's. */
const crc32 = (text: string): number => {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
};

const numberOf = (digits: string): number =>
  [...digits].reduce((value, digit) => value * ALPHABET.length + ALPHABET.indexOf(digit), 0);

const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");

describe("an issued key", () => {
  test("consists of vis, app type, app id and suffix, joined by underscores", () => {
    fc.assert(
      fc.property(appTypes, appIds, (appType, appId) => {
        const [, type, id] = FORM.exec(secrets.issue(appType, appId).key) ?? [];
        expect([type, id]).toEqual([appType, appId]);
      }),
    );
  });

  test("ends in the CRC-32 of everything before it, in six base62 digits", () => {
    expect(crc32("123456789")).toBe(0xcbf43926);
    fc.assert(
      fc.property(issued, ({ key }) => {
        expect(numberOf(key.slice(-6))).toBe(crc32(key.slice(0, -6)));
      }),
    );
  });

  test("is recognised by its SHA-256, and its start shows only four characters of its random part", () => {
    fc.assert(
      fc.property(issued, ({ key, hash, start }) => {
        expect(hash).toBe(sha256(key));
        expect(secrets.recognise(key)).toBe(hash);
        expect(start).toBe(key.slice(0, key.length - 28 + 4));
      }),
    );
  });

  test("is never issued twice", () => {
    const keys = Array.from({ length: 20_000 }, () => secrets.issue("web", "a").key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("the random part of a key", () => {
  const KEYS = 20_000;
  // With 61 degrees of freedom, a fair draw exceeds this chi-square once in ten thousand million times.
  const BOUND = 165;

  const chiSquare = (counts: readonly number[]): number => {
    const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
    return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  };

  test("has every character equally often, without modulo bias", () => {
    const counts = new Map([...ALPHABET].map((character) => [character, 0]));
    for (let key = 0; key < KEYS; key++)
      for (const character of secrets.issue("web", "a").key.slice(-28, -6))
        counts.set(character, (counts.get(character) ?? 0) + 1);
    expect([...counts.keys()].join("")).toBe(ALPHABET);
    expect(chiSquare([...counts.values()])).toBeLessThan(BOUND);
  });

  for (const [name, bytes] of [
    ["any byte", 256],
    ["a single byte too many", 249],
  ] as const)
    test(`would fail the test for bias if ${name} were taken modulo 62`, () => {
      const biased = [...ALPHABET].map((_, digit) => ((KEYS * 22) / bytes) * (digit < bytes % 62 ? 5 : 4));
      expect(chiSquare(biased)).toBeGreaterThan(BOUND * 2);
    });

  test("varies at every position", () => {
    const suffixes = Array.from({ length: 500 }, () => secrets.issue("web", "a").key.slice(-28, -6));
    for (let place = 0; place < 22; place++)
      expect(new Set(suffixes.map((suffix) => suffix[place])).size).toBeGreaterThan(40);
  });
});

describe("a mistyped key", () => {
  const printable = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code));

  test("with any one character changed is refused before any look-up, or looked up as another key", () => {
    fc.assert(
      fc.property(issued, fc.nat(), printable, ({ key, hash }, place, character) => {
        const at = place % key.length;
        fc.pre(key[at] !== character);
        const mistyped = key.slice(0, at) + character + key.slice(at + 1);
        const recognised = secrets.recognise(mistyped);
        if (FORM.test(mistyped)) expect([mistyped, recognised]).toEqual([mistyped, null]);
        expect(recognised).not.toBe(hash);
      }),
      { numRuns: 2000 },
    );
  });

  test("with one character of its app id or suffix changed is refused, at each position", () => {
    const { key } = secrets.issue("desktop", "showroom-site");
    const from = "vis_desktop_".length;
    const accepted: string[] = [];
    for (let at = from; at < key.length; at++)
      for (const character of ALPHABET) {
        const mistyped = key.slice(0, at) + character + key.slice(at + 1);
        // The underscore before the suffix is part of the form. A letter in its place leaves an app id without suffix.
        if (character === key[at] || !FORM.test(mistyped)) continue;
        if (secrets.recognise(mistyped) !== null) accepted.push(mistyped);
      }
    expect(accepted).toEqual([]);
  });

  test("with two neighbouring characters swapped is refused", () => {
    fc.assert(
      fc.property(issued, fc.integer({ min: 2, max: 28 }), ({ key }, back) => {
        const at = key.length - back;
        fc.pre(key[at] !== key[at + 1]);
        const swapped = key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2);
        expect(secrets.recognise(swapped)).toBeNull();
      }),
    );
  });

  test("that was cut off, sent twice or padded is not the key", () => {
    fc.assert(
      fc.property(issued, ({ key, hash }) => {
        for (const wrong of [
          key.slice(0, -1),
          key.slice(1),
          `${key}a`,
          ` ${key}`,
          `${key} `,
          `${key}, ${key}`,
          `${key},${key}`,
        ])
          expect(secrets.recognise(wrong)).not.toBe(hash);
      }),
    );
  });
});

describe("a key of another format", () => {
  const visible = fc
    .integer({ min: 0x21, max: 0x7e })
    .filter((code) => code !== 0x2c)
    .map((code) => String.fromCharCode(code));
  const chosen = fc.string({ unit: visible, minLength: 32, maxLength: 256 });

  test("is adopted if it has 32 to 256 visible ASCII characters without commas, and recognised by its hash", () => {
    fc.assert(
      fc.property(chosen, (key) => {
        expect(isAdoptable(key)).toBe(true);
        expect(secrets.recognise(key)).toBe(sha256(key));
        expect(secrets.adopt(key)).toEqual({ key, hash: sha256(key), start: key.slice(0, 4) });
      }),
    );
  });

  for (const [name, key] of [
    ["empty", ""],
    ["31 characters long", "x".repeat(31)],
    ["257 characters long", "x".repeat(257)],
    ["text with a space", `${"x".repeat(32)} x`],
    ["text with a comma", `${"x".repeat(32)},x`],
    ["text with a line break", `${"x".repeat(32)}\n`],
    ["text with a NUL", `${"x".repeat(32)}\0`],
    ["text beyond ASCII", `${"x".repeat(32)}é`],
  ] as const)
    test(`is neither adopted nor looked up if it is ${name}`, () => {
      expect([isAdoptable(key), secrets.recognise(key)]).toEqual([false, null]);
    });

  test("that can be adopted is recognised later, even if it looks like an issued key with a wrong checksum", () => {
    const { key } = secrets.issue("web", "showroom-site");
    const lookalike = key.slice(0, -1) + (key.endsWith("0") ? "1" : "0");
    expect(secrets.recognise(lookalike) === null && isAdoptable(lookalike)).toBe(false);
  });
});
