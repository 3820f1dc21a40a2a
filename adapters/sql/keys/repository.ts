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
import { keyOf } from "../access/key-rows.ts";
import { QuotaExceeded, quotaGuard } from "../access/quotas.ts";
import { userFinding } from "../access/user-rows.ts";
import { kindOf, type VisibilityKind, visibilityValues } from "../access/visibility.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { searchWords } from "../search/words.ts";
import { keyList } from "./list.ts";
import { rebindings } from "./rebindings.ts";
import { keyColumnsOf, keyStatements } from "./statements.ts";

/** A change of a key that was read within its transaction. */
interface Change {
  readonly key: KeyRecord;
  readonly visibility: Visibility;
  readonly now: Timestamp;
  readonly by: Actor;
}

/** A key that is locked is there to be changed. */
const requireChanged = (rows: readonly unknown[]): void => {
  if (rows.length !== 1) throw new Error("a key that was read cannot be changed");
};

/** Keys in SQL; see the ports for what they guarantee. `changed` runs after every committed change. */
export const makeKeyRepository = (
  db: SqlDatabase,
  changed: () => void,
  quotas: Quotas = DEFAULT_QUOTAS,
): KeyRepository & FirstKeys => {
  const enforceQuota = quotaGuard(db, quotas);
  const statements = keyStatements(db);
  const audit = auditTrail(db);
  const words = searchWords(db);
  const recordRebinding = rebindings(db);
  const change = accessChange(db, changed);
  const findUser = userFinding(db);
  const read = async (source: Sql, id: number, visibility: Visibility): Promise<KeyRecord | null> => {
    const [row] = await source.all(statements.found[kindOf(visibility)], { id, ...visibilityValues(visibility) });
    return row === undefined ? null : keyOf(row);
  };

  /** Reads a key within a change, whatever its dealer is now. It has as much of its usage as this reader may see. */
  const readChanged = async (tx: Sql, id: number, seen: VisibilityKind): Promise<KeyRecord | null> => {
    const [row] = await tx.all(statements.afterChange[seen], { id });
    return row === undefined ? null : keyOf(row);
  };

  const recordChange = (
    tx: Sql,
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

  const link = async (tx: Sql, keyId: number, dealerId: number | null): Promise<void> => {
    if (dealerId !== null) await tx.all(statements.link, { dealer_id: dealerId, key_id: keyId });
  };

  /** Ends the previous secret at `previousEndsAt`, and all older ones now. */
  const replaceSecret = async (
    tx: Sql,
    {
      seen: { id, keyStart },
      secret,
      previousEndsAt,
    }: { readonly seen: KeyRecord; readonly secret: IssuedSecret; readonly previousEndsAt: Timestamp },
  ): Promise<void> => {
    await tx.all(statements.endOlder, { key_id: id });
    await tx.all(statements.endPrevious, { key_id: id, ends_at: previousEndsAt, start: keyStart });
    await tx.all(statements.addSecret, { hash: secret.hash, key_id: id, ends_at: null });
  };

  const whichOf = ({ key, visibility }: Change) => ({ ...visibilityValues(visibility), id: key.id });

  const touch = async (tx: Sql, keyStart: string, change: Change): Promise<void> => {
    const values = { ...whichOf(change), key_start: keyStart, now: change.now };
    requireChanged(await tx.all(statements.updateStart[kindOf(change.visibility)], values));
  };

  /** Reads the changed key as its caller may see it, and records the change. */
  const recorded = async (tx: Sql, action: Audited, change: Change): Promise<KeyRecord> => {
    const record = await readChanged(tx, change.key.id, kindOf(change.visibility));
    if (record === null) throw new Error("a changed key cannot be read");
    await recordChange(tx, { ...change, action, before: change.key, after: record });
    return record;
  };

  const replaceFields = async (tx: Sql, fields: KeyFields, change: Change): Promise<KeyRecord> => {
    const { key, visibility, now } = change;
    const values = { ...keyColumnsOf(fields), ...whichOf(change), now };
    requireChanged(await tx.all(statements.update[kindOf(visibility)], values));
    await words.keep(tx, "api_keys", key.id);
    if (fields.dealerId !== key.dealerId) {
      await tx.all(statements.unlink, { key_id: key.id });
      await link(tx, key.id, fields.dealerId);
      await enforceQuota(tx, "keysPerDealer", fields.dealerId);
    }
    if (fields.userId !== key.userId) await enforceQuota(tx, "keysPerUser", fields.userId);
    const after = await readChanged(tx, key.id, "everything");
    if (after !== null && boundDealerOf(after) !== boundDealerOf(key))
      await recordRebinding.ofKey(tx, { id: key.id, from: boundDealerOf(key), now });
    return recorded(tx, "key.changed", change);
  };

  const insert = async (
    tx: Sql,
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
    const [row] = await tx.all(statements.insert, {
      ...keyColumnsOf(key),
      key_start: secret.start,
      bootstrap,
      created_at: now,
      updated_at: now,
    });
    if (row === undefined) throw new Error("an inserted key has no id");
    await words.keep(tx, "api_keys", row.id);
    await link(tx, row.id, key.dealerId);
    await tx.all(statements.addSecret, { hash: secret.hash, key_id: row.id, ends_at: null });
    await enforceQuota(tx, "keysPerDealer", key.dealerId);
    await enforceQuota(tx, "keysPerUser", key.userId);
    const record = await read(tx, row.id, "everything");
    if (record === null) throw new Error("an inserted key cannot be read");
    await recordChange(tx, { now, by, action: "key.created", before: null, after: record });
    return record;
  };

  /** Takes the step that was decided. */
  const take = async (tx: Sql, decided: KeyDecision, change: Change): Promise<ChangedKey> => {
    const { key } = change;
    switch (decided.does) {
      case "change": {
        const record = await replaceFields(tx, decided.fields, change);
        const { secret = null } = decided;
        if (secret === null) return { record, apiKey: null };
        await tx.all(statements.start, { id: key.id, key_start: secret.start });
        await words.keep(tx, "api_keys", key.id);
        await replaceSecret(tx, { seen: key, secret, previousEndsAt: change.now });
        const rotated = { ...record, keyStart: secret.start, oldSecret: null };
        await recordChange(tx, { ...change, action: "key.rotated", before: record, after: rotated });
        return { record: rotated, apiKey: secret.key };
      }
      case "rotate": {
        const { secret, previousEndsAt } = decided;
        await touch(tx, secret.start, change);
        await words.keep(tx, "api_keys", key.id);
        await replaceSecret(tx, { seen: key, secret, previousEndsAt });
        return { record: await recorded(tx, "key.rotated", change), apiKey: secret.key };
      }
      case "end-grace":
        await touch(tx, key.keyStart, change);
        await tx.all(statements.endGrace, { key_id: key.id, now: change.now });
        return { record: await recorded(tx, "key.grace-ended", change), apiKey: null };
      case "remove": {
        // The dealer can read the audit entry, so the entry contains only what the dealer may see.
        const { lastUsedAt = null, oldSecret = null } = (await readChanged(tx, key.id, "dealer")) ?? {};
        requireChanged(await tx.all(statements.remove[kindOf(change.visibility)], whichOf(change)));
        const before = { ...key, lastUsedAt, oldSecret };
        await recordChange(tx, { ...change, action: "key.removed", before, after: null });
        return { record: key, apiKey: null };
      }
    }
  };

  const unlessHolderUnknown = async <Result>(
    now: Timestamp,
    by: Actor,
    work: (tx: Sql) => Promise<Result>,
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
        await tx.all(statements.locked, { id });
        const key = await read(tx, id, visibility);
        if (key === null) return null;
        const decided = decide(key, user === null ? null : await findUser(tx, user.id, user.visibility));
        if (decided instanceof Failure) return decided;
        if (decided === null) return { record: key, apiKey: null };
        return take(tx, decided, { key, visibility, now, by });
      }),

    insertIfNone: ({ key, secret, now, show }) =>
      change(SERVICE, now, async (tx) => {
        if ((await tx.all(statements.anyKey, {})).length > 0) return false;
        await insert(tx, { key, secret, bootstrap: 1, now, by: SERVICE });
        show();
        return true;
      }),

    setBootstrap: (key, secret, now) =>
      change(SERVICE, now, async (tx) => {
        if ((await tx.all(statements.secretKnown, { hash: secret.hash })).length > 0) return;
        const [row] = await tx.all(statements.bootstrapKey, {});
        if (row === undefined) {
          await insert(tx, { key, secret, bootstrap: 1, now, by: SERVICE });
          return;
        }
        const seen = keyOf(row);
        await tx.all(statements.update.everything, { ...keyColumnsOf(key), id: seen.id, now });
        await words.keep(tx, "api_keys", seen.id);
        await tx.all(statements.endPrevious, { key_id: seen.id, ends_at: now, start: seen.keyStart });
        await tx.all(statements.endOlder, { key_id: seen.id });
        await tx.all(statements.addSecret, { hash: secret.hash, key_id: seen.id, ends_at: null });
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
