import { sql, type Updateable } from "kysely";
import { boundDealerOf } from "../../../core/access/authority.ts";
import { type Actor, SERVICE } from "../../../core/access/principal.ts";
import type { Visibility } from "../../../core/access/visibility.ts";
import type { Audited } from "../../../core/audit/actions.ts";
import type { Timestamp } from "../../../core/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { type KeyRecord, presentKey } from "../../../core/keys/key.ts";
import {
  type ChangedKey,
  type FirstKeys,
  type KeyDecision,
  type KeyFields,
  type KeyRepository,
  UNKNOWN_HOLDER,
} from "../../../core/keys/key-repository.ts";
import type { IssuedSecret } from "../../../core/keys/secrets.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../../../core/quotas.ts";
import { accessChange } from "../access/access-change.ts";
import { keyOf, selectKeys } from "../access/key-rows.ts";
import { isKeyVisible } from "../access/key-visibility.ts";
import { QuotaExceeded, quotaGuard } from "../access/quotas.ts";
import { findUser } from "../access/user-rows.ts";
import { kindOf, type VisibilityKind } from "../access/visibility.ts";
import { auditTrail } from "../audit/trail.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";
import type { NewRow, Tables } from "../query/tables.ts";
import { searchWords } from "../search/words.ts";
import { keyColumnsOf } from "./columns.ts";
import { keyList } from "./list.ts";
import { recordMoveOfKey } from "./rebindings.ts";
import { addSecret, replaceSecret } from "./secrets.ts";

