import { foldLetters } from "../../search/words.ts";
import type { DateOrder } from "../../settings/date-order.ts";
import { type CellReading, invalidCell, isTooLong, quoted, valueRead } from "./reading.ts";

const ZONED = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
const TIME = /[T,\s]\s{0,3}(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: ?([AP])\.?M\.?)?$/i;
const YEAR_FIRST = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/;
const YEAR_LAST = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$/;
/** The same at the start of a text, whatever time follows. */
const STARTS_YEAR_LAST = /^(\d{1,2})([./-])(\d{1,2})\2(?:\d{4}|\d{2})(?!\d)/;
const COMPACT = /^(19|20)(\d{2})(\d{2})(\d{2})$/;
const DAY_NUMBER = /^(\d{5})(?:[.,](\d{1,15}))?$/;
const BETWEEN_WORDS = /[\s,./-]+/;
const DAY_DIGITS = /^(\d{1,2})(?:st|nd|rd|th|er)?$/i;
const YEAR_DIGITS = /^(?:\d{4}|\d{2})$/;

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const CENTURY = 2000;
const MONTHS_A_YEAR = 12;
const DAYS_A_MONTH = 31;

const yearOf = (digits: string): number => (digits.length === 4 ? Number(digits) : CENTURY + Number(digits));

/** The first letters of the months in English, German, French, Spanish and Italian. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  ["jan ene gen", "feb fev", "mar mrz", "apr avr abr", "may mai mag", "jun giu", "jul lug", "aug aou ago"]
    .concat(["sep set", "oct okt ott", "nov", "dec dez dic"])
    .flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)),
);
/** The months whose first three letters are those of two: juin and juillet. */
const LONGER: ReadonlyMap<string, number> = new Map([
  ["juin", 6],
  ["juil", 7],
]);
/** Words beside a day and a month: weekdays, and what some languages put between. */
const BESIDE: ReadonlySet<string> = new Set(
  "mon tue wed thu fri sat sun monday tuesday wednesday thursday friday saturday sunday de del of the".split(" "),
);
const LONGEST_MONTH = 10;

const monthOf = (word: string): number | undefined => {
  if (word.length > LONGEST_MONTH) return undefined;
  const name = foldLetters(word);
  return LONGER.get(name.slice(0, 4)) ?? MONTHS.get(name.slice(0, 3));
};

/** Reads 16-Oct-2026, Oct 16, 2026 and 16. Oktober 2026. */
const namedDay = (text: string): Day | null => {
  const words = text.split(BETWEEN_WORDS).filter((word) => word !== "" && !BESIDE.has(word.toLowerCase()));
  if (words.length !== 3) return null;
  const at = words.findIndex((word) => monthOf(word) !== undefined);
  const month = monthOf(words[at] ?? "");
  const [one = "", two = ""] = words.filter((_, index) => index !== at);
  const [dayWord, yearWord] = one.length === 4 ? [two, one] : [one, two];
  const [, day] = DAY_DIGITS.exec(dayWord) ?? [];
  if (month === undefined || day === undefined || !YEAR_DIGITS.test(yearWord)) return null;
  return { year: yearOf(yearWord), month, day: Number(day) };
};

/** Reads 16/10/2026 in this order. Points stand between days and months, unless the second number is no month. */
const orderedDay = (text: string, order: DateOrder): Day | null => {
  const [, first = "", sign, second = "", year = ""] = YEAR_LAST.exec(text) ?? [];
  if (sign === undefined) return null;
  const isDayFirst = sign === "." ? order === "dmy" || Number(second) <= MONTHS_A_YEAR : order === "dmy";
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return { year: yearOf(year), month: Number(month), day: Number(day) };
};

const dayOf = (text: string, order: DateOrder): Day | null => {
  const [, year, , month, day] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return { year: Number(year), month: Number(month), day: Number(day) };
  const [, century, years, months, days] = COMPACT.exec(text) ?? [];
  if (century !== undefined) return { year: Number(century + years), month: Number(months), day: Number(days) };
  return orderedDay(text, order) ?? namedDay(text);
};

const NOON = 12;

