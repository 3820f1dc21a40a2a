import { Text } from "@mantine/core";
import { Notice } from "../page/notice.tsx";
import { CalendarDate, DateAndRelativeTime } from "../times/times.tsx";
import { type NamedKey, stateOf } from "./key-state.tsx";

const DAY_MS = 86_400_000;
/** The days before its expiry within which a key's page says that it ends. */
const SOON_DAYS = 30;

const isSoon = (at: string): boolean => Date.parse(at) - Date.now() < SOON_DAYS * DAY_MS;

/** "today", "within a day", "in 12 days": as the notices of its expiry count. */
const expiryInWords = (at: string): string => {
  const days = Math.floor((Date.parse(at) - Date.now()) / DAY_MS);
  return days === 0 ? "within a day" : `in ${days} ${days === 1 ? "day" : "days"}`;
};

/** In a list: that the service switches a key off, or has switched it off, because nobody uses it. */
export const UnusedMark = ({ record }: { record: NamedKey }) => {
  if (record.disabled_reason === "idle") return "Switched off: not used";
  return (
    record.idle_ends_at !== null && (
      <>
        Not used: ends <CalendarDate at={record.idle_ends_at} />
      </>
    )
  );
};

/** Who is told of the end of a key, besides the audit log and webhooks. */
const ToldTo = ({ record: { owner_email: owner, user_name: user } }: { record: NamedKey }) => {
  if (owner !== null) return `Notices are mailed to ${owner}.`;
  return user ? `Notices are mailed to ${user}.` : "Nobody is told by mail: the key has no owner's email.";
};

/** That a key ends soon, is about to be switched off, or was, and what to do. */
export const KeyEnding = ({ record }: { record: NamedKey }) => {
  const { expires_at: expiresAt, idle_ends_at: idleEndsAt, disabled_reason: reason } = record;
  if (reason === "idle")
    return (
      <Notice title="The service switched it off">
        <Text size="sm">Nobody used it. Whoever re-activates it lets its days begin anew.</Text>
      </Notice>
    );
  const state = stateOf(record);
  if (state === "expired")
    return (
      <Notice title="It has expired">
        <Text size="sm">Requests with it are refused with status 401. Extend it if it is still needed.</Text>
      </Notice>
    );
  if (state === "revoked") return null;
  return (
    <>
      {expiresAt !== null && isSoon(expiresAt) && (
        <Notice title={`It expires ${expiryInWords(expiresAt)}`}>
          <Text size="sm">
            After <DateAndRelativeTime at={expiresAt} /> requests with it are refused with status 401.{" "}
            <ToldTo record={record} />
          </Text>
        </Notice>
      )}
      {idleEndsAt !== null && (
        <Notice title="Nobody uses it">
          <Text size="sm">
            It is switched off on <DateAndRelativeTime at={idleEndsAt} /> unless it is used or changed before.{" "}
            <ToldTo record={record} />
          </Text>
        </Notice>
      )}
    </>
  );
};
