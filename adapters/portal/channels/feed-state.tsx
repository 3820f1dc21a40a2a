import type { Feed } from "../../../core/feeds/feed.ts";
import type { Severity } from "../../../core/readiness/issue.ts";
import { StateBadge } from "../shell/state-badge.tsx";
import { SEVERITY_LABELS, STATE_LABELS } from "./feed-words.ts";

/** Whether a feed is served, in a word. */
export const FeedStateBadge = ({ feed }: { feed: Pick<Feed, "stopped"> }) => {
  const [label, color] = STATE_LABELS[feed.stopped ?? "on"];
  return <StateBadge color={color}>{label}</StateBadge>;
};

/** What a rule does to a vehicle, in words. */
export const SeverityBadge = ({ severity }: { severity: Severity }) => {
  const [label, color] = SEVERITY_LABELS[severity];
  return <StateBadge color={color}>{label}</StateBadge>;
};
