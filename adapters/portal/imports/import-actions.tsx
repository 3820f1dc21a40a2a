import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { Import } from "../../../core/imports/import.ts";
import { ApiError, change, deleteForGood, readFile } from "../api/client.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { numberOrText, numberText, useDraft } from "../forms/draft.ts";
import { TextField } from "../forms/fields.tsx";
import { sayDone } from "../shell/done.ts";
import { counted } from "../shell/figures.tsx";
import { keepTable } from "../shell/keep-table.ts";
import { nameOf } from "./import-words.ts";

const pathOf = ({ id }: Pick<Import, "id">): string => `/imports/${id}`;

const sayWhy = (error: Error): void =>
  sayDone(error instanceof ApiError ? error.sentence : "Something went wrong in this page. Try again.");

/** Runs an import that was checked or cancelled. */
export const useRun = (record: Import) =>
  useMutation({ mutationFn: () => change<Import>("POST", `${pathOf(record)}/run`), onError: sayWhy });

/** Stops an import after its present rows. */
export const useCancel = (record: Import) =>
  useMutation({ mutationFn: () => change<Import>("POST", `${pathOf(record)}/cancel`), onError: sayWhy });

/** Saves the failed rows as a table, to be mended and sent again. */
export const useFailedRows = (record: Import) =>
  useMutation({
    mutationFn: async () => {
      const { file } = await readFile(`${pathOf(record)}/errors.csv`);
      keepTable([file], `failed-rows-${record.id}.csv`);
    },
    onError: sayWhy,
  });

interface AskProps {
  readonly record: Import;
  readonly onClose: () => void;
}

/** Asks before an import is taken away. */
export const DeleteImport = ({ record, onClose, onDone }: AskProps & { readonly onDone: () => void }) => (
  <ConfirmDialog
    title={`Delete ${nameOf(record)}?`}
    confirm="Delete"
    danger
    onClose={onClose}
    onConfirm={() => deleteForGood(pathOf(record))}
    onDone={() => {
      onClose();
      onDone();
      sayDone(`${nameOf(record)} is deleted.`);
    }}
  >
    <Text size="sm">Its file and what became of its rows are deleted. Vehicles stay as they are.</Text>
  </ConfirmDialog>
);

/** Asks before missing vehicles are marked as sold or removed. If there are others by now, their number is said and can be typed. */
export const ConfirmMissing = ({ record, onClose }: AskProps) => {
  const { missing } = record.counts;
  const { values, bind, isChanged } = useDraft({ missing: numberText(missing) });
  const what = record.options.missing === "remove" ? "removed" : "marked as sold";
  return (
    <ConfirmDialog
      title={`Confirm ${counted(missing, "missing vehicle")}?`}
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
