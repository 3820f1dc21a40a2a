import { Button, Group } from "@mantine/core";
import { useState } from "react";
import { Link } from "wouter";
import type { RecentChange } from "../../../core/recent-changes/recent-change.ts";
import { DEALER_FILTER } from "../choices/dealer-choice.tsx";
import { CursorList } from "../lists/cursor-list.tsx";
import { Filters } from "../lists/filters.tsx";
import { useListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { formatNumber } from "../page/figures.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { Page } from "../page/page.tsx";
import { StateBadge } from "../page/state-badge.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { RelativeTime } from "../times/times.tsx";
import { changeInWords, fieldsInWords, kindInWords } from "./recent-change-words.ts";
import { useMayRevert } from "./recent-changes-link.tsx";
import { RevertDialog } from "./revert-dialog.tsx";

const CHANGE: Column<RecentChange> = {
  head: "Change",
  cell: (change) => <TwoLineCell first={<strong>{kindInWords(change)}</strong>} second={fieldsInWords(change)} />,
};

const FACTS: readonly Column<RecentChange>[] = [
  { head: "Vehicles", numeric: true, cell: ({ vehicles }) => formatNumber(vehicles) },
  { head: "By", leaves: "first", cell: ({ by }) => by.name },
  { head: "When", cell: ({ at }) => <RelativeTime at={at} /> },
  {
    head: "State",
    cell: ({ reverted_at: at }) =>
      at === null ? (
        "—"
      ) : (
        <TwoLineCell noWrap first={<StateBadge color="grey">reverted</StateBadge>} second={<RelativeTime at={at} />} />
      ),
  },
];

/** The page that shows what a change changed; `null` if the user may not see it. */
const useSeen = (dealerId: string): ((change: RecentChange) => string | null) => {
  const may = useMay();
  return ({ id, vehicle_id: vehicle }) => {
    if (may("audit:read"))
      return `/audit?${new URLSearchParams({ change_id: id, ...(dealerId !== "" && { dealer_id: dealerId }) })}`;
    return vehicle !== null && may("vehicles:read") ? `/vehicles/${vehicle}` : null;
  };
};

const Actions = ({ change, dealerId }: { change: RecentChange; dealerId: string }) => {
  const [isReverting, setReverting] = useState(false);
  const seen = useSeen(dealerId)(change);
  const words = changeInWords(change);
  // Whoever changed a part of it since may have taken that back.
  const revert = change.reverted_at === null ? "Revert" : "Revert the rest";
  return (
    <Group gap="xs" wrap="nowrap" justify="flex-end">
      {seen !== null && (
        <Button component={Link} href={seen} variant="default" size="compact-sm" aria-label={`See ${words}`}>
          See
        </Button>
      )}
      {change.revertible && (
        <Button
          variant="default"
          size="compact-sm"
          aria-label={`${revert}: ${words}`}
          onClick={() => setReverting(true)}
        >
          {revert}
        </Button>
      )}
      {isReverting && <RevertDialog change={change} dealerId={dealerId} onClose={() => setReverting(false)} />}
    </Group>
  );
};

const Changes = () => {
  const list = useListState();
  const isBound = bindingOf(useSession().user) !== null;
  const dealerId = isBound ? "" : list.filter("dealer_id");
  return (
    <div className="card">
      {!isBound && <Filters list={list} filters={[DEALER_FILTER]} />}
      <CursorList<RecentChange>
        key={dealerId}
        path="/recent-changes"
        filters={{ dealer_id: dealerId }}
        noun="changes"
        caption="Recent changes"
        columns={[CHANGE, ...FACTS]}
        keyOf={({ id }) => id}
        menu={(change) => <Actions change={change} dealerId={dealerId} />}
        empty={
          <EmptyState title="Nothing was changed">
            What is changed here, in bulk, by an import or by a batch can be reverted for 30 days.
          </EmptyState>
        }
      />
    </div>
  );
};

/** The changes of the last 30 days, each of which can be looked at and reverted. */
export const RecentChangesPage = () => {
  const mayRevert = useMayRevert();
  return (
    <Page
      title="Recent changes"
      breadcrumbs={[["Vehicles", "/vehicles"]]}
      subtitle="Of vehicles, in the last 30 days, newest first"
      actions={
        mayRevert && (
          <LinkButton to="/vehicles/scheduled" variant="default">
            Scheduled changes
          </LinkButton>
        )
      }
    >
      {mayRevert ? (
        <Changes />
      ) : (
        <PageLink to="/vehicles">Only people who change vehicles see what was changed.</PageLink>
      )}
    </Page>
  );
};
