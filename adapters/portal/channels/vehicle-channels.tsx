import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { CHANNEL_TITLES } from "../../../core/channels/titles.ts";
import type { Feed } from "../../../core/feeds/feed.ts";
import type { ReadinessIssue } from "../../../core/readiness/issue.ts";
import type { FeedReadiness, VehicleReadiness } from "../../../core/readiness/readiness.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { useListed, useRecord } from "../api/queries.ts";
import { Answered } from "../lists/answered.tsx";
import { useMay } from "../session/session.tsx";
import { PageLink } from "../shell/link.tsx";
import { Section } from "../shell/section.tsx";
import { StateBadge } from "../shell/state-badge.tsx";
import { FeedStateBadge } from "./feed-state.tsx";
import { IssueList } from "./issue-list.tsx";

/** As many as the service answers of one vehicle. */
const MOST_FEEDS = 100;

const Part = ({ title, state, children }: { title: ReactNode; state?: ReactNode; children?: ReactNode }) => (
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

interface OfFeedProps {
  readonly vehicle: Vehicle;
  readonly told: FeedReadiness;
  /** `undefined` for who may not read feeds. */
  readonly feed: Feed | undefined;
}

/** Whether a feed has the vehicle, why not, and what could be better. */
const OfFeed = ({ vehicle, told: { feed_id: feedId, channel, ready, issues }, feed }: OfFeedProps) => {
  const about = { vehicleId: vehicle.id, dealerId: vehicle.dealer_id, feedId };
  const name = feed?.name ?? CHANNEL_TITLES[channel];
  const of = (severity: ReadinessIssue["severity"]) => issues.filter((issue) => issue.severity === severity);
  const [errors, warnings] = [of("error"), of("warning")];
  return (
    <Part
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
    </Part>
  );
};

const Channels = ({ vehicle, readiness: { feeds, quality } }: { vehicle: Vehicle; readiness: VehicleReadiness }) => {
  const mayRead = useMay()("feeds:read");
  const { data } = useListed<Feed>("/feeds", { limit: MOST_FEEDS }, { enabled: mayRead && feeds.length > 0 });
  return (
    <>
      {feeds.length === 0 && <Text size="sm">No feed has this vehicle among its vehicles.</Text>}
      {feeds.map((told) => (
        <OfFeed
          key={told.feed_id}
          vehicle={vehicle}
          told={told}
          feed={data?.items.find(({ id }) => id === told.feed_id)}
        />
      ))}
      {quality.length > 0 && (
        <Part title="Quality">
          <IssueList issues={quality} about={{ vehicleId: vehicle.id, dealerId: vehicle.dealer_id, feedId: null }} />
        </Part>
      )}
    </>
  );
};

/** Whether each feed has the vehicle and why not, and what the service itself finds wrong; each leads to its field. */
export const VehicleChannels = ({ vehicle }: { vehicle: Vehicle }) => {
  const readiness = useRecord<VehicleReadiness>(`/vehicles/${vehicle.id}/readiness`);
  return (
    <Section title="Channels">
      <Answered query={readiness} lines={3}>
        {(found) => <Channels vehicle={vehicle} readiness={found} />}
      </Answered>
    </Section>
  );
};