/** The hour of the day. `half` says AM or PM on a 12-hour clock. */
const hourOf = (hour: string, half: string | undefined): number => {
  if (half === undefined) return Number(hour);
  return (Number(hour) % NOON) + (half.toUpperCase() === "P" ? NOON : 0);
};

const digits = (number: number, length: number): string => String(number).padStart(length, "0");

/** A timestamp in UTC; `null` if there is no such date or time. */
const utcTimestamp = ({ year, month, day }: Day, time: string): string | null => {
  const text = `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}T${time}Z`;
  const ms = new Date(text).getTime();
  return Number.isNaN(ms) || new Date(ms).toISOString().slice(0, 19) !== text.slice(0, 19) ? null : text;
};

/** The days that spreadsheets count, as numbers of dates; other numbers of five digits are none. */
const FIRST_DAY = 20_000;
const LAST_DAY = 80_000;
/** The day before the first one that spreadsheets count, so that all days after February 1900 are right. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 30);
const DAY_MS = 24 * 60 * 60 * 1000;

/** The moment that a spreadsheet's number of a day stands for; `null` for another text. */
const spreadsheetDay = (text: string): string | null => {
  const [, day = "", part = "0"] = DAY_NUMBER.exec(text) ?? [];
  const number = Number(day);
  if (number < FIRST_DAY || number > LAST_DAY) return null;
  const seconds = Math.round((Number(`0.${part}`) * DAY_MS) / 1000);
  return new Date(DAY_ZERO_MS + number * DAY_MS + seconds * 1000).toISOString().replace(".000Z", "Z");
};

const momentOf = (text: string, order: DateOrder): string | null => {
  const time = TIME.exec(text);
  const [, hour = "0", minute = "00", seconds = "00", half] = time ?? [];
  const day = dayOf(time === null ? text : text.slice(0, time.index), order);
  return day === null ? null : utcTimestamp(day, `${digits(hourOf(hour, half), 2)}:${minute}:${seconds}`);
};

const OTHER: Readonly<Record<DateOrder, DateOrder>> = { dmy: "mdy", mdy: "dmy" };
const FIRST_OF: Readonly<Record<DateOrder, string>> = { dmy: "day", mdy: "month" };

/**
 * A date and time with a zone, in the form that the schema accepts. A time without a zone is in UTC. A date without a
 * time is the start of that day. `order` is that of the whole column: a date in the other order contradicts it.
 */
export const dateIn = (cell: string, order: DateOrder): CellReading<string> => {
  const text = cell.trim();
  const none = invalidCell("not_a_date", `${quoted(text)} is not a date such as 2026-11-20 or 16-Oct-2026`);
  if (isTooLong(text)) return none;
  if (ZONED.test(text)) return valueRead(text.replace(" ", "T"));
  const moment = momentOf(text, order) ?? spreadsheetDay(text);
  if (moment !== null) return valueRead(moment);
  if (momentOf(text, OTHER[order]) === null) return none;
  return invalidCell(
    "date_order_contradicted",
    `${quoted(text)} is no date with the ${FIRST_OF[order]} first, as in the other cells of the column`,
  );
};

/** A date that begins with its day or month has no fewer characters, and one with a time no more. */
const SHORTEST = 6;
const LONGEST = 40;

/**
 * What a cell says about the order of day and month in its column: the only one in which it is a date; `either` if both
 * are possible and differ; `null` if it says nothing. It is asked of every cell of a file.
 */
export const dateOrderOf = (cell: string): DateOrder | "either" | null => {
  if (cell.length < SHORTEST || cell.length > LONGEST) return null;
  const [, first, sign, second] = STARTS_YEAR_LAST.exec(cell.trim()) ?? [];
  const [one, two] = [Number(first), Number(second)];
  if (sign === undefined || one < 1 || two < 1 || one > DAYS_A_MONTH || two > DAYS_A_MONTH) return null;
  if (one > MONTHS_A_YEAR) return two > MONTHS_A_YEAR ? null : "dmy";
  if (two > MONTHS_A_YEAR) return "mdy";
  return one === two || sign === "." ? null : "either";
};
