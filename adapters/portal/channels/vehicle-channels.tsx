import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { ReadinessIssue } from "../../../core/channels/issue.ts";
import { CHANNEL_TITLES } from "../../../core/channels/titles.ts";
import type { Feed } from "../../../core/feeds/feed.ts";
import type { FeedReadiness, VehicleReadiness } from "../../../core/readiness/readiness.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { useList, useRecord } from "../api/queries.ts";
import { PageLink } from "../page/link.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { Section } from "../page/section.tsx";
import { StateBadge } from "../page/state-badge.tsx";
import { useMay } from "../session/session.tsx";
import { FeedStateBadge } from "./feed-state.tsx";
import { IssueList } from "./issue-list.tsx";

/** The most feeds that the service returns for one vehicle. */
const MAX_FEEDS = 100;

const ChannelPart = ({ title, state, children }: { title: ReactNode; state?: ReactNode; children?: ReactNode }) => (
  <div className="channel">
    <div className="channel-head">
      <Title order={3} size="h5">
        {title}
      </Title>
      {state}
    </div>
    {children}
  </div>
);

interface FeedPartProps {
  readonly vehicle: Vehicle;
  readonly readiness: FeedReadiness;
  /** `undefined` if the user may not read feeds. */
  readonly feed: Feed | undefined;
}

/** Whether a feed includes the vehicle, why not, and what could be better. */
const FeedPart = ({ vehicle, readiness: { feed_id: feedId, channel, ready, issues }, feed }: FeedPartProps) => {
  const about = { vehicleId: vehicle.id, dealerId: vehicle.dealer_id, feedId };
  const name = feed?.name ?? CHANNEL_TITLES[channel];
  const of = (severity: ReadinessIssue["severity"]) => issues.filter((issue) => issue.severity === severity);
  const [errors, warnings] = [of("error"), of("warning")];
  return (
    <ChannelPart
      title={feed === undefined ? name : <PageLink to={`/channels/${feedId}`}>{name}</PageLink>}
      state={
        <>
          {ready ? <StateBadge color="green">Ready</StateBadge> : <StateBadge color="amber">Left out</StateBadge>}
          {feed !== undefined && feed.stopped !== null && <FeedStateBadge feed={feed} />}
        </>
      }
    >
      {feed !== undefined && (
        <Text size="sm" c="dimmed">
          {CHANNEL_TITLES[channel]}
        </Text>
      )}
      {errors.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            Why is it not on {name}?
          </Text>
          <IssueList issues={errors} about={about} />
        </>
      )}
      {warnings.length > 0 && (
        <>
          <Text size="sm" fw={600}>
            What could be better
          </Text>
          <IssueList issues={warnings} about={about} />
        </>
      )}
    </ChannelPart>
  );
};

const ChannelParts = ({
  vehicle,
  readiness: { feeds, quality },
}: {
  vehicle: Vehicle;
  readiness: VehicleReadiness;
}) => {
  const mayRead = useMay()("feeds:read");
  const { data } = useList<Feed>("/feeds", { limit: MAX_FEEDS }, { enabled: mayRead && feeds.length > 0 });
  return (
    <>
      {feeds.length === 0 && <Text size="sm">No feed has this vehicle among its vehicles.</Text>}
      {feeds.map((ofFeed) => (
        <FeedPart
          key={ofFeed.feed_id}
          vehicle={vehicle}
          readiness={ofFeed}
          feed={data?.items.find(({ id }) => id === ofFeed.feed_id)}
        />
      ))}
      {quality.length > 0 && (
        <ChannelPart title="Quality">
          <IssueList issues={quality} about={{ vehicleId: vehicle.id, dealerId: vehicle.dealer_id, feedId: null }} />
        </ChannelPart>
      )}
    </>
  );
};

/** Whether each feed includes the vehicle, and the service's own issues; each issue links to its field. */
export const VehicleChannels = ({ vehicle }: { vehicle: Vehicle }) => {
  const readiness = useRecord<VehicleReadiness>(`/vehicles/${vehicle.id}/readiness`);
  return (
    <Section title="Channels">
      <QueryResult query={readiness} lines={3}>
        {(found) => <ChannelParts vehicle={vehicle} readiness={found} />}
      </QueryResult>
    </Section>
  );
};
