import { Button, Text } from "@mantine/core";
import { useState } from "react";
import type { PresentedKey } from "../../../core/keys/key.ts";
import { change } from "../api/client.ts";
import { ConfirmDialog } from "../forms/dialog.tsx";
import { Notice } from "../page/notice.tsx";
import { notify } from "../page/notify.tsx";
import { useMay } from "../session/session.tsx";
import { UpcomingTime } from "../times/times.tsx";

/** The secret's part of a key's start; the rest is the same for the new secret. */
const secretOf = (start: string | null): string =>
  start === null ? "" : ` ${start.slice(start.lastIndexOf("_") + 1)}…`;

const usesInWords = ({ grace_last_used_at, grace_uses_today }: PresentedKey): string => {
  if (grace_last_used_at === null) return "not used since the rotation";
  if (grace_uses_today === null || grace_uses_today === 0) return "not used today";
  return `used ${grace_uses_today} ${grace_uses_today === 1 ? "time" : "times"} today`;
};

/** In a list: when a key's old secret ends; nothing if there is none. */
export const OldSecretMark = ({ record }: { record: PresentedKey }) =>
  record.grace_until !== null && (
    <>
      {" "}
      · old secret until <UpcomingTime at={record.grace_until} />
    </>
  );

const EndDialog = ({ record, onClose }: { record: PresentedKey; onClose: () => void }) => (
  <ConfirmDialog
    title="End the old secret now?"
    confirm="End now"
    danger
    onClose={onClose}
    onConfirm={async () => {
      await change("POST", `/keys/${record.id}/end-grace`);
      notify(`The old secret of ${record.name} has ended.`);
    }}
  >
    <Text size="sm">
      Whatever still uses it ({usesInWords(record)}) will be refused with status 401 from its next request on. The new
      secret goes on working.
    </Text>
  </ConfirmDialog>
);

/** The use of a key's old secret, and a button to end it; nothing if there is none. */
export const OldSecret = ({ record }: { record: PresentedKey }) => {
  const may = useMay();
  const [isEnding, setEnding] = useState(false);
  if (record.grace_until === null) return null;
  return (
    <Notice title="The old secret still works">
      <Text size="sm">
        Old secret{secretOf(record.grace_key_start)} works until <UpcomingTime at={record.grace_until} />,{" "}
        {usesInWords(record)}
      </Text>
      {may("keys:write") && (
        <Button size="compact-sm" variant="default" onClick={() => setEnding(true)}>
          End now
        </Button>
      )}
      {isEnding && <EndDialog record={record} onClose={() => setEnding(false)} />}
    </Notice>
  );
};
