import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import type { Change } from "../../../core/history/change.ts";
import { STATUSES, type Stage, type Status } from "../../../core/vehicles/fields.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { useRecord } from "../api/queries.ts";
import { DealerName } from "../choices/dealer-choice.tsx";
import { RecordTable } from "../lists/record-table.tsx";
import { formatCount } from "../page/figures.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { Mileage, Price } from "../settings/amounts.tsx";
import { CalendarDate, DateTime } from "../times/times.tsx";
import { PriceChart } from "./price-chart.tsx";
import { stageInWords } from "./vehicle-words.ts";

/** The history of a vehicle, newest changes first. */
interface VehicleHistory {
  readonly changes: readonly Change[];
  readonly first_price: number;
  readonly price_drops: number;
  readonly days_on_lot: number;
  readonly history_since: string;
}

/** The most changes that the page shows. */
const MAX_CHANGES = 200;

const FIELD_LABELS: Readonly<Record<Change["field"], string>> = {
  price: "Price",
  status: "Status",
  stage: "Stage",
  mileage: "Mileage",
  dealer_id: "Dealer",
};

const VALUE_RENDERERS: Readonly<Record<Change["field"], (value: string | number) => ReactNode>> = {
  price: (value) => <Price of={Number(value)} />,
  status: String,
  stage: (value) => stageInWords(value as Stage),
  mileage: (value) => <Mileage of={Number(value)} />,
  dealer_id: (value) => <DealerName id={Number(value)} />,
};

const changedValue = (field: Change["field"], value: string | number | null) =>
  value === null ? "none" : VALUE_RENDERERS[field](value);

/** True for a reverted change and for its reversal: they count as if neither had been. */
const isOfPair = ({ reverts, reverted_by }: Change): boolean => reverts !== null || reverted_by !== null;

const pairMark = ({ reverts, reverted_by }: Change): string =>
  reverts !== null ? ", reversal" : reverted_by !== null ? ", reverted" : "";

const changedBy = (change: Change): string => `${change.by?.name ?? "Not known"}${pairMark(change)}`;

/** The changes of a field that count, oldest first. */
const changesOf = ({ changes }: VehicleHistory, field: Change["field"]): readonly Change[] =>
  changes.filter((change) => change.field === field && !isOfPair(change)).toReversed();

interface HistoryProps {
  readonly vehicle: Vehicle;
  readonly history: VehicleHistory;
}

const sinceOf = ({ vehicle, history }: HistoryProps): string =>
  vehicle.listed_at !== null && vehicle.listed_at > history.history_since ? vehicle.listed_at : history.history_since;

const untilOf = ({ sold_at }: Vehicle): string => sold_at ?? new Date().toISOString();

/** The prices of a vehicle over time, as a chart and a table. */
const PriceSection = ({ vehicle, history }: HistoryProps) => {
  const changes = changesOf(history, "price");
  const all = history.changes.filter(({ field }) => field === "price");
  const first = { at: sinceOf({ vehicle, history }), price: Number(changes[0]?.old ?? vehicle.price) };
  const points = [first, ...changes.map((change) => ({ at: change.at, price: Number(change.new) }))];
  return (
    <Section
      title="Price history"
      actions={
        <Text size="sm" c="dimmed">
          {formatCount(changes.length, "change")} in {formatCount(history.days_on_lot, "day")}
        </Text>
      }
    >
      <PriceChart points={points} until={untilOf(vehicle)} />
      {all.length > 0 && (
        <details>
          <summary>Prices as a table</summary>
          <RecordTable
            caption="Prices"
            rows={all}
            keyOf={({ at }) => at}
            columns={[
              { head: "Changed", cell: ({ at }) => <DateTime at={at} /> },
              { head: "From", numeric: true, cell: (change) => changedValue("price", change.old) },
              { head: "To", numeric: true, cell: (change) => changedValue("price", change.new) },
              { head: "By", cell: changedBy },
            ]}
          />
        </details>
      )}
    </Section>
  );
};

/** A period with one status. */
interface StatusPeriod {
  readonly status: Status;
  readonly from: string;
  readonly to: string;
}

const statusPeriodsOf = ({ vehicle, history }: HistoryProps): readonly StatusPeriod[] => {
  const changes = changesOf(history, "status");
  const starts = [
    { at: sinceOf({ vehicle, history }), status: changes[0]?.old ?? vehicle.status },
    ...changes.map((change) => ({ at: change.at, status: change.new })),
  ];
  return starts.map(({ at, status }, place) => ({
    status: STATUSES.find((known) => known === status) ?? vehicle.status,
    from: at,
    to: starts[place + 1]?.at ?? new Date().toISOString(),
  }));
};

/** The status over time as a line, and every other recorded change. */
const TimelineSection = ({ vehicle, history }: HistoryProps) => {
  const periods = statusPeriodsOf({ vehicle, history });
  const otherChanges = history.changes.filter(({ field }) => field !== "price");
  return (
    <Section title="Timeline">
      <ol className="status-line" aria-label="States">
        {periods.map(({ status, from, to }) => (
          <li
            key={from}
            className={`status-period ${status}`}
            style={{ flexGrow: Math.max(1, Date.parse(to) - Date.parse(from)) }}
            title={status}
          >
            <span>
              {status} <CalendarDate at={from} />
            </span>
          </li>
        ))}
      </ol>
      {otherChanges.length > 0 && (
        <ul className="timeline" aria-label="Changes">
          {otherChanges.map((change) => (
            <li key={`${change.at} ${change.field}`}>
              <CalendarDate at={change.at} />
              <span>
                {FIELD_LABELS[change.field]}: from {changedValue(change.field, change.old)} to{" "}
                <strong>{changedValue(change.field, change.new)}</strong>
                <span className="second-line">{changedBy(change)}</span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
};

/** The history of a vehicle: its prices and its status. */
export const VehicleHistorySections = ({ vehicle }: { vehicle: Vehicle }) => (
  <QueryResult query={useRecord<VehicleHistory>(`/vehicles/${vehicle.id}/history`, { limit: MAX_CHANGES })} lines={3}>
    {(history) => (
      <>
        <PriceSection vehicle={vehicle} history={history} />
        <TimelineSection vehicle={vehicle} history={history} />
      </>
    )}
  </QueryResult>
);
