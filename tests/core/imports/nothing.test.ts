import { describe, expect, test } from "bun:test";
import { isNoStockNumber, isNothing, isNoVin } from "../../../core/vehicles/nothing.ts";

const WORDS = "N/A NA N.A. none null nil unknown unk TBD TBA n.v. k.A. - -- – . ? * #N/A (blank) 0000-00-00 00/00/0000";

describe("a cell", () => {
  for (const word of [...WORDS.split(" "), " n/a ", "NULL", "---", "0000-00-00 00:00:00"])
    test(`of ${word} has no value`, () => {
      expect([isNothing(word), isNoVin(word), isNoStockNumber(word)]).toEqual([true, true, true]);
    });

  for (const word of [
    "",
    " ",
    "Nano",
    "0",
    "11",
    "A-",
    "x",
    "No",
    "none of these",
    "TBD Motors",
    "Navara",
    "1.5",
    "-5",
  ])
    test(`of ${JSON.stringify(word)} is not taken for one without a value`, () => {
      expect(isNothing(word)).toBe(false);
    });

  test("is no VIN without a digit, as zero, or as one sign four times", () => {
    for (const text of ["PENDING", "no vin yet", "0", "0000", "00000000000000000", "XXXXXXXXXXXXXXXXX", "1111"])
      expect([text, isNoVin(text)]).toEqual([text, true]);
    for (const text of ["1HGBH41JXMN109186", "A1", "111", "7"]) expect([text, isNoVin(text)]).toEqual([text, false]);
  });

  test("is no stock number as zero or as one sign four times, and is one without a digit", () => {
    for (const text of ["0", "0000", "XXXX", "----"]) expect([text, isNoStockNumber(text)]).toEqual([text, true]);
    for (const text of ["11", "111", "A", "LOT", "0001"]) expect([text, isNoStockNumber(text)]).toEqual([text, false]);
  });
});
