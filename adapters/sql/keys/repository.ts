import { boundDealerOf } from "../../../core/access/authority.ts";
import { type Actor, SERVICE } from "../../../core/access/principal.ts";
import type { Visibility } from "../../../core/access/visibility.ts";
import type { Audited } from "../../../core/audit/actions.ts";
import type { Timestamp } from "../../../core/clock.ts";
import type { Failure } from "../../../core/failure.ts";
import { isInGrace, type KeyRecord, presentKey } from "../../../core/keys/key.ts";
import {
  type FirstKeys,
  type KeyFields,
  type KeyRepository,
  UNKNOWN_HOLDER,
} from "../../../core/keys/key-repository.ts";
import type { IssuedSecret } from "../../../core/keys/secrets.ts";
import { DEFAULT_QUOTAS, type Quotas } from "../../../core/quotas.ts";
import { accessChange } from "../access/access-change.ts";
import { keyOf } from "../access/key-rows.ts";
import { QuotaExceeded, quotaGuard } from "../access/quotas.ts";
import { kindOf, type VisibilityKind, visibilityValues } from "../access/visibility.ts";
import { auditTrail } from "../audit/trail.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { searchWords } from "../search/words.ts";
import { keyList } from "./list.ts";
import { rebindings } from "./rebindings.ts";
import { keyColumnsOf, keyStatements } from "./statements.ts";

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
  const changeAccess = accessChange(db);
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
    }: {
      readonly now: Timestamp;
      readonly by: Actor;
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

  /** Runs a transaction that changes access, and clears the caches after its commit. */
  const change = async <Result>(now: Timestamp, by: Actor, work: (tx: Sql) => Promise<Result>): Promise<Result> => {
    try {
      return await changeAccess(by, now, work);
    } finally {
      changed();
    }
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

  const unlessHolderUnknown = async <Result>(
    now: Timestamp,
    by: Actor,
    work: (tx: Sql) => Promise<Result>,
  ): Promise<Result | typeof UNKNOWN_HOLDER | Failure> => {
    try {
      return await change(now, by, work);
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

    update: ({ seen, visibility, fields, now, by, secret = null }) =>
      unlessHolderUnknown(now, by, async (tx) => {
        // It is read again, because the key's user may have moved to another dealer. That does not change the key
        // itself.
        const before = await readChanged(tx, seen.id, "everything");
        const [row] = await tx.all(statements.update[kindOf(visibility)], {
          ...keyColumnsOf(fields),
          ...visibilityValues(visibility),
          id: seen.id,
          seen: seen.updatedAt,
          now,
        });
        if (row === undefined || before === null) return null;
        await words.keep(tx, "api_keys", seen.id);
        if (fields.dealerId !== seen.dealerId) {
          await tx.all(statements.unlink, { key_id: seen.id });
          await link(tx, seen.id, fields.dealerId);
          await enforceQuota(tx, "keysPerDealer", fields.dealerId);
        }
        if (fields.userId !== seen.userId) await enforceQuota(tx, "keysPerUser", fields.userId);
        const after = await readChanged(tx, seen.id, "everything");
        if (after !== null && boundDealerOf(after) !== boundDealerOf(before))
          await recordRebinding.ofKey(tx, { id: seen.id, from: boundDealerOf(before), now });
        const record = await readChanged(tx, seen.id, kindOf(visibility));
        if (record !== null) await recordChange(tx, { now, by, action: "key.changed", before: seen, after: record });
        if (record === null || secret === null) return record;
        await tx.all(statements.start, { id: seen.id, key_start: secret.start });
        await words.keep(tx, "api_keys", seen.id);
        await replaceSecret(tx, { seen, secret, previousEndsAt: now });
        const rotated = { ...record, keyStart: secret.start, oldSecret: null };
        await recordChange(tx, { now, by, action: "key.rotated", before: record, after: rotated });
        return rotated;
      }),

    rotate: ({ seen, visibility, secret, previousEndsAt, now, by }) =>
      change(now, by, async (tx) => {
        const [row] = await tx.all(statements.updateStart[kindOf(visibility)], {
          ...visibilityValues(visibility),
          key_start: secret.start,
          id: seen.id,
          seen: seen.updatedAt,
          now,
        });
        if (row === undefined) return null;
        await words.keep(tx, "api_keys", seen.id);
        await replaceSecret(tx, { seen, secret, previousEndsAt });
        const record = await readChanged(tx, seen.id, kindOf(visibility));
        if (record !== null) await recordChange(tx, { now, by, action: "key.rotated", before: seen, after: record });
        return record;
      }),

    endGrace: ({ seen, visibility, now, by }) =>
      change(now, by, async (tx) => {
        if (!isInGrace(seen, now)) return seen;
        const [row] = await tx.all(statements.updateStart[kindOf(visibility)], {
          ...visibilityValues(visibility),
          key_start: seen.keyStart,
          id: seen.id,
          seen: seen.updatedAt,
          now,
        });
        if (row === undefined) return null;
        await tx.all(statements.endGrace, { key_id: seen.id, now });
        const record = await readChanged(tx, seen.id, kindOf(visibility));
        if (record !== null)
          await recordChange(tx, { now, by, action: "key.grace-ended", before: seen, after: record });
        return record;
      }),

    remove: ({ seen, visibility, now, by }) =>
      change(now, by, async (tx) => {
        // The dealer can read the audit entry, so the entry contains only what the dealer may see.
        const { lastUsedAt = null, oldSecret = null } = (await readChanged(tx, seen.id, "dealer")) ?? {};
        const [row] = await tx.all(statements.remove[kindOf(visibility)], {
          ...visibilityValues(visibility),
          id: seen.id,
          seen: seen.updatedAt,
        });
        if (row === undefined) return false;
        await recordChange(tx, {
          now,
          by,
          action: "key.removed",
          before: { ...seen, lastUsedAt, oldSecret },
          after: null,
        });
        return true;
      }),

    insertIfNone: ({ key, secret, now, show }) =>
      change(now, SERVICE, async (tx) => {
        if ((await tx.all(statements.anyKey, {})).length > 0) return false;
        await insert(tx, { key, secret, bootstrap: 1, now, by: SERVICE });
        show();
        return true;
      }),

    setBootstrap: (key, secret, now) =>
      change(now, SERVICE, async (tx) => {
        if ((await tx.all(statements.secretKnown, { hash: secret.hash })).length > 0) return;
        const [row] = await tx.all(statements.bootstrapKey, {});
        if (row === undefined) {
          await insert(tx, { key, secret, bootstrap: 1, now, by: SERVICE });
          return;
        }
        const seen = keyOf(row);
        await tx.all(statements.update.everything, { ...keyColumnsOf(key), id: seen.id, seen: seen.updatedAt, now });
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
