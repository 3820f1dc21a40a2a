import { boundDealerOf } from "../../core/access/authority.ts";
import type { Timestamp } from "../../core/clock.ts";
import { type KeyRecord, presentKey } from "../../core/keys/key.ts";
import type { ListFormat } from "./records.ts";
import { minuteOf, NONE } from "./table.ts";

const reachOf = (key: KeyRecord): string => {
  const bound = boundDealerOf(key);
  const dealer = bound === null ? NONE : `dealer ${bound}`;
  if (key.association === "user") return bound === null ? `user ${key.userId}` : `user ${key.userId} (${dealer})`;
  return key.association === "none" ? "everything" : dealer;
};

/** Whether requests with a key are answered, and why not. `inactive` means that the key's user is inactive. */
const stateOf = (key: KeyRecord, now: Timestamp): "revoked" | "expired" | "inactive" | "active" => {
  if (!key.active) return "revoked";
  if (key.expiresAt !== null && key.expiresAt <= now) return "expired";
  return key.holder?.active === false ? "inactive" : "active";
};

/** The reason why the service refuses a key now, as the end of a sentence; `null` if the key works. */
export const refusalOf = (key: KeyRecord, now: Timestamp): string | null =>
  ({
    revoked: "is revoked",
    expired: "has expired",
    inactive: `belongs to user ${key.userId}, who is inactive`,
    active: null,
  })[stateOf(key, now)];

/** The columns of keys in lists. Times are in UTC. */
export const keyListAt = (now: Timestamp): ListFormat<KeyRecord> => ({
  plural: "keys",
  present: (key) => presentKey(key, now),
  columns: [
    ["ID", ({ id }) => String(id)],
    ["NAME", ({ name }) => name],
    ["TYPE", ({ appType }) => appType],
    ["APP", ({ appId }) => appId],
    ["REACHES", reachOf],
    ["STATE", (key) => stateOf(key, now)],
    ["EXPIRES", ({ expiresAt }) => minuteOf(expiresAt)],
    ["LAST USED", ({ lastUsedAt }) => minuteOf(lastUsedAt)],
    ["CREATED", ({ createdAt }) => minuteOf(createdAt)],
    ["BEGINS WITH", ({ keyStart }) => keyStart],
  ],
});
