import { Text } from "@mantine/core";
import { useState } from "react";
import type { Webhook } from "../../../core/webhooks/webhook.ts";
import { change } from "../api/client.ts";
import { CopyText } from "../forms/copy-text.tsx";
import { DeleteDialog } from "../forms/delete-dialog.tsx";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { EditRecord } from "../forms/edit-record.tsx";
import { TextField } from "../forms/fields.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { RotateDialog } from "../keys/rotate-dialog.tsx";
import { ShowOnceDialog } from "../keys/secret-dialogs.tsx";
import { formatCount } from "../page/figures.tsx";
import { notify } from "../page/notify.tsx";
import { dateInDays, dateOf, startOfDate } from "../times/dates.ts";
import { changesOfWebhook, draftOfWebhook } from "./webhook-draft.ts";
import { WebhookFields } from "./webhook-fields.tsx";
import { nameOf, pathOf } from "./webhook-words.ts";

/** A webhook with its secret, which the service returns only once. */
export interface WebhookWithSecret extends Webhook {
  readonly secret: string;
}

type WebhookDialogProps = RecordDialogProps<Webhook>;

/** Shows the secret of a webhook once; the user must confirm that it is copied. */
export const WebhookSecretDialog = ({ webhook, onClose }: { webhook: WebhookWithSecret; onClose: () => void }) => (
  <ShowOnceDialog
    title={`The secret of ${nameOf(webhook)}`}
    notice="Give it to the receiver, which verifies with it that messages are from here. It is shown this once."
    confirmLabel="I have copied the secret"
    onClose={onClose}
  >
    <CopyText label="Secret of the webhook" text={webhook.secret} />
  </ShowOnceDialog>
);

/** Changes a webhook. */
export const EditWebhook = (dialog: WebhookDialogProps) => (
  <EditRecord
    {...dialog}
    resource="webhooks"
    path={pathOf(dialog.record)}
    draftOf={draftOfWebhook}
    bodyOf={changesOfWebhook}
    nameOf={nameOf}
  >
    {({ draft }) => <WebhookFields draft={draft} isNew={false} />}
  </EditRecord>
);

/** Gives a webhook a new secret, and shows it. */
export const RotateWebhook = ({ record, onClose }: WebhookDialogProps) => (
  <RotateDialog
    title="Give this webhook a new secret?"
    path={`${pathOf(record)}/rotate-secret`}
    label="Grace for the old secret"
    ending="it"
    explain={(endsNow) => (
      <Text size="sm">
        {endsNow
          ? "The receiver refuses messages until it is told the new secret."
          : "Until the grace ends, messages are signed with both secrets."}
      </Text>
    )}
    showOnce={(webhook: WebhookWithSecret, close) => <WebhookSecretDialog webhook={webhook} onClose={close} />}
    onClose={onClose}
  />
);

const YESTERDAY = -1;

/** Sends what failed, and what was not sent, since a day. */
export const RecoverWebhook = ({ record, onClose }: WebhookDialogProps) => {
  const [usual] = useState(() =>
    record.failing_since === null ? dateInDays(YESTERDAY) : dateOf(record.failing_since),
  );
  const [since, setSince] = useState(usual);
  return (
    <ConfirmDialog
      title="Send what was missed?"
      confirm="Send"
      isChanged={since !== usual}
      onClose={onClose}
      onConfirm={async () => {
        const body = { since: startOfDate(since) ?? since };
        const { queued } = await change<{ queued: number }>("POST", `${pathOf(record)}/recover`, body);
        notify(queued === 0 ? "Nothing was missed since then." : `${formatCount(queued, "message")} will be sent.`);
      }}
    >
      <Text size="sm">
        Messages that failed since that day, and changes that were not sent, such as those while the webhook was off.
        The receiver may get some of them twice.
      </Text>
      <TextField path="since" label="Since the beginning of" type="date" value={since} onChange={setSince} required />
    </ConfirmDialog>
  );
};

/** Asks before a webhook is deleted, then leaves its page. */
export const DeleteWebhook = ({ record, onClose }: WebhookDialogProps) => (
  <DeleteDialog name={nameOf(record)} path={pathOf(record)} page={`/webhooks/${record.id}`} onClose={onClose}>
    <Text size="sm">Nothing more is sent, not even what waits. This cannot be undone.</Text>
  </DeleteDialog>
);
