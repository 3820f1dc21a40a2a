import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Cell } from "../../../core/imports/file/file.ts";
import { columnsOf } from "../../../core/imports/headings/columns.ts";
import { isSameValue } from "../../../core/imports/values/cell-readers.ts";
import { DECIMALS, type Decimal } from "../../../core/imports/values/reading.ts";
import { type RowValues, type ValueOptions, valuesReader } from "../../../core/imports/values/values.ts";

const OPTIONS: ValueOptions = { decimal: "auto", empty: "keep" };

/** What a row of these headings and cells says. */
const valuesOf = (row: Readonly<Record<string, Cell>>, options: Partial<ValueOptions> = {}): RowValues => {
  const columns = columnsOf(Object.keys(row), {});
  if ("code" in columns) throw new Error(columns.message);
  return valuesReader(columns, { ...OPTIONS, ...options })(Object.values(row));
};
/** The value, the code of its error or of its warning, under a heading. */
const readUnder = (heading: string, cell: Cell, options: Partial<ValueOptions> = {}): unknown => {
  const { fields, errors, newOnly = [], warnings } = valuesOf({ [heading]: cell }, options);
  const [value] = Object.values(fields);
  const faults = [...errors, ...newOnly, ...(value === undefined ? warnings : [])];
  if (faults.length > 0) return faults.map(({ code }) => code).join();
  return warnings.length > 0 ? [value, ...warnings.map(({ code }) => code)] : value;
};

describe("a price", () => {
  const READ: readonly (readonly [cell: Cell, price: unknown])[] = [
    ["25999", 25999],
    ["25999.99", 25999.99],
    ["25,999", 25999],
    ["25.999", 25999],
    ["25,999.99", 25999.99],
    ["25.999,99", 25999.99],
    ["1,234,567", 1234567],
    ["1.234.567,8", 1234567.8],
    ["25999,9", 25999.9],
    ["25999.5", 25999.5],
    ["12 345,67 €", 12345.67],
    ["12 345,678", 12345.678],
    ["12\u00a0345", 12345],
    ["12\u202f345,5", 12345.5],
    ["12'345.50", 12345.5],
    ["CHF 12’345.–", 12345],
    ["12.500,- EUR", 12500],
    ["12.500,--", 12500],
    ["$25,999", 25999],
    ["US$ 25,999.00", 25999],
    ["USD 10499", 10499],
    ["10499 USD", 10499],
    ["£9,995", 9995],
    ["kr 99 900", 99900],
    [" 25999 ", 25999],
    ["12,34,567", 1234567],
    ["₹ 8,50,000", 850000],
    ["1,25,000.50", 125000.5],
    ["8,50,000/-", 850000],
    ["25999.0000", 25999],
    ["25,999.999", 25999.999],
    ["0.5", 0.5],
    ["-500", -500],
    ["(500)", -500],
    [25999.9, 25999.9],
    [1234.567, 1234.567],
    ["Call", undefined],
    ["Call for price!", undefined],
    ["N/A", undefined],
    ["-", undefined],
    ["", undefined],
    ["  ", undefined],
    ["0", undefined],
    ["$0.00", undefined],
    [0, undefined],
    [null, undefined],
  ];
  for (const [cell, price] of READ)
    test(`of ${JSON.stringify(cell)} is ${price}`, () => {
      expect(readUnder("Internet Price", cell)).toEqual(price);
    });

  for (const cell of [
    "cheap",
    "25999 plus tax",
    "12.34.567",
    "1.25L",
    "8.5 lakh",
    "1.2.3",
    "25,99,9",
    "1,2.3,4",
    "12 34",
    "25USD999",
    "1e5",
    "0x10",
    `9${"9".repeat(99)}`,
    "25k",
    "1 234.567,8",
    "12/34",
  ])
    test(`is not ${cell.slice(0, 20)}`, () => {
      expect(readUnder("Internet Price", cell)).toBe("not_a_price");
    });

  test("has the decimal sign that the option names", () => {
    const read = (cell: string) => DECIMALS.map((decimal) => readUnder("Price", cell, { decimal }));
    expect(read("25.999")).toEqual([25999, 25.999, 25999]);
    expect(read("25,999")).toEqual([25999, 25999, 25.999]);
    expect(read("25.9")).toEqual([25.9, 25.9, "not_a_price"]);
    expect(read("25,999.5")).toEqual([25999.5, 25999.5, "not_a_price"]);
  });

  test("of 0 is accepted in a file that the service wrote itself", () => {
    const { fields, warnings } = valuesOf({ id: "1", price: "0", created_at: "2026-01-01T00:00:00.000Z" });
    expect([fields, warnings.map(({ code }) => code)]).toEqual([{ price: 0 }, ["price_zero"]]);
  });

  test("is the same however its thousands and decimals are written", () => {
    const cents = fc.integer({ min: 1, max: 9_999_999_999 });
    const styles = fc.constantFrom<[string, string, Decimal]>(
      [",", ".", "auto"],
      [".", ",", "auto"],
      [" ", ",", "auto"],
      ["'", ".", "auto"],
      ["", ".", "point"],
      ["", ",", "comma"],
    );
    fc.assert(
      fc.property(cents, styles, (amount, [thousands, sign, decimal]) => {
        const [whole = "", fraction = ""] = (amount / 100).toFixed(2).split(".");
        const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, thousands);
        expect(readUnder("Price", `${grouped}${sign}${fraction}`, { decimal })).toBe(amount / 100);
      }),
    );
  });
});

