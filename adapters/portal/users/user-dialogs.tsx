import { Text } from "@mantine/core";
import { useState } from "react";
import type { PresentedUser } from "../../../core/users/user.ts";
import { change } from "../api/client.ts";
import { useList } from "../api/queries.ts";
import type { SentInvitation } from "../api/responses.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { notify } from "../page/notify.tsx";
import { InvitationDialog } from "./invitation-dialog.tsx";
import { OffboardingFields, useOffboarding } from "./offboarding.tsx";

type UserDialogProps = RecordDialogProps<PresentedUser>;

/** Asks before an inactive user is reactivated. */
export const ActivateUser = ({ record, onClose }: UserDialogProps) => (
  <ConfirmDialog
    title={`Activate ${record.name}?`}
    confirm="Activate"
    onClose={onClose}
    onConfirm={async () => {
      await change("PUT", `/users/${record.id}`, { active: true });
      notify(`${record.name} is active again.`);
    }}
  >
    <Text size="sm">They can sign in again, and their keys that are not revoked work again.</Text>
  </ConfirmDialog>
);

/** Creates a new invitation link and shows it. */
export const InviteAgain = ({ record, onClose }: UserDialogProps) => {
  const [invitation, setInvitation] = useState<SentInvitation | null>(null);
  if (invitation !== null) return <InvitationDialog name={record.name} invitation={invitation} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={`A new link for ${record.name}?`}
      confirm="Make the link"
      onClose={onClose}
      onDone={() => {}}
      onConfirm={async () => setInvitation(await change<SentInvitation>("POST", `/users/${record.id}/invitation`))}
    >
      <Text size="sm">
        With the link they choose a new password; the present one works until then. Links made before end now.
      </Text>
    </ConfirmDialog>
  );
};

/** Resets the second factor of a user who has lost it. */
export const ResetSecondFactor = ({ record, onClose }: UserDialogProps) => (
  <ConfirmDialog
    title={`Reset the second factor of ${record.name}?`}
    confirm="Reset"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await change("DELETE", `/users/${record.id}/second-factor`);
      notify(`${record.name} signs in with the password alone until a new second factor is set up.`);
    }}
  >
    <Text size="sm">The password alone will then be enough. Be sure that it is really they who ask.</Text>
  </ConfirmDialog>
);

/** Offboards a user, and asks whether to revoke or transfer their keys. */
export const OffboardUser = ({ record, onClose }: UserDialogProps) => {
  const offboarding = useOffboarding();
  const keys = useList<{ readonly id: number }>("/keys", { user_id: record.id, limit: 1 });
  return (
    <ConfirmDialog
      title={`Deactivate ${record.name}?`}
      confirm="Deactivate"
      danger
      isChanged={offboarding.isChanged}
      onClose={onClose}
      onConfirm={async () => {
        await change("POST", `/users/${record.id}/leave`, offboarding.body);
        notify(`${record.name} is deactivated.`);
      }}
    >
      <Text size="sm">
        The account is deactivated and signed out everywhere.{" "}
        {keys.data !== undefined && `Keys of this user: ${keys.data.total}.`}
      </Text>
      <OffboardingFields offboarding={offboarding} excludedIds={[record.id]} />
    </ConfirmDialog>
  );
};
