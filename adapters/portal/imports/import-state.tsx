import type { Import } from "../../../core/imports/import.ts";
import { StateBadge } from "../page/state-badge.tsx";
import { hasAssumptions, isDryRun, STATE_LABELS } from "./import-words.ts";

/** The state of an import, as a badge. */
export const ImportStateBadge = ({ record }: { record: Import }) => {
  const [label, color] = STATE_LABELS[record.state];
  // What was assumed or left undone is no plain success.
  if (record.state === "completed" && hasAssumptions(record))
    return <StateBadge color="amber">Done, with warnings</StateBadge>;
  return <StateBadge color={color}>{record.state === "running" && isDryRun(record) ? "Checking" : label}</StateBadge>;
};
