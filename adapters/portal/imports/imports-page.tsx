import { useState } from "react";
import type { Import } from "../../../core/imports/import.ts";
import type { Listed } from "../api/client.ts";
import { DealerName } from "../dealers/dealer-choice.tsx";
import { CursorList } from "../lists/cursor-list.tsx";
import { Empty } from "../lists/record-list.tsx";
import type { Column } from "../lists/record-table.tsx";
import { TwoFacts } from "../lists/two-facts.tsx";
import { Ago } from "../moments/moment.tsx";
import { bindingOf } from "../session/powers.ts";
import { useSession } from "../session/session.tsx";
import { inFigures } from "../shell/figures.tsx";
import { LinkButton, PageLink } from "../shell/link.tsx";
import { Page } from "../shell/page.tsx";
import { RecordMenu } from "../shell/record-menu.tsx";
import { Section } from "../shell/section.tsx";
import { FileDrop } from "./file-drop.tsx";
import { DeleteImport, useCancel } from "./import-actions.tsx";
import { ImportStateBadge } from "./import-state.tsx";
import { byWhom, isCheck, isGoing, nameOf } from "./import-words.ts";

const REFRESH_MS = 3_000;

const againIf = ({ items }: Listed<Import>): number | null => (items.some(isGoing) ? REFRESH_MS : null);

const FILE: Column<Import> = {
  head: "File",
  cell: (record) => (
    <TwoFacts
      first={<PageLink to={`/imports/${record.id}`}>{nameOf(record)}</PageLink>}
      second={`${inFigures(record.file.rows)} rows`}
    />
  ),
};

const DEALER: Column<Import> = {
  head: "Dealer",
  cell: ({ dealer_id: id }) => (id === null ? "Several" : <DealerName id={id} />),
};

/** "12", or "12 to add" of a check, which changed nothing. */
const orPlanned = (record: Import, count: number, verb: string): string =>
  isCheck(record) ? `${inFigures(count)} to ${verb}` : inFigures(count);

const FACTS: readonly Column<Import>[] = [
  { head: "State", cell: (record) => <ImportStateBadge record={record} /> },
  { head: "Added", numeric: true, cell: (record) => orPlanned(record, record.counts.created, "add") },
  { head: "Changed", numeric: true, cell: (record) => orPlanned(record, record.counts.updated, "change") },
  { head: "Failed", numeric: true, cell: ({ counts }) => inFigures(counts.failed) },
  { head: "Sent", cell: ({ created_at: at }) => <Ago at={at} /> },
  { head: "By", cell: byWhom },
];

const ImportMenu = ({ record }: { record: Import }) => {
  const [isAsking, setAsking] = useState(false);
  const cancel = useCancel(record);
  return (
    <>
      <RecordMenu
        name={nameOf(record)}
        items={[
          { label: "Open", to: `/imports/${record.id}` },
          isGoing(record)
            ? { label: "Cancel", onClick: () => cancel.mutate() }
            : { label: "Delete…", onClick: () => setAsking(true) },
        ]}
      />
      {isAsking && <DeleteImport record={record} onClose={() => setAsking(false)} />}
    </>
  );
};

/** Takes the next file, and lists those that came before. */
export const ImportsPage = () => {
  const isBound = bindingOf(useSession().user) !== null;
  return (
    <Page
      title="Import"
      line="Files of vehicles, from a spreadsheet or another system"
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
          again={againIf}
          caption="Past imports"
          columns={isBound ? [FILE, ...FACTS] : [FILE, DEALER, ...FACTS]}
          keyOf={({ id }) => id}
          menu={(record) => <ImportMenu record={record} />}
          empty={<Empty title="No imports yet">What was imported is listed here for 30 days.</Empty>}
        />
      </Section>
    </Page>
  );
};
