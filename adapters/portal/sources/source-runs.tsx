import { List, Text } from "@mantine/core";
import type { SourceRun } from "../../../core/sources/source.ts";
import { withLabels } from "../imports/import-options.ts";
import { sizeInWords } from "../imports/import-words.ts";
import { type Column, RecordTable } from "../lists/record-table.tsx";
import { PageLink } from "../page/link.tsx";
import { Section } from "../page/section.tsx";
import { RelativeTime } from "../times/times.tsx";

const resultOf = ({ problem, import_id }: SourceRun): string =>
  problem ?? (import_id === null ? "The file is the same as before" : "A file arrived and is imported");

/** What the import of a file assumed or left undone. */
export const WarningList = ({ warnings }: Pick<SourceRun, "warnings">) => (
  <List size="sm">
    {warnings.map(({ path, code, message }) => (
      <List.Item key={`${code} ${path}`}>
        {path !== "" && <strong>{path}</strong>} {withLabels(message)}
      </List.Item>
    ))}
  </List>
);

const COLUMNS: readonly Column<SourceRun>[] = [
  { head: "When", cell: ({ at }) => <RelativeTime at={at} /> },
  {
    head: "What came of it",
    cell: (run) => (
      <div className="wraps">
        {resultOf(run)}
        {run.warnings.length > 0 && (
          <>
            , with warnings
            <WarningList warnings={run.warnings} />
          </>
        )}
      </div>
    ),
  },
  { head: "Size", numeric: true, cell: ({ bytes }) => (bytes === null || bytes === 0 ? "—" : sizeInWords(bytes)) },
  { head: "Answer", numeric: true, cell: ({ status }) => status ?? "None" },
  {
    head: "Import",
    cell: ({ import_id: id }) => (id === null ? "—" : <PageLink to={`/imports/${id}`}>Import {id}</PageLink>),
  },
];

/** The fetches of a source and their results, newest first. */
export const SourceRuns = ({ runs }: { runs: readonly SourceRun[] }) => (
  <Section title="Runs">
    {runs.length === 0 ? (
      <Text size="sm">It has not been fetched yet.</Text>
    ) : (
      <RecordTable caption="Runs" columns={COLUMNS} rows={runs} keyOf={({ at, import_id }) => `${at} ${import_id}`} />
    )}
  </Section>
);
