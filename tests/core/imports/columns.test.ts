import { describe, expect, test } from "bun:test";
import { columnsOf, headingOf, type ImportColumns, type OwnColumns } from "../../../core/imports/headings/columns.ts";
import { foldHeading } from "../../../core/imports/headings/fold-heading.ts";
import { HEADINGS, isImportField } from "../../../core/imports/headings/headings.ts";
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

  test("knows at least 120 headings in addition to those of numbered photos", () => {
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

  test("maps the name of every settable vehicle field to that field", () => {
    for (const name of Object.keys(VEHICLE_FIELDS))
      if (isImportField(name)) expect(fieldsIn(["vin", name].slice(name === "vin" ? 1 : 0)).at(-1)).toBe(name);
  });
});

describe("the columns of a file", () => {
  test("are recognized regardless of the case, blanks, signs and accents of their headings", () => {
    expect(
      fieldsIn(["V.I.N.", " Stock # ", "MODEL_YEAR", "Internet-Price ($)", "New/Used", "Couleur", "Colôr"]),
    ).toEqual(["vin", "stock_number", "year", "price", "condition", null, "exterior_color"]);
  });

  test("with unknown headings are not read, and each of them is a warning", () => {
    const { columns, warnings } = found(["VIN", "Lot Location", "Wholesale", "", "import_error", "id"]);
    expect(columns.map(({ field }) => field)).toEqual(["vin", null, null, null, null, null]);
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([
      ["Lot Location", "heading_unknown"],
      ["Wholesale", "heading_unknown"],
    ]);
  });

  test("take the price from the first present heading in the order of preference", () => {
    const price = (heading: readonly string[]) => headingOf(found(heading), "price");
    expect(price(["List Price", "Price", "Selling Price", "Internet Price"])).toBe("Internet Price");
    expect(price(["List Price", "Price", "Selling Price"])).toBe("Selling Price");
    expect(price(["List Price", "Price"])).toBe("Price");
    expect(price(["Retail Price"])).toBe("Retail Price");
    expect(found(["Internet Price", "Price"]).warnings).toEqual([]);
  });

  test("may have a unit or a remark in brackets, and words of position that are part of the name", () => {
    expect(fieldsIn(["VIN No", "Price (USD)", "Mileage (mi)", "Vehicle Status", "Colour (interior)"])).toEqual([
      ...(["vin", "price", "mileage", "status", "interior_color"] as const),
    ]);
    expect(fieldsIn(["VIN", "Odometer (km)", "Price EUR", "Color (Ext)"])).toEqual([
      ...(["vin", "mileage", "price", "exterior_color"] as const),
    ]);
    expect(fieldsIn(["VIN", "Price (MSRP)", "VIN (last 8)", "Year EUR"])).toEqual(["vin", "msrp", null, null]);
    expect(fieldsIn(["VIN", "Range (km)", "Fuel consumption (mpg)", "CO2 (g/km)", "MSRP EUR"])).toEqual([
      ...(["vin", "electric_range", null, "co2_emissions", "msrp"] as const),
    ]);
  });

  test("take `interior` as its colour only if no column is called the interior colour", () => {
    expect(fieldsIn(["Interior"])).toEqual(["interior_color"]);
    expect(fieldsIn(["Interior", "Interior Color"])).toEqual([null, "interior_color"]);
  });

  test("may contain images several times, and keep their order", () => {
    expect(
      fieldsIn(["VIN", "image_link", "additional_image_link", "image[0].url", "image[19].url", "Image50"]),
    ).toEqual(["vin", "images", "images", "images", "images", "images"]);
    expect(fieldsIn(["VIN", "image[20].url", "image51", "Photo Count", "PhotoURL1", "Image_0"])).toEqual([
      ...(["vin", "images", "images", null, "images", "images"] as const),
    ]);
  });

  test("are chosen by their place in the table where a wrong one does no harm, and the other is named", () => {
    expect(fieldsIn(["VIN", "Body Type", "Body", "Comments", "Description"])).toEqual([
      ...(["vin", null, "body_style", null, "description"] as const),
    ]);
    expect(fieldsIn(["VIN", "Condition", "State of vehicle"])).toEqual(["vin", null, "condition"]);
    expect(found(["VIN", "Transmission", "Transmission_Description"]).warnings).toEqual([
      {
        path: "Transmission_Description",
        code: "heading_unused",
        message: 'is not read, as transmission is taken from "Transmission"; columns says otherwise',
      },
    ]);
    expect(fieldsIn(["VIN", "Body", "Body Type"], { "Body Type": "body_style" })).toEqual(["vin", null, "body_style"]);
    expect(faultOf(["VIN", "Body", "Body"])).toMatch(/both taken for body_style/);
  });

  test("make the file unreadable when two of them are the same field, and both are named", () => {
    expect(faultOf(["VIN", "Selling Price", "Sale Price"])).toMatch(
      /^import_file_unreadable: The columns "Selling Price" and "Sale Price" are both taken for price/,
    );
    expect(faultOf(["VIN", "VIN"])).toMatch(/both taken for vin/);
  });

  test("make the file unreadable when none is known", () => {
    expect(faultOf(["Foo", "Bar"])).toMatch(/^import_file_unreadable: No heading of the file is known/);
    expect(faultOf([])).toMatch(/^import_file_unreadable/);
    expect(faultOf(["id", "created_at"])).toMatch(/^import_file_unreadable/);
  });

  test("follow the caller's mapping before the table", () => {
    expect(fieldsIn(["Foo", "Price", "VIN"], { Foo: "price" })).toEqual(["price", null, "vin"]);
    expect(fieldsIn(["Series", "Trim"], { Series: null })).toEqual([null, "trim"]);
    expect(fieldsIn(["Selling Price", "Sale Price"], { "sale price": null })).toEqual(["price", null]);
    expect(fieldsIn(["Lot", "LOT"], { Lot: "price", LOT: null })).toEqual(["price", null]);
    expect(found(["VIN", "Foo"], { Foo: null }).warnings).toEqual([]);
    expect(faultOf(["A", "B"], { A: "price", B: "price" })).toMatch(/both taken for price/);
    expect(fieldsIn(["A", "__proto__"], { A: "vin" })).toEqual(["vin", null]);
  });

  test("are recognized as our own export by their names, and those of no other file are", () => {
    expect(found(["id", "vin", "price", "created_at"]).isOwnExport).toBe(true);
    expect(found(["id", "vin", "Price", "created_at"]).isOwnExport).toBe(false);
    expect(found(["vin", "price"]).isOwnExport).toBe(false);
  });

  test("name a field by the file's own heading", () => {
    const columns = found(["Stock #", "Internet Price"]);
    expect([headingOf(columns, "price"), headingOf(columns, "make")]).toEqual(["Internet Price", "make"]);
  });
});
