import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import { type Formats, fieldInWords, valueInWords } from "../../../core/audit/field-words.ts";
import { RecordTable } from "../lists/record-table.tsx";

/** The fields of an entry: those that changed, or all of the record's. */
export const fieldsOf = ({ before, after }: AuditEntry): readonly string[] => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
];

/** The fields of an entry with their values before and after. */
export const EntryChanges = ({ entry, formats }: { entry: AuditEntry; formats: Formats }) => {
  const value = (state: AuditEntry["before"], field: string) => (
    <div className="wraps">
      {state === null || !(field in state) ? "—" : valueInWords(field, state[field], formats)}
    </div>
  );
  return (
    <RecordTable
      caption={`Fields of entry ${entry.id}`}
      rows={fieldsOf(entry)}
      keyOf={(field) => field}
      columns={[
        { head: "Field", cell: fieldInWords },
        { head: "Before", cell: (field) => value(entry.before, field) },
        { head: "After", cell: (field) => value(entry.after, field) },
      ]}
    />
  );
};
