/** The length of a day in milliseconds. */
export const DAY_MS = 24 * 60 * 60 * 1000;

/** The day 0 of a workbook, and that of one whose days are counted from 1904. */
const DAY_ZERO = Date.UTC(1899, 11, 30);
const DAY_ZERO_1904 = Date.UTC(1904, 0, 1);
/** The day that these programs have in 1900 and the calendar does not; days before it are one off. */
const FALSE_DAY = 60;
const LAST_DAY = 2_958_465;

/** The moment that a number of days stands for, in milliseconds since the epoch; `null` if it is no date. */
export const momentOfDays = (days: number, is1904: boolean): number | null => {
  if (days < 0 || days >= LAST_DAY + 1) return null;
  const shown = is1904 || days >= FALSE_DAY ? days : days + 1;
  return (is1904 ? DAY_ZERO_1904 : DAY_ZERO) + Math.round(shown * DAY_MS);
};

/** The number of days of a moment; `null` if it is none that a workbook has without doubt. */
export const daysOfMoment = (ms: number): number | null => {
  const days = (ms - DAY_ZERO) / DAY_MS;
  return days > FALSE_DAY && momentOfDays(days, false) === ms ? days : null;
};
