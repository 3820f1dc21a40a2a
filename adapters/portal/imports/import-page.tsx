import { Button, Progress, Text } from "@mantine/core";
import type { Import } from "../../../core/imports/import.ts";
import { useRecord } from "../api/queries.ts";
import { useRecordDialogs } from "../forms/record-dialogs.tsx";
import { Figures, formatNumber } from "../page/figures.tsx";
import { LinkButton } from "../page/link.tsx";
import { Notice } from "../page/notice.tsx";
import { Page } from "../page/page.tsx";
import { QueryResult } from "../page/query-result.tsx";
import { RecordPage } from "../page/record-page.tsx";
import { Section } from "../page/section.tsx";
import { Assumptions } from "./assumptions.tsx";
import { useChosenFile } from "./chosen-file.tsx";
import { FetchedPhotos } from "./fetched-images.tsx";
import { ConfirmMissing, DeleteImport, useCancel, useFailedRows, useRun } from "./import-actions.tsx";
import { ImportFacts } from "./import-facts.tsx";
import { ImportRows } from "./import-rows.tsx";
import { ImportStateBadge } from "./import-state.tsx";
import { isDryRun, isFetching, isInProgress, labelIn, MODES, nameOf, OUTCOMES } from "./import-words.ts";
import { MendRows } from "./mend-rows.tsx";
import { Values } from "./values.tsx";

const BREADCRUMBS = [["Import", "/imports"]] as const;
const REFETCH_MS = 1_000;
const ALL_PERCENT = 100;

const ImportProgress = ({ record }: { record: Import }) => {
  const { read, total } = record.progress;
  const percent = total === 0 ? 0 : Math.floor((read / total) * ALL_PERCENT);
  return (
    <Section title={isDryRun(record) ? "Checking" : "Importing"}>
      <Progress.Root>
        <Progress.Section value={percent} aria-label="Progress" />
      </Progress.Root>
      <Text size="sm" role="status">
        {record.state === "queued"
          ? "Waits for its turn. This page may be left; it goes on."
          : `${formatNumber(read)} of ${formatNumber(total)} rows. This page may be left; it goes on.`}
      </Text>
    </Section>
  );
};

/** What the user should know or do in the current state. */
const StateNotice = ({ record, onConfirm }: { record: Import; onConfirm: () => void }) => {
  const { state, error, counts } = record;
  if (state === "previewed")
    return <Notice title="Nothing is changed yet">Look at the rows below. Confirm does what they say.</Notice>;
  if (state === "needs_confirmation")
    return (
      <Notice title={`${formatNumber(counts.missing ?? 0)} vehicles are missing in the file`}>
        <p className="page-subtitle">
          That is more than was expected. The other rows are imported; these wait for 7 days.
        </p>
        <Button size="xs" onClick={onConfirm}>
          Confirm the missing…
        </Button>
      </Notice>
    );
  if (state === "cancelled") return <Notice title="It was cancelled">What was done before stays.</Notice>;
  return error === null ? null : <Notice title="It could not be finished">{error.message}</Notice>;
};

const figuresOf = (record: Import) => {
  const { counts } = record;
  const place = isDryRun(record) ? 1 : 0;
  const hasMissing = record.mode === "snapshot";
  return [
    [OUTCOMES.created[place], counts.created],
    [OUTCOMES.updated[place], counts.updated],
    [OUTCOMES.unchanged[place], counts.unchanged],
    [OUTCOMES.failed[place], counts.failed],
    ...((counts.skipped ?? 0) > 0 ? ([[OUTCOMES.skipped[place], counts.skipped ?? 0]] as const) : []),
    ...(hasMissing ? ([[OUTCOMES.missing[place], counts.missing ?? "Not known"]] as const) : []),
    ...((counts.kept ?? 0) > 0 ? ([["With kept values", counts.kept ?? 0]] as const) : []),
    ["Warnings", counts.warnings],
  ] as const;
};

const DIALOGS = { delete: DeleteImport, missing: ConfirmMissing };

const ImportView = ({ record }: { record: Import }) => {
  const { chosen } = useChosenFile();
  const { open, dialog } = useRecordDialogs(DIALOGS, record);
  const run = useRun(record);
  const cancel = useCancel(record);
  const failedRows = useFailedRows(record);
  const { state, counts } = record;
  const hasValues = !isInProgress(record) && record.unknown_values.length > 0;
  const rows = () => (
    <>
      {counts.failed > 0 && !isInProgress(record) && !isDryRun(record) && <MendRows record={record} />}
      {!isInProgress(record) && <ImportRows key={state} record={record} />}
    </>
  );
  const isFileStillChosen = chosen?.importId === record.id && (state === "previewed" || state === "failed");
  return (
    <RecordPage
      title={nameOf(record)}
      breadcrumbs={BREADCRUMBS}
      state={<ImportStateBadge record={record} />}
      subtitle={labelIn(MODES, record.mode)}
      actions={
        <>
          {isInProgress(record) && (
            <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
              Cancel
            </Button>
          )}
          {isFileStillChosen && (
            <LinkButton to="/imports/new" variant="default">
              Change columns
            </LinkButton>
          )}
          {counts.failed > 0 && !isInProgress(record) && (
            <Button variant="default" loading={failedRows.isPending} onClick={() => failedRows.mutate()}>
              Download failed rows
            </Button>
          )}
          {state === "previewed" && (
            <Button loading={run.isPending} onClick={() => run.mutate()}>
              Confirm
            </Button>
          )}
          {state === "cancelled" && (
            <Button loading={run.isPending} onClick={() => run.mutate()}>
              Go on
            </Button>
          )}
          {(state === "completed" || state === "failed") && !isFileStillChosen && (
            <LinkButton to="/imports">Import another file</LinkButton>
          )}
        </>
      }
      menu={[!isInProgress(record) && { label: "Delete…", onClick: () => open("delete") }]}
      above={
        <>
          {isInProgress(record) ? (
            <ImportProgress record={record} />
          ) : (
            <StateNotice record={record} onConfirm={() => open("missing")} />
          )}
          <Figures label="Rows by outcome" figures={figuresOf(record)} />
          {!isInProgress(record) && record.images !== null && <FetchedPhotos record={record} images={record.images} />}
          {!isInProgress(record) && <Assumptions record={record} />}
        </>
      }
      tabs={
        hasValues
          ? [
              { name: "rows", label: "Rows", content: rows },
              {
                name: "values",
                label: `Values (${formatNumber(record.unknown_values.length)})`,
                content: () => <Values record={record} />,
              },
            ]
          : []
      }
      aside={<ImportFacts record={record} />}
    >
      {!hasValues && rows()}
      {dialog}
    </RecordPage>
  );
};

/** The page of one import: its progress, the result of each row, and the decisions that it waits for. */
export const ImportPage = ({ id }: { id: string }) => {
  const found = useRecord<Import>(
    `/imports/${id}`,
    {},
    { staleMs: 0, refetchAfterMs: (record) => (isInProgress(record) || isFetching(record) ? REFETCH_MS : null) },
  );
  return (
    <QueryResult
      query={found}
      placeholder={
        <Page title="Import" breadcrumbs={BREADCRUMBS}>
          {null}
        </Page>
      }
    >
      {(record) => <ImportView record={record} />}
    </QueryResult>
  );
};
