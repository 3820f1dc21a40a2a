const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** The local date of a moment for a date field (`2026-11-20`); empty for none. */
export const dateOf = (at: string | null): string => {
  if (at === null) return "";
  const date = new Date(at);
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
};

/** The last moment of a local date; anything else is passed on, for the server to reject. */
export const endOfDate = (date: string): string | null => {
  if (date === "") return null;
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? date : end.toISOString();
};

/** The first moment of a local date. */
export const startOfDate = (date: string): string | undefined => {
  const start = new Date(`${date}T00:00:00.000`);
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString();
};

/** The local date that many days from now. */
export const dateInDays = (days: number): string => dateOf(new Date(Date.now() + days * 86_400_000).toISOString());

/** The moment that a date field stands for: the one it was made from if it still says so, else the date's first. */
export const timestampOfDate = (date: string, before: string | null): string | null => {
  if (date === "") return null;
  return date === dateOf(before) ? before : (startOfDate(date) ?? date);
};
