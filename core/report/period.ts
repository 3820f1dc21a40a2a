import Type from "typebox";
import { type Clock, isDay, msOf } from "../clock.ts";
import { invalid, type Outcome } from "../failure.ts";
import { type Input, patterned } from "../schema.ts";

/** The maximum number of days in a report. */
export const MAX_DAYS = 400;

/** The number of months that a report has by default, including the last one. */
const USUAL_MONTHS = 12;
const DAY_MS = 86_400_000;

const startOf = (day: string): number => msOf(`${day}T00:00:00.000Z`);

const DATE_FAULT = "must be a date of the calendar, such as 2026-03-31";
const date = (description: string) =>
  Type.Optional(
    Type.Refine(
      patterned({
        pattern: "^\\d{4}-\\d{2}-\\d{2}$",
        max: 10,
        fault: DATE_FAULT,
        description,
        examples: ["2026-03-31"],
        documented: { format: "date" },
      }),
      isDay,
    ),
  );

/** Query of GET /api/report and GET /api/dealers/:id/report. */
export const ReportQuery = Type.Object({
  from: date(
    `The first day, in UTC. By default the first of a month, so that the report has ${USUAL_MONTHS} months with that of \`to\`.`,
  ),
  to: date(`The last day, included, at most ${MAX_DAYS} days with the first; today by default.`),
});
export type ReportQuery = Input<typeof ReportQuery>;

/** Days in UTC, such as `2026-03-31`. Both belong to the period. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The number of months from the year 0 to a day or a month. */
const numberOfMonth = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
const monthAt = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, "0")}-${String((number % 12) + 1).padStart(2, "0")}`;

/** The period that a query asks for. */
export const periodOf = (clock: Pick<Clock, "now">, query: ReportQuery): Outcome<Period> => {
  const to = query.to ?? clock.now().slice(0, 10);
  const from = query.from ?? `${monthAt(Math.max(0, numberOfMonth(to) - USUAL_MONTHS + 1))}-01`;
  if (from > to) return invalid({ path: "from", message: `must not be after \`to\`, which is ${to}` });
  return (startOf(to) - startOf(from)) / DAY_MS < MAX_DAYS
    ? { from, to }
    : invalid({ path: "from", message: `must be at most ${MAX_DAYS} days before the end, both days included` });
};

/** The months of a period, such as `2026-03`, in ascending order. */
export const monthsOf = ({ from, to }: Period): string[] => {
  const first = numberOfMonth(from);
  return Array.from({ length: numberOfMonth(to) - first + 1 }, (_, later) => monthAt(first + later));
};
