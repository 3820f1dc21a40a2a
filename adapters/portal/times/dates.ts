const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** The local date of a time for a date field (`2026-11-20`); "" for `null`. */
export const dateOf = (at: string | null): string => {
  if (at === null) return "";
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
};

/** The last millisecond of a local date; other text stays as typed, for the server to reject. */
export const endOfDate = (date: string): string | null => {
  if (date === "") return null;
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? date : end.toISOString();
};

/** The start of a local date; `undefined` if the text is no date. */
export const startOfDate = (date: string): string | undefined => {
  const start = new Date(`${date}T00:00:00.000`);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
};

/** The local date in this many days. */
export const dateInDays = (days: number): string => dateOf(new Date(Date.now() + days * 86_400_000).toISOString());

/** The time for a date field: the previous time if the date is still the same, otherwise the start of the date. */
export const timestampOfDate = (date: string, before: string | null): string | null => {
  if (date === "") return null;
  return date === dateOf(before) ? before : (startOfDate(date) ?? date);
};
