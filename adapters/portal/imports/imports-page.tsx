import { useState } from "react";
import type { Import } from "../../../core/imports/import.ts";
import type { ListResult } from "../api/client.ts";
import { DealerName } from "../choices/dealer-choice.tsx";
import { CursorList } from "../lists/cursor-list.tsx";
import { EmptyState } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoLineCell } from "../lists/two-line-cell.tsx";
import { formatNumber } from "../page/figures.tsx";
import { LinkButton, PageLink } from "../page/link.tsx";
import { Page } from "../page/page.tsx";
import { RecordMenu } from "../page/record-menu.tsx";
import { Section } from "../page/section.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { RelativeTime } from "../times/times.tsx";
import { FileDrop } from "./file-drop.tsx";
import { DeleteImport, useCancel } from "./import-actions.tsx";
import { ImportStateBadge } from "./import-state.tsx";
import { importedBy, isDryRun, isInProgress, nameOf } from "./import-words.ts";
import { SampleFile } from "./sample-file.tsx";

const REFETCH_MS = 3_000;

const refetchIntervalOf = ({ items }: ListResult<Import>): number | null =>
  items.some(isInProgress) ? REFETCH_MS : null;

const FILE: Column<Import> = {
  head: "File",
  cell: (record) => (
    <TwoLineCell
      first={<PageLink to={`/imports/${record.id}`}>{nameOf(record)}</PageLink>}
      second={`${formatNumber(record.file.rows)} rows`}
    />
  ),
};

const DEALER: Column<Import> = {
  head: "Dealer",
  leaves: "second",
  cell: ({ dealer_id: id }) => (id === null ? "Several" : <DealerName id={id} />),
};

/** "12", or "12 to add" of a check, which changed nothing. */
const countText = (record: Import, count: number, verb: string): string =>
  isDryRun(record) ? `${formatNumber(count)} to ${verb}` : formatNumber(count);

const FACTS: readonly Column<Import>[] = [
  { head: "State", cell: (record) => <ImportStateBadge record={record} /> },
  { head: "Added", numeric: true, cell: (record) => countText(record, record.counts.created, "add") },
  { head: "Changed", numeric: true, cell: (record) => countText(record, record.counts.updated, "change") },
  { head: "Failed", numeric: true, cell: ({ counts }) => formatNumber(counts.failed) },
  { head: "Sent", cell: ({ created_at: at }) => <RelativeTime at={at} /> },
  { head: "By", leaves: "first", cell: importedBy },
];

const ImportMenu = ({ record }: { record: Import }) => {
  const [isConfirming, setConfirming] = useState(false);
  const cancel = useCancel(record);
  return (
    <>
      <RecordMenu
        name={nameOf(record)}
        items={[
          { label: "Open", to: `/imports/${record.id}` },
          isInProgress(record)
            ? { label: "Cancel", onClick: () => cancel.mutate() }
            : { label: "Delete…", onClick: () => setConfirming(true) },
        ]}
      />
      {isConfirming && <DeleteImport record={record} onClose={() => setConfirming(false)} />}
    </>
  );
};

/** Accepts the next file, and lists earlier imports. */
export const ImportsPage = () => {
  const isBound = bindingOf(useSession().user) !== null;
  return (
    <Page
      title="Import"
      subtitle="Files of vehicles, from a spreadsheet or another system"
      actions={
        <LinkButton to="/imports/sources" variant="default">
          Sources
        </LinkButton>
      }
    >
      <div className="card section">
        <FileDrop />
      </div>
      <Section title="Past imports">
        <CursorList<Import>
          path="/imports"
          noun="imports"
          refetchAfterMs={refetchIntervalOf}
          caption="Past imports"
          columns={isBound ? [FILE, ...FACTS] : [FILE, DEALER, ...FACTS]}
          keyOf={({ id }) => id}
          menu={(record) => <ImportMenu record={record} />}
          empty={
            <EmptyState title="No imports yet">
              <SampleFile />
            </EmptyState>
          }
        />
      </Section>
    </Page>
  );
};
