import { Text } from "@mantine/core";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { DealerName } from "../choices/dealer-choice.tsx";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { PageLink } from "../page/link.tsx";
import { Section } from "../page/section.tsx";
import { StateBadge, type StateColor } from "../page/state-badge.tsx";
import { recentChangesPath, useMayRevert } from "../recent-changes/recent-changes-link.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { TimeOfDay } from "../times/times.tsx";
import { titleWithStockNumber } from "../vehicles/vehicle-words.ts";
import { type LiveChange, type LiveState, useLiveChanges } from "./live-changes.ts";

const STATES: Readonly<Record<LiveState, readonly [label: string, color: StateColor]>> = {
  live: ["Live", "green"],
  connecting: ["Connecting", "grey"],
  busy: ["Much at once", "amber"],
  ended: ["Ended", "grey"],
};

const nameOf = ({ kind, id, record }: LiveChange): string => {
  if (record === null) return `${kind === "vehicle" ? "Vehicle" : "Dealer"} ${id}`;
  return kind === "vehicle" ? titleWithStockNumber(record as unknown as Vehicle) : String(record.name);
};

/** A record that was never changed since it was made is new. */
const whatHappened = ({ kind, op, record }: LiveChange): string => {
  if (op === "remove") return kind === "vehicle" ? "Deleted, or at another dealer" : "Deactivated";
  return record?.created_at === record?.updated_at ? "Added" : "Changed";
};

const Name = ({ change }: { change: LiveChange }) =>
  change.op === "remove" ? nameOf(change) : <PageLink to={`/${change.kind}s/${change.id}`}>{nameOf(change)}</PageLink>;

const columnsOf = (isBound: boolean): readonly Column<LiveChange>[] => [
  {
    head: "Record",
    cell: (change) => (
      <TwoLineCell
        first={<Name change={change} />}
        second={!isBound && change.kind === "vehicle" && <DealerName id={change.dealer_id} />}
      />
    ),
  },
  { head: "What happened", cell: whatHappened },
  { head: "When", cell: ({ at }) => <TimeOfDay at={at} /> },
];

/** What changes in the inventory, as it happens; each vehicle and dealer once, as it is now. */
export const WhatChanged = () => {
  const { changes, state } = useLiveChanges();
  const isBound = bindingOf(useSession().user) !== null;
  const mayRevert = useMayRevert();
  const [label, color] = STATES[state];
  return (
    <Section title="What changed" actions={<StateBadge color={color}>{label}</StateBadge>}>
      {changes.length === 0 ? (
        <Text size="sm">Nothing since this page was opened. Vehicles and dealers appear here as they change.</Text>
      ) : (
        <RecordTable
          caption="What changed"
          rows={changes}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          columns={columnsOf(isBound)}
        />
      )}
      {state === "busy" && <Text size="sm">More changes than can be shown here. The list goes on in a moment.</Text>}
      {mayRevert && (
        <Text size="sm">
          <PageLink to={recentChangesPath()}>Recent changes</PageLink> has what was changed before.
        </Text>
      )}
    </Section>
  );
};
