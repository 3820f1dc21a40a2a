import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type Action, AUDITED, AUDITED_RESOURCES, DENIED } from "../../../core/audit/actions.ts";
import { type Query, readFile } from "../api/client.ts";
import { DEALER_FILTER } from "../choices/dealer-choice.tsx";
import { Filters } from "../lists/filters.tsx";
import { useListState } from "../lists/list-state.ts";
import { EmptyState } from "../lists/record-list.tsx";
import { Views } from "../lists/views.tsx";
import { downloadCsv } from "../page/download-csv.ts";
import { notifyFailure } from "../page/notify.tsx";
import { Page } from "../page/page.tsx";
import { endOfDate, startOfDate } from "../times/dates.ts";
import { actionInWords } from "./action-words.ts";
import { useAuditEntries } from "./audit-entries.ts";
import { EntryList } from "./entry-list.tsx";

/** Saves all entries that match these filters as a table. */
const ExportButton = ({ filters }: { filters: Query }) => {
  const saving = useMutation({
    mutationFn: async () => {
      const file = await readFile("/audit/export", filters);
      downloadCsv([file], "audit.csv");
    },
    onError: (error) => notifyFailure(error, "The file could not be read. Try again."),
  });
  return (
    <Button variant="default" loading={saving.isPending} onClick={() => saving.mutate()}>
      Export
    </Button>
  );
};

const PAGE_SIZE = 50;

const RESOURCES = AUDITED_RESOURCES.map((word) => [word, word] as const);
const ACTIONS = ([...Object.keys(AUDITED), DENIED] as Action[]).map(
  (action) => [action, actionInWords(action)] as const,
);
const VIA = [
  ["api", "API"],
  ["portal", "Portal"],
  ["command", "Command line"],
] as const;

/** The audit log: who changed what, and when, through every entry point. */
export const AuditPage = () => {
  const list = useListState();
  const { filter } = list;
  const filters = {
    person: filter("person"),
    resource: filter("resource"),
    id: filter("id"),
    dealer_id: filter("dealer_id"),
    change_id: filter("change_id"),
    action: filter("action"),
    via: filter("via"),
    from: filter("from") === "" ? undefined : startOfDate(filter("from")),
    to: filter("to") === "" ? undefined : (endOfDate(filter("to")) ?? undefined),
  };
  const entries = useAuditEntries(filters, PAGE_SIZE);
  return (
    <Page
      title="Audit"
      subtitle="Changes and refusals, newest first"
      actions={
        <>
          <Views noun="audit" />
          <ExportButton filters={filters} />
        </>
      }
    >
      <div className="card">
        <Filters
          list={list}
          filters={[
            { name: "person", label: "Person" },
            { name: "resource", label: "Resource", options: RESOURCES },
            { name: "id", label: "Record number" },
            DEALER_FILTER,
            { name: "change_id", label: "Change" },
            { name: "action", label: "Action", options: ACTIONS },
            { name: "via", label: "Via", options: VIA },
            { name: "from", label: "From", type: "date" },
            { name: "to", label: "Until", type: "date" },
          ]}
        />
        <EntryList
          entries={entries}
          empty={
            <EmptyState title="No entries">
              {list.isFiltered
                ? "Nothing matches these filters. Clear them to see everything."
                : "Nothing was changed yet."}
            </EmptyState>
          }
        />
      </div>
    </Page>
  );
};
