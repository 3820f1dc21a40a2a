import type { Import } from "../../../core/imports/import.ts";
import { StateBadge } from "../shell/state-badge.tsx";
import { isCheck, STATE_WORDS } from "./import-words.ts";

/** The state of an import, in a word. */
export const ImportStateBadge = ({ record }: { record: Import }) => {
  const [label, color] = STATE_WORDS[record.state];
  return <StateBadge color={color}>{record.state === "running" && isCheck(record) ? "Checking" : label}</StateBadge>;
};
