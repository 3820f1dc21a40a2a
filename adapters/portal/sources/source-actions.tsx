import { Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Source } from "../../../core/sources/source.ts";
import { change } from "../api/client.ts";
import { DeleteDialog } from "../forms/delete-dialog.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { notify, notifyFailure } from "../page/notify.tsx";
import { RecordMenu } from "../page/record-menu.tsx";

/** The path of a source. */
export const pathOf = ({ id }: Pick<Source, "id">): string => `/import-sources/${id}`;

const pageOf = ({ id }: Source): string => `/imports/sources/${id}`;

/** Fetches a source now, in the background. */
export const useFetch = (record: Source) =>
  useMutation({
    mutationFn: () => change<Source>("POST", `${pathOf(record)}/run`),
    onSuccess: () => notify(`${record.name} is fetched in a moment.`),
    onError: (error) => notifyFailure(error),
  });

/** Switches the scheduled fetches of a source on or off. */
export const useSwitch = (record: Source) =>
  useMutation({
    mutationFn: () => change<Source>("PUT", pathOf(record), { active: !record.active }),
    onSuccess: ({ name, active }) => notify(`${name} is switched ${active ? "on" : "off"}.`),
    onError: (error) => notifyFailure(error),
  });

/** The menu item that switches a source on or off. */
export const switchItem = (record: Source, { mutate }: ReturnType<typeof useSwitch>) => ({
  label: record.active ? "Switch off" : "Switch on",
  onClick: () => mutate(),
});

/** Asks before a source is deleted, then leaves its page. */
export const DeleteSource = ({ record, onClose }: RecordDialogProps<Source>) => (
  <DeleteDialog name={record.name} path={pathOf(record)} page={pageOf(record)} onClose={onClose}>
    <Text size="sm">It is not fetched any more. Imports that were made of its files stay.</Text>
  </DeleteDialog>
);

/** The menu of a source in a list. */
export const SourceMenu = ({ record }: { record: Source }) => {
  const [isConfirming, setConfirming] = useState(false);
  const fetching = useFetch(record);
  const switching = useSwitch(record);
  return (
    <>
      <RecordMenu
        name={record.name}
        items={[
          { label: "Open", to: pageOf(record) },
          { label: "Fetch now", onClick: () => fetching.mutate() },
          switchItem(record, switching),
          { label: "Delete…", onClick: () => setConfirming(true) },
        ]}
      />
      {isConfirming && <DeleteSource record={record} onClose={() => setConfirming(false)} />}
    </>
  );
};
