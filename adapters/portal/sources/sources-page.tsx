import type { Source } from "../../../core/sources/source.ts";
import { DealerName } from "../choices/dealer-choice.tsx";
import { CursorList } from "../lists/cursor-list.tsx";
import { EmptyState } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { Page } from "../page/page.tsx";
import { Section } from "../page/section.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { RelativeTime, UpcomingTime } from "../times/times.tsx";
import { scheduleInWords } from "./schedule.ts";
import { SourceMenu } from "./source-actions.tsx";
import { SourceStateBadge } from "./source-state.tsx";

const REFRESH_MS = 5_000;

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const NAME: Column<Source> = {
  head: "Name",
  cell: ({ id, name, url }) => (
    <TwoLineCell first={<PageLink to={`/imports/sources/${id}`}>{name}</PageLink>} second={hostOf(url)} />
  ),
};

const DEALER: Column<Source> = { head: "Dealer", leaves: "first", cell: ({ dealer_id: id }) => <DealerName id={id} /> };

const FACTS: readonly Column<Source>[] = [
  {
    head: "State",
    cell: (record) => <TwoLineCell first={<SourceStateBadge record={record} />} second={record.runs[0]?.problem} />,
  },
  {
    head: "Schedule",
    cell: ({ schedule, timezone }) => <TwoLineCell first={scheduleInWords(schedule)} second={timezone} />,
  },
  { head: "Next run", cell: ({ next_run_at: at }) => (at === null ? "None" : <UpcomingTime at={at} />) },
  {
    head: "Last run",
    leaves: "second",
    cell: ({ runs: [last] }) => (last === undefined ? "Never" : <RelativeTime at={last.at} />),
  },
];

/** The sources that the service fetches on schedule, and their results. */
export const SourcesPage = () => {
  const isBound = bindingOf(useSession().user) !== null;
  return (
    <Page
      title="Sources"
      breadcrumbs={[["Import", "/imports"]]}
      subtitle="Files that are fetched by the clock and imported"
      actions={<LinkButton to="/imports/sources/new">Add a source</LinkButton>}
    >
      <Section title="All sources">
        <CursorList<Source>
          path="/import-sources"
          noun="sources"
          refetchAfterMs={() => REFRESH_MS}
          caption="All sources"
          columns={isBound ? [NAME, ...FACTS] : [NAME, DEALER, ...FACTS]}
          keyOf={({ id }) => id}
          menu={(record) => <SourceMenu record={record} />}
          empty={
            <EmptyState title="No sources yet">
              <p className="page-subtitle">
                A source is a file at an address, such as the one that a dealer's system writes every night.
              </p>
              <PageLink to="/imports/sources/new">Add the first source</PageLink>
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
};
