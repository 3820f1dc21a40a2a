import { Table } from "@mantine/core";
import { Scrolling } from "../lists/scrolling.tsx";
import { useMoments } from "../moments/moment.tsx";
import type { NamedEntry } from "./audit-entries.ts";
import { EntryRows, HEADS } from "./entry-rows.tsx";
import { useFormats } from "./formats.ts";

/** Entries of the audit log, newest first, under the days on which they happened. */
export const EntryTable = ({ rows }: { rows: readonly NamedEntry[] }) => {
  const formats = useFormats(rows);
  const { longDay } = useMoments();
  const days = Map.groupBy(rows, ({ at }) => longDay(at));
  return (
    <Scrolling label="Audit log, table">
      <Table>
        <Table.Caption className="hidden-caption">Audit log</Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {HEADS.map((head) => (
              <Table.Th key={head} scope="col">
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        {[...days].map(([day, entries]) => (
          <Table.Tbody key={day}>
            <Table.Tr className="day">
              <Table.Th colSpan={HEADS.length} scope="rowgroup">
                {day}
              </Table.Th>
            </Table.Tr>
            {entries.map((entry) => (
              <EntryRows key={entry.id} entry={entry} formats={formats} />
            ))}
          </Table.Tbody>
        ))}
      </Table>
    </Scrolling>
  );
};