/** A change of a key that was read within its transaction. */
interface Change {
  readonly key: KeyRecord;
  readonly visibility: Visibility;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** What a new key has no value of. */
type GivenLater = "bound_since" | "notified_days" | "notified_expiry" | "idle_noticed_at";

/** A key that is locked is there to be changed. */
const requireChanged = (rows: readonly unknown[]): void => {
  if (rows.length !== 1) throw new Error("a key that was read cannot be changed");
};

const read = async (on: Queries, id: number, visibility: Visibility): Promise<KeyRecord | null> => {
  const row = await selectKeys(on, kindOf(visibility))
    .where("api_keys.id", "=", id)
    .where(isKeyVisible(visibility))
    .executeTakeFirst();
  return row === undefined ? null : keyOf(row);
};

/**
 * Reads a key that a caller has just changed, whatever its dealer is now. It may not be visible to the caller any more, but
 * it has only as much of its usage as this caller may see.
 */
const readChanged = async (tx: Tx, id: number, seen: VisibilityKind): Promise<KeyRecord | null> => {
  const row = await selectKeys(tx, seen).where("api_keys.id", "=", id).executeTakeFirst();
  return row === undefined ? null : keyOf(row);
};

const link = async (tx: Tx, keyId: number, dealerId: number | null): Promise<void> => {
  if (dealerId !== null) await tx.insertInto("dealer_keys").values({ dealer_id: dealerId, key_id: keyId }).execute();
};

/** Keys in SQL; see the ports for what they guarantee. `changed` runs after every committed change. */
export const makeKeyRepository = (
  db: SqlDatabase,
  changed: () => void,
  quotas: Quotas = DEFAULT_QUOTAS,
): KeyRepository & FirstKeys => {
  const enforceQuota = quotaGuard(quotas);
  const audit = auditTrail(db);
  const words = searchWords(db);
  const change = accessChange(db, changed);
  const recordChange = (
    tx: Tx,
    {
      now,
      by,
      action,
      before,
      after,
    }: Pick<Change, "now" | "by"> & {
      readonly action: Audited;
      readonly before: KeyRecord | null;
      readonly after: KeyRecord | null;
    },
  ): Promise<void> => {
    const key = before ?? after;
    if (key === null) throw new Error("a changed key has no record");
    return audit(tx, {
      at: now,
      by,
      action,
      resourceId: key.id,
      dealerId: boundDealerOf(key),
      before: before && presentKey(before, now),
      after: after && presentKey(after, now),
    });
  };

  const update = async (tx: Tx, columns: Updateable<Tables["api_keys"]>, change: Change): Promise<void> => {
    const { key, visibility, now } = change;
    const changed = await tx
      .updateTable("api_keys")
      .set({ ...columns, updated_at: db.nextTimestamp("updated_at", now) })
      .where("api_keys.id", "=", key.id)
      .where(isKeyVisible(visibility))
      .returning("id")
      .execute();
    requireChanged(changed);
  };

  /** Reads the changed key as its caller may see it, and records the change. */
  const recorded = async (tx: Tx, action: Audited, change: Change): Promise<KeyRecord> => {
    const record = await readChanged(tx, change.key.id, kindOf(change.visibility));
    if (record === null) throw new Error("a changed key cannot be read");
    await recordChange(tx, { ...change, action, before: change.key, after: record });
    return record;
  };

  const replaceFields = async (tx: Tx, fields: KeyFields, change: Change): Promise<KeyRecord> => {
    const { key, now } = change;
    await update(tx, keyColumnsOf(fields), change);
    await words.keep(tx, "api_keys", key.id);
    if (fields.dealerId !== key.dealerId) {
      await tx.deleteFrom("dealer_keys").where("key_id", "=", key.id).execute();
      await link(tx, key.id, fields.dealerId);
      await enforceQuota(tx, "keysPerDealer", fields.dealerId);
    }
    if (fields.userId !== key.userId) await enforceQuota(tx, "keysPerUser", fields.userId);
    const after = await readChanged(tx, key.id, "everything");
    if (after !== null && boundDealerOf(after) !== boundDealerOf(key))
      await recordMoveOfKey(tx, { id: key.id, from: boundDealerOf(key), now });
    return recorded(tx, "key.changed", change);
  };

  const insert = async (
    tx: Tx,
    {
      key,
      secret,
      bootstrap,
      now,
      by,
    }: {
      readonly key: KeyFields;
      readonly secret: IssuedSecret;
      readonly bootstrap: 0 | 1;
      readonly now: Timestamp;
      readonly by: Actor;
    },
  ): Promise<KeyRecord> => {
    const made = { key_start: secret.start, bootstrap, created_at: now, updated_at: now };
    const row = await tx
      .insertInto("api_keys")
      .values({ ...keyColumnsOf(key), ...made } satisfies Omit<NewRow<"api_keys">, GivenLater>)
      .returning("id")
      .executeTakeFirstOrThrow();
    await words.keep(tx, "api_keys", row.id);
    await link(tx, row.id, key.dealerId);
    await addSecret(tx, row.id, secret);
    await enforceQuota(tx, "keysPerDealer", key.dealerId);
    await enforceQuota(tx, "keysPerUser", key.userId);
    const record = await read(tx, row.id, "everything");
    if (record === null) throw new Error("an inserted key cannot be read");
    await recordChange(tx, { now, by, action: "key.created", before: null, after: record });
    return record;
  };

  /** Takes the step that was decided. */
  const take = async (tx: Tx, decided: KeyDecision, change: Change): Promise<ChangedKey> => {
    const { key } = change;
    switch (decided.does) {
      case "change": {
        const record = await replaceFields(tx, decided.fields, change);
        const { secret = null } = decided;
        if (secret === null) return { record, apiKey: null };
        await tx.updateTable("api_keys").set({ key_start: secret.start }).where("id", "=", key.id).execute();
        await words.keep(tx, "api_keys", key.id);
        await replaceSecret(tx, { seen: key, secret, previousEndsAt: change.now });
        const rotated = { ...record, keyStart: secret.start, oldSecret: null };
        await recordChange(tx, { ...change, action: "key.rotated", before: record, after: rotated });
        return { record: rotated, apiKey: secret.key };
      }
      case "rotate": {
        const { secret, previousEndsAt } = decided;
        await update(tx, { key_start: secret.start }, change);
        await words.keep(tx, "api_keys", key.id);
        await replaceSecret(tx, { seen: key, secret, previousEndsAt });
        return { record: await recorded(tx, "key.rotated", change), apiKey: secret.key };
      }
      case "end-grace":
        await update(tx, { key_start: key.keyStart }, change);
        // The secret is not deleted, so that later requests with it still count as requests of the key.
        await tx
          .updateTable("key_secrets")
          .set({ ends_at: change.now })
          .where("key_id", "=", key.id)
          .where("ends_at", "is not", null)
          .execute();
        return { record: await recorded(tx, "key.grace-ended", change), apiKey: null };
      case "remove": {
        // The dealer can read the audit entry, so the entry contains only what the dealer may see.
        const { lastUsedAt = null, oldSecret = null } = (await readChanged(tx, key.id, "dealer")) ?? {};
        const removed = tx
          .deleteFrom("api_keys")
          .where("api_keys.id", "=", key.id)
          .where(isKeyVisible(change.visibility))
          .returning("id");
        requireChanged(await removed.execute());
        const before = { ...key, lastUsedAt, oldSecret };
        await recordChange(tx, { ...change, action: "key.removed", before, after: null });
        return { record: key, apiKey: null };
      }
    }
  };

  const unlessHolderUnknown = async <Result>(
    now: Timestamp,
    by: Actor,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result | typeof UNKNOWN_HOLDER | Failure> => {
    try {
      return await change(by, now, work);
    } catch (error) {
      if (error instanceof QuotaExceeded) return error.failure;
      if (db.violation(error) === "foreign-key") return UNKNOWN_HOLDER;
      throw error;
    }
  };

  return {
    ...keyList(db),

    find: (id, visibility) => read(db, id, visibility),

    insert: ({ key, secret, now, by }) =>
      unlessHolderUnknown(now, by, (tx) => insert(tx, { key, secret, bootstrap: 0, now, by })),

    change: ({ id, visibility, user = null, now, by }, decide) =>
      unlessHolderUnknown(now, by, async (tx) => {
        // Changes of access run one after another, but an instance of an earlier version may hold the key.
        await tx.selectFrom("api_keys").select("id").where("id", "=", id).modifyEnd(db.forUpdate).execute();
        const key = await read(tx, id, visibility);
        if (key === null) return null;
        const decided = decide(key, user === null ? null : await findUser(tx, user.id, user.visibility));
        if (decided instanceof Failure) return decided;
        if (decided === null) return { record: key, apiKey: null };
        return take(tx, decided, { key, visibility, now, by });
      }),

    insertIfNone: ({ key, secret, now, show }) =>
      change(SERVICE, now, async (tx) => {
        if ((await tx.selectFrom("api_keys").select("id").limit(sql.lit(1)).executeTakeFirst()) !== undefined)
          return false;
        await insert(tx, { key, secret, bootstrap: 1, now, by: SERVICE });
        show();
        return true;
      }),

    setBootstrap: (key, secret, now) =>
      change(SERVICE, now, async (tx) => {
        const isKnown = tx.selectFrom("key_secrets").select("key_id").where("hash", "=", secret.hash);
        if ((await isKnown.executeTakeFirst()) !== undefined) return;
        const row = await selectKeys(tx, "everything").where("api_keys.bootstrap", "=", 1).executeTakeFirst();
        if (row === undefined) {
          await insert(tx, { key, secret, bootstrap: 1, now, by: SERVICE });
          return;
        }
        const seen = keyOf(row);
        await update(tx, keyColumnsOf(key), { key: seen, visibility: "everything", now, by: SERVICE });
        await words.keep(tx, "api_keys", seen.id);
        await tx.deleteFrom("key_secrets").where("key_id", "=", seen.id).execute();
        await addSecret(tx, seen.id, secret);
        await recordChange(tx, {
          now,
          by: SERVICE,
          action: "key.rotated",
          before: seen,
          after: await read(tx, seen.id, "everything"),
        });
      }),
  };
};
