import { CHANNEL_TITLES } from "../../../core/channels/titles.ts";
import type { Feed } from "../../../core/feeds/feed.ts";
import { CursorList } from "../lists/cursor-list.tsx";
import { EmptyState } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { formatNumber } from "../page/figures.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { Page } from "../page/page.tsx";
import { Section } from "../page/section.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { RelativeTime } from "../times/times.tsx";
import { FeedDealers } from "./feed-dialogs.tsx";
import { FeedMenu } from "./feed-menu.tsx";
import { FeedStateBadge, useFeedReadiness, useMayMakeFeeds } from "./feed-state.tsx";
import { fetchInWords, lostRightInWords } from "./feed-words.ts";
import { Quality } from "./quality.tsx";

/** A count of a feed's readiness, loaded after the list; a dash until then, or if the feed is too large to count. */
const ReadinessCount = ({ id, of }: { id: number; of: "ready" | "blocked" }) => {
  const { data } = useFeedReadiness(id);
  return data === undefined ? "—" : formatNumber(data[of]);
};

const LastFetch = ({ feed: { fetches } }: { feed: Feed }) => {
  const [last] = fetches;
  return last === undefined ? (
    "Never"
  ) : (
    <TwoLineCell first={<RelativeTime at={last.at} />} second={fetchInWords(last)} noWrap />
  );
};

/** The state of a feed, with the reason if the service stopped it. */
const State = ({ feed }: { feed: Feed }) => {
  const badge = <FeedStateBadge feed={feed} />;
  return feed.stopped === "not_readable" ? <TwoLineCell first={badge} second={lostRightInWords(feed)} /> : badge;
};

const FEED: Column<Feed> = {
  head: "Feed",
  cell: ({ id, name, channel }) => (
    <TwoLineCell first={<PageLink to={`/channels/${id}`}>{name}</PageLink>} second={CHANNEL_TITLES[channel]} />
  ),
};

const DEALER: Column<Feed> = { head: "Dealer", cell: (feed) => <FeedDealers feed={feed} /> };

const FACTS: readonly Column<Feed>[] = [
  { head: "State", cell: (feed) => <State feed={feed} /> },
  { head: "Ready", numeric: true, cell: ({ id }) => <ReadinessCount id={id} of="ready" /> },
  { head: "Blocked", numeric: true, cell: ({ id }) => <ReadinessCount id={id} of="blocked" /> },
  { head: "Last fetch", cell: (feed) => <LastFetch feed={feed} /> },
];

const BOUND_COLUMNS = [FEED, ...FACTS];
const ALL_COLUMNS = [FEED, DEALER, ...FACTS];

/** The feeds that supply vehicles to channels, and the quality of the listings. */
export const ChannelsPage = () => {
  const may = useMay();
  const mayMake = useMayMakeFeeds();
  const isBound = bindingOf(useSession().user) !== null;
  return (
    <Page
      title="Channels"
      subtitle="Files of vehicles that listing sites fetch"
      actions={mayMake && <LinkButton to="/channels/new">Create a feed</LinkButton>}
    >
      <Section title="Feeds">
        <CursorList<Feed>
          path="/feeds"
          noun="feeds"
          caption="Feeds"
          columns={isBound ? BOUND_COLUMNS : ALL_COLUMNS}
          keyOf={({ id }) => id}
          menu={(feed) => <FeedMenu record={feed} />}
          empty={
            <EmptyState title="No feeds yet">
              {mayMake ? (
                <PageLink to="/channels/new">Create the first feed</PageLink>
              ) : (
                "A feed brings the vehicles to a site that lists them."
              )}
            </EmptyState>
          }
        />
      </Section>
      {may("vehicles:read") && <Quality />}
    </Page>
  );
};