describe("a mileage", () => {
  for (const [cell, mileage] of [
    ["45210", 45210],
    ["45,210 mi", 45210],
    ["45.210", 45210],
    ["45 210 miles", 45210],
    ["45k", 45000],
    ["45.2K mi", 45200],
    ["2333 miles", 2333],
    ["0", 0],
    [45210, 45210],
    ["72,000 km", 72000],
    ["72k km", 72000],
    ["1,25,000", 125000],
    ["", undefined],
    ["TMU", undefined],
    ["N/A", undefined],
    ["-", undefined],
    ["low", "not_a_mileage"],
    ["45 210 mi or so", "not_a_mileage"],
    ["45,21,0", "not_a_mileage"],
    ["45210 EUR", "not_a_mileage"],
  ] as const)
    test(`of ${cell} is ${mileage}`, () => {
      expect(readUnder("Odometer", cell)).toEqual(mileage as never);
    });
});

describe("a status", () => {
  for (const [status, words] of Object.entries({
    available: ["available", "In Stock", "LIVE", "active", "for-sale", "In Transit", "due_in"],
    pending: ["pending", "Hold", "On Hold", "deposit", "Reserved", "Sale Pending"],
    sold: ["sold", "Delivered", "wholesale"],
  }))
    for (const word of words)
      test(`of ${word} is ${status}`, () => {
        expect(readUnder("Status", word)).toBe(status);
      });

  for (const word of ["gone", "1", "A", "x".repeat(1000)])
    test(`is not guessed from ${word.slice(0, 10)}`, () => {
      expect(readUnder("Status", word)).toBe("status_unknown");
    });
});

describe("a condition", () => {
  test("is recognized by the usual words of the trade, and otherwise unchanged", () => {
    const read = (cell: string) => readUnder("New/Used", cell);
    expect(["N", "New", "U", "Pre-Owned", "CPO", "Certified Pre-Owned", "C", " As new "].map(read)).toEqual([
      "new",
      "new",
      "used",
      "used",
      "certified",
      "certified",
      "certified",
      "As new",
    ]);
  });

  test("is certified if another column says so", () => {
    const read = (type: string, cpo: string) => valuesOf({ Type: type, CPO: cpo }).fields.condition;
    expect([
      read("Used", "Y"),
      read("Used", "N"),
      read("Used", ""),
      read("", "yes"),
      read("Used", "Certified"),
    ]).toEqual(["certified", "used", "used", "certified", "certified"]);
    expect(readUnder("Certified", "perhaps")).toBe("not_a_flag");
    const isCertified = (text: string) => readUnder("Certified", text) === "certified";
    for (const text of ["Toyota Certified", "Manufacturer Certified", "CPO", "Gold certified pre-owned", "Yes"])
      expect([text, isCertified(text)]).toEqual([text, true]);
    for (const text of ["Not Certified", "non-certified", "Non CPO", "-", "", "No", "uncertified"])
      expect([text, isCertified(text)]).toEqual([text, false]);
  });

  test("is the title if that is New, Used or Certified and no column has the condition", () => {
    expect(valuesOf({ VIN: "1", Title: "Used" }).fields).toEqual({ vin: "1", condition: "used" });
    expect(valuesOf({ VIN: "1", Title: "2021 Toyota Camry" }).fields).toEqual({ vin: "1", title: "2021 Toyota Camry" });
    expect(valuesOf({ Type: "N", Title: "Used" }).fields).toEqual({ condition: "new", title: "Used" });
  });
});

