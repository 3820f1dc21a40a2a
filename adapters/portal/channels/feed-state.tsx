import type { Severity } from "../../../core/channels/issue.ts";
import type { Feed } from "../../../core/feeds/feed.ts";
import { StateBadge } from "../page/state-badge.tsx";
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
