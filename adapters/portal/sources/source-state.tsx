import type { Source, SourceRun } from "../../../core/sources/source.ts";
import { StateBadge, type StateColor } from "../page/state-badge.tsx";

/** What the import of the last file assumed or left undone, also if the file has not changed since. */
export const lastWarningsOf = ({ runs }: Pick<Source, "runs">): SourceRun["warnings"] =>
  runs.find(({ import_id }) => import_id !== null)?.warnings ?? [];

const stateOf = ({ active, failing_since, runs }: Source): readonly [label: string, color: StateColor] => {
  if (!active) return ["Off", "grey"];
  if (failing_since !== null) return ["Failing", "amber"];
  return lastWarningsOf({ runs }).length === 0 ? ["On", "green"] : ["On, with warnings", "amber"];
};

/** Whether a source is fetched on schedule and works, as a badge. */
export const SourceStateBadge = ({ record }: { record: Source }) => {
  const [label, color] = stateOf(record);
  return <StateBadge color={color}>{label}</StateBadge>;
};
