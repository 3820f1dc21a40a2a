import type { Source } from "../../../core/sources/source.ts";
import { StateBadge, type StateColor } from "../shell/state-badge.tsx";

const stateOf = ({ active, failing_since }: Source): readonly [label: string, color: StateColor] => {
  if (!active) return ["Off", "grey"];
  return failing_since === null ? ["On", "green"] : ["Failing", "amber"];
};

/** Whether a source is fetched on schedule and works, as a badge. */
export const SourceStateBadge = ({ record }: { record: Source }) => {
  const [label, color] = stateOf(record);
  return <StateBadge color={color}>{label}</StateBadge>;
};
