import type { Import } from "../../../core/imports/import.ts";
import { StateBadge } from "../shell/state-badge.tsx";
import { isDryRun, STATE_LABELS } from "./import-words.ts";

/** The state of an import, as a badge. */
export const ImportStateBadge = ({ record }: { record: Import }) => {
  const [label, color] = STATE_LABELS[record.state];
  return <StateBadge color={color}>{record.state === "running" && isDryRun(record) ? "Checking" : label}</StateBadge>;
};
