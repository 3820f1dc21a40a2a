import { describe, expect, test } from "bun:test";
import { columnsOf, headingOf, type ImportColumns, type OwnColumns } from "../../../core/imports/headings/columns.ts";
import { foldHeading, HEADINGS, isImportField } from "../../../core/imports/headings/headings.ts";
import { VEHICLE_FIELDS } from "../../../core/vehicles/fields.ts";

const found = (heading: readonly string[], own: OwnColumns = {}): ImportColumns => {
  const columns = columnsOf(heading, own);
  if ("code" in columns) throw new Error(columns.message);
  return columns;
};
const fieldsIn = (heading: readonly string[], own: OwnColumns = {}) =>
  found(heading, own).columns.map(({ field }) => field);
const faultOf = (heading: readonly string[], own: OwnColumns = {}): string => {
  const columns = columnsOf(heading, own);
  return "code" in columns ? `${columns.code}: ${columns.message}` : "none";
};

describe("the table of headings", () => {
  const listed = Object.entries(HEADINGS).flatMap(([field, lists]) => lists.flat().map((name) => ({ field, name })));

  test("knows 120 headings or more besides those of numbered photos", () => {
    expect(listed.filter(({ name }) => !/^image\d/.test(name)).length).toBeGreaterThanOrEqual(120);
  });

  test("has each heading once, in its folded form", () => {
    expect(listed.filter(({ name }) => foldHeading(name) !== name)).toEqual([]);
    const names = listed.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  for (const { field, name } of listed)
    test(`takes ${name} for ${field}`, () => {
      expect(fieldsIn([name.toUpperCase()])).toEqual([field as never]);
    });

  test("takes the name of every field of a vehicle that can be set for that field", () => {
    for (const name of Object.keys(VEHICLE_FIELDS))
      if (isImportField(name)) expect(fieldsIn(["vin", name].slice(name === "vin" ? 1 : 0)).at(-1)).toBe(name);
  });
});

describe("the columns of a file", () => {
  test("are known whatever case, blanks, signs and accents their headings have", () => {
    expect(
      fieldsIn(["V.I.N.", " Stock # ", "MODEL_YEAR", "Internet-Price ($)", "New/Used", "Couleur", "Colôr"]),
    ).toEqual(["vin", "stock_number", "year", "price", "condition", null, "exterior_color"]);
  });

  test("whose heading nobody knows are not read, and each of them is a warning", () => {
    const { columns, warnings } = found(["VIN", "Lot Location", "MSRP", "", "import_error", "id"]);
    expect(columns.map(({ field }) => field)).toEqual(["vin", null, null, null, null, null]);
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ["Lot Location", "heading_unknown"],
      ["MSRP", "heading_unknown"],
    ]);
  });

  test("are the price by the first heading of the order that is there", () => {
    const price = (heading: readonly string[]) => headingOf(found(heading), "price");
    expect(price(["List Price", "Price", "Selling Price", "Internet Price"])).toBe("Internet Price");
    expect(price(["List Price", "Price", "Selling Price"])).toBe("Selling Price");
    expect(price(["List Price", "Price"])).toBe("Price");
    expect(price(["Retail Price"])).toBe("Retail Price");
    expect(found(["Internet Price", "Price"]).warnings).toEqual([]);
  });

  test("are a warning where their heading says that a mileage is in kilometres", () => {
    expect(found(["VIN", "KMs"]).warnings).toMatchObject([{ path: "KMs", code: "kilometres" }]);
    expect(found(["VIN", "Miles"]).warnings).toEqual([]);
  });

  test("take `interior` for its colour only where no column is named so", () => {
    expect(fieldsIn(["Interior"])).toEqual(["interior_color"]);
    expect(fieldsIn(["Interior", "Interior Color"])).toEqual([null, "interior_color"]);
  });

  test("may be images several times, and keep their order", () => {
    expect(
      fieldsIn(["VIN", "image_link", "additional_image_link", "image[0].url", "image[19].url", "Image50"]),
    ).toEqual(["vin", "images", "images", "images", "images", "images"]);
    expect(fieldsIn(["VIN", "image[20].url", "image51"])).toEqual(["vin", null, null]);
  });

  test("of which two are one field make the file unreadable, and both are named", () => {
    expect(faultOf(["VIN", "Selling Price", "Sale Price"])).toMatch(
      /^import_file_unreadable: The columns "Selling Price" and "Sale Price" are both taken for price/,
    );
    expect(faultOf(["VIN", "VIN"])).toMatch(/both taken for vin/);
  });

  test("of which none is known make the file unreadable", () => {
    expect(faultOf(["Foo", "Bar"])).toMatch(/^import_file_unreadable: No heading of the file is known/);
    expect(faultOf([])).toMatch(/^import_file_unreadable/);
    expect(faultOf(["id", "created_at"])).toMatch(/^import_file_unreadable/);
  });

  test("are what the caller says, before the table", () => {
    expect(fieldsIn(["Foo", "Price", "VIN"], { Foo: "price" })).toEqual(["price", null, "vin"]);
    expect(fieldsIn(["Series", "Trim"], { Series: null })).toEqual([null, "trim"]);
    expect(fieldsIn(["Selling Price", "Sale Price"], { "sale price": null })).toEqual(["price", null]);
    expect(fieldsIn(["Lot", "LOT"], { Lot: "price", LOT: null })).toEqual(["price", null]);
    expect(found(["VIN", "Foo"], { Foo: null }).warnings).toEqual([]);
    expect(faultOf(["A", "B"], { A: "price", B: "price" })).toMatch(/both taken for price/);
    expect(fieldsIn(["A", "__proto__"], { A: "vin" })).toEqual(["vin", null]);
  });

  test("are known as our own export by its names, and as no other's", () => {
    expect(found(["id", "vin", "price", "created_at"]).isOwnExport).toBe(true);
    expect(found(["id", "vin", "Price", "created_at"]).isOwnExport).toBe(false);
    expect(found(["vin", "price"]).isOwnExport).toBe(false);
  });

  test("name a field by the file's own heading", () => {
    const columns = found(["Stock #", "Internet Price"]);
    expect([headingOf(columns, "price"), headingOf(columns, "make")]).toEqual(["Internet Price", "make"]);
  });
});
