import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { UsageHour } from "../../../core/keys/usage-repository.ts";
import { RecordTable } from "../lists/record-table.tsx";
import { PageLink } from "../page/link.tsx";
import { useTimeFormats } from "../times/times.tsx";
import { OUTCOMES, requestsIn, type Span, spansOf, WINDOWS, type WindowName } from "./usage-spans.ts";

// Loaded later because charts are two thirds of all scripts.
const RequestsChart = lazy(() => import("./requests-chart.tsx"));

const figures = new Intl.NumberFormat();

/** How the beginning of a bar is written. */
const FORMATS = {
  "24h": "hour",
  "7d": "weekdayHour",
  "30d": "monthDay",
  "90d": "monthDay",
} as const satisfies Readonly<Record<WindowName, string>>;

interface RequestsProps {
  readonly hours: readonly UsageHour[];
  readonly window: WindowName;
  /** The page that the bars and the entries of the legend lead to. */
  readonly linkOf?: (outcome: keyof Span) => string;
}

/** What each colour of the chart stands for, each a link if the chart has links. */
const Legend = ({ linkOf }: Pick<RequestsProps, "linkOf">) => (
  <ul className="legend">
    {OUTCOMES.map(([name, label]) => (
      <li key={name}>
        <span className={`swatch ${name}`} />
        {linkOf === undefined ? label : <PageLink to={linkOf(name)}>{label}</PageLink>}
      </li>
    ))}
  </ul>
);

/** Requests over a window of time: a chart, and the same numbers as a table. */
export const Requests = ({ hours, window, linkOf }: RequestsProps) => {
  const spans = spansOf(hours, window);
  const labelOf = useTimeFormats()[FORMATS[window]];
  return (
    <>
      <div
        role="img"
        aria-label={`Chart: requests in the last ${WINDOWS[window].label}: ${figures.format(requestsIn(hours))}`}
      >
        <Suspense fallback={<Skeleton height={240} />}>
          <RequestsChart spans={spans} labelOf={labelOf} linkOf={linkOf} />
        </Suspense>
      </div>
      <Legend {...(linkOf && { linkOf })} />
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
