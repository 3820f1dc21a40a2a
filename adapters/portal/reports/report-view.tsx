import { NativeSelect, Skeleton, Text } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useSearchParams } from "wouter";
import type { AnsweredFigures } from "../../../core/report/figures.ts";
import type { OverallReport, Report } from "../../../core/report/reports.ts";
import { useRecord } from "../api/queries.ts";
import { DealerLink } from "../choices/dealer-choice.tsx";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { Figures, formatCount, formatNumber } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { Price, useAmountFormats } from "../settings/amounts.tsx";
import { CalendarDate } from "../times/times.tsx";
import { monthInWords, PERIODS, type PeriodName, periodOf } from "./report-periods.ts";

// Loaded later because charts are two thirds of all scripts.
const MonthsChart = lazy(() => import("./months-chart.tsx"));

const NONE = "–";
/** For figures about what vehicles were sold for, as long as nobody entered it. */
const NOT_YET = "Not yet";

const isUnpriced = ({ sold, sold_value }: AnsweredFigures): boolean => sold > 0 && sold_value === 0;

/** Formats for the figures of a report; a dash for a missing figure. */
const useFigureFormats = () => {
  const { price } = useAmountFormats();
  const amount = (value: number | null): string => (value === null ? NONE : price(Math.round(value)));
  return {
    amount,
    days: (value: number | null): string => (value === null ? NONE : formatCount(Math.round(value), "day")),
    soldValue: (figures: AnsweredFigures): string => (isUnpriced(figures) ? NOT_YET : amount(figures.sold_value)),
    discount: (figures: AnsweredFigures): string => {
      const { average_discount } = figures;
      if (average_discount === null) return isUnpriced(figures) ? NOT_YET : NONE;
      return `${price(Math.round(average_discount.amount))} (${formatNumber(Math.round(average_discount.percent * 10) / 10)} %)`;
    },
  };
};

const figureColumns = <Row extends AnsweredFigures>({
  soldValue,
  days,
  discount,
}: ReturnType<typeof useFigureFormats>): readonly Column<Row>[] => [
  { head: "Added", numeric: true, cell: ({ added }) => formatNumber(added) },
  { head: "Sold", numeric: true, cell: ({ sold }) => formatNumber(sold) },
  { head: "Sold value", numeric: true, cell: soldValue },
  { head: "Days to sell", numeric: true, cell: ({ average_days_to_sell }) => days(average_days_to_sell) },
  { head: "Discount", numeric: true, cell: discount },
  { head: "Price drops", numeric: true, cell: ({ price_drops }) => formatNumber(price_drops) },
];

const Total = ({ total }: { total: AnsweredFigures }) => {
  const { soldValue, days, discount } = useFigureFormats();
  return (
    <Figures
      label="In all"
      figures={[
        ["Added", total.added],
        ["Sold", total.sold],
        ["Sold value", soldValue(total)],
        ["Days to sell", days(total.average_days_to_sell)],
        ["Discount", discount(total)],
        ["Price drops", total.price_drops],
      ]}
    />
  );
};

const Months = ({ months }: Pick<Report, "months">) => {
  const words = useFigureFormats();
  const named = months.map((month) => ({ ...month, month: monthInWords(month.month) }));
  const sum = (field: "added" | "sold"): number => months.reduce((all, month) => all + month[field], 0);
  return (
    <Section title="Added and sold">
      <div role="img" aria-label={`Chart: ${formatNumber(sum("added"))} added and ${formatNumber(sum("sold"))} sold`}>
        <Suspense fallback={<Skeleton height={240} />}>
          <MonthsChart months={named} />
        </Suspense>
      </div>
      <details>
        <summary>Figures as a table</summary>
        <RecordTable
          caption="Months"
          rows={named}
          keyOf={({ month }) => month}
          columns={[{ head: "Month", cell: ({ month }) => month }, ...figureColumns<(typeof named)[number]>(words)]}
        />
      </details>
    </Section>
  );
};

const AgeChart = ({ ages }: Pick<Report["now"], "ages">) => {
  const { amount } = useFigureFormats();
  const most = Math.max(1, ...ages.map(({ count }) => count));
  return (
    <Section title="On the lot now">
      <dl className="ages">
        {ages.map(({ from, to, count, value }, age) => (
          <div key={from}>
            <dt>{to === null ? `Over ${from - 1} days` : `${from} to ${to} days`}</dt>
            <dd>
              <span className="report-age" data-age={age + 1} style={{ width: `${(count / most) * 100}%` }} />
              <span>
                {formatCount(count, "vehicle")}, {amount(value)}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
};

const OldestVehicles = ({ oldest }: Pick<Report["now"], "oldest">) => (
  <Section title="Longest on the lot">
    {oldest.length === 0 ? (
      <Text size="sm">Nothing is on the lot.</Text>
    ) : (
      <RecordTable
        caption="Longest on the lot"
        rows={oldest}
        keyOf={({ id }) => id}
        columns={[
          {
            head: "Vehicle",
            cell: ({ id, title, stock_number }) => (
              <TwoLineCell
                first={<PageLink to={`/vehicles/${id}`}>{title || `Vehicle ${id}`}</PageLink>}
                second={stock_number ?? "No stock number"}
              />
            ),
          },
          { head: "Listed", numeric: true, cell: ({ listed_at }) => <CalendarDate at={listed_at} /> },
          { head: "On the lot", numeric: true, cell: ({ days_on_lot }) => formatCount(days_on_lot, "day") },
          { head: "Price", numeric: true, cell: ({ price }) => <Price of={price} /> },
        ]}
      />
    )}
  </Section>
);

const Dealers = ({ dealers }: { dealers: OverallReport["dealers"] }) => (
  <Section title="By dealer">
    <RecordTable
      caption="By dealer"
      rows={dealers}
      keyOf={({ dealer_id }) => dealer_id}
      columns={[
        { head: "Dealer", cell: ({ dealer_id, name }) => <DealerLink id={dealer_id} name={name} /> },
        ...figureColumns<(typeof dealers)[number]>(useFigureFormats()),
      ]}
    />
  </Section>
);

/** The choice of the months, kept in the address. */
const usePeriod = () => {
  const [params, setParams] = useSearchParams();
  const period = PERIODS.find(([name]) => name === params.get("period"))?.[0] ?? "12";
  const setPeriod = (name: PeriodName): void =>
    setParams((before) => {
      const after = new URLSearchParams(before);
      after.set("period", name);
      return after;
    });
  return { period, setPeriod };
};

/** A report: what was added and sold, and what is on the lot. */
export const ReportView = ({ path }: { path: string }) => {
  const { period, setPeriod } = usePeriod();
  const report = useRecord<Report & Partial<Pick<OverallReport, "dealers">>>(path, periodOf(period), {
    staleMs: 60_000,
  });
  return (
    <div className="record-work">
      <NativeSelect
        className="filter report-period"
        size="xs"
        label="Months"
        value={period}
        onChange={({ currentTarget }) => {
          const chosen = PERIODS.find(([name]) => name === currentTarget.value);
          if (chosen !== undefined) setPeriod(chosen[0]);
        }}
        data={PERIODS.map(([value, label]) => ({ value, label }))}
      />
      <QueryResult query={report} lines={8}>
        {({ months, total, now, dealers }) => (
          <>
            <Total total={total} />
            <Months months={months} />
            <div className="report-columns">
              <AgeChart ages={now.ages} />
              <OldestVehicles oldest={now.oldest} />
            </div>
            {dealers !== undefined && <Dealers dealers={dealers} />}
          </>
        )}
      </QueryResult>
    </div>
  );
};
