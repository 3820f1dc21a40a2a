import { Button, Text } from "@mantine/core";
import { CHANNEL_TITLES } from "../../../core/channels/titles.ts";
import type { Feed, FeedFetch } from "../../../core/feeds/feed.ts";
import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import { useRecord } from "../api/queries.ts";
import { useEditedField } from "../forms/edited-field.ts";
import { Answered } from "../lists/answered.tsx";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { Ago, Moment } from "../moments/moment.tsx";
import { useMay } from "../session/session.tsx";
import { Facts } from "../shell/facts.tsx";
import { Figures, inFigures } from "../shell/figures.tsx";
import { PageLink } from "../shell/link.tsx";
import { Notice } from "../shell/notice.tsx";
import { Page } from "../shell/page.tsx";
import { RecordPage } from "../shell/record-page.tsx";
import { Section } from "../shell/section.tsx";
import { EditFeed, WhoseVehicles } from "./feed-dialogs.tsx";
import { type FeedAction, useFeedActions } from "./feed-menu.tsx";
import { useFeedReadiness } from "./feed-readiness.ts";
import { FeedStateBadge, SeverityBadge } from "./feed-state.tsx";
import { addressOfRule, FeedVehicles } from "./feed-vehicles.tsx";
import { fetchInWords, filtersInWords, lostRightInWords, withField } from "./feed-words.ts";

const TRAIL = [["Channels", "/channels"]] as const;

const orDash = (count: number | null): string => (count === null ? "—" : inFigures(count));

const FETCHES: readonly Column<FeedFetch>[] = [
  { head: "When", cell: ({ at }) => <Ago at={at} /> },
  { head: "Answer", cell: fetchInWords },
  { head: "Rows", numeric: true, cell: ({ rows }) => orDash(rows) },
  { head: "Left out", numeric: true, cell: ({ left_out: leftOut }) => orDash(leftOut) },
  { head: "By", cell: ({ address, agent }) => <TwoFacts first={agent ?? "Unnamed"} second={address} /> },
];

const Fetches = ({ fetches }: { fetches: readonly FeedFetch[] }) => (
  <Section title="Fetches">
    {fetches.length === 0 ? (
      <Text size="sm">Nobody has fetched it yet. The latest 20 fetches are listed here.</Text>
    ) : (
      <RecordTable
        caption="Fetches"
        columns={FETCHES}
        rows={fetches.map((fetch, place) => ({ ...fetch, place }))}
        keyOf={({ place }) => place}
      />
    )}
  </Section>
);

type RuleCount = ReadinessCounts["rules"][number];

const rulesOf = (feedId: number): readonly Column<RuleCount>[] => [
  {
    head: "What is wrong",
    cell: (rule) => (
      <TwoFacts
        first={<PageLink to={addressOfRule(feedId, rule)}>{withField(rule.field, rule.message)}</PageLink>}
        second={rule.fix}
      />
    ),
  },
  { head: "Effect", cell: ({ severity }) => <SeverityBadge severity={severity} /> },
  { head: "Vehicles", numeric: true, cell: ({ count }) => inFigures(count) },
];

const Rules = ({ feedId, readiness: { rules } }: { feedId: number; readiness: ReadinessCounts }) => (
  <Section title="Rules">
    {rules.length === 0 ? (
      <Text size="sm">Nothing is wrong with any vehicle.</Text>
    ) : (
      <RecordTable
        caption="Rules"
        columns={rulesOf(feedId)}
        rows={rules}
        keyOf={({ rule, severity, field }) => `${rule} ${severity} ${field}`}
      />
    )}
  </Section>
);

/** Why the channel gets nothing, and what to do. */
const Stopped = ({ feed, onBegin }: { feed: Feed; onBegin: (action: FeedAction) => void }) => {
  const may = useMay();
  const mayWrite = may("feeds:write");
  if (feed.stopped === "off") return <Notice title="It is off">The channel keeps the copy that it has.</Notice>;
  if (feed.stopped === "not_readable")
    return (
      <Notice title="It is stopped">
        <p className="page-line">
          {lostRightInWords(feed)}. The channel keeps the copy that it has until somebody who may read them takes the
          feed over.
        </p>
        {mayWrite && may("vehicles:read") && (
          <Button size="xs" onClick={() => onBegin("takeOver")}>
            Take over…
          </Button>
        )}
      </Notice>
    );
  if (feed.held === null) return null;
  const { before, rows, at } = feed.held;
  return (
    <Notice title="It is held">
      <p className="page-line">
        It had {inFigures(before)} vehicles at the fetch before, and {inFigures(rows)} <Ago at={at} />. The channel
        keeps its copy until somebody releases the feed.
      </p>
      {mayWrite && (
        <Button size="xs" onClick={() => onBegin("release")}>
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
          ["Dealer", <WhoseVehicles key="dealer" feed={feed} />],
          ["Vehicles", filtersInWords(feed.filters)],
          ["Link template", feed.link_template ?? "None"],
          ["Store codes", codes === 0 ? "None" : inFigures(codes)],
          ["Currency", feed.currency],
          ["Country", feed.country],
          ["Mileages are in", feed.mileage_unit === "mi" ? "Miles" : "Kilometers"],
          ["Held if it loses more than", `${feed.max_drop_percent}%`],
          ...(graceUntil === null
            ? []
            : [["Old address works until", <Moment key="grace" at={graceUntil} />] as const]),
          ["Created", <Moment key="created" at={feed.created_at} />],
          ["Served by the right of", feed.by.name],
        ]}
      />
    </Section>
  );
};

const FeedView = ({ record }: { record: Feed }) => {
  const readiness = useFeedReadiness(record.id);
  const { actions, begin, itemOf, dialog } = useFeedActions(record);
  const mayWrite = useMay()("feeds:write");
  const [field, forgetField] = useEditedField();
  return (
    <RecordPage
      title={record.name}
      trail={TRAIL}
      state={<FeedStateBadge feed={record} />}
      line={CHANNEL_TITLES[record.channel]}
      actions={
        mayWrite && (
          <>
            <Button variant="default" onClick={() => begin("rotate")}>
              Rotate address
            </Button>
            <Button onClick={() => begin("edit")}>Edit</Button>
          </>
        )
      }
      menu={actions.filter((action) => action === "delete").map(itemOf)}
      above={
        <>
          <Stopped feed={record} onBegin={begin} />
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
      <Answered query={readiness}>
        {(counts) => (
          <>
            <Rules feedId={record.id} readiness={counts} />
            {counts.rules.length > 0 && <FeedVehicles feedId={record.id} readiness={counts} />}
          </>
        )}
      </Answered>
      <Fetches fetches={record.fetches} />
      {field !== null && mayWrite && <EditFeed record={record} focus={field} onClose={forgetField} />}
      {dialog}
    </RecordPage>
  );
};

/** One feed: how many of its vehicles are ready, what the others lack, and its latest fetches. */
export const FeedPage = ({ id }: { id: string }) => {
  const feed = useRecord<Feed>(`/feeds/${id}`);
  if (feed.data !== undefined) return <FeedView record={feed.data} />;
  return (
    <Page title="Feed" trail={TRAIL}>
      <Answered query={feed}>{() => null}</Answered>
    </Page>
  );
};
