import { Table } from "@mantine/core";
import { ScrollableTable } from "../lists/scrollable-table.tsx";
import { useTimeFormats } from "../times/times.tsx";
import type { NamedEntry } from "./audit-entries.ts";
import { COLUMN_HEADINGS, EntryRows } from "./entry-rows.tsx";
import { useFormats } from "./formats.ts";

/** Entries of the audit log, newest first, grouped by day. */
export const EntryTable = ({ rows }: { rows: readonly NamedEntry[] }) => {
  const formats = useFormats(rows);
  const { longDay } = useTimeFormats();
  const days = Map.groupBy(rows, ({ at }) => longDay(at));
  return (
    <ScrollableTable label="Audit log, table">
      <Table>
        <Table.Caption className="hidden-caption">Audit log</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {COLUMN_HEADINGS.map((head) => (
              <Table.Th key={head} scope="col">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        {[...days].map(([day, entries]) => (
          <Table.Tbody key={day}>
            <Table.Tr className="day">
              <Table.Th colSpan={COLUMN_HEADINGS.length} scope="rowgroup">
                {day}
              </Table.Th>
            </Table.Tr>
            {entries.map((entry) => (
              <EntryRows key={entry.id} entry={entry} formats={formats} />
            ))}
          </Table.Tbody>
        ))}
      </Table>
    </ScrollableTable>
  );
};
