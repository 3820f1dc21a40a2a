import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fold, isBlank, isStorable, shortened } from "../../core/text.ts";
import { anyCharacter } from "../support/any-character.ts";

// Unicode 15, property White_Space, in full.
const WHITE_SPACE = [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006,
  0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
];

const codePoints = function* () {
  for (let code = 0; code <= 0x10ffff; code++) if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
};

describe("blank text", () => {
  test("is only Unicode white space: each such character, and no other", () => {
    const blank = [...codePoints()].filter(isBlank).map((character) => character.codePointAt(0));
    expect(blank).toEqual(WHITE_SPACE);
  });

  test("stays blank at any length, and is not blank with one other character", () => {
    const space = fc.array(fc.constantFrom(...WHITE_SPACE)).map((codes) => String.fromCodePoint(...codes));
    const visible = fc.constantFrom("a", "0", "\u200b", "😀", ".");
    fc.assert(
      fc.property(space, visible, space, (before, character, after) => {
        expect(isBlank(before + after)).toBe(true);
        expect(isBlank(before + character + after)).toBe(false);
      }),
    );
  });
});

describe("storable text", () => {
  const wellFormed = fc.string({ unit: anyCharacter }).filter((text) => !text.includes("\0"));
  const loneSurrogate = fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit));

  test("is any Unicode text without NUL", () => {
    fc.assert(fc.property(wellFormed, (text) => expect(isStorable(text)).toBe(true)));
  });

  test("has no NUL at any position", () => {
    fc.assert(fc.property(wellFormed, wellFormed, (one, other) => expect(isStorable(`${one}\0${other}`)).toBe(false)));
  });

  test("has no lone surrogate at any position", () => {
    fc.assert(
      fc.property(wellFormed, loneSurrogate, wellFormed, (one, surrogate, other) => {
        expect(isStorable(one + surrogate + other)).toBe(false);
      }),
    );
  });

  test("keeps pairs of surrogates, which are one character, only in their proper order", () => {
    expect([isStorable("\ud83d\ude00"), isStorable("\ude00\ud83d")]).toEqual([true, false]);
  });
});

describe("text compared regardless of case", () => {
  for (const [one, other] of [
    ["Toyota", "TOYOTA"],
    ["Škoda", "ŠKODA"],
    ["Straße", "STRASSE"],
    ["ΟΔΟΣ", "οδος"],
    ["οδοσ", "οδος"],
    ["ǅ", "ǆ"],
    ["ﬁat", "FIAT"],
    ["Жигули", "ЖИГУЛИ"],
    ["𐐀", "𐐨"],
  ] as const)
    test(`${one} equals ${other}`, () => {
      expect(fold(one)).toBe(fold(other));
    });

  for (const [one, other] of [
    ["Skoda", "Škoda"],
    ["Toyota ", "Toyota"],
    ["a", "b"],
    ["e\u0301", "e"],
  ] as const)
    test(`${JSON.stringify(one)} does not equal ${JSON.stringify(other)}`, () => {
      expect(fold(one)).not.toBe(fold(other));
    });

  test("every character equals its own upper case and lower case", () => {
    const cased = [...codePoints()].filter((character) => /\p{Changes_When_Casemapped}/u.test(character));
    expect(cased.length).toBeGreaterThan(2000);
    const apart = cased.filter(
      (character) =>
        fold(character) !== fold(character.toUpperCase()) || fold(character) !== fold(character.toLowerCase()),
    );
    expect(apart).toEqual([]);
  });

  test("is not changed by folding it again", () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => expect(fold(fold(text))).toBe(fold(text))));
  });
});

describe("shortened text", () => {
  for (const [text, most, expected] of [
    ["", 3, ""],
    ["abc", 3, "abc"],
    ["abcd", 3, "abc…"],
    ["ab😀", 4, "ab😀"],
    ["ab😀c", 4, "ab😀…"],
    ["ab😀c", 3, "ab…"],
    ["😀", 1, "…"],
  ] as const)
    test(`of ${text || "nothing"} with at most ${most} code units is ${expected || "nothing"}`, () => {
      expect(shortened(text, most)).toBe(expected);
    });

  test("is never cut within a character, and never longer than asked for but for its sign", () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 50 }), fc.nat(30), (text, most) => {
        const short = shortened(text, most);
        expect(short.isWellFormed()).toBe(true);
        expect(short === text || (short.endsWith("…") && short.length <= most + 1)).toBe(true);
      }),
    );
  });
});
