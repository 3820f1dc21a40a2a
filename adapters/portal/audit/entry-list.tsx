import { Button, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { ScrollableTable } from "../lists/scrollable-table.tsx";
import { LoadError, RowsSkeleton } from "../page/query-result.tsx";
import { useTimeFormats } from "../times/times.tsx";
import { type NamedEntry, type useAuditEntries, useFormats } from "./audit-entries.ts";
import { COLUMN_HEADINGS, DenialRows, EntryRows } from "./entry-rows.tsx";
import { withDenialsTogether } from "./repeated-denials.ts";

/** Entries of the audit log, newest first, grouped by day. */
const EntryTable = ({ rows }: { rows: readonly NamedEntry[] }) => {
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
            {withDenialsTogether(entries).map((row) =>
              "denials" in row ? (
                <DenialRows key={row.denials.at(-1)?.id} denials={row.denials} formats={formats} />
              ) : (
                <EntryRows key={row.id} entry={row} formats={formats} />
              ),
            )}
          </Table.Tbody>
        ))}
      </Table>
    </ScrollableTable>
  );
};

interface EntryListProps {
  readonly entries: ReturnType<typeof useAuditEntries>;
  readonly empty: ReactNode;
}

/** Entries of the audit log while loading, failed or loaded, with a button for older ones. */
export const EntryList = ({ entries, empty }: EntryListProps) => {
  if (entries.data === undefined)
    return entries.isError ? <LoadError error={entries.error} onRetry={entries.refetch} /> : <RowsSkeleton />;
  const rows = entries.data.pages.flatMap(({ items }) => items);
  if (rows.length === 0) return empty;
  return (
    <Stack gap="sm" align="flex-start">
      <div className="full-width">
        <EntryTable rows={rows} />
      </div>
      {entries.isFetchNextPageError && <LoadError error={entries.error} onRetry={entries.fetchNextPage} />}
      {entries.hasNextPage ? (
        <Button variant="default" loading={entries.isFetchingNextPage} onClick={() => entries.fetchNextPage()}>
          Load more
        </Button>
      ) : (
        <Text size="sm">These are all.</Text>
      )}
    </Stack>
  );
};
