import { type RawBuilder, type SqlBool, sql } from "kysely";
import { type Actor, SERVICE } from "../../core/access/principal.ts";
import type { Audited } from "../../core/audit/audit-entry.ts";
import type { Timestamp } from "../../core/clock.ts";
import { boundDealerOf, type KeyRecord, presentKey } from "../../core/keys/key.ts";
import {
  type FirstKeys,
  type KeyFields,
  type KeyRepository,
  type Sight,
  UNKNOWN_HOLDER,
} from "../../core/keys/key-repository.ts";
import type { IssuedSecret } from "../../core/keys/secrets.ts";
import { fold } from "../../core/text.ts";
import { auditTrail } from "./audit-trail.ts";
import type { Sql, SqlDatabase } from "./database.ts";
import { keyList } from "./key-list.ts";
import { keyOf, selectKeys } from "./key-rows.ts";
import { kindOf, SEES, sightValues } from "./key-sight.ts";
import { param, params, type SqlValue, statement } from "./statement.ts";

const FIELDS = [
  "name",
  "description",
  "app_type",
  "app_id",
  "association",
  "user_id",
  "permissions",
  "rate_limit",
  "active",
  "expires_at",
  "search_folded",
] as const;

const columnsOf = (key: KeyFields): Record<(typeof FIELDS)[number], SqlValue> => ({
  name: key.name,
  description: key.description,
  app_type: key.appType,
  app_id: key.appId,
  association: key.association,
  user_id: key.userId,
  permissions: key.ownPermissions,
  rate_limit: key.rateLimit,
  active: key.active ? 1 : 0,
  expires_at: key.expiresAt,
  search_folded: fold([key.name, key.description ?? "", key.appId].join("\n")),
});

const statementsOf = (db: SqlDatabase) => {
  const bySight = <Row>(query: (sees: RawBuilder<SqlBool>) => Parameters<typeof statement<Row>>[0]) => ({
    everything: statement(query(SEES.everything)),
    dealer: statement(query(SEES.dealer)),
    user: statement(query(SEES.user)),
  });
  const asSeen = sql<SqlBool>`api_keys.id = ${param("id")} AND api_keys.updated_at = ${param("seen")}`;
  const changed = db.nextMoment("updated_at", param("now"));
  return {
    found: bySight((sees) => selectKeys(db).where("api_keys.id", "=", param("id")).where(sees)),
    insert: statement(
      db.build
        .insertInto("api_keys")
        .values(params([...FIELDS, "key_start", "bootstrap", "created_at", "updated_at"]))
        .returning("id"),
    ),
    update: bySight((sees) =>
      db.build
        .updateTable("api_keys")
        .set({ ...params(FIELDS), updated_at: changed })
        .where(asSeen)
        .where(sees)
        .returning("id"),
    ),
    renewed: bySight((sees) =>
      db.build
        .updateTable("api_keys")
        .set({ key_start: param("key_start"), updated_at: changed })
        .where(asSeen)
        .where(sees)
        .returning("id"),
    ),
    remove: bySight((sees) => db.build.deleteFrom("api_keys").where(asSeen).where(sees).returning("id")),
    link: statement(db.build.insertInto("dealer_keys").values(params(["dealer_id", "key_id"]))),
    unlink: statement(db.build.deleteFrom("dealer_keys").where("key_id", "=", param("key_id"))),
    addSecret: statement(db.build.insertInto("key_secrets").values(params(["hash", "key_id", "ends_at"]))),
    endOlder: statement(
      db.build.deleteFrom("key_secrets").where("key_id", "=", param("key_id")).where("ends_at", "is not", null),
    ),
    endPrevious: statement(
      db.build
        .updateTable("key_secrets")
        .set({ ends_at: param("ends_at") })
        .where("key_id", "=", param("key_id")),
    ),
    secretKnown: statement(db.build.selectFrom("key_secrets").select("key_id").where("hash", "=", param("hash"))),
    // Processes that start at the same time take turns on this row.
    turn: statement(db.build.selectFrom("access_version").select("version").modifyEnd(db.lockRows)),
    anyKey: statement(db.build.selectFrom("api_keys").select("id").limit(sql.lit(1))),
    bootstrapKey: statement(selectKeys(db).where("api_keys.bootstrap", "=", 1)),
  };
};

