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
