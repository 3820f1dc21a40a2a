import { List, NativeSelect, Text } from "@mantine/core";
import { useState } from "react";
import { valueInWords } from "../../../core/audit/field-words.ts";
import type { Import, ImportRow, RowOutcome } from "../../../core/imports/import.ts";
import type { ImportIssue } from "../../../core/imports/import-issue.ts";
import { shortened } from "../../../core/text.ts";
import { CursorList } from "../lists/cursor-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { formatNumber } from "../page/figures.tsx";
import { PageLink } from "../page/link.tsx";
import { Section } from "../page/section.tsx";
import { useMay } from "../session/session.tsx";
import { useAmountFormats } from "../settings/amounts.tsx";
import { useTimeFormats } from "../times/times.tsx";
import { fieldTitle } from "./columns.ts";
import { withLabels } from "./import-options.ts";
import { isDryRun, OUTCOMES } from "./import-words.ts";

const OUTCOME_ORDER: readonly RowOutcome[] = ["failed", "updated", "created", "missing", "unchanged", "skipped"];

/** Longer values, such as descriptions and lists of images, are cut off. */
const MAX_LENGTH = 120;

const Issues = ({ issues, isError = false }: { issues: readonly ImportIssue[]; isError?: boolean }) =>
  issues.length > 0 && (
    <List size="sm" listStyleType="none" {...(isError && { c: "red" })}>
      {issues.map(({ path, message }) => (
        <List.Item key={`${path} ${message}`}>
          {path !== "" && <strong>{path}</strong>} {withLabels(message)}
        </List.Item>
      ))}
    </List>
  );

/** Returns a function that writes a value of a field, cut off if it is long. */
export const useValueInWords = (): ((field: string, value: unknown) => string) => {
  const { price, distance } = useAmountFormats();
  const { full } = useTimeFormats();
  const formats = { price, distance, moment: full, dealer: () => null };
  return (field, value) => shortened(valueInWords(field, value, formats), MAX_LENGTH);
};

/** The result of a row: why it fails, what it changes field by field, or the new vehicle. */
const RowChanges = ({ row }: { row: ImportRow }) => {
  const inWords = useValueInWords();
  const changes = Object.entries(row.changes);
  return (
    <div className="wraps import-row">
      <Issues issues={row.errors} isError />
      {row.outcome === "created" ? (
        <Text size="sm">
          {changes.map(([field, [, after]]) => `${fieldTitle(field)}: ${inWords(field, after)}`).join(" · ")}
        </Text>
      ) : (
        changes.length > 0 && (
          <List size="sm" listStyleType="none">
            {changes.map(([field, [before, after]]) => (
              <List.Item key={field}>
                {fieldTitle(field)}: <s>{inWords(field, before)}</s> <span aria-hidden>→</span> {inWords(field, after)}
              </List.Item>
            ))}
          </List>
        )
      )}
      {row.kept.length > 0 && (
        <List size="sm" listStyleType="none">
          {row.kept.map(({ field, file, ours }) => (
            <List.Item key={field}>
              {fieldTitle(field)}: {inWords(field, ours)} is kept, the file says {inWords(field, file)}
            </List.Item>
          ))}
        </List>
      )}
      <Issues issues={row.warnings} />
    </div>
  );
};

const VehicleCell = ({ row: { key, vehicle_id: id } }: { row: ImportRow }) => {
  const name = key ?? (id === null ? "—" : `Vehicle ${id}`);
  return useMay()("vehicles:read") && id !== null ? <PageLink to={`/vehicles/${id}`}>{name}</PageLink> : name;
};

const columnsOf = (isPlan: boolean): readonly Column<ImportRow>[] => [
  { head: "Vehicle", cell: (row) => <VehicleCell row={row} /> },
  { head: "Line", numeric: true, cell: ({ line }) => (line === null ? "—" : formatNumber(line)) },
  { head: "Outcome", cell: ({ outcome }) => OUTCOMES[outcome][isPlan ? 1 : 0] },
  { head: "Changes and reasons", cell: (row) => <RowChanges row={row} /> },
];

/** The result of each row of an import, a page at a time. */
export const ImportRows = ({ record }: { record: Import }) => {
  const { counts } = record;
  const isPlan = isDryRun(record);
  const presentOutcomes = OUTCOME_ORDER.filter((outcome) => (counts[outcome] ?? 0) > 0);
  const kept = counts.kept ?? 0;
  const choices: readonly (RowOutcome | "kept")[] = kept > 0 ? [...presentOutcomes, "kept"] : presentOutcomes;
  const [chosen, setChosen] = useState<RowOutcome | "kept" | "">(choices[0] ?? "");
  const outcome = chosen === "" || choices.includes(chosen) ? chosen : (choices[0] ?? "");
  return (
    <Section
      title="Rows"
      actions={
        <NativeSelect
          size="xs"
          aria-label="Show rows"
          value={outcome}
          onChange={({ currentTarget }) => setChosen(choices.find((one) => one === currentTarget.value) ?? "")}
          data={[
            ...presentOutcomes.map((one) => ({
              value: one,
              label: `${OUTCOMES[one][isPlan ? 1 : 0]} (${formatNumber(counts[one] ?? 0)})`,
            })),
            ...(kept > 0 ? [{ value: "kept", label: `With kept values (${formatNumber(kept)})` }] : []),
            { value: "", label: "All rows" },
          ]}
        />
      }
    >
      {outcome === "kept" && (
        <Text size="sm">Somebody corrected these values; a file changes them again when it says something new.</Text>
      )}
      <CursorList<ImportRow>
        key={outcome}
        path={`/imports/${record.id}/rows`}
        filters={{ outcome }}
        noun="rows"
        caption="Rows"
        columns={columnsOf(isPlan)}
        keyOf={({ row, vehicle_id: id, key }) => `${row} ${id} ${key}`}
        empty={<Text size="sm">There are no rows to show. They are kept for 30 days.</Text>}
      />
    </Section>
  );
};
