import { Text } from "@mantine/core";
import { useState } from "react";
import type { NewSecret, ShownKey } from "../api/answers.ts";
import { change } from "../api/client.ts";
import { TextField } from "../forms/fields.tsx";
import type { Asked, BulkAction } from "../lists/bulk.tsx";
import { BulkChange } from "../lists/bulk-change.tsx";
import { dateInDays, endOfDate } from "../moments/dates.ts";
import { Ago, Day, Soon } from "../moments/moment.tsx";
import { counted } from "../shell/figures.tsx";
import { GraceField, usualGrace } from "./grace.tsx";
import { USUAL_DAYS } from "./key-dialogs.tsx";
import type { NamedKey } from "./key-state.tsx";
import { SecretsDialog } from "./secrets-dialog.tsx";

const keys = (count: number): string => counted(count, "key");

const KEYED = { keyOf: ({ id }: NamedKey) => id, nameOf: ({ name }: NamedKey) => name };

/** Whether something will break. */
const lastUse = ({ last_used_at }: NamedKey) =>
  last_used_at === null ? (
    "Never used"
  ) : (
    <>
      Used <Ago at={last_used_at} />
    </>
  );

const expiry = ({ expires_at }: NamedKey) =>
  expires_at === null ? (
    "Never expires"
  ) : (
    <>
      Expires <Day at={expires_at} />
    </>
  );

const RevokeKeys = (asked: Asked<NamedKey>) => (
  <BulkChange
    {...asked}
    {...KEYED}
    title={(count) => `Revoke ${keys(count)}?`}
    confirm="Revoke"
    outcome={(count) => `${keys(count)} revoked`}
    danger
    exempt={({ active }) => !active && "Revoked already"}
    about={lastUse}
    change={async ({ id }) => {
      await change("POST", `/keys/${id}/revoke`);
      return "Refused from now on";
    }}
    undo={async ({ id }) => {
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

const ExtendKeys = (asked: Asked<NamedKey>) => {
  const [date, setDate] = useState(() => dateInDays(USUAL_DAYS));
  const until = endOfDate(date);
  const whyNot = ({ expires_at }: NamedKey): string | false => {
    if (expires_at === null) return "Never expires";
    return until !== null && Date.parse(expires_at) >= Date.parse(until) && "Expires later than that";
  };
  return (
    <BulkChange
      {...asked}
      {...KEYED}
      title={(count) => `Extend ${keys(count)}?`}
      confirm="Extend"
      outcome={(count) => `${keys(count)} extended`}
      exempt={whyNot}
      about={expiry}
      change={async ({ id }) => expiry(await change<NamedKey>("PUT", `/keys/${id}`, { expires_at: until }))}
      undo={async ({ id, expires_at }) => expiry(await change<NamedKey>("PUT", `/keys/${id}`, { expires_at }))}
    >
      <Text size="sm">Leave the date empty to let them never expire.</Text>
      <TextField path="expires_at" label="Expires at the end of" type="date" value={date} onChange={setDate} />
    </BulkChange>
  );
};

const RotateKeys = ({ onDone, ...asked }: Asked<NamedKey>) => {
  const [grace, setGrace] = useState(() => usualGrace(asked.rows));
  const [secrets, setSecrets] = useState<readonly NewSecret[]>([]);
  const [isShowing, setShowing] = useState(false);
  if (isShowing)
    return (
      <SecretsDialog
        title={`The new secrets of ${keys(secrets.length)}`}
        before={grace === "0" ? "The secrets from before have ended." : "The secrets from before end with their grace."}
        secrets={secrets}
        onClose={onDone}
      />
    );
  return (
    <BulkChange
      {...asked}
      {...KEYED}
      title={(count) => `Rotate ${keys(count)}?`}
      confirm="Rotate"
      outcome={(count) => `${keys(count)} rotated`}
      danger={grace === "0"}
      about={lastUse}
      change={async ({ id }) => {
        const shown = await change<ShownKey>("POST", `/keys/${id}/rotate`, { grace_seconds: Number(grace) });
        setSecrets((before) => [...before, shown]);
        return shown.grace_until === null ? (
          "The old secret has ended"
        ) : (
          <>
            Old secret until <Soon at={shown.grace_until} />
          </>
        );
      }}
      {...(secrets.length > 0 && { shownOnce: "Show the new secrets" })}
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

/** What can be done with several keys at once, for those who may change keys. */
export const KEY_CHANGES: readonly BulkAction<NamedKey>[] = [
  { label: "Rotate…", dialog: (asked) => <RotateKeys {...asked} /> },
  { label: "Extend…", dialog: (asked) => <ExtendKeys {...asked} /> },
  { label: "Revoke…", dialog: (asked) => <RevokeKeys {...asked} /> },
];
