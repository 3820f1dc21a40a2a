import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { Today } from "../../../core/today/today.ts";
import { formatNumber } from "../page/counts.ts";
import { Section } from "../page/section.tsx";
import { monthInWords } from "../reports/report-periods.ts";

// Loaded later because charts are two thirds of all scripts.
const MonthsChart = lazy(() => import("../reports/months-chart.tsx"));

const HEIGHT = 200;

/** What was added and sold in the last twelve months. The report has the figures as a table. */
export const Months = ({ months }: Pick<Today, "months">) => {
  const sum = (field: "added" | "sold"): string => formatNumber(months.reduce((all, month) => all + month[field], 0));
  return (
    <Section title="Added and sold" actions={<span className="section-note">12 months</span>}>
      <div role="img" aria-label={`Chart: ${sum("added")} added and ${sum("sold")} sold in 12 months`}>
        <Suspense fallback={<Skeleton height={HEIGHT} />}>
          <MonthsChart months={months.map((one) => ({ ...one, month: monthInWords(one.month) }))} height={HEIGHT} />
        </Suspense>
      </div>
    </Section>
  );
};
