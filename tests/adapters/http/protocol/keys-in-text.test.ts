import { describe, expect, test } from "bun:test";
import { containsKey } from "../../../../adapters/http/protocol/keys-in-text.ts";
import { requestIdOf } from "../../../../adapters/http/protocol/request-id.ts";
import { safeUserAgent } from "../../../../adapters/http/protocol/user-agent.ts";
import { secrets } from "../../../../adapters/system/secrets.ts";
import { looksLikeKey, readingsOf } from "../../../../core/keys/key-like.ts";

const { key: ISSUED } = secrets.issue("web", "showroom");
/** A key that an operator chose. It has no form of its own. */
const CHOSEN = "correct!horse.battery~staple$of:31";
const isSecret = (text: string): boolean => text === CHOSEN;

const percentEncoded = (text: string): string =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join("");
const base64 = (text: string): string => Buffer.from(text).toString("base64");

const hex = (text: string): string => Buffer.from(text).toString("hex");
/** Eight letters for five bytes (RFC 4648). */
const base32 = (text: string): string => {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
};

const ENCODINGS: readonly (readonly [name: string, encode: (text: string) => string])[] = [
  ["plain", (text) => text],
  ["percent-encoded", percentEncoded],
  ["percent-encoded in one place", (text) => text.replace(/[_!]/, percentEncoded)],
  ["percent-encoded twice", (text) => encodeURIComponent(percentEncoded(text))],
  ["in base64", base64],
  ["in base64 for addresses", (text) => Buffer.from(text).toString("base64url")],
  ["in base64 behind other letters of it", (text) => `key-${base64(text)}`],
  ["in base64 as basic authentication has it", (text) => base64(`harbor:${text}`)],
  ["percent-encoded in base64", (text) => base64(percentEncoded(text).slice(0, 120))],
  ["in hexadecimal digits", hex],
  ["in capital hexadecimal digits behind one more", (text) => `A${hex(text).toUpperCase()}`],
  ["in base32", base32],
  ["in small base32 behind other letters of it", (text) => `key${base32(text).toLowerCase()}`],
  ["in percent-encoded base64", (text) => percentEncoded(base64(text))],
];

describe("a key in a text that is logged", () => {
  for (const [name, encode] of ENCODINGS)
    for (const [whose, key] of [
      ["an issued key", ISSUED],
      ["a key that an operator chose", CHOSEN],
    ] as const)
      test(`is found: ${whose}, ${name}`, () => {
        const sent = encode(key);
        expect(containsKey(sent, isSecret)).toBe(true);
        expect(safeUserAgent(`Fetcher/1 (${sent})`, isSecret)).toBe("withheld");
        const headers = new Headers({ "x-request-id": sent });
        expect(requestIdOf({ headers, url: "http://localhost/api/vehicles" }, isSecret)).not.toBe(sent);
      });

  for (const innocent of [
    "6f1f0f3e-6a0a-4f5e-9a53-0e8f6cf0a1b2",
    "100%25",
    "%E0%A4%A",
    "order-2026-11-26-of-the-nightly-import-number-7",
    base64("the quick brown fox jumps over the lazy dog"),
    hex("the quick brown fox jumps over the lazy dog"),
    base32("the quick brown fox jumps over the lazy dog"),
  ])
    test(`is not seen in ${innocent}`, () => {
      expect(containsKey(innocent, isSecret)).toBe(false);
      const headers = new Headers({ "x-request-id": innocent });
      expect(requestIdOf({ headers, url: "http://localhost/api/vehicles" }, isSecret)).toBe(innocent);
    });
});

describe("a text that is searched for keys", () => {
  test("is searched in its first 1024 characters, whatever its length: no header costs more", () => {
    const letters = "Fetcher ".repeat(120);
    expect(looksLikeKey(`${letters}${ISSUED}`)).toBe(true);
    expect(looksLikeKey(`${letters}${" ".repeat(64)}${ISSUED}`)).toBe(false);
    const inBase64 = base64("The words of a long header. ".repeat(500));
    expect(readingsOf(inBase64)).toEqual(readingsOf(inBase64.slice(0, 1024)));
  });

  test("is read as it is, or encoded up to three times, and an id of a request as nothing else", () => {
    const thrice = base64(base64(base64(ISSUED)));
    expect([looksLikeKey(thrice), looksLikeKey(base64(thrice))]).toEqual([true, false]);
    const id = "6f1f0f3e-6a0a-4f5e-9a53-0e8f6cf0a1b2";
    expect(readingsOf(id)).toEqual([id]);
  });

  test("is read in base32 from the shortest that can hold a key, to its last letter", () => {
    for (const length of [24, 25, 30]) {
      const text = `${"x".repeat(length - 1)}!`;
      expect(readingsOf(base32(text)).some((reading) => reading.startsWith(text))).toBe(true);
    }
  });
});
