import { Button, Stack, Text } from "@mantine/core";
import type { SentInvitation } from "../api/responses.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { Dialog } from "../forms/dialog.tsx";
import { DateTime } from "../times/times.tsx";

interface InvitationDialogProps {
  readonly name: string;
  readonly invitation: SentInvitation;
  readonly onClose: () => void;
}

/** Shows an invitation link once. */
export const InvitationDialog = ({ name, invitation, onClose }: InvitationDialogProps) => (
  <Dialog title={`Invitation for ${name}`} onClose={onClose}>
    <Stack>
      <Text size="sm">
        {invitation.sent
          ? `The link was mailed to ${name}. It is shown here this once, should the mail not arrive.`
          : `Nothing was mailed. Hand this link to ${name} yourself: it is shown this once.`}{" "}
        Whoever has it chooses the password of the account. It works once, until <DateTime at={invitation.expires_at} />
        .
      </Text>
      <CopyText label="Invitation link" text={invitation.url} />
      <Button onClick={onClose}>Done</Button>
    </Stack>
  </Dialog>
);
