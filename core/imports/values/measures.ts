import type { DateOrder } from "../../settings/date-order.ts";
import { foldHeading } from "../headings/fold-heading.ts";
import { dateIn } from "./dates.ts";
import { type CellReading, invalidCell, isTooLong, quoted, valueRead } from "./reading.ts";

/** What a number is in, and how files write it behind the number, in folded form. */
interface Measure {
  readonly unit: string;
  readonly words: readonly string[];
}

/** The unit of each field that is a measure. No other unit is converted. docs/imports.md shows them. */
export const MEASURES = {
  battery_capacity: { unit: "kWh", words: ["kwh"] },
  fuel_consumption: {
    unit: "l/100 km",
    words: ["l100km", "ltr100km", "liter100km", "litre100km", "liters100km", "litres100km", "l100"],
  },
  energy_consumption: { unit: "kWh/100 km", words: ["kwh100km", "kwh100"] },
  co2_emissions: { unit: "g/km", words: ["gkm", "gco2km", "grkm"] },
  doors: {
    unit: "doors",
    words: ["d", "dr", "door", "doors", "tur", "turen", "turer", "turig", "porte", "portes", "puertas"],
  },
  owners: { unit: "owners", words: ["owner", "owners", "previousowner", "previousowners", "vorbesitzer", "halter"] },
} as const satisfies Readonly<Record<string, Measure>>;

/** A number without a unit. */
const NO_MEASURE: Measure = { unit: "", words: [] };

const NUMBER_AND_UNIT = /^(\d{1,6}(?:[.,]\d{1,6})?)(\D.{0,60})?$/;

/**
 * A measure, rounded to two decimals, such as `6.2`, `6,2 l/100km` or `77.4 kWh`. A point or a comma is always the
 * decimal separator: no measure has thousands.
 */
export const measureIn = (cell: string | number, { unit, words }: Measure = NO_MEASURE): CellReading<number> => {
  const text = String(cell).trim();
  const none = invalidCell("not_a_measure", `${quoted(text)} is not a number${unit === "" ? "" : ` of ${unit}`}`);
  if (isTooLong(text)) return none;
  const [, number, behind = ""] = NUMBER_AND_UNIT.exec(text) ?? [];
  if (number === undefined) return none;
  if (behind !== "" && !words.includes(foldHeading(behind))) return none;
  return valueRead(Math.round(Number(number.replace(",", ".")) * 100) / 100);
};

const MONTH_FIRST = /^(\d{1,2})[./-](\d{4})$/;
const YEAR_FIRST = /^(\d{4})[./-](\d{1,2})$/;
const DIGITS_OF_DAY = 10;

/** The first day of a month, such as `03/2021` or `2021-03`; `null` for another text. */
const firstOfMonth = (text: string): string | null => {
  const [, month, year] = MONTH_FIRST.exec(text) ?? [];
  const [, first, second] = YEAR_FIRST.exec(text) ?? [];
  const [years, months] = [year ?? first, month ?? second];
  if (years === undefined || months === undefined) return null;
  return Number(months) >= 1 && Number(months) <= 12 ? `${years}-${months.padStart(2, "0")}-01` : null;
};

/** A day of the calendar, in the forms that dates have. A month alone is its first day. */
export const dayIn = (cell: string, order: DateOrder): CellReading<string> => {
  const month = isTooLong(cell) ? null : firstOfMonth(cell.trim());
  if (month !== null) return valueRead(month);
  const read = dateIn(cell, order);
  return read.kind === "value" ? valueRead(read.value.slice(0, DIGITS_OF_DAY)) : read;
};
