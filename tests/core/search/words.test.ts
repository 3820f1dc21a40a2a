import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { foldLetters, searchedWords, wordsOf } from "../../../core/search/words.ts";
import { anyCharacter } from "../../support/any-character.ts";

/** Texts and their words, in the order in which they are made. */
const WORDS: readonly (readonly [text: string, words: string])[] = [
  ["", ""],
  ["Harbor Motors", "harbor motors"],
  ["  Harbor\tHARBOR\n ", "harbor"],
  ["F-150", "f 150 f150"],
  ["F150", "f150"],
  ["F 150", "f 150"],
  ["F--150", "f 150"],
  ["-F-150-", "f 150 f150"],
  ["F‐150", "f 150"],
  ["O'Brien & Söhne", "o brien obrien sohne"],
  ["O’Brien", "o brien"],
  ["1.5/2.0", "1 5 2 0 1520"],
  ["5,000", "5 000"],
  ["a_b", "a b a_b"],
  ["sales@harbor.example.com", "sales harbor example com harborexamplecom"],
  ["50% off*", "50 off 50% off*"],
  ["Škoda Citroën", "skoda citroen"],
  ["S\u030Ckoda", "skoda"],
  ["Øresund Łódź Đorđe", "oresund lodz dorde"],
  ["Straße STRASSE ẞ", "strasse ss"],
  ["Æther Œuvre Þór", "aether oeuvre thor"],
  ["Diyarbakır DİYARBAKIR", "diyarbakir"],
  ["ðđɖø łıħŧŋ Ⱥƀȼɇǥ ɨɉɍʉɏƶ", "dddo lihtn abceg ijruyz"],
  ["ΟΔΟΣ οδός οδοσ", "οδοσ"],
  ["Москва Ёлка", "москва елка"],
  ["ﬁne Ｆ１５０ ①", "fine f150 1"],
  ["½", "1 2"],
  ["日本 トヨタ", "日本 トヨタ"],
  ["٣٤", "٣٤"],
  ["😀 !?", ""],
];

const texts = fc.string({ unit: fc.oneof(anyCharacter, sign()) });

function sign(): fc.Arbitrary<string> {
  return fc.constantFrom(..."-./' _%*\"ÅßæıłøđİςσΣ\u0301\u0345F1Ⅷ½ﬁ\uAC00가が".split(""));
}

describe("the words", () => {
  for (const [text, words] of WORDS)
    test(`of ${JSON.stringify(text)} are ${JSON.stringify(words)}`, () =>
      expect(wordsOf([text]).join(" ")).toBe(words.normalize("NFKD").replace(/\p{M}/gu, "")));

  test("are only letters and digits, or contain %, _, * or \\ and no blank, whatever the text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        for (const word of wordsOf([text])) expect(word).toMatch(/^(?:[\p{L}\p{N}]+|\S*[%_*\\]\S*)$/u);
      }),
    );
  });

  test("are unchanged when extracted again", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const words = wordsOf([text]);
        expect(wordsOf([words.join(" ")])).toEqual(words);
      }),
    );
  });

  test("of a text do not depend on case, nor on composed or decomposed characters", () => {
    fc.assert(
      fc.property(texts, (text) => {
        // A subscript iota becomes a letter in upper case.
        fc.pre(!text.normalize("NFD").includes("\u0345"));
        const words = wordsOf([text]);
        for (const same of [text.toUpperCase(), text.normalize("NFC"), text.normalize("NFD")])
          expect(wordsOf([same])).toEqual(words);
      }),
    );
  });

  test("of every single character are unchanged by a second folding", () => {
    for (let code = 0; code <= 0x1ffff; code++) {
      const folded = foldLetters(String.fromCodePoint(code));
      if (foldLetters(folded) !== folded) throw new Error(`U+${code.toString(16)}: ${folded}`);
    }
  });

  test("of several texts are not joined across them", () => expect(wordsOf(["a-", "-b", null])).toEqual(["a", "b"]));

  test("of a query are the same as those of a text", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const words = searchedWords(text).flatMap(({ parts, joined }) =>
          joined === null ? parts : [...parts, joined],
        );
        expect([...new Set(words)]).toEqual([...wordsOf([text])]);
      }),
    );
  });
});

describe("the work of extracting words", () => {
  /** Texts that would take a square of their length, if something went back over them. */
  const HOSTILE = ["a-", "-", "\u0301\u0323", "a\u0323\u0301", "ß", "\uFDFA", "a'b/c.", " ", "."];
  for (const piece of HOSTILE)
    test(`is proportional to the length of ${JSON.stringify(piece)} repeated`, () => {
      // A square of this would not end within the time limit of a test.
      expect(searchedWords(piece.repeat(400_000)).length).toBeLessThan(4 * 400_000);
    });

  test("limits the words, so that a search reads every record quickly, whatever its texts", () => {
    const syllable = (place: number) => String.fromCharCode(0xac00 + place);
    const distinct = (sign: string) => Array.from({ length: 10_000 }, (_, place) => syllable(place)).join(sign);
    for (const text of [...HOSTILE.map((piece) => piece.repeat(20_000)), distinct(" "), distinct("-"), distinct("")]) {
      const words = wordsOf(["Kiosk", text]);
      expect(words[0]).toBe("kiosk");
      expect(words.join(" ").length).toBeLessThan(4000);
    }
    const whole = Array.from({ length: 700 }, (_, place) => `w${place}`);
    expect(wordsOf([whole.join(" ")])).toEqual(whole);
  });
});
