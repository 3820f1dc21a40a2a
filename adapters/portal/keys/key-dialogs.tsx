import { Text } from "@mantine/core";
import { useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { change } from "../api/client.ts";
import type { KeyWithSecret } from "../api/responses.ts";
import { DeleteDialog } from "../forms/delete-dialog.tsx";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { TextField } from "../forms/fields.tsx";
import type { RecordDialogProps } from "../forms/record-dialogs.tsx";
import { notify } from "../page/notify.tsx";
import { dateInDays, endOfDate } from "../times/dates.ts";
import { DateAndRelativeTime } from "../times/times.tsx";
import { Impact } from "./impact.tsx";
import { defaultGrace, RotateDialog } from "./rotate-dialog.tsx";
import { SecretDialog } from "./secret-dialogs.tsx";

type KeyDialogProps = RecordDialogProps<PresentedKey>;

const REFUSED_MESSAGE = "Whatever uses it will be refused with status 401 from its next request on.";

/** Asks before a key is revoked. */
export const RevokeDialog = ({ record, onClose }: KeyDialogProps) => (
  <ConfirmDialog
    title="Revoke this key?"
    confirm="Revoke"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await change("POST", `/keys/${record.id}/revoke`);
      notify(`${record.name} is revoked.`);
    }}
  >
    <Impact record={record}>{REFUSED_MESSAGE} It can be re-activated later.</Impact>
  </ConfirmDialog>
);

/** Asks before a revoked key is reactivated. */
export const ReactivateDialog = ({ record, onClose }: KeyDialogProps) => (
  <ConfirmDialog
    title="Re-activate this key?"
    confirm="Re-activate"
    onClose={onClose}
    onConfirm={async () => {
      await change("PUT", `/keys/${record.id}`, { active: true });
      notify(`${record.name} is active again.`);
    }}
  >
    <Impact record={record}>Whoever still has this key can use it again at once.</Impact>
  </ConfirmDialog>
);

/** Asks before a key is deleted, then leaves its page. */
export const DeleteKey = ({ record, onClose }: KeyDialogProps) => (
  <DeleteDialog
    name={record.name}
    title="Delete this key?"
    path={`/keys/${record.id}`}
    page={`/keys/${record.id}`}
    onClose={onClose}
  >
    <Impact record={record}>{REFUSED_MESSAGE} This cannot be undone; the audit log keeps what the key was.</Impact>
  </DeleteDialog>
);

/** Rotates a key, and shows its new secret. */
export const RotateKey = ({ record, onClose }: KeyDialogProps) => (
  <RotateDialog
    title="Rotate this key?"
    path={`/keys/${record.id}/rotate`}
    label="Grace for the old secret"
    usual={defaultGrace([record])}
    explain={(endsNow) => (
      <Impact record={record}>
        {endsNow
          ? "Whatever uses the old secret will be refused with status 401 from its next request on."
          : "The old secret goes on working until the grace ends; older ones end now."}
      </Impact>
    )}
    showOnce={(keyWithSecret: KeyWithSecret, close) => <SecretDialog keyWithSecret={keyWithSecret} onClose={close} />}
    onClose={onClose}
  />
);

/** The usual number of days by which a key is extended. */
export const DEFAULT_EXTENSION_DAYS = 90;

const Expiry = ({ at }: { at: string }) => (
  <>
    {Date.parse(at) <= Date.now() ? "expired on" : "expires on"} <DateAndRelativeTime at={at} />
  </>
);

/** Changes the day on which a key expires. */
export const ExtendDialog = ({ record, onClose }: KeyDialogProps) => {
  const [usual] = useState(() => dateInDays(DEFAULT_EXTENSION_DAYS));
  const [date, setDate] = useState(usual);
  return (
    <ConfirmDialog
      title="Extend this key"
      confirm="Extend"
      isChanged={date !== usual}
      onClose={onClose}
      onConfirm={async () => {
        await change("PUT", `/keys/${record.id}`, { expires_at: endOfDate(date) });
        notify(`${record.name} is extended.`);
      }}
    >
      <Text size="sm">
        {record.name} {record.expires_at === null ? "never expires" : <Expiry at={record.expires_at} />}. Leave the date
        empty to let it never expire.
      </Text>
      <TextField path="expires_at" label="Expires at the end of" type="date" value={date} onChange={setDate} />
    </ConfirmDialog>
  );
};
