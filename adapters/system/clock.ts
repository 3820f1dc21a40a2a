import type { Clock } from "../../core/clock.ts";

// A date and time with seconds and a zone; the parser below refuses dates outside the calendar.
const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:[Zz]|[+-]\d{2}:\d{2})$/;
const LAST_YEAR = 9999;

/** Only years of four digits sort as text. */
const isSortable = (moment: Date): boolean => moment.getUTCFullYear() >= 0 && moment.getUTCFullYear() <= LAST_YEAR;

// Cached, because many requests fall into one millisecond.
let lastMs = Number.NaN;
let lastMoment = "";

/** The clock of this machine. */
export const systemClock: Clock = {
  steadyMs: () => performance.now(),
  nowMs: () => Date.now(),
  now() {
    const ms = Date.now();
    if (ms !== lastMs) {
      lastMs = ms;
      lastMoment = new Date(ms).toISOString();
    }
    return lastMoment;
  },
  after: (seconds) => new Date(Date.now() + seconds * 1000).toISOString(),
  secondsUntil: (moment) => Math.ceil((Date.parse(moment) - Date.now()) / 1000),
  parse(text) {
    if (!DATE_TIME.test(text)) return null;
    const moment = new Date(text.replace(" ", "T"));
    // Date would silently turn an impossible day into one of the next month.
    const day = Number(text.slice(8, 10));
    const lastDay = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0)).getUTCDate();
    if (Number.isNaN(moment.getTime()) || day > lastDay || !isSortable(moment)) return null;
    return moment.toISOString();
  },
};
