import { sql } from "kysely";
import { sumByHour } from "../../../core/keys/usage.ts";
import {
  MAX_STORED_DENIALS,
  type OldSecretUse,
  OUTCOMES,
  type UsageStore,
} from "../../../core/keys/usage-repository.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type Statement, sqlStatement } from "../query/statement.ts";

const TOTALS = {
  hour: "text",
  served: "integer",
  denied: "integer",
  limited: "integer",
  failed: "integer",
  unauthorized: "integer",
} as const;
const HOURS = { key_id: "integer", ...TOTALS } as const;
const USES = { key_id: "integer", last_used_at: "text", address: "text", user_agent: "text" } as const;
const DENIALS = {
  key_id: "integer",
  at: "text",
  status: "integer",
  code: "text",
  method: "text",
  route: "text",
  address: "text",
} as const;

const OLD_SECRETS = { hash: "text", day: "text", uses: "integer", last_used_at: "text" } as const;

type Columns = Readonly<Record<string, "text" | "integer">>;

const statementsOf = (db: SqlDatabase) => {
  const names = (columns: Columns) => sql.join(Object.keys(columns).map((name) => sql.ref(name)));
  const rows = (columns: Columns) => db.jsonRows(param<string>("rows"), columns);
  // Rows are always inserted in the order of the keys, so that two instances wait for each other instead of
  // deadlocking.
  const inserted = (table: string, columns: Columns, order: string) =>
    sql`INSERT INTO ${sql.table(table)} (${names(columns)}) SELECT ${names(columns)} FROM ${rows(columns)} AS added
      WHERE true ORDER BY ${sql.raw(order)}`;
  const added = (table: string) =>
    sql.join(
      OUTCOMES.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + excluded.${sql.ref(name)}`),
    );
  return {
    begun: sqlStatement(
      db,
      sql<{ id: string }>`INSERT INTO usage_writers (id, batch, written_at)
      VALUES (${param("writer")}, ${param("batch")}, ${param("now")})
      ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = excluded.written_at
      WHERE usage_writers.batch < excluded.batch RETURNING id`,
    ),
    kept: sqlStatement(
      db,
      sql<{ id: number }>`SELECT id FROM api_keys
      WHERE id IN (SELECT key_id FROM ${rows({ key_id: "integer" })} AS named) ORDER BY id ${db.forKeyShare}`,
    ),
    totals: sqlStatement(
      db,
      sql<never>`${inserted("usage_hours", TOTALS, "hour")}
      ON CONFLICT (hour) DO UPDATE SET ${added("usage_hours")}`,
    ),
    hours: sqlStatement(
      db,
      sql<never>`${inserted("key_usage_hours", HOURS, "key_id, hour")}
      ON CONFLICT (key_id, hour) DO UPDATE SET ${added("key_usage_hours")}`,
    ),
    uses: sqlStatement(
      db,
      sql<never>`${inserted("key_usage", USES, "key_id")}
      ON CONFLICT (key_id) DO UPDATE SET last_used_at = excluded.last_used_at, address = excluded.address,
      user_agent = excluded.user_agent WHERE key_usage.last_used_at <= excluded.last_used_at`,
    ),
    // Waits for a rotation that is removing one of them.
    keptSecrets: sqlStatement(
      db,
      sql<{ hash: string }>`SELECT hash FROM key_secrets
      WHERE hash IN (SELECT hash FROM ${rows({ hash: "text" })} AS named) ORDER BY hash ${db.forKeyShare}`,
    ),
    oldSecrets: sqlStatement(
      db,
      sql<never>`${inserted("old_secret_uses", OLD_SECRETS, "hash")}
      ON CONFLICT (hash) DO UPDATE SET
        uses = excluded.uses + CASE WHEN old_secret_uses.day = excluded.day THEN old_secret_uses.uses ELSE 0 END,
        day = excluded.day,
        last_used_at = CASE WHEN old_secret_uses.last_used_at > excluded.last_used_at
          THEN old_secret_uses.last_used_at ELSE excluded.last_used_at END
      WHERE old_secret_uses.day <= excluded.day`,
    ),
    denials: sqlStatement(db, sql<never>`${inserted("key_denials", DENIALS, "key_id, at")}`),
    tooMany: sqlStatement(
      db,
      sql<never>`DELETE FROM key_denials WHERE key_id = ${param("key_id")} AND id NOT IN
      (SELECT id FROM key_denials WHERE key_id = ${param("key_id")} ORDER BY at DESC, id DESC LIMIT ${sql.lit(MAX_STORED_DENIALS)})`,
    ),
    oldHours: sqlStatement(db, sql<never>`DELETE FROM key_usage_hours WHERE hour < ${param("moment")}`),
    oldTotals: sqlStatement(db, sql<never>`DELETE FROM usage_hours WHERE hour < ${param("moment")}`),
    oldDenials: sqlStatement(db, sql<never>`DELETE FROM key_denials WHERE at < ${param("moment")}`),
    oldBindings: sqlStatement(db, sql<never>`DELETE FROM past_bindings WHERE until < ${param("moment")}`),
    oldWriters: sqlStatement(db, sql<never>`DELETE FROM usage_writers WHERE written_at < ${param("moment")}`),
  };
};

/** Usage counts in SQL; see the port for what it guarantees. */
export const makeUsageStore = (db: SqlDatabase): UsageStore => {
  const statements = statementsOf(db);

  /** Returns those of these keys that exist. They are locked against deletion until the transaction ends. */
  const lockExisting = async (tx: Sql, keyIds: ReadonlySet<number>): Promise<ReadonlySet<number>> => {
    const rows = await tx.all(statements.kept, { rows: JSON.stringify([...keyIds].map((id) => [id])) });
    return new Set(rows.map(({ id }) => id));
  };

  /** Stores the uses of these secrets, except secrets that a rotation has removed in the meantime. */
  const putOldSecrets = async (tx: Sql, uses: readonly OldSecretUse[]): Promise<void> => {
    if (uses.length === 0) return;
    const named = await tx.all(statements.keptSecrets, { rows: JSON.stringify(uses.map(({ hash }) => [hash])) });
    const existing = new Set(named.map(({ hash }) => hash));
    const listed = uses.filter(({ hash }) => existing.has(hash)).map((use) => [use.hash, use.day, use.uses, use.at]);
    await tx.all(statements.oldSecrets, { rows: JSON.stringify(listed) });
  };

  return {
    async add(writer, { number, hours, uses, denials, oldSecrets }, now) {
      await db.write(async (tx) => {
        if ((await tx.all(statements.begun, { writer, batch: number, now })).length === 0) return;
        const existing = await lockExisting(tx, new Set([...hours, ...uses, ...denials].map(({ keyId }) => keyId)));
        const put = async (insertion: Statement<never>, columns: Columns, rows: readonly object[]): Promise<void> => {
          const listed = rows.map((row) => Object.keys(columns).map((name) => Reflect.get(row, name)));
          if (listed.length > 0) await tx.all(insertion, { rows: JSON.stringify(listed) });
        };
        const ofExisting = <Row extends { readonly keyId: number }>(rows: readonly Row[]) =>
          rows.filter(({ keyId }) => existing.has(keyId)).map((row) => ({ ...row, key_id: row.keyId }));
        await put(statements.totals, TOTALS, sumByHour(ofExisting(hours)));
        await put(statements.hours, HOURS, ofExisting(hours));
        const lastUses = ofExisting(uses).map(({ at, ...use }) => ({ ...use, last_used_at: at }));
        await put(statements.uses, USES, lastUses);
        await put(statements.denials, DENIALS, ofExisting(denials));
        await putOldSecrets(tx, oldSecrets);
        for (const keyId of new Set(denials.map((denial) => denial.keyId)))
          await tx.all(statements.tooMany, { key_id: keyId });
      });
    },

    async removeBefore(moment) {
      const { oldHours, oldTotals, oldDenials, oldBindings, oldWriters } = statements;
      for (const old of [oldHours, oldTotals, oldDenials, oldBindings, oldWriters]) await db.writeOne(old, { moment });
    },
  };
};
