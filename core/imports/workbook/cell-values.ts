import { DAY_MS, momentOfDays } from "../../day-numbers.ts";
import type { NumberFormat } from "./number-formats.ts";

/** A value of a cell; `null` if it has none. */
export type SheetValue = string | number | boolean | null;

/** The length of a day as text, such as 2026-10-16. */
const DAY_LENGTH = 10;

/** More digits than these are none that somebody entered. */
const DIGITS = 15;
const TOO_LONG = 10 ** DIGITS;

const plainNumber = (number: number): SheetValue => {
  if (Number.isInteger(number) && Math.abs(number) < TOO_LONG) return number;
  // The last digits are lost. Written like this, nobody takes it for a whole number.
  if (Math.abs(number) >= TOO_LONG) return number.toExponential(DIGITS - 1).toUpperCase();
  return Number(number.toPrecision(DIGITS));
};

/** True for a number whose last digits are lost. */
export const hasLostDigits = (value: SheetValue): boolean => typeof value === "string" && value.includes("E+");

/** A number of a cell as its format says: a date as ISO 8601, a number with its zeros before it, or the number. */
export const numberValue = (text: string, { kind, digits }: NumberFormat, is1904: boolean): SheetValue => {
  const number = Number(text);
  if (text.trim() === "") return null;
  if (!Number.isFinite(number)) return text;
  if (kind === "number") {
    if (digits === 0 || !Number.isSafeInteger(number) || number < 0) return plainNumber(number);
    return String(number).padStart(digits, "0");
  }
  const moment = momentOfDays(number, is1904);
  if (moment === null) return plainNumber(number);
  const iso = new Date(moment).toISOString();
  return kind === "day" && moment % DAY_MS === 0 ? iso.slice(0, DAY_LENGTH) : iso;
};

const MIDNIGHT = /T00:00(?::00(?:\.0+)?)?$/;

/** A date that is written as text, without the time if it is that of a day. */
export const dateValue = (text: string): SheetValue => text.trim().replace(MIDNIGHT, "") || null;
