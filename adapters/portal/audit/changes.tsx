import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import { RecordTable } from "../lists/record-table.tsx";
import { valueInWords } from "./audit-words.ts";

/** What changed, field by field: before and after. */
export const Changes = ({ entry }: { entry: AuditEntry }) => {
  const fields = [...new Set([...Object.keys(entry.before ?? {}), ...Object.keys(entry.after ?? {})])];
  if (fields.length === 0) return null;
  return (
    <details>
      <summary>
        {fields.length} {fields.length === 1 ? "field" : "fields"}
      </summary>
      <RecordTable
        caption={`Fields of entry ${entry.id}`}
        rows={fields}
        keyOf={(field) => field}
        columns={[
          { head: "Field", cell: (field) => field },
          { head: "Before", cell: (field) => <div className="wraps">{valueInWords(entry.before?.[field])}</div> },
          { head: "After", cell: (field) => <div className="wraps">{valueInWords(entry.after?.[field])}</div> },
        ]}
      />
    </details>
  );
};
