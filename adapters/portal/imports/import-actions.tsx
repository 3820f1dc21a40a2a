import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Import } from "../../../core/imports/import.ts";
import { change, readFile } from "../api/client.ts";
import { DeleteDialog } from "../forms/delete-dialog.tsx";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { numberOrText, numberText, useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { downloadCsv, downloadFile } from "../page/download-csv.ts";
import { formatCount } from "../page/figures.tsx";
import { notifyFailure } from "../page/notify.tsx";
import { nameOf } from "./import-words.ts";

const pathOf = ({ id }: Pick<Import, "id">): string => `/imports/${id}`;

/** Runs an import that was checked or cancelled. */
export const useRun = (record: Import) =>
  useMutation({
    mutationFn: () => change<Import>("POST", `${pathOf(record)}/run`),
    onError: (error) => notifyFailure(error),
  });

/** Cancels an import after the current batch of rows. */
export const useCancel = (record: Import) =>
  useMutation({
    mutationFn: () => change<Import>("POST", `${pathOf(record)}/cancel`),
    onError: (error) => notifyFailure(error),
  });

/** Saves the failed rows as a table, to correct and import again. */
export const useFailedRows = (record: Import) =>
  useMutation({
    mutationFn: async () => {
      // The system that made the file reads it again in the form in which it wrote it.
      const file = await readFile(`${pathOf(record)}/errors.csv`, { as_received: "true" });
      const { delimiter } = record.file;
      (delimiter === null ? downloadCsv : downloadFile)([file], `failed-rows-${record.id}.csv`);
    },
    onError: (error) => notifyFailure(error),
  });

/** Asks before an import is deleted, then leaves its page. */
export const DeleteImport = ({ record, onClose }: RecordDialogProps<Import>) => (
  <DeleteDialog name={nameOf(record)} path={pathOf(record)} page={`/imports/${record.id}`} onClose={onClose}>
    <Text size="sm">Its file and what became of its rows are deleted. Vehicles stay as they are.</Text>
  </DeleteDialog>
);

/**
 * Asks before missing vehicles are marked as sold or deleted. If their number changed, the user can type the new one.
 */
export const ConfirmMissing = ({ record, onClose }: RecordDialogProps<Import>) => {
  const missing = record.counts.missing ?? 0;
  const { values, bind, isChanged } = useDraft({ missing: numberText(missing) });
  const what = record.options.missing === "remove" ? "deleted" : "marked as sold";
  return (
    <ConfirmDialog
      title={`Confirm ${formatCount(missing, "missing vehicle")}?`}
      confirm="Confirm"
      danger
      isChanged={isChanged}
      onClose={onClose}
      onConfirm={() => change<Import>("POST", `${pathOf(record)}/confirm`, { missing: numberOrText(values.missing) })}
    >
      <Text size="sm">The file does not have them. They are {what}.</Text>
      <TextField {...bind("missing")} label="How many are missing" inputMode="numeric" />
    </ConfirmDialog>
  );
};