describe("a date", () => {
  for (const [cell, date] of [
    ["2026-11-20T00:00:00Z", "2026-11-20T00:00:00Z"],
    ["2026-11-20 10:30:00+01:00", "2026-11-20T10:30:00+01:00"],
    ["2026-11-20T10:30:00.123Z", "2026-11-20T10:30:00.123Z"],
    ["2026-11-20", "2026-11-20T00:00:00Z"],
    ["2026/1/2", "2026-01-02T00:00:00Z"],
    ["2026-11-20 10:30", "2026-11-20T10:30:00Z"],
    ["11/20/2026", "2026-11-20T00:00:00Z"],
    ["20/11/2026", "date_order_contradicted"],
    ["16-Oct-2026", "2026-10-16T00:00:00Z"],
    ["Oct 16, 2026", "2026-10-16T00:00:00Z"],
    ["Friday, 16 October 2026 10:30", "2026-10-16T10:30:00Z"],
    ["16. Oktober 2026", "2026-10-16T00:00:00Z"],
    ["16 juillet 2026", "2026-07-16T00:00:00Z"],
    ["16 de octubre de 2026", "2026-10-16T00:00:00Z"],
    ["16 gennaio 26", "2026-01-16T00:00:00Z"],
    ["20261016", "2026-10-16T00:00:00Z"],
    ["46311", "2026-10-16T00:00:00Z"],
    ["46311.5", "2026-10-16T12:00:00Z"],
    ["19999", "not_a_date"],
    ["80001", "not_a_date"],
    ["0000-00-00", undefined],
    ["00/00/0000", undefined],
    ["1/2/26", "2026-01-02T00:00:00Z"],
    ["2.1.2026", "2026-01-02T00:00:00Z"],
    ["11/20/2026 12:05:00 AM", "2026-11-20T00:05:00Z"],
    ["11/20/2026 1:05 PM", "2026-11-20T13:05:00Z"],
    ["", undefined],
    ["02/30/2026", "not_a_date"],
    ["11.20.2026", "2026-11-20T00:00:00Z"],
    ["2026-11/20", "not_a_date"],
    ["yesterday", "not_a_date"],
    ["11/20/2026 25:00", "not_a_date"],
    ["1".repeat(5000), "not_a_date"],
  ] as const)
    test(`of ${cell.slice(0, 30)} is ${date}`, () => {
      expect(readUnder("DateInStock", cell)).toBe(date as never);
    });
});

