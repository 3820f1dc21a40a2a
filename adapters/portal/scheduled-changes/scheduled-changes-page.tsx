import type { Schedule } from "../../../core/scheduled-changes/schedule.ts";
import { DEALER_FILTER, DealerName } from "../choices/dealer-choice.tsx";
import { CursorList } from "../lists/cursor-list.tsx";
import { Filters } from "../lists/filters.tsx";
import { useListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { PageLink } from "../page/link.tsx";
import { Page } from "../page/page.tsx";
import { StateBadge } from "../page/state-badge.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { DateTime, UpcomingTime } from "../times/times.tsx";
import { CancelSchedule } from "./cancel-schedule.tsx";
import { changesInWords, resultInWords, STATE_COLORS } from "./schedule-words.ts";

const REFRESH_MS = 10_000;

const STATE_FILTER = {
  name: "state",
  label: "State",
  options: [
    ["scheduled", "Scheduled"],
    ["done", "Done"],
    ["dropped", "Dropped"],
    ["cancelled", "Cancelled"],
  ],
} as const;

const Change = ({ schedule }: { schedule: Schedule }) => {
  const { price } = useAmountFormats();
  const { vehicle_id: vehicle, name } = schedule;
  const first = vehicle === null ? <strong>{name}</strong> : <PageLink to={`/vehicles/${vehicle}`}>{name}</PageLink>;
  return <TwoLineCell first={first} second={changesInWords(schedule, price)} />;
};

const CHANGE: Column<Schedule> = { head: "Change", cell: (schedule) => <Change schedule={schedule} /> };
const DEALER: Column<Schedule> = { head: "Dealer", cell: ({ dealer_id: id }) => <DealerName id={id} /> };
const FACTS: readonly Column<Schedule>[] = [
  {
    head: "When",
    cell: ({ at, state }) => (state === "scheduled" ? <UpcomingTime at={at} /> : <DateTime at={at} />),
  },
  {
    head: "State",
    cell: (schedule) => (
      <TwoLineCell
        first={<StateBadge color={STATE_COLORS[schedule.state]}>{schedule.state}</StateBadge>}
        second={resultInWords(schedule)}
      />
    ),
  },
];

const Cancel = ({ schedule }: { schedule: Schedule }) => {
  const { price } = useAmountFormats();
  const words = `${changesInWords(schedule, price)} of ${schedule.name}`;
  return schedule.state === "scheduled" && <CancelSchedule schedule={schedule} words={words} />;
};

const Schedules = () => {
  const list = useListState();
  const isBound = bindingOf(useSession().user) !== null;
  const dealerId = isBound ? "" : list.filter("dealer_id");
  const state = list.filter("state");
  return (
    <div className="card">
      <Filters list={list} filters={isBound ? [STATE_FILTER] : [STATE_FILTER, DEALER_FILTER]} />
      <CursorList<Schedule>
        key={`${dealerId} ${state}`}
        path="/scheduled-changes"
        filters={{ dealer_id: dealerId, state }}
        noun="scheduled changes"
        caption="Scheduled changes"
        refetchAfterMs={() => REFRESH_MS}
        columns={isBound ? [CHANGE, ...FACTS] : [CHANGE, DEALER, ...FACTS]}
        keyOf={({ id }) => id}
        menu={(schedule) => <Cancel schedule={schedule} />}
        empty={
          <EmptyState title="Nothing is scheduled">
            A price or status that a vehicle gets on another day: choose Schedule a change on its page, or tick several
            in the list.
          </EmptyState>
        }
      />
    </div>
  );
};

/** The changes of vehicles that are made at a later time, and what became of them. */
export const ScheduledChangesPage = () => (
  <Page
    title="Scheduled changes"
    breadcrumbs={[["Vehicles", "/vehicles"]]}
    subtitle="Prices and statuses that vehicles get by themselves; what has ended stays for 30 days"
  >
    {useMay()("vehicles:write") ? (
      <Schedules />
    ) : (
      <PageLink to="/vehicles">Only people who change vehicles see what is scheduled.</PageLink>
    )}
  </Page>
);
