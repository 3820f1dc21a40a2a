import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { UsageHour } from "../../../core/keys/usage-repository.ts";
import { RecordTable } from "../lists/record-table.tsx";
import { requestsIn, spansOf, WINDOWS, type WindowName } from "./usage-spans.ts";

// Loaded later because charts are two thirds of all scripts.
const RequestsChart = lazy(() => import("./requests-chart.tsx"));

const figures = new Intl.NumberFormat();
const hourly = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const halfDaily = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit" });
const daily = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });

const FORMATS: Readonly<Record<WindowName, Intl.DateTimeFormat>> = {
  "24h": hourly,
  "7d": halfDaily,
  "30d": daily,
  "90d": daily,
};

/** Requests over a window of time: a chart, and the same numbers as a table. */
export const Requests = ({ hours, window }: { hours: readonly UsageHour[]; window: WindowName }) => {
  const spans = spansOf(hours, window);
  const labelOf = (at: string): string => FORMATS[window].format(new Date(at));
  return (
    <>
      <div
        role="img"
        aria-label={`Chart: requests in the last ${WINDOWS[window].label}: ${figures.format(requestsIn(hours))}`}
      >
        <Suspense fallback={<Skeleton height={240} />}>
          <RequestsChart spans={spans} labelOf={labelOf} />
        </Suspense>
      </div>
      <details>
        <summary>Figures as a table</summary>
        <RecordTable
          caption="Requests"
          rows={spans}
          keyOf={({ at }) => at}
          columns={[
            { head: "From", cell: ({ at }) => <time dateTime={at}>{labelOf(at)}</time> },
            { head: "Served", numeric: true, cell: ({ served }) => figures.format(served) },
            { head: "Denied", numeric: true, cell: ({ denied }) => figures.format(denied) },
            { head: "Limited", numeric: true, cell: ({ limited }) => figures.format(limited) },
            { head: "Failed", numeric: true, cell: ({ failed }) => figures.format(failed) },
          ]}
        />
      </details>
    </>
  );
};
