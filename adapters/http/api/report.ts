import Type from "typebox";
import type { AgeGroup } from "../../../core/report/age-groups.ts";
import type { AnsweredFigures } from "../../../core/report/figures.ts";
import { MAX_DAYS, ReportQuery } from "../../../core/report/period.ts";
import type { OldestVehicle, OverallReport, Report, Reports } from "../../../core/report/reports.ts";
import { id } from "../../../core/schema.ts";
import { type Route, route } from "../protocol/route.ts";
import { count, dateTime, type FieldsOf, nullable, recordId, recordSchema } from "./answers.ts";

const figures = {
  added: Type.Integer({ minimum: 0, description: "The number of vehicles that came to the lot, by `listed_at`." }),
  sold: Type.Integer({ minimum: 0, description: "The number of sales, by `sold_at`." }),
  sold_value: nullable(
    Type.Number({
      description:
        "The sum of the sold prices that were entered; a sale without one adds nothing. `null` without the permission `vehicles:write`.",
    }),
  ),
  average_days_to_sell: nullable(
    Type.Number({ description: "Days from `listed_at` to `sold_at`. `null` if there is no sale." }),
  ),
  average_discount: nullable(
    Type.Object(
      {
        amount: Type.Number({ description: "Negative if vehicles were sold for more than their first price." }),
        percent: Type.Number({ description: "The average of the sales' discounts in percent of the first price." }),
      },
      {
        title: "AverageDiscount",
        description:
          "The difference between the first price and the sold price that was entered, for sales that have both. `null` if there are none, or without the permission `vehicles:write`.",
      },
    ),
  ),
  price_drops: Type.Integer({ minimum: 0, description: "The number of times that a price was lowered." }),
} satisfies FieldsOf<AnsweredFigures>;

const Now = Type.Object(
  {
    ages: Type.Array(
      recordSchema("AgeGroup", {
        from: Type.Integer({ minimum: 0 }),
        to: nullable(Type.Integer({ minimum: 0 })),
        count,
        value: Type.Number({ description: "The sum of the prices." }),
      } satisfies FieldsOf<AgeGroup>),
      { description: "The number of unsold vehicles by whole days on the lot: 0–30, 31–60, 61–90, and more." },
    ),
    oldest: Type.Array(
      recordSchema("OldestVehicle", {
        id: id(),
        title: nullable(Type.String()),
        stock_number: nullable(Type.String()),
        listed_at: dateTime,
        days_on_lot: count,
        price: Type.Number(),
      } satisfies FieldsOf<OldestVehicle>),
      { description: "The ten vehicles that have been on the lot for longest, the oldest first." },
    ),
  },
  { title: "LotNow" },
);

const report = {
  months: Type.Array(recordSchema("MonthFigures", { month: Type.String({ examples: ["2026-03"] }), ...figures }), {
    description: "Every month of the period, the earliest first.",
  }),
  total: recordSchema("Figures", figures),
  now: Now,
} satisfies FieldsOf<Report>;

const ReportAnswer = recordSchema("Report", report);
const OverallReportAnswer = recordSchema("OverallReport", {
  ...report,
  dealers: Type.Array(recordSchema("DealerFigures", { dealer_id: id(), name: Type.String(), ...figures }), {
    description: "The totals of all dealers that the caller can access, ordered by id.",
  }),
} satisfies FieldsOf<OverallReport>);

const DESCRIPTION = `Covers at most ${MAX_DAYS} days, in UTC. Vehicles count for the dealer that had them at the time, even if they were removed later.`;

/** Routes of reports (interface 6.3). */
export const reportRoutes = (reports: Reports): Route[] => [
  route({
    operation: "dealer.report",
    name: "getDealerReport",
    method: "GET",
    path: "/api/dealers/:id/report",
    summary: "Report what a dealer added and sold",
    description: DESCRIPTION,
    params: Type.Object({ id: recordId("dealer") }),
    query: ReportQuery,
    answer: { status: 200, schema: ReportAnswer, description: "The report" },
    errors: ["not_found", "not_your_dealer"],
    answers: "record",
    of: ({ principal, params, query }) => reports.ofDealer(principal, params.id, query),
  }),
  route({
    operation: "report.read",
    name: "getReport",
    method: "GET",
    path: "/api/report",
    summary: "Report what all dealers added and sold",
    description: `${DESCRIPTION} A key that is bound to a dealer sees only that dealer.`,
    query: ReportQuery,
    answer: { status: 200, schema: OverallReportAnswer, description: "The report" },
    errors: [],
    answers: "record",
    of: ({ principal, query }) => reports.overall(principal, query),
  }),
];