describe("images", () => {
  const imagesOf = (...cells: readonly string[]) =>
    valuesOf(Object.fromEntries(cells.map((cell, index) => [`image${index + 1}`, cell]))).images;
  const [ONE, TWO] = ["https://images.example.com/1.jpg", "http://images.example.com/2.jpg?a=b,c;d|e"];

  test("are separated by bars, commas, semicolons and blanks, which an address may also contain", () => {
    for (const separator of ["|", ",", ";", " ", "\n", ", ", " | ", ",,", ";\r\n"])
      expect(imagesOf(`${ONE}${separator}${TWO}${separator}`)).toEqual([ONE, TWO]);
  });

  test("may be in several columns, and count once", () => {
    expect(imagesOf(ONE, "", TWO, ONE)).toEqual([ONE, TWO]);
  });

  test("are unchanged by empty cells", () => {
    expect(valuesOf({ VIN: "1", Photos: "" }, { empty: "clear" }).images).toBeNull();
  });

  test("are addresses, or each costs itself", () => {
    for (const [cell, left] of [
      ["photo.jpg", null],
      ["No Photo", null],
      ["https:///1.jpg", null],
      ["ftp://images.example.com/1.jpg", null],
      [`${ONE} 2.jpg`, [ONE]],
      [`No Photo|${ONE}`, [ONE]],
      [`${ONE}|No Photo|${TWO}`, [ONE, TWO]],
      [`https://${"x".repeat(3000)}`, null],
    ] as const) {
      const { images, errors, warnings } = valuesOf({ Photos: cell });
      expect([cell, errors, images as unknown]).toEqual([cell, [], left]);
      expect(warnings.map(({ path, code }) => [path, code])).toEqual([["Photos", "not_an_address"]]);
    }
  });

  test("may begin with their host, and have blanks between bars", () => {
    expect(imagesOf("//images.example.com/8.jpg")).toEqual(["https://images.example.com/8.jpg"]);
    const car = (number: number) => `https://images.example.com/my car ${number}.jpg`;
    expect(imagesOf(`${car(1)}|${car(2)}`)).toEqual([1, 2].map((number) => car(number).replaceAll(" ", "%20")));
    expect(imagesOf(car(3))).toEqual([car(3).replaceAll(" ", "%20")]);
  });

  test("of numbered columns are in the order of their numbers, behind lists and the main one", () => {
    const of = (...headings: readonly string[]) =>
      valuesOf(
        Object.fromEntries(
          headings.map((heading) => [
            heading,
            `https://a.example.com/${heading.length}-${heading.replaceAll(" ", "")}`,
          ]),
        ),
      ).images?.map((address) => address.split("-")[1]);
    expect(of("image1", "image10", "image2")).toEqual(["image1", "image2", "image10"]);
    expect(of("Image_1", "Image_0")).toEqual(["Image_0", "Image_1"]);
    expect(of("Photo 2", "PhotoURL1", "Vehicle Photos")).toEqual(["VehiclePhotos", "PhotoURL1", "Photo2"]);
    expect(of("additional_image_link", "image_link")).toEqual(["image_link", "additional_image_link"]);
    expect(of("Img 3", "Vehicle Photo 12", "image_url_1", "Picture2")).toEqual([
      "image_url_1",
      "Picture2",
      "Img3",
      "VehiclePhoto12",
    ]);
  });

  test("of our own export are separated only by blanks", () => {
    const { images } = valuesOf({ id: "1", images: `${TWO},https://a ${ONE}`, created_at: "2026-01-01T00:00:00.000Z" });
    expect(images).toEqual([`${TWO},https://a`, ONE]);
  });
});

test("every other cell is read without such a formula, too, except a description", () => {
  const { fields, errors, warnings } = valuesOf({
    Make: '="Ford"',
    Year: '="2013"',
    Price: '="9,500"',
    Mileage: '="50 mi"',
    "Listed at": '="2026-10-16"',
    Status: '=""',
  });
  expect([errors, warnings]).toEqual([[], []]);
  expect(fields).toEqual({
    make: "Ford",
    year: 2013,
    price: 9500,
    mileage: 50,
    listed_at: "2026-10-16T00:00:00Z",
  });
});

describe("a VIN", () => {
  test("with a wrong check digit is a warning", () => {
    expect(readUnder("VIN", "1HGBH41JXMN109186")).toBe("1HGBH41JXMN109186");
    expect(readUnder("VIN", "1hgbh41jxmn109186")).toBe("1hgbh41jxmn109186");
    expect(readUnder("VIN", "1HGCM82633A123456")).toEqual(["1HGCM82633A123456", "vin_check_digit"]);
    const [warning] = valuesOf({ VIN: "1HGCM82633A123456" }).warnings;
    expect(warning?.message).toBe("has 3 as its 9th character, which should be 7");
    expect(readUnder("VIN", "1HGCM82633A12345O")).toEqual(["1HGCM82633A12345O", "vin_form"]);
    expect(readUnder("VIN", "SHORT-1")).toBe("SHORT-1");
  });

  test("and a stock number are read without the formula that preserves their zeros", () => {
    const { fields, key } = valuesOf({ VIN: '="0012"', "Stock #": ' ="00A1" ' });
    expect([fields, key]).toEqual([
      { vin: "0012", stock_number: "00A1" },
      { vin: "0012", stock_number: "00A1" },
    ]);
    expect(valuesOf({ Description: '="00A1"' }).fields).toEqual({ description: '="00A1"' });
  });

  test("is read without signs that nobody sees", () => {
    for (const cell of ["1HGBH41JXMN109186\u200b", "\u202e1HGBH41JXMN109186\u202c", "1HGBH41JX\u00adMN109186"])
      expect(valuesOf({ VIN: cell })).toMatchObject({ key: { vin: "1HGBH41JXMN109186" }, warnings: [] });
  });

  test("that stand for none are none within such a formula, too", () => {
    for (const none of ["", "TBD", "N/A", "0000"]) {
      const { fields, key } = valuesOf({ VIN: `="${none}"`, "Stock #": `="${none}"` });
      expect([none, fields, key]).toEqual([none, {}, { vin: null, stock_number: null }]);
    }
  });
});

