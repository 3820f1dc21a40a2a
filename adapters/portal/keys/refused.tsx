import type { LastDay } from "../../../core/keys/refusals.ts";
import { formatNumber } from "../page/figures.tsx";
import { StateBadge } from "../page/state-badge.tsx";

/** What most of a key's refused requests ran into. */
const MOSTLY = {
  limited: "mostly over its limit",
  denied: "mostly not allowed",
  unauthorized: "mostly with an ended secret",
} as const;

/** The share of refused requests above which a key is marked. */
const MARKED_SHARE = 0.1;

/** A share as whole per cent, which is 0 or 100 only if it is exactly that. */
const shareInWords = (part: number, all: number): string => {
  if (part === 0 || all === 0) return "0 %";
  return `${part === all ? 100 : Math.min(99, Math.max(1, Math.round((part / all) * 100)))} %`;
};

/** "95 % refused, mostly over its limit". */
export const refusedInWords = ({ requests_24h, refused_24h, refused_mostly }: LastDay): string =>
  `${shareInWords(refused_24h, requests_24h)} refused${refused_mostly === null ? "" : `, ${MOSTLY[refused_mostly]}`}`;

/** The share of a key's requests that was refused, marked if it is large. */
export const RefusedShare = ({ day }: { day: Partial<LastDay> }) => {
  const { requests_24h = 0, refused_24h = 0, refused_mostly = null } = day;
  if (refused_24h === 0) return requests_24h === 0 ? "—" : "0 %";
  const share = shareInWords(refused_24h, requests_24h);
  if (refused_24h <= requests_24h * MARKED_SHARE) return share;
  const title = `${formatNumber(refused_24h)} of ${formatNumber(requests_24h)} requests: ${refusedInWords({ requests_24h, refused_24h, refused_mostly })}`;
  return (
    <StateBadge color="amber" title={title}>
      {share}
    </StateBadge>
  );
};
