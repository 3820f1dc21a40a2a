import { fieldInWords } from "../../../core/audit/field-words.ts";
import type { ChangeKind } from "../../../core/changes/named-change.ts";
import type { RecentChange } from "../../../core/recent-changes/recent-change.ts";
import { formatCount } from "../page/figures.tsx";

const KINDS: Readonly<Record<ChangeKind, string>> = {
  edit: "Edit",
  bulk: "Bulk change",
  import: "Import",
  batch: "Batch",
  creation: "Creation",
  removal: "Deletion",
  reversal: "Reversal",
  scheduled: "Scheduled change",
};

/** What a change was: "Bulk change". */
export const kindInWords = ({ kind }: Pick<RecentChange, "kind">): string => KINDS[kind];

/** So many fields are named; a file may change more. */
const MOST_FIELDS = 6;

/** The fields of a change: "price, status". */
export const fieldsInWords = ({ fields }: Pick<RecentChange, "fields">): string => {
  const named = fields.slice(0, MOST_FIELDS).map(fieldInWords).join(", ");
  return fields.length > MOST_FIELDS ? `${named} and ${fields.length - MOST_FIELDS} more` : named;
};

/** A change as it is called in labels: "Bulk change of 40 vehicles: price". */
export const changeInWords = (change: RecentChange): string => {
  const fields = fieldsInWords(change);
  return `${kindInWords(change)} of ${formatCount(change.vehicles, "vehicle")}${fields === "" ? "" : `: ${fields}`}`;
};
