import { Table, Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import type { Formats } from "../../../core/audit/field-words.ts";
import { TimeOfDay } from "../times/times.tsx";
import { actionInWords } from "./audit-words.ts";
import { EntryChanges, fieldsOf } from "./changes.tsx";
import { EntrySentence } from "./entry-sentence.tsx";

/** The columns of `EntryRows`. */
export const COLUMN_HEADINGS = ["What happened", "When", "By way of", "Changed"] as const;

/** An entry of the audit log; a click shows its fields below it, across the full width. */
export const EntryRows = ({ entry, formats }: { entry: AuditEntry; formats: Formats }) => {
  const [isOpen, setIsOpen] = useState(false);
  const below = useId();
  const fields = fieldsOf(entry).length;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Table.Tr>
        <Table.Td className="entry-sentence">
          <EntrySentence entry={entry} formats={formats} />
          <Text size="xs" c="dimmed">
            {actionInWords(entry.action)}
          </Text>
        </Table.Td>
        <Table.Td data-head={COLUMN_HEADINGS[1]}>
          <TimeOfDay at={entry.at} />
        </Table.Td>
        <Table.Td data-head={COLUMN_HEADINGS[2]}>
          {entry.address === null ? entry.via : `${entry.via}, ${entry.address}`}
        </Table.Td>
        <Table.Td data-head={COLUMN_HEADINGS[3]}>
          {fields > 0 && (
            <UnstyledButton
              className="show-fields"
              aria-expanded={isOpen}
              aria-controls={isOpen ? below : undefined}
              onClick={() => setIsOpen(!isOpen)}
            >
              <Chevron size={14} aria-hidden /> {fields} {fields === 1 ? "field" : "fields"}
            </UnstyledButton>
          )}
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr className="below" id={below}>
          <Table.Td colSpan={COLUMN_HEADINGS.length}>
            <EntryChanges entry={entry} formats={formats} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
};
