import { Button, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { CHANNEL_TITLES } from "../../../core/channels/titles.ts";
import type { Feed, FeedFetch } from "../../../core/feeds/feed.ts";
import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import { useRecord } from "../api/queries.ts";
import { useFieldToEdit } from "../forms/field-to-edit.ts";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { Facts } from "../page/facts.tsx";
import { Figures, formatNumber } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { Notice } from "../page/notice.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { RecordPage } from "../page/record-page.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { DateTime, RelativeTime } from "../times/times.tsx";
import { EditFeed, FeedDealers } from "./feed-dialogs.tsx";
import { type FeedAction, useFeedActions } from "./feed-menu.tsx";
import { FeedStateBadge, SeverityBadge, useFeedReadiness, useMayMakeFeeds } from "./feed-state.tsx";
import { FeedVehicles, ruleUrl } from "./feed-vehicles.tsx";
import { fetchInWords, filtersInWords, lostRightInWords, prefixWithField } from "./feed-words.ts";

const BREADCRUMBS = [["Channels", "/channels"]] as const;

const countOrDash = (count: number | null): string => (count === null ? "—" : formatNumber(count));

const FETCH_COLUMNS: readonly Column<FeedFetch>[] = [
  { head: "When", cell: ({ at }) => <RelativeTime at={at} /> },
  { head: "Answer", cell: fetchInWords },
  { head: "Rows", numeric: true, cell: ({ rows }) => countOrDash(rows) },
  { head: "Left out", numeric: true, cell: ({ left_out: leftOut }) => countOrDash(leftOut) },
  { head: "By", cell: ({ address, agent }) => <TwoLineCell first={agent ?? "Unnamed"} second={address} /> },
];

const Fetches = ({ fetches }: { fetches: readonly FeedFetch[] }) => (
  <Section title="Fetches">
    {fetches.length === 0 ? (
      <Text size="sm">Nobody has fetched it yet. The latest 20 fetches are listed here.</Text>
    ) : (
      <RecordTable
        caption="Fetches"
        columns={FETCH_COLUMNS}
        rows={fetches.map((fetch, place) => ({ ...fetch, place }))}
        keyOf={({ place }) => place}
      />
    )}
  </Section>
);

type RuleCount = ReadinessCounts["rules"][number];

const ruleColumns = (feedId: number): readonly Column<RuleCount>[] => [
  {
    head: "What is wrong",
    cell: (rule) => (
      <TwoLineCell
        first={<PageLink to={ruleUrl(feedId, rule)}>{prefixWithField(rule.field, rule.message)}</PageLink>}
        second={rule.fix}
      />
    ),
  },
  { head: "Effect", cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { head: "Vehicles", numeric: true, cell: ({ count }) => formatNumber(count) },
];

const Rules = ({ feedId, readiness: { rules } }: { feedId: number; readiness: ReadinessCounts }) => (
  <Section title="Rules">
    {rules.length === 0 ? (
      <Text size="sm">Nothing is wrong with any vehicle.</Text>
    ) : (
      <RecordTable
        caption="Rules"
        columns={ruleColumns(feedId)}
        rows={rules}
        keyOf={({ rule, severity, field }) => `${rule} ${severity} ${field}`}
      />
    )}
  </Section>
);

/** Why the feed is not served, and what to do. */
const StopNotice = ({ feed, onOpen }: { feed: Feed; onOpen: (action: FeedAction) => void }) => {
  const mayMake = useMayMakeFeeds();
  const mayWrite = useMay()("feeds:write");
  if (feed.stopped === "off") return <Notice title="It is off">The channel keeps the copy that it has.</Notice>;
  if (feed.stopped === "not_readable")
    return (
      <Notice title="It is stopped">
        <p className="page-subtitle">
          {lostRightInWords(feed)}. The channel keeps the copy that it has until somebody who may read them takes the
          feed over.
        </p>
        {mayMake && (
          <Button size="xs" onClick={() => onOpen("takeOver")}>
            Take over…
          </Button>
        )}
      </Notice>
    );
  if (feed.held === null) return null;
  const { before, rows, at } = feed.held;
  return (
    <Notice title="It is held">
      <p className="page-subtitle">
        It had {formatNumber(before)} vehicles at the fetch before, and {formatNumber(rows)} <RelativeTime at={at} />.
        The channel keeps its copy until somebody releases the feed.
      </p>
      {mayWrite && (
        <Button size="xs" onClick={() => onOpen("release")}>
          Release…
        </Button>
      )}
    </Notice>
  );
};

const Details = ({ feed }: { feed: Feed }) => {
  const { grace_until: graceUntil } = feed;
  const codes = Object.keys(feed.store_codes).length;
  return (
    <Section title="Details">
      <Facts
        facts={[
          ["Channel", CHANNEL_TITLES[feed.channel]],
          ["Dealer", <FeedDealers key="dealer" feed={feed} />],
          ["Vehicles", filtersInWords(feed.filters)],
          ["Link template", feed.link_template ?? "None"],
          ["Store codes", codes === 0 ? "None" : formatNumber(codes)],
          ["Currency", feed.currency],
          ["Country", feed.country],
          ...(feed.price_type === null ? [] : [["Price type", feed.price_type] as const]),
          ["Mileages are in", feed.mileage_unit === "mi" ? "Miles" : "Kilometers"],
          ["Held if it loses more than", `${feed.max_drop_percent}%`],
          ...(graceUntil === null
            ? []
            : [["Old address works until", <DateTime key="grace" at={graceUntil} />] as const]),
          ["Created", <DateTime key="created" at={feed.created_at} />],
          ["Served by the right of", feed.by.name],
        ]}
      />
    </Section>
  );
};

/** What a feed's page shows of the problems of its vehicles. */
export interface FeedProblemsProps {
  readonly feedId: number;
  readonly readiness: ReadinessCounts;
}

interface FeedPageProps {
  readonly id: string;
  /** What keeps vehicles out of the feed, by problem. */
  readonly Problems: (props: FeedProblemsProps) => ReactNode;
}

const FeedView = ({ record, Problems }: { record: Feed } & Pick<FeedPageProps, "Problems">) => {
  const readiness = useFeedReadiness(record.id);
  const { actions, open, menuItemOf, dialog } = useFeedActions(record);
  const mayMake = useMayMakeFeeds();
  const mayRead = useMay()("vehicles:read");
  const [field, forgetField] = useFieldToEdit();
  return (
    <RecordPage
      title={record.name}
      breadcrumbs={BREADCRUMBS}
      state={<FeedStateBadge feed={record} />}
      subtitle={CHANNEL_TITLES[record.channel]}
      actions={
        mayMake && (
          <>
            <Button variant="default" onClick={() => open("rotate")}>
              Rotate address
            </Button>
            <Button onClick={() => open("edit")}>Edit</Button>
          </>
        )
      }
      menu={actions.filter((action) => action === "delete").map(menuItemOf)}
      above={
        <>
          <StopNotice feed={record} onOpen={open} />
          <Figures
            label="Readiness"
            figures={[
              ["Ready", readiness.data?.ready ?? "—"],
              ["Blocked", readiness.data?.blocked ?? "—"],
              ["Warned", readiness.data?.warned ?? "—"],
            ]}
          />
        </>
      }
      aside={<Details feed={record} />}
    >
      <QueryResult query={readiness}>
        {(counts) => (
          <>
            {mayRead && <Problems feedId={record.id} readiness={counts} />}
            <Rules feedId={record.id} readiness={counts} />
            {counts.rules.length > 0 && mayRead && <FeedVehicles feedId={record.id} readiness={counts} />}
          </>
        )}
      </QueryResult>
      <Fetches fetches={record.fetches} />
      {field !== null && mayMake && <EditFeed record={record} focus={field} onClose={forgetField} />}
      {dialog}
    </RecordPage>
  );
};

/** The page of one feed: how many of its vehicles are ready, what the others lack, and the latest fetches. */
export const FeedPage = ({ id, Problems }: FeedPageProps) => {
  const feed = useRecord<Feed>(`/feeds/${id}`);
  if (feed.data !== undefined) return <FeedView record={feed.data} Problems={Problems} />;
  return (
    <Page title="Feed" breadcrumbs={BREADCRUMBS}>
      <QueryResult query={feed}>{() => null}</QueryResult>
    </Page>
  );
};
