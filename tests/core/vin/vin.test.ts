import { describe, expect, test } from "bun:test";
import { checkDigitOf, hasRightCheckDigit, isVin, modelYearsOf } from "../../../core/vin/vin.ts";

describe("a VIN", () => {
  for (const vin of ["1G4AH59H45G118341", "1J9RP1A36A1644345", "1HGBH41JXMN109186", "11111111111111111"])
    test(`${vin} has the right check digit`, () => {
      expect([isVin(vin), hasRightCheckDigit(vin), checkDigitOf(vin)]).toEqual([true, true, vin[8] ?? ""]);
    });

  test("with a wrong check digit is distinguished from a right one, and the right digit is named", () => {
    expect([isVin("1HGCM82633A123456"), hasRightCheckDigit("1HGCM82633A123456")]).toEqual([true, false]);
    expect(checkDigitOf("1HGCM82633A123456")).toBe("7");
  });

  test("is wrong when two neighbouring characters of different weights are swapped", () => {
    expect(hasRightCheckDigit("1HGBH41JXMN101986")).toBe(false);
  });

  for (const text of [
    "",
    "1HGBH41JXMN10918",
    "1HGBH41JXMN1091866",
    "1HGBH41JXMN10918I",
    "1HGBH41JXMN10918O",
    "1hgbh41jxmn109186",
  ])
    test(`is not "${text}"`, () => {
      expect(isVin(text)).toBe(false);
    });

  for (const [vin, years] of [
    ["1HGBH41JXMN109186", [1991]],
    ["1G4AH59H45G118341", [2005]],
    ["1J9RP1A36A1644345", [2010]],
    ["4T1G11AK5LU123456", [2020]],
    ["5YJSA1E26LF123456", [2020]],
    ["1HGBH41JX1N109186", [2001]],
    ["1HGBH4AJX9N109186", [2039]],
    ["1HGBH41JX0N109186", []],
    ["1HGBH41JXUN109186", []],
    ["1HGBH41JXZN109186", []],
    ["WVWZZZ1KZAW000001", [2010]],
    ["WVWZZZ1KZ9W000001", [2039, 2009]],
  ] as const)
    test(`${vin} may be of ${years.join(" or ") || "no known year"}`, () => {
      expect(modelYearsOf(vin)).toEqual([...years]);
    });
});
