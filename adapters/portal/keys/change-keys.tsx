import { Text } from "@mantine/core";
import { useState } from "react";
import { change } from "../api/client.ts";
import type { KeyWithSecret, NewSecret } from "../api/responses.ts";
import { TextField } from "../forms/fields.tsx";
import type { BulkAction, BulkDialogProps } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { formatCount } from "../page/figures.tsx";
import { dateInDays, endOfDate } from "../times/dates.ts";
import { CalendarDate, RelativeTime, UpcomingTime } from "../times/times.tsx";
import { DEFAULT_EXTENSION_DAYS } from "./key-dialogs.tsx";
import type { NamedKey } from "./key-state.tsx";
import { defaultGrace, GraceField } from "./rotate-dialog.tsx";
import { SecretsDialog } from "./secret-dialogs.tsx";

const countOfKeys = (count: number): string => formatCount(count, "key");

const KEY_ROWS = { keyOf: ({ id }: NamedKey) => id, nameOf: ({ name }: NamedKey) => name };

/** Whether something will break. */
const lastUse = ({ last_used_at }: NamedKey) =>
  last_used_at === null ? (
    "Never used"
  ) : (
    <>
      Used <RelativeTime at={last_used_at} />
    </>
  );

const expiry = ({ expires_at }: NamedKey) =>
  expires_at === null ? (
    "Never expires"
  ) : (
    <>
      Expires <CalendarDate at={expires_at} />
    </>
  );

const RevokeKeys = (dialogProps: BulkDialogProps<NamedKey>) => (
  <BulkChange
    {...dialogProps}
    {...KEY_ROWS}
    title={(count) => `Revoke ${countOfKeys(count)}?`}
    confirm="Revoke"
    resultTitle={(count) => `${countOfKeys(count)} revoked`}
    danger
    skipReason={({ active }) => !active && "Revoked already"}
    detail={lastUse}
    changeRow={async ({ id }) => {
      await change("POST", `/keys/${id}/revoke`);
      return "Refused from now on";
    }}
    undoRow={async ({ id }) => {
      await change("PUT", `/keys/${id}`, { active: true });
      return "Active again";
    }}
  >
    <Text size="sm">
      Whatever uses one of them will be refused with status 401 from its next request on. They can be re-activated
      later.
    </Text>
  </BulkChange>
);

const ExtendKeys = (dialogProps: BulkDialogProps<NamedKey>) => {
  const [date, setDate] = useState(() => dateInDays(DEFAULT_EXTENSION_DAYS));
  const until = endOfDate(date);
  const skipReasonOf = ({ expires_at }: NamedKey): string | false => {
    if (expires_at === null) return "Never expires";
    return until !== null && Date.parse(expires_at) >= Date.parse(until) && "Expires later than that";
  };
  return (
    <BulkChange
      {...dialogProps}
      {...KEY_ROWS}
      title={(count) => `Extend ${countOfKeys(count)}?`}
      confirm="Extend"
      resultTitle={(count) => `${countOfKeys(count)} extended`}
      skipReason={skipReasonOf}
      detail={expiry}
      changeRow={async ({ id }) => expiry(await change<NamedKey>("PUT", `/keys/${id}`, { expires_at: until }))}
      undoRow={async ({ id, expires_at }) => expiry(await change<NamedKey>("PUT", `/keys/${id}`, { expires_at }))}
    >
      <Text size="sm">Leave the date empty to let them never expire.</Text>
      <TextField path="expires_at" label="Expires at the end of" type="date" value={date} onChange={setDate} />
    </BulkChange>
  );
};

const RotateKeys = ({ onDone, ...dialogProps }: BulkDialogProps<NamedKey>) => {
  const [grace, setGrace] = useState(() => defaultGrace(dialogProps.rows));
  const [secrets, setSecrets] = useState<readonly NewSecret[]>([]);
  const [isShowing, setShowing] = useState(false);
  if (isShowing)
    return (
      <SecretsDialog
        title={`The new secrets of ${countOfKeys(secrets.length)}`}
        before={grace === "0" ? "The secrets from before have ended." : "The secrets from before end with their grace."}
        secrets={secrets}
        onClose={onDone}
      />
    );
  return (
    <BulkChange
      {...dialogProps}
      {...KEY_ROWS}
      title={(count) => `Rotate ${countOfKeys(count)}?`}
      confirm="Rotate"
      resultTitle={(count) => `${countOfKeys(count)} rotated`}
      danger={grace === "0"}
      detail={lastUse}
      changeRow={async ({ id }) => {
        const rotated = await change<KeyWithSecret>("POST", `/keys/${id}/rotate`, { grace_seconds: Number(grace) });
        setSecrets((before) => [...before, rotated]);
        return rotated.grace_until === null ? (
          "The old secret has ended"
        ) : (
          <>
            Old secret until <UpcomingTime at={rotated.grace_until} />
          </>
        );
      }}
      {...(secrets.length > 0 && { requiredExitLabel: "Show the new secrets" })}
      onDone={() => (secrets.length === 0 ? onDone() : setShowing(true))}
    >
      <Text size="sm">
        Each key gets a new secret, which is shown once.
        {grace === "0" && " Whatever uses an old one is refused with status 401 from its next request on."}
      </Text>
      <GraceField label="Grace for the old secrets" value={grace} onChange={setGrace} />
    </BulkChange>
  );
};

/** The bulk actions for keys, for users who may change keys. */
export const KEY_CHANGES: readonly BulkAction<NamedKey>[] = [
  { label: "Rotate…", dialog: (dialogProps) => <RotateKeys {...dialogProps} /> },
  { label: "Extend…", dialog: (dialogProps) => <ExtendKeys {...dialogProps} /> },
  { label: "Revoke…", dialog: (dialogProps) => <RevokeKeys {...dialogProps} /> },
];