describe("a row", () => {
  test("sets only the fields of its cells", () => {
    expect(
      valuesOf({
        VIN: "A1",
        Make: " Toyota ",
        Trim: "",
        Seats: null,
        Year: "2021",
        Featured: "Y",
        Stage: "In Prep",
      }),
    ).toEqual({
      fields: { vin: "A1", make: "Toyota", year: 2021, featured: true, stage: "in_prep" },
      images: null,
      key: { vin: "A1", stock_number: null },
      exported: null,
      dealerId: null,
      errors: [],
      warnings: [],
    });
  });

  test("clears the fields of empty cells if requested, and no others", () => {
    const row = {
      VIN: "",
      Make: "",
      Trim: "",
      Price: "",
      Mileage: " ",
      Status: "",
      Featured: "",
      Year: "",
      listed_at: "",
      Model: null,
    };
    expect(valuesOf(row, { empty: "clear" }).fields).toEqual({ vin: null, trim: null, mileage: null, listed_at: null });
    expect(valuesOf(row).fields).toEqual({});
  });

  test("may be shorter than its heading", () => {
    const columns = columnsOf(["VIN", "Make", "Trim"], {});
    if ("code" in columns) throw new Error(columns.message);
    expect(valuesReader(columns, { decimal: "auto", empty: "clear" })(["A1"]).fields).toEqual({ vin: "A1" });
  });

  test("names its dealer", () => {
    expect(valuesOf({ VIN: "A1", "Dealer ID": "3" })).toMatchObject({ fields: { vin: "A1" }, dealerId: 3 });
    expect(valuesOf({ VIN: "A", "Dealer ID": "" }).dealerId).toBeNull();
    expect(valuesOf({ VIN: "A", "Dealer ID": "three" }).errors).toMatchObject([
      { path: "Dealer ID", code: "not_a_number" },
    ]);
  });

  test("has all its errors under the file's own headings", () => {
    const { errors, newOnly = [] } = valuesOf({ "Model Year": "soon", "Internet Price": "cheap", Status: "gone" });
    expect([...errors, ...newOnly].map(({ path, message }) => `${path} ${message}`)).toEqual([
      'Model Year "soon" is not a whole number',
      'Internet Price "cheap" is not a price',
      'Status "gone" is not a known status; it must mean available, sold, pending',
    ]);
  });

  test("of our own export has its texts unchanged", () => {
    const row = {
      id: "1",
      created_at: "2026-01-01T00:00:00.000Z",
      make: " A ",
      condition: "Used",
      stock_number: '="1"',
      description: " b ",
    };
    expect(valuesOf(row).fields).toEqual({ make: " A ", condition: "Used", stock_number: '="1"', description: " b " });
  });

  test("keeps the blanks of a description, which are meaningful there", () => {
    expect(valuesOf({ VIN: "A", Description: "  - a\n  - b" }).fields.description).toBe("  - a\n  - b");
  });
});

describe("a vehicle's value", () => {
  test("is the same as a file's value that means the same", () => {
    expect(isSameValue("make", " Toyota ", "Toyota")).toBe(true);
    expect(isSameValue("condition", "Used", "used")).toBe(true);
    expect(isSameValue("featured", 1, true)).toBe(true);
    expect(isSameValue("price", 25999.9, 25999.9)).toBe(true);
    expect(isSameValue("trim", null, null)).toBe(true);
  });

  test("is different from any other value", () => {
    expect(isSameValue("make", "toyota", "Toyota")).toBe(false);
    expect(isSameValue("condition", "Used", "new")).toBe(false);
    expect(isSameValue("featured", 0, true)).toBe(false);
    expect(isSameValue("price", 25999.9, 25999)).toBe(false);
    expect(isSameValue("trim", "XSE", null)).toBe(false);
    expect(isSameValue("trim", null, "XSE")).toBe(false);
    expect(isSameValue("description", " a", "a")).toBe(false);
  });
});
