import type { Dealer } from "../../../core/dealers/dealer.ts";
import { StateBadge } from "../page/state-badge.tsx";

/** Whether a dealer is active, as a badge. */
export const DealerState = ({ dealer }: { dealer: Pick<Dealer, "active"> }) =>
  dealer.active ? <StateBadge color="green">active</StateBadge> : <StateBadge color="grey">inactive</StateBadge>;
