import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { Source } from "../../../core/sources/source.ts";
import { useRecord } from "../api/queries.ts";
import { AuditTrail } from "../audit/audit-trail.tsx";
import { useRecordDialogs } from "../forms/record-dialogs.tsx";
import { Notice } from "../page/notice.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { RecordPage } from "../page/record-page.tsx";
import { useMay } from "../session/session.tsx";
import { DateAndRelativeTime } from "../times/times.tsx";
import { EditSource } from "./edit-source.tsx";
import { scheduleInWords } from "./schedule.ts";
import { DeleteSource, pathOf, switchItem, useFetch, useSwitch } from "./source-actions.tsx";
import { SourceFacts } from "./source-facts.tsx";
import { SourceRuns, WarningList } from "./source-runs.tsx";
import { lastWarningsOf, SourceStateBadge } from "./source-state.tsx";

const BREADCRUMBS = [
  ["Import", "/imports"],
  ["Sources", "/imports/sources"],
] as const;

/** How often the page looks for new runs, such as one that the user just requested. */
const REFRESH_MS = 5_000;
const SOON_MS = 1_000;

const lastRunOf = ({ runs: [last] }: Source): string => last?.at ?? "";

const DIALOGS = { edit: EditSource, delete: DeleteSource };

interface ViewProps {
  readonly record: Source;
  readonly isRunAwaited: boolean;
  readonly onFetchRequested: () => void;
}

const SourceView = ({ record, isRunAwaited, onFetchRequested }: ViewProps) => {
  const may = useMay();
  const { open, dialog } = useRecordDialogs(DIALOGS, record);
  const fetching = useFetch(record);
  const switching = useSwitch(record);
  const lastWarnings = lastWarningsOf(record);
  const problem = record.runs[0]?.problem ?? null;
  return (
    <RecordPage
      title={record.name}
      breadcrumbs={BREADCRUMBS}
      state={<SourceStateBadge record={record} />}
      subtitle={scheduleInWords(record.schedule)}
      actions={
        <>
          <Button variant="default" onClick={() => open("edit")}>
            Edit
          </Button>
          <Button
            loading={fetching.isPending}
            onClick={() => fetching.mutate(undefined, { onSuccess: onFetchRequested })}
          >
            Fetch now
          </Button>
        </>
      }
      menu={[switchItem(record, switching), { label: "Delete…", onClick: () => open("delete") }]}
      above={
        <>
          {record.failing_since !== null && problem !== null && (
            <Notice title="It keeps failing">
              {problem}. Since <DateAndRelativeTime at={record.failing_since} />. After 7 days it is switched off.
            </Notice>
          )}
          {lastWarnings.length > 0 && (
            <Notice title="The last file was imported with warnings">
              <WarningList warnings={lastWarnings} />
            </Notice>
          )}
          {isRunAwaited && (
            <Text size="sm" role="status">
              It is being fetched. This page may be left; it goes on.
            </Text>
          )}
        </>
      }
      aside={<SourceFacts record={record} />}
      below={may("audit:read") && <AuditTrail resource="sources" id={record.id} />}
    >
      <SourceRuns runs={record.runs} />
      {dialog}
    </RecordPage>
  );
};

/** The page of one source: its fetches, their schedule and import options, and its history. */
export const SourcePage = ({ id }: { id: string }) => {
  /** The last run when the user requested another. */
  const [lastSeenRun, setSeen] = useState<string | null>(null);
  const isAwaited = (record: Source): boolean => lastRunOf(record) === lastSeenRun;
  const found = useRecord<Source>(
    pathOf({ id: Number(id) }),
    {},
    { staleMs: 0, refetchAfterMs: (record) => (isAwaited(record) ? SOON_MS : REFRESH_MS) },
  );
  return (
    <QueryResult
      query={found}
      placeholder={
        <Page title="Source" breadcrumbs={BREADCRUMBS}>
          {null}
        </Page>
      }
    >
      {(record) => (
        <SourceView
          record={record}
          isRunAwaited={isAwaited(record)}
          onFetchRequested={() => setSeen(lastRunOf(record))}
        />
      )}
    </QueryResult>
  );
};
