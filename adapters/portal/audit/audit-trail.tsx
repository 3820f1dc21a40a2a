import { Text } from "@mantine/core";
import { Section } from "../page/section.tsx";
import { useAuditEntries } from "./audit-entries.ts";
import { EntryList } from "./entry-list.tsx";

const PAGE_SIZE = 10;

/** The audit entries of one record. */
export const AuditTrail = ({ resource, id }: { resource: string; id: number }) => (
  <Section title="Audit trail">
    <EntryList
      entries={useAuditEntries({ resource, id }, PAGE_SIZE)}
      empty={<Text size="sm">Nothing is recorded about it.</Text>}
    />
  </Section>
);
