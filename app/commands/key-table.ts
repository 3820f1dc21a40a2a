import type { Timestamp } from "../../core/clock.ts";
import { boundDealerOf, type KeyRecord } from "../../core/keys/key.ts";
import { table } from "./table.ts";

const NONE = "-";

const tieOf = (key: KeyRecord): string => {
  const bound = boundDealerOf(key);
  const dealer = bound === null ? NONE : `dealer ${bound}`;
  if (key.association === "user") return bound === null ? `user ${key.userId}` : `user ${key.userId} (${dealer})`;
  return key.association === "none" ? "everything" : dealer;
};

const stateOf = (key: KeyRecord, now: Timestamp): string => {
  if (!key.active) return "revoked";
  return key.expiresAt !== null && key.expiresAt <= now ? "expired" : "active";
};

/** To the minute, which is enough to recognise a moment. */
const minuteOf = (moment: Timestamp | null): string =>
  moment === null ? NONE : `${moment.slice(0, 10)} ${moment.slice(11, 16)}`;

type Column = readonly [heading: string, cell: (key: KeyRecord, now: Timestamp) => string];

const COLUMNS: readonly Column[] = [
  ["ID", ({ id }) => String(id)],
  ["NAME", ({ name }) => name],
  ["TYPE", ({ appType }) => appType],
  ["APP", ({ appId }) => appId],
  ["REACHES", tieOf],
  ["STATE", stateOf],
  ["EXPIRES", ({ expiresAt }) => minuteOf(expiresAt)],
  ["LAST USED", ({ lastUsedAt }) => minuteOf(lastUsedAt)],
  ["CREATED", ({ createdAt }) => minuteOf(createdAt)],
  ["BEGINS WITH", ({ keyStart }) => keyStart],
];

/** Keys for people to read, a line each; moments are in UTC. */
export const keyTable = (keys: readonly KeyRecord[], now: Timestamp): string =>
  table(
    COLUMNS.map(([heading]) => heading),
    keys.map((key) => COLUMNS.map(([, cell]) => cell(key, now))),
  );
