import { Text } from "@mantine/core";
import { useAuditEntries } from "./audit-entries.ts";
import { EntryList } from "./entry-list.tsx";

const PAGE_SIZE = 10;

/** The entries of one record. */
export const TrailEntries = ({ resource, id }: { resource: string; id: number }) => (
  <EntryList
    entries={useAuditEntries({ resource, id }, PAGE_SIZE)}
    empty={<Text size="sm">Nothing is recorded about it.</Text>}
  />
);
