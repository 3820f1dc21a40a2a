import { Table, Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { Fragment, useId, useState } from "react";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import { type Formats, fieldInWords, valueInWords } from "../../../core/audit/field-words.ts";
import { sentenceOf } from "../../../core/audit/sentences.ts";
import { RecordTable } from "../lists/record-table.tsx";
import { PageLink } from "../page/link.tsx";
import { TimeOfDay, useTimeFormats } from "../times/times.tsx";
import { actionInWords } from "./action-words.ts";
import type { RepeatedDenials } from "./repeated-denials.ts";

const PAGES: Readonly<Record<string, string>> = {
  keys: "/keys",
  users: "/users",
  dealers: "/dealers",
  vehicles: "/vehicles",
  sources: "/imports/sources",
};

/** The page of an entry's record; `null` if it has none. */
const pageOfRecord = (resource: string | null, id: number | null): string | null => {
  const page = PAGES[resource ?? ""];
  return id === null || page === undefined ? null : `${page}/${id}`;
};

/** An entry of the audit log as a sentence, with links to the records it names. */
const EntrySentence = ({ entry, formats }: { entry: AuditEntry; formats: Formats }) =>
  sentenceOf(entry, formats).map((part, place) => {
    const page =
      typeof part === "string" || part.record === null ? null : pageOfRecord(part.record.resource, part.record.id);
    const text = typeof part === "string" ? part : part.text;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never change their order
    return <Fragment key={place}>{page === null ? text : <PageLink to={page}>{text}</PageLink>}</Fragment>;
  });

/** The fields of an entry: those that changed, or all of the record's. */
const fieldsOf = ({ before, after }: AuditEntry): readonly string[] => [
  ...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]),
];

/** The fields of an entry with their values before and after. */
const EntryChanges = ({ entry, formats }: { entry: AuditEntry; formats: Formats }) => {
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

/** "api, 203.0.113.4". */
const wayOf = ({ via, address }: AuditEntry): string => (address === null ? via : `${via}, ${address}`);

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
        <Table.Td data-head={COLUMN_HEADINGS[2]}>{wayOf(entry)}</Table.Td>
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

/** The denials of a key within an hour as one row, which opens to show each of them. */
export const DenialRows = ({ denials, formats }: RepeatedDenials<AuditEntry> & { formats: Formats }) => {
  const [isOpen, setIsOpen] = useState(false);
  const { time } = useTimeFormats();
  const [newest] = denials;
  const oldest = denials.at(-1) ?? newest;
  const codes = [...new Set(denials.map(({ after }) => String(after?.code ?? "").replaceAll("_", " ")))];
  const ways = new Set(denials.map(wayOf));
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Table.Tr>
        <Table.Td className="entry-sentence">
          {newest.actor.id === null ? (
            newest.actor.name
          ) : (
            <PageLink to={`/keys/${newest.actor.id}`}>{newest.actor.name}</PageLink>
          )}
          {` was refused ${denials.length} times within an hour`}
          <Text size="xs" c="dimmed">
            {codes.join(", ")}
          </Text>
        </Table.Td>
        <Table.Td data-head={COLUMN_HEADINGS[1]}>
          {time(oldest.at) === time(newest.at) ? time(newest.at) : `${time(oldest.at)} – ${time(newest.at)}`}
        </Table.Td>
        <Table.Td data-head={COLUMN_HEADINGS[2]}>
          {ways.size === 1 ? wayOf(newest) : `${newest.via}, ${ways.size} addresses`}
        </Table.Td>
        <Table.Td data-head={COLUMN_HEADINGS[3]}>
          <UnstyledButton className="show-fields" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            <Chevron size={14} aria-hidden /> {denials.length} denials
          </UnstyledButton>
        </Table.Td>
      </Table.Tr>
      {isOpen && denials.map((entry) => <EntryRows key={entry.id} entry={entry} formats={formats} />)}
    </>
  );
};
