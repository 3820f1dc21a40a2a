import { Text } from "@mantine/core";
import type { Dealer } from "../../../core/dealers/dealer.ts";
import { change } from "../api/client.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { EditRecord } from "../forms/edit-record.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { notify } from "../page/notify.tsx";
import { bodyOfDealer, draftOfDealer, issuesOfNetworks, withCoordinates } from "./dealer-draft.ts";
import { DealerFields } from "./dealer-fields.tsx";

type DealerDialogProps = RecordDialogProps<Dealer>;

/** Changes a dealer. */
export const EditDealer = (dialog: DealerDialogProps) => (
  <EditRecord
    {...dialog}
    resource="dealers"
    path={`/dealers/${dialog.record.id}`}
    draftOf={draftOfDealer}
    bodyOf={bodyOfDealer}
    nameOf={({ name }) => name}
    issuesOf={issuesOfNetworks}
    more={({ changes, draft }) => withCoordinates(changes, draft.values)}
  >
    {({ draft }) => <DealerFields draft={draft} />}
  </EditRecord>
);

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
