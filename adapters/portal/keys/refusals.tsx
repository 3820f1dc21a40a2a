import { Table, Text, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useId, useState } from "react";
import type { Refusals as RefusalsOfKind, RefusedOutcome } from "../../../core/keys/refusals.ts";
import type { PresentedUsage } from "../../../core/keys/usage.ts";
import type { Denial } from "../../../core/keys/usage-repository.ts";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { ScrollableTable } from "../lists/scrollable-table.tsx";
import { formatNumber } from "../page/figures.tsx";
import { Section } from "../page/section.tsx";
import { DateTime, RelativeTime } from "../times/times.tsx";

/** The kinds of refusals as people call them, with the status of their answers. */
const KINDS: Readonly<Record<RefusedOutcome, readonly [label: string, status: number]>> = {
  limited: ["Over its limit", 429],
  denied: ["Not allowed", 403],
  unauthorized: ["With an ended secret", 401],
};

const HEADINGS = ["Kind", "Requests", "First", "Last"] as const;

const DENIAL_COLUMNS: readonly Column<Denial>[] = [
  { head: "When", cell: ({ at }) => <RelativeTime at={at} /> },
  { head: "Reason", cell: ({ code }) => code.replaceAll("_", " ") },
  { head: "Request", cell: ({ method, route }) => <code>{`${method} ${route}`}</code> },
  { head: "Address", cell: ({ address }) => address ?? "Unknown" },
];

const LatestOf = ({ label, denials }: { label: string; denials: readonly Denial[] }) =>
  denials.length === 0 ? (
    <Text size="sm">
      Requests of this kind are counted by the hour. None of them is among the latest that are kept.
    </Text>
  ) : (
    <RecordTable
      caption={`The latest: ${label}`}
      columns={DENIAL_COLUMNS}
      rows={denials}
      keyOf={(denial) => JSON.stringify(denial)}
    />
  );

/** The refused requests of one kind; a click shows the latest of them. */
const KindRows = ({ kind, latest }: { kind: RefusalsOfKind; latest: readonly Denial[] }) => {
  const [isOpen, setIsOpen] = useState(false);
  const below = useId();
  const [label, status] = KINDS[kind.outcome];
  const ofKind = latest.filter((denial) => denial.status === status);
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <Table.Tr>
        <Table.Th scope="row" fw={400}>
          <UnstyledButton
            className="show-fields"
            aria-expanded={isOpen}
            aria-controls={isOpen ? below : undefined}
            onClick={() => setIsOpen(!isOpen)}
          >
            <Chevron size={14} aria-hidden /> {label} ({status})
          </UnstyledButton>
        </Table.Th>
        <Table.Td data-head={HEADINGS[1]}>{formatNumber(kind.requests)}</Table.Td>
        <Table.Td data-head={HEADINGS[2]}>
          <DateTime at={kind.first_hour} />
        </Table.Td>
        <Table.Td data-head={HEADINGS[3]}>
          <DateTime at={ofKind[0]?.at ?? kind.last_hour} />
        </Table.Td>
      </Table.Tr>
      {isOpen && (
        <Table.Tr className="below" id={below}>
          <Table.Td colSpan={HEADINGS.length}>
            <LatestOf label={label} denials={ofKind} />
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
};

/** The refused requests of a key by kind, with their number, the first and the last. */
export const Refusals = ({ usage: { refusals, recent_denials } }: { usage: PresentedUsage }) => (
  <Section title="Denials">
    {refusals.length === 0 ? (
      <Text size="sm">
        None of the key's requests was refused in this time.
        {recent_denials[0] !== undefined && (
          <>
            {" "}
            The last was <RelativeTime at={recent_denials[0].at} />.
          </>
        )}
      </Text>
    ) : (
      <ScrollableTable label="Denials, table">
        <Table>
          <Table.Caption className="hidden-caption">Denials</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {HEADINGS.map((head) => (
                <Table.Th key={head} scope="col">
                  {head}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {refusals.map((kind) => (
              <KindRows key={kind.outcome} kind={kind} latest={recent_denials} />
            ))}
          </Table.Tbody>
        </Table>
      </ScrollableTable>
    )}
  </Section>
);
