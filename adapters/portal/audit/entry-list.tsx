import { Button, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { LoadError, RowsSkeleton } from "../page/query-result.tsx";
import type { useAuditEntries } from "./audit-entries.ts";
import { EntryTable } from "./entry-table.tsx";

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