/** Keys in SQL; see the ports for what they guarantee. `changed` runs after every committed change. */
export const makeKeyRepository = (db: SqlDatabase, changed: () => void): KeyRepository & FirstKeys => {
  const statements = statementsOf(db);
  const audit = auditTrail(db);
  const read = async (source: Sql, id: number, sight: Sight): Promise<KeyRecord | null> => {
    const [row] = await source.all(statements.found[kindOf(sight)], { id, ...sightValues(sight) });
    return row === undefined ? null : keyOf(row);
  };

  const note = (
    tx: Sql,
    now: Timestamp,
    by: Actor,
    action: Audited,
    before: KeyRecord | null,
    after: KeyRecord | null,
  ): Promise<void> => {
    const key = before ?? after;
    if (key === null) throw new Error("a change of no key cannot be recorded");
    return audit(tx, now, by, {
      action,
      resourceId: key.id,
      dealerId: boundDealerOf(key),
      before: before && presentKey(before),
      after: after && presentKey(after),
    });
  };

  /** One transaction that changes who may do what; the caches hear of it when it is committed. */
  const change = async <Result>(work: (tx: Sql) => Promise<Result>): Promise<Result> => {
    try {
      return await db.write(work);
    } finally {
      changed();
    }
  };

  const link = async (tx: Sql, keyId: number, dealerId: number | null): Promise<void> => {
    if (dealerId !== null) await tx.all(statements.link, { dealer_id: dealerId, key_id: keyId });
  };

  const insert = async (
    tx: Sql,
    key: KeyFields,
    secret: IssuedSecret,
    bootstrap: 0 | 1,
    now: Timestamp,
    by: Actor,
  ): Promise<KeyRecord> => {
    const [row] = await tx.all(statements.insert, {
      ...columnsOf(key),
      key_start: secret.start,
      bootstrap,
      created_at: now,
      updated_at: now,
    });
    if (row === undefined) throw new Error("an inserted key has no id");
    await link(tx, row.id, key.dealerId);
    await tx.all(statements.addSecret, { hash: secret.hash, key_id: row.id, ends_at: null });
    const record = await read(tx, row.id, "everything");
    if (record === null) throw new Error("an inserted key cannot be read");
    await note(tx, now, by, "key.created", null, record);
    return record;
  };

  const unlessHolderUnknown = async <Result>(
    work: (tx: Sql) => Promise<Result>,
  ): Promise<Result | typeof UNKNOWN_HOLDER> => {
    try {
      return await change(work);
    } catch (error) {
      if (db.violation(error) === "foreign-key") return UNKNOWN_HOLDER;
      throw error;
    }
  };

  return {
    list: keyList(db),

    find: (id, sight) => read(db, id, sight),

    insert: (key, secret, now, by) => unlessHolderUnknown((tx) => insert(tx, key, secret, 0, now, by)),

    update: (seen, sight, fields, now, by) =>
      unlessHolderUnknown(async (tx) => {
        const [row] = await tx.all(statements.update[kindOf(sight)], {
          ...columnsOf(fields),
          ...sightValues(sight),
          id: seen.id,
          seen: seen.updatedAt,
          now,
        });
        if (row === undefined) return null;
        if (fields.dealerId !== seen.dealerId) {
          await tx.all(statements.unlink, { key_id: seen.id });
          await link(tx, seen.id, fields.dealerId);
        }
        const record = await read(tx, seen.id, "everything");
        if (record !== null) await note(tx, now, by, "key.changed", seen, record);
        return record;
      }),

    rotate: (seen, sight, secret, previousEndsAt, now, by) =>
      change(async (tx) => {
        const [row] = await tx.all(statements.renewed[kindOf(sight)], {
          ...sightValues(sight),
          key_start: secret.start,
          id: seen.id,
          seen: seen.updatedAt,
          now,
        });
        if (row === undefined) return null;
        await tx.all(statements.endOlder, { key_id: seen.id });
        await tx.all(statements.endPrevious, { key_id: seen.id, ends_at: previousEndsAt });
        await tx.all(statements.addSecret, { hash: secret.hash, key_id: seen.id, ends_at: null });
        const record = await read(tx, seen.id, "everything");
        if (record !== null) await note(tx, now, by, "key.rotated", seen, record);
        return record;
      }),

    remove: (seen, sight, now, by) =>
      change(async (tx) => {
        const [row] = await tx.all(statements.remove[kindOf(sight)], {
          ...sightValues(sight),
          id: seen.id,
          seen: seen.updatedAt,
        });
        if (row === undefined) return false;
        await note(tx, now, by, "key.removed", seen, null);
        return true;
      }),

    insertIfNone: (key, secret, now) =>
      change(async (tx) => {
        await tx.all(statements.turn, {});
        if ((await tx.all(statements.anyKey, {})).length > 0) return false;
        await insert(tx, key, secret, 1, now, SERVICE);
        return true;
      }),

    setBootstrap: (key, secret, now) =>
      change(async (tx) => {
        await tx.all(statements.turn, {});
        if ((await tx.all(statements.secretKnown, { hash: secret.hash })).length > 0) return;
        const [row] = await tx.all(statements.bootstrapKey, {});
        if (row === undefined) {
          await insert(tx, key, secret, 1, now, SERVICE);
          return;
        }
        const seen = keyOf(row);
        await tx.all(statements.update.everything, { ...columnsOf(key), id: seen.id, seen: seen.updatedAt, now });
        await tx.all(statements.endPrevious, { key_id: seen.id, ends_at: now });
        await tx.all(statements.endOlder, { key_id: seen.id });
        await tx.all(statements.addSecret, { hash: secret.hash, key_id: seen.id, ends_at: null });
        await note(tx, now, SERVICE, "key.rotated", seen, await read(tx, seen.id, "everything"));
      }),
  };
};
