import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Source } from "../../../core/sources/source.ts";
import { ApiError, change, deleteForGood } from "../api/client.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { sayDone } from "../shell/done.ts";
import { RecordMenu } from "../shell/record-menu.tsx";

/** Where a source is read and changed. */
export const pathOf = ({ id }: Pick<Source, "id">): string => `/import-sources/${id}`;

const sayWhy = (error: Error): void =>
  sayDone(error instanceof ApiError ? error.sentence : "Something went wrong in this page. Try again.");

/** Has a source fetched now, in the background. */
export const useFetch = (record: Source) =>
  useMutation({
    mutationFn: () => change<Source>("POST", `${pathOf(record)}/run`),
    onSuccess: () => sayDone(`${record.name} is fetched in a moment.`),
    onError: sayWhy,
  });

/** Has a source fetched by the clock, or no more. */
export const useSwitch = (record: Source) =>
  useMutation({
    mutationFn: () => change<Source>("PUT", pathOf(record), { active: !record.active }),
    onSuccess: ({ name, active }) => sayDone(`${name} is switched ${active ? "on" : "off"}.`),
    onError: sayWhy,
  });

/** The entry of a menu that switches a source. */
export const switchItem = (record: Source, { mutate }: ReturnType<typeof useSwitch>) => ({
  label: record.active ? "Switch off" : "Switch on",
  onClick: () => mutate(),
});

interface AskProps {
  readonly record: Source;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Asks before a source is taken away. */
export const DeleteSource = ({ record, onClose, onDone }: AskProps) => (
  <ConfirmDialog
    title={`Delete ${record.name}?`}
    confirm="Delete"
    danger
    onClose={onClose}
    onConfirm={() => deleteForGood(pathOf(record))}
    onDone={() => {
      onClose();
      onDone();
      sayDone(`${record.name} is deleted.`);
    }}
  >
    <Text size="sm">It is not fetched any more. Imports that were made of its files stay.</Text>
  </ConfirmDialog>
);

/** What can be done with a source in a list. */
export const SourceMenu = ({ record }: { record: Source }) => {
  const [isAsking, setAsking] = useState(false);
  const fetching = useFetch(record);
  const switching = useSwitch(record);
  return (
    <>
      <RecordMenu
        name={record.name}
        items={[
          { label: "Open", to: `/imports/sources/${record.id}` },
          { label: "Fetch now", onClick: () => fetching.mutate() },
          switchItem(record, switching),
          { label: "Delete…", onClick: () => setAsking(true) },
        ]}
      />
      {isAsking && <DeleteSource record={record} onClose={() => setAsking(false)} onDone={() => {}} />}
    </>
  );
};
