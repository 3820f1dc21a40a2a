import { describe, expect, test } from "bun:test";
import { MAKES } from "../../../app/seed/makes.ts";
import { decodeVin } from "../../../core/vin/decode.ts";

const codesOf = (text: string): readonly string[] => decodeVin(text).issues.map(({ code }) => code);

describe("a decoded VIN", () => {
  test("has its model year and make, and no issue", () => {
    expect(decodeVin("1HGBH41JXMN109186")).toEqual({
      vin: "1HGBH41JXMN109186",
      valid: true,
      check_digit: { ok: true, expected: "X" },
      year: 1991,
      years: [1991],
      make: "Honda",
      makes: ["Honda"],
      issues: [],
    });
  });

  test("may be written in small letters, with white space around it", () => {
    expect(decodeVin(" 1g4ah59h45g118341\n")).toMatchObject({ vin: "1G4AH59H45G118341", year: 2005, make: "Buick" });
  });

  test("with a wrong check digit is not valid, names the right one, and is still decoded", () => {
    const decoded = decodeVin("1HGCM82633A123456");
    expect(decoded).toMatchObject({ valid: false, check_digit: { ok: false, expected: "7" }, make: "Honda" });
    expect(decoded.issues.map(({ message }) => message).join()).toContain("is 3, but should be 7");
  });

  test("of a maker with several makes names them all, and no single make", () => {
    const { make, makes } = decodeVin("1C4RJFBG5FC123456");
    expect(make).toBeNull();
    expect(makes).toEqual(expect.arrayContaining(["Chrysler", "Dodge", "Jeep"]));
  });

  for (const [text, codes] of [
    ["1HGBH41JXMN10918", ["length"]],
    ["1HGBH41JXMN1091866", ["length"]],
    ["1HGBH41JXMN10918O", ["characters"]],
    ["ÖÖ", ["length", "characters"]],
    ["1HGBH41J1UN109186", ["check_digit", "model_year"]],
    ["1J9RP1A36A1644345", ["maker"]],
  ] as const)
    test(`of "${text}" names what is wrong: ${codes.join(" and ")}`, () => {
      expect(codesOf(text)).toEqual([...codes]);
      expect(decodeVin(text).valid).toBe(codes.every((code) => (code as string) === "maker"));
    });

  // [VIN, what is known of it]
  for (const [vin, known] of [
    // Without a check digit, both years of the code are possible.
    ["WVGZZZ5NZDW000004", { valid: true, check_digit: null, year: null, years: [2013, 1983], make: "Volkswagen" }],
    // This maker writes no year.
    ["WBA71DC010CH00001", { valid: true, check_digit: null, year: null, years: [], make: "BMW" }],
    // A code of 1980 is one of 2010: VINs are of 1981 and later.
    ["WVGZZZ5NZAW000004", { year: 2010, years: [2010] }],
    ["1J9RP1A36A1644345", { year: 2010, years: [2010] }],
    // Made in Germany for North America: its check digit is right, so the 7th character says which.
    ["WBA3A5C52DF123457", { valid: true, check_digit: { ok: true, expected: "2" }, year: 2013, years: [2013] }],
    ["WBA3A5159DF123457", { valid: true, check_digit: { ok: true, expected: "9" }, year: 1983, years: [1983] }],
    ["WVGZZZ5N9EW000001", { check_digit: null, year: null, years: [2014, 1984] }],
    // From Asia: the check digit is judged, and unless it is right, both years are possible.
    ["JTMWRREV10D123456", { valid: false, check_digit: { ok: false }, year: null, years: [] }],
    ["JTMWRREV1DD123456", { valid: false, check_digit: { ok: false }, year: null, years: [2013, 1983] }],
  ] as const)
    test(`of ${vin} says what is certain: ${JSON.stringify(known)}`, () => {
      expect(decodeVin(vin)).toMatchObject(known as object);
    });

  test("from Europe is not blamed for a place where its maker writes something else", () => {
    expect([codesOf("WBA71DC010CH00001"), codesOf("WVGZZZ5NZDW000004")]).toEqual([[], []]);
  });

  // A plant that builds for several makers has one code for all of them.
  for (const [vin, make] of [
    ["KNMAT2MV3JP608780", "Nissan"],
    ["KNMAT2MV3JP608780", "Renault"],
    ["4S6CK58W5X4401711", "Honda"],
    ["1Y1SK526XXZ042558", "Chevrolet"],
    ["1D7RV1CT8BS561919", "Ram"],
    ["1D7RV1CT8BS561919", "Dodge"],
    ["3N63M0YN0FK709902", "Chevrolet"],
    ["3N63M0YN0FK709902", "Nissan"],
  ] as const)
    test(`of ${vin} may be a ${make}`, () => {
      expect(decodeVin(vin).makes).toContain(make);
    });

  test("includes the maker for every vehicle of the example data", () => {
    const unknown = MAKES.flatMap(({ name, models }) =>
      models.filter(({ wmi }) => !decodeVin(`${wmi}BH41JXMN109186`).makes.includes(name)).map(({ wmi }) => [wmi, name]),
    );
    expect(unknown).toEqual([]);
  });
});
