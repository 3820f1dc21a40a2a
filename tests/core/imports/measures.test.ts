import { describe, expect, test } from "bun:test";
import { columnsOf } from "../../../core/imports/headings/columns.ts";
import type { Decided } from "../../../core/imports/headings/decided.ts";
import { type RowValues, valuesReader } from "../../../core/imports/values/values.ts";

const DECIDED: Decided = { dateOrders: {}, distanceUnit: "mi", currency: "EUR" };

/** What a row of a file with this column says. */
const read = (heading: string, cell: string | number, decided: Partial<Decided> = {}): RowValues => {
  const columns = columnsOf(["VIN", heading], {});
  if ("code" in columns) throw new Error(columns.message);
  const values = valuesReader(
    { ...columns, decided: { ...DECIDED, ...decided } },
    { decimal: "auto", empty: "keep" },
  )(["WVWZZZAUZLW123456", cell]);
  return values;
};

/** The only field besides the VIN, or the code of why there is none. */
const said = (heading: string, cell: string | number, decided: Partial<Decided> = {}): unknown => {
  const { fields, warnings, errors } = read(heading, cell, decided);
  const { vin: _, ...others } = fields;
  const [value] = Object.values(others);
  const [fault] = [...errors, ...warnings];
  return value ?? fault?.code ?? "nothing";
};

describe("a measure in a file", () => {
  const READ: readonly [heading: string, cell: string | number, value: unknown][] = [
    ["Battery Capacity", "77.4", 77.4],
    ["Batteriekapazität", "77,4 kWh", 77.4],
    ["Battery (kWh)", "82", 82],
    ["Battery Capacity (kWh)", 82, 82],
    // Three decimals are no thousands: a battery has none.
    ["Battery Capacity", "77.446", 77.45],
    ["Fuel Consumption", "6,2 l/100 km", 6.2],
    ["Verbrauch (l/100km)", "6.2", 6.2],
    ["Consommation mixte", "5,4 L/100km", 5.4],
    ["Stromverbrauch", "17,9 kWh/100km", 17.9],
    ["Energy Consumption", "180 Wh/km", "not_a_measure"],
    ["Verbrauch", "15,8 - 17,2 l/100km", "not_a_measure"],
    ["Fuel Consumption", "38 mpg", "not_a_measure"],
    ["CO2-Emissionen", "142 g/km", 142],
    ["CO2 (g/km)", "0", 0],
    ["Doors", "4dr", 4],
    ["Anzahl Türen", "5 Türen", 5],
    ["Türen", "4/5", "not_a_measure"],
    ["Vorbesitzer", "2", 2],
    ["Owners", "1 owner", 1],
    ["Owners", "-1", "not_a_measure"],
    ["Battery Capacity", "N/A", "nothing"],
    ["Electric Range", "310", 310],
    ["Electric Range", "310 mi", 310],
    ["Reichweite", "500 km", 311],
    ["Range (km)", "500", 311],
    ["Electric Range", "far", "not_a_range"],
    ["MSRP", "31.500,00 €", 31_500],
    ["UVP", "$31,500", "currency_differs"],
    ["MSRP (USD)", "31,500", "currency_differs"],
    ["MSRP", "Call", "nothing"],
    ["Emissions Standard", "Euro 6d", "Euro 6d"],
  ];
  for (const [heading, cell, value] of READ)
    test(`${heading}: ${JSON.stringify(cell)} is ${JSON.stringify(value)}`, () =>
      expect(said(heading, cell)).toBe(value));

  test("in another unit of distance is converted with a note, unless units are kept", () => {
    expect(read("Electric Range (km)", "500").notes).toEqual([
      { path: "Electric Range (km)", code: "unit_converted", example: "500 km became 311 mi" },
    ]);
    expect(said("Electric Range (km)", "500", { distanceUnit: null })).toBe(500);
  });

  test("is cleared by an empty cell where empty cells clear, like a day and a suggested price", () => {
    const columns = columnsOf(["VIN", "battery_capacity", "msrp", "date_first_registered", "doors"], {});
    if ("code" in columns) throw new Error(columns.message);
    const values = valuesReader(columns, { decimal: "auto", empty: "clear" });
    expect(values(["WVWZZZAUZLW123456", "", "", "-", ""]).fields).toMatchObject({
      ...{ battery_capacity: null, msrp: null, date_first_registered: null, doors: null },
    });
  });

  test("in a unit that is not converted, by its heading, is no column", () =>
    expect(said("Fuel consumption (mpg)", "38")).toBe("nothing"));
});

describe("a day in a file", () => {
  const READ: readonly [cell: string, value: string][] = [
    ["2021-03-15", "2021-03-15"],
    ["15.03.2021", "2021-03-15"],
    ["2021-03-15T23:30:00+02:00", "2021-03-15"],
    ["03/2021", "2021-03-01"],
    ["3.2021", "2021-03-01"],
    ["2021-03", "2021-03-01"],
    ["44270", "2021-03-15"],
    ["15 mars 2021", "2021-03-15"],
    ["13/2021", "not_a_date"],
    ["2021-02-30", "not_a_date"],
    ["2021", "not_a_date"],
    ["0000-00-00", "nothing"],
  ];
  for (const [cell, value] of READ) test(`${cell} is ${value}`, () => expect(said("Erstzulassung", cell)).toBe(value));

  test("follows the order of its column", () => {
    expect(said("Erstzulassung", "05/06/2021", { dateOrders: { 1: "dmy" } })).toBe("2021-06-05");
    expect(said("Erstzulassung", "05/06/2021", { dateOrders: { 1: "mdy" } })).toBe("2021-05-06");
  });
});
