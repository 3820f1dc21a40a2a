import type { Severity } from "../../../core/channels/issue.ts";
import type { Feed } from "../../../core/feeds/feed.ts";
import type { ReadinessCounts } from "../../../core/readiness/count.ts";
import { useRecord } from "../api/queries.ts";
import { StateBadge } from "../page/state-badge.tsx";
import { useMay } from "../session/session.tsx";
import { SEVERITY_LABELS, STATE_LABELS } from "./feed-words.ts";

/** The state of a feed, as a badge. */
export const FeedStateBadge = ({ feed }: { feed: Pick<Feed, "stopped"> }) => {
  const [label, color] = STATE_LABELS[feed.stopped ?? "on"];
  return <StateBadge color={color}>{label}</StateBadge>;
};

/** The severity of an issue, as a badge. */
export const SeverityBadge = ({ severity }: { severity: Severity }) => {
  const [label, color] = SEVERITY_LABELS[severity];
  return <StateBadge color={color}>{label}</StateBadge>;
};

/** The service checks every vehicle of a feed for this answer; changes in the portal refetch it earlier. */
const STALE_MS = 60_000;

/** How many vehicles of a feed are ready, and what the others lack. */
export const useFeedReadiness = (id: number) =>
  useRecord<ReadinessCounts>(`/feeds/${id}/readiness`, {}, { staleMs: STALE_MS });

/** True if the signed-in user may create and change feeds: such a feed is served by the user's right to its vehicles. */
export const useMayMakeFeeds = (): boolean => {
  const may = useMay();
  return may("feeds:write") && may("vehicles:read");
};
