import { Text } from "@mantine/core";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import { change } from "../api/client.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { useEdit } from "../forms/edit.ts";
import { EditDialog } from "../forms/edit-dialog.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { throwIfIssues } from "../forms/throw-if-issues.ts";
import { notify } from "../page/notify.tsx";
import { bodyOfDealer, draftOfDealer, issuesOfNetworks, withCoordinates } from "./dealer-draft.ts";
import { DealerFields } from "./dealer-fields.tsx";

type DealerDialogProps = RecordDialogProps<Dealer>;

/** Changes a dealer. */
export const EditDealer = ({ record, onClose }: DealerDialogProps) => {
  const editing = useEdit({
    path: `/dealers/${record.id}`,
    record,
    draftOf: draftOfDealer,
    bodyOf: bodyOfDealer,
  });
  const { draft, changes, save } = editing;
  const submit = async (): Promise<void> => {
    throwIfIssues(issuesOfNetworks(draft.values));
    if (Object.keys(changes).length > 0) {
      await save(withCoordinates(changes, draft.values));
      notify(`${draft.values.name} is saved.`);
    }
    onClose();
  };
  return (
    <EditDialog
      name={record.name}
      id={record.id}
      resource="dealers"
      editing={editing}
      onSubmit={submit}
      onClose={onClose}
    >
      <DealerFields draft={draft} />
    </EditDialog>
  );
};

/** Asks before a dealer is deactivated. */
export const DeactivateDealer = ({ record, onClose }: DealerDialogProps) => (
  <ConfirmDialog
    title={`Deactivate ${record.name}?`}
    confirm="Deactivate"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await change("DELETE", `/dealers/${record.id}`);
      notify(`${record.name} is inactive.`);
    }}
  >
    <Text size="sm">
      The record stays, with its keys and vehicles; its keys go on working. It can be activated again.
    </Text>
  </ConfirmDialog>
);

/** Asks before an inactive dealer is reactivated. */
export const ActivateDealer = ({ record, onClose }: DealerDialogProps) => (
  <ConfirmDialog
    title={`Activate ${record.name}?`}
    confirm="Activate"
    onClose={onClose}
    onConfirm={async () => {
      await change("PUT", `/dealers/${record.id}`, { active: true });
      notify(`${record.name} is active.`);
    }}
  >
    <Text size="sm">It is listed as an active dealer again.</Text>
  </ConfirmDialog>
);
