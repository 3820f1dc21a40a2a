import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { fieldInWords } from "../../../core/audit/field-words.ts";
import type { RecentChange } from "../../../core/recent-changes/recent-change.ts";
import { Dialog, FormDialog } from "../forms/dialog.tsx";
import { RowLines } from "../lists/row-lines.tsx";
import { formatCount, formatNumber } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { StateBadge, type StateColor } from "../page/state-badge.tsx";
import { changeInWords } from "./recent-change-words.ts";
import { type RevertedVehicle, readSalesAgain, revertChange } from "./revert.ts";

const OUTCOMES: Readonly<Record<RevertedVehicle["outcome"], readonly [word: string, color: StateColor]>> = {
  reverted: ["reverted", "green"],
  changed_since: ["changed since", "amber"],
  not_found: ["not found", "grey"],
  unchanged: ["unchanged", "grey"],
};

/** What asks for attention comes first. */
const ORDER: readonly RevertedVehicle["outcome"][] = ["changed_since", "not_found", "reverted", "unchanged"];

/** So many lines are shown. */
const MOST_LINES = 200;

const nameOf = ({ id, name, stock_number }: RevertedVehicle): string =>
  name == null ? `Vehicle ${id}` : stock_number == null ? name : `${name}, ${stock_number}`;

const lineOf = (vehicle: RevertedVehicle) => {
  const [word, color] = OUTCOMES[vehicle.outcome];
  return {
    key: vehicle.id,
    name:
      vehicle.outcome === "not_found" ? (
        nameOf(vehicle)
      ) : (
        <PageLink to={`/vehicles/${vehicle.id}`}>{nameOf(vehicle)}</PageLink>
      ),
    note: (
      <>
        {vehicle.fields.map(fieldInWords).join(", ")} <StateBadge color={color}>{word}</StateBadge>
      </>
    ),
  };
};

const Results = ({ results, onClose }: { results: readonly RevertedVehicle[]; onClose: () => void }) => {
  const counts = ORDER.map((outcome) => [outcome, results.filter((one) => one.outcome === outcome)] as const);
  const reverted = results.filter(({ outcome }) => outcome === "reverted").length;
  const others = counts.filter(([outcome, some]) => outcome !== "reverted" && some.length > 0);
  const title = `${formatCount(reverted, "vehicle")} reverted`;
  const text = [title, ...others.map(([outcome, some]) => `${formatNumber(some.length)} ${OUTCOMES[outcome][0]}`)].join(
    ", ",
  );
  const lines = counts.flatMap(([, some]) => some);
  return (
    <Dialog title={text} onClose={onClose}>
      <VisuallyHidden role="status">{text}</VisuallyHidden>
      <RowLines label="Results" lines={lines.slice(0, MOST_LINES).map(lineOf)} />
      {lines.length > MOST_LINES && <Text size="sm">And {formatNumber(lines.length - MOST_LINES)} more.</Text>}
      <Group gap="xs" className="form-actions">
        <Button onClick={onClose} data-autofocus>
          Done
        </Button>
      </Group>
    </Dialog>
  );
};

interface RevertProps {
  readonly change: RecentChange;
  /** Only this dealer's vehicles; empty for all. */
  readonly dealerId: string;
  readonly onClose: () => void;
}

/** Asks once, reverts a change, and shows what became of each vehicle. */
export const RevertDialog = ({ change, dealerId, onClose }: RevertProps) => {
  const client = useQueryClient();
  const [results, setResults] = useState<readonly RevertedVehicle[] | null>(null);
  if (results !== null) return <Results results={results} onClose={onClose} />;
  return (
    <FormDialog
      title="Revert this change?"
      submit="Revert"
      onClose={onClose}
      onSubmit={async () => {
        const found = await revertChange({ id: change.id, dealerId });
        readSalesAgain(client, found);
        setResults(found);
      }}
    >
      <Text size="sm" fw={600}>
        {changeInWords(change)}
      </Text>
      <Text size="sm">
        What nobody changed since gets its old value, and the rest stays as it is. The change and its reversal stay in
        the audit log, and count in no report.
      </Text>
    </FormDialog>
  );
};
