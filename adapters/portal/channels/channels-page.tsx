import { CHANNEL_TITLES } from "../../../core/channels/titles.ts";
import type { Feed } from "../../../core/feeds/feed.ts";
import { CursorList } from "../lists/cursor-list.tsx";
import { Empty } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { Ago } from "../moments/moment.tsx";
import { bindingOf } from "../session/powers.ts";
import { useMay, useSession } from "../session/session.tsx";
import { inFigures } from "../shell/figures.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
import { Page } from "../shell/page.tsx";
import { Section } from "../shell/section.tsx";
import { WhoseVehicles } from "./feed-dialogs.tsx";
import { FeedMenu } from "./feed-menu.tsx";
import { useFeedReadiness } from "./feed-readiness.ts";
import { FeedStateBadge } from "./feed-state.tsx";
import { fetchInWords, lostRightInWords } from "./feed-words.ts";
import { Quality } from "./quality.tsx";

/** A figure of a feed's readiness, which arrives behind the list; a dash where the feed is too large to be counted. */
const Counted = ({ id, of }: { id: number; of: "ready" | "blocked" }) => {
  const { data } = useFeedReadiness(id);
  return data === undefined ? "—" : inFigures(data[of]);
};

const LastFetch = ({ feed: { fetches } }: { feed: Feed }) => {
  const [last] = fetches;
  return last === undefined ? "Never" : <TwoFacts first={<Ago at={last.at} />} second={fetchInWords(last)} isShort />;
};

/** Whether it is served; what nobody did to the feed itself is explained. */
const State = ({ feed }: { feed: Feed }) => {
  const badge = <FeedStateBadge feed={feed} />;
  return feed.stopped === "not_readable" ? <TwoFacts first={badge} second={lostRightInWords(feed)} /> : badge;
};

const FEED: Column<Feed> = {
  head: "Feed",
  cell: ({ id, name, channel }) => (
    <TwoFacts first={<PageLink to={`/channels/${id}`}>{name}</PageLink>} second={CHANNEL_TITLES[channel]} />
  ),
};

const DEALER: Column<Feed> = { head: "Dealer", cell: (feed) => <WhoseVehicles feed={feed} /> };

const FACTS: readonly Column<Feed>[] = [
  { head: "State", cell: (feed) => <State feed={feed} /> },
  { head: "Ready", numeric: true, cell: ({ id }) => <Counted id={id} of="ready" /> },
  { head: "Blocked", numeric: true, cell: ({ id }) => <Counted id={id} of="blocked" /> },
  { head: "Last fetch", cell: (feed) => <LastFetch feed={feed} /> },
];

const OF_ONE = [FEED, ...FACTS];
const OF_ALL = [FEED, DEALER, ...FACTS];

/** Lists the feeds by which channels get vehicles, and tells how good the listings are. */
export const ChannelsPage = () => {
  const may = useMay();
  const mayWrite = may("feeds:write");
  const isBound = bindingOf(useSession().user) !== null;
  return (
    <Page
      title="Channels"
      line="Files of vehicles that listing sites fetch"
      actions={mayWrite && <LinkButton to="/channels/new">Create a feed</LinkButton>}
    >
      <Section title="Feeds">
        <CursorList<Feed>
          path="/feeds"
          noun="feeds"
          caption="Feeds"
          columns={isBound ? OF_ONE : OF_ALL}
          keyOf={({ id }) => id}
          menu={(feed) => <FeedMenu record={feed} />}
          empty={
            <Empty title="No feeds yet">
              {mayWrite ? (
                <PageLink to="/channels/new">Create the first feed</PageLink>
              ) : (
                "A feed brings the vehicles to a site that lists them."
              )}
            </Empty>
          }
        />
      </Section>
      {may("vehicles:read") && <Quality />}
    </Page>
  );
};
