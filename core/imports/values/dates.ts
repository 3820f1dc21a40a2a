import { type CellReading, invalidCell, isTooLong, quoted, valueRead } from "./reading.ts";

const ZONED = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i;
const LOCAL_DATE =
  /^(\d{1,4})([./-])(\d{1,2})([./-])(\d{1,4})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: ?([AP])M)?)?$/i;

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const CENTURY = 2000;

/** Reads 2026-11-20, 20.11.2026, and 11/20/2026; also 20/11/2026, as there is no month 20. */
const dayOf = (first: string, sign: string, [second, third]: readonly [string, string]): Day | null => {
  if (first.length === 4)
    return third.length > 2 ? null : { year: Number(first), month: Number(second), day: Number(third) };
  if (first.length > 2 || (third.length !== 2 && third.length !== 4)) return null;
  const year = third.length === 4 ? Number(third) : CENTURY + Number(third);
  const isDayFirst = sign === "." || Number(first) > 12;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  return { year, month: Number(month), day: Number(day) };
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

/**
 * A date and time with a zone, in the form that the schema accepts. A time without a zone is in UTC. A date without a
 * time is the start of that day.
 */
export const dateIn = (cell: string): CellReading<string> => {
  const text = cell.trim();
  if (!isTooLong(text) && ZONED.test(text)) return valueRead(text.replace(" ", "T"));
  const found = isTooLong(text) ? null : LOCAL_DATE.exec(text);
  const [, first = "", sign = "", second = "", other = "", third = ""] = found ?? [];
  const [hour = "0", minute = "00", seconds = "00", half] = found?.slice(6) ?? [];
  const day = sign === other ? dayOf(first, sign, [second, third]) : null;
  const moment = day === null ? null : utcTimestamp(day, `${digits(hourOf(hour, half), 2)}:${minute}:${seconds}`);
  return moment === null
    ? invalidCell("not_a_date", `${quoted(text)} is not a date such as 2026-11-20 or 11/20/2026`)
    : valueRead(moment);
};
