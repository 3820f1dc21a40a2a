import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { browserLanguage, numberForField, parseTypedNumber } from "../../../adapters/portal/forms/numbers.ts";

const LANGUAGES = ["en-US", "en-GB", "en-IN", "de-DE", "de-CH", "fr-FR", "pt-BR", "sv-SE"] as const;

describe("a typed number is read as its user meant it:", () => {
  for (const [language, typed, meant] of [
    ["en-US", "25999.99", 25999.99],
    ["en-US", "25,999.99", 25999.99],
    ["en-US", "$12,000", 12000],
    ["en-US", "US$ 12,000", 12000],
    ["en-US", "12,000 USD", 12000],
    ["en-US", "12,500 mi", 12500],
    ["en-US", " 7 ", 7],
    ["en-US", "1,234,567", 1234567],
    ["en-US", "1.500", 1.5],
    ["en-US", "25.999,99", 25999.99],
    ["en-US", "25.999.000", 25999000],
    ["en-US", "-5", -5],
    ["en-US", "−5", -5],
    ["en-US", "0.5", 0.5],
    ["en-US", "２０２４", 2024],
    ["en-IN", "12,34,567", 1234567],
    ["en-GB", "£9,500.50", 9500.5],
    ["de-DE", "25999,99", 25999.99],
    ["de-DE", "25.999,99", 25999.99],
    ["de-DE", "25.999,99 €", 25999.99],
    ["de-DE", "1.500", 1500],
    ["de-DE", "25999.99", 25999.99],
    ["de-DE", "25,999.99", 25999.99],
    ["de-DE", "0.125", 0.125],
    ["de-CH", "25’999.99", 25999.99],
    ["de-CH", "CHF 25'999.99", 25999.99],
    ["fr-FR", "25\u202F999,99", 25999.99],
    ["fr-FR", "25\u00A0999,99\u00A0€", 25999.99],
    ["fr-FR", "25\u2009999,99", 25999.99],
    ["sv-SE", "25 999,99 SEK", 25999.99],
  ] as const)
    test(`${typed} in ${language}`, () => expect(parseTypedNumber(typed, language)).toBe(meant));
});

describe("text that is ambiguous or no number is no number:", () => {
  for (const typed of [
    ...["", " ", "$", "-", ".", ",", "25 thousand", "12k", "1e5", "0x10", "Infinity", "NaN", "1-2", "--1"],
    // A comma that does not group three digits: a slip, or another language's decimals.
    ...["25,99", "2,5999", "25999,99", "1,23,4", "1.2.3", "1,234.5.6", "25,999,99.5", "0,125"],
    // More digits than a number can hold would become another number.
    "9007199254740993",
  ])
    test(JSON.stringify(typed), () => expect(parseTypedNumber(typed, "en-US")).toBeNull());
});

describe("a number that the portal formats is read back as the same number,", () => {
  const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }).map((amount) => amount / 100);
  for (const language of LANGUAGES) {
    const grouped = new Intl.NumberFormat(language, { minimumFractionDigits: 2, numberingSystem: "latn" });
    const priced = new Intl.NumberFormat(language, { style: "currency", currency: "EUR", numberingSystem: "latn" });
    test(`in a field and with groups and currency, in ${language}`, () => {
      fc.assert(
        fc.property(cents, (amount) => {
          for (const text of [numberForField(amount, language), grouped.format(amount)])
            expect([text, parseTypedNumber(text, language)]).toEqual([text, amount]);
          expect(parseTypedNumber(priced.format(Math.abs(amount)), language)).toBe(Math.abs(amount));
        }),
      );
    });
  }
});

test("a browser that names no language writes numbers as in English, and loses no page", () => {
  expect(["de-de", "en-US@posix", "", "C"].map((language) => browserLanguage(language))).toEqual([
    "de-DE",
    "en-US",
    "en-US",
    "en-US",
  ]);
});
