/** The spans of time that a report can be about. */
export const PERIODS = [
  ["3", "Last 3 months"],
  ["6", "Last 6 months"],
  ["12", "Last 12 months"],
] as const;
export type PeriodName = (typeof PERIODS)[number][0];

const inUtc = new Intl.DateTimeFormat("en-US", { month: "short", year: "numeric", timeZone: "UTC" });

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/**
 * The first and last day of a span that ends today, in UTC as reports count: whole months, the present one included.
 */
export const periodOf = (name: PeriodName, now = new Date()): { readonly from: string; readonly to: string } => ({
  from: dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 - Number(name), 1)),
  to: dayOf(now.getTime()),
});

/** "2026-03" as "Mar 2026". */
export const monthInWords = (month: string): string => inUtc.format(new Date(`${month.slice(0, 7)}-01T00:00:00Z`));
