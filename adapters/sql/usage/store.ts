import { type RawBuilder, sql } from "kysely";
import { sumByHour } from "../../../core/keys/usage.ts";
import {
  MAX_STORED_DENIALS,
  type OldSecretUse,
  OUTCOMES,
  type UsageStore,
} from "../../../core/keys/usage-repository.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";
import { givenIds } from "../query/slices.ts";
import type { Tables } from "../query/tables.ts";

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

type Table = keyof Tables & string;

/** Adds the outcomes of new rows to those of stored ones. */
const added = (table: Table): RawBuilder<unknown> =>
  sql.join(OUTCOMES.map((name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + excluded.${sql.ref(name)}`));

/** Where rows are stored, in which order, and what becomes of a row that is there already. */
interface Insertion {
  readonly table: Table;
  readonly columns: Columns;
  readonly order: string;
  readonly conflict?: RawBuilder<unknown>;
}

const ofTotals: Insertion = {
  ...{ table: "usage_hours", columns: TOTALS, order: "hour" },
  conflict: sql`(hour) DO UPDATE SET ${added("usage_hours")}`,
};
const ofHours: Insertion = {
  ...{ table: "key_usage_hours", columns: HOURS, order: "key_id, hour" },
  conflict: sql`(key_id, hour) DO UPDATE SET ${added("key_usage_hours")}`,
};
const ofUses: Insertion = {
  ...{ table: "key_usage", columns: USES, order: "key_id" },
  conflict: sql`(key_id) DO UPDATE SET last_used_at = excluded.last_used_at, address = excluded.address,
    user_agent = excluded.user_agent WHERE key_usage.last_used_at <= excluded.last_used_at`,
};
const ofOldSecrets: Insertion = {
  ...{ table: "old_secret_uses", columns: OLD_SECRETS, order: "hash" },
  conflict: sql`(hash) DO UPDATE SET
      uses = excluded.uses + CASE WHEN old_secret_uses.day = excluded.day THEN old_secret_uses.uses ELSE 0 END,
      day = excluded.day,
      last_used_at = CASE WHEN old_secret_uses.last_used_at > excluded.last_used_at
        THEN old_secret_uses.last_used_at ELSE excluded.last_used_at END
    WHERE old_secret_uses.day <= excluded.day`,
};
const ofDenials: Insertion = { table: "key_denials", columns: DENIALS, order: "key_id, at" };

/** Usage counts in SQL; see the port for what it guarantees. */
export const makeUsageStore = (db: SqlDatabase): UsageStore => {
  /** Stores rows, in an order, so that two instances wait for each other instead of deadlocking. */
  const put = async (
    tx: Tx,
    { table, columns, order, conflict }: Insertion,
    rows: readonly object[],
  ): Promise<void> => {
    if (rows.length === 0) return;
    const names = sql.join(Object.keys(columns).map((name) => sql.ref(name)));
    const listed = rows.map((row) => Object.keys(columns).map((name) => Reflect.get(row, name)));
    const given = db.jsonRows(sql.val(JSON.stringify(listed)), columns);
    await sql`INSERT INTO ${sql.table(table)} (${names}) SELECT ${names} FROM ${given} AS added
      WHERE true ORDER BY ${sql.raw(order)} ${conflict === undefined ? sql`` : sql`ON CONFLICT ${conflict}`}`.execute(
      tx,
    );
  };

  /** Returns those of these keys that exist. They are locked against deletion until the transaction ends. */
  const lockExisting = async (tx: Tx, keyIds: ReadonlySet<number>): Promise<ReadonlySet<number>> => {
    const found = tx
      .selectFrom("api_keys")
      .select("id")
      .where("id", "in", givenIds(db, [...keyIds]));
    const rows = await found.orderBy("id").modifyEnd(db.forKeyShare).execute();
    return new Set(rows.map(({ id }) => id));
  };

  /** Stores the uses of these secrets, except secrets that a rotation has removed in the meantime. */
  const putOldSecrets = async (tx: Tx, uses: readonly OldSecretUse[]): Promise<void> => {
    if (uses.length === 0) return;
    const hashes = db.jsonRows(sql.val(JSON.stringify(uses.map(({ hash }) => [hash]))), { named: "text" });
    const named = await tx
      .selectFrom("key_secrets")
      .select("hash")
      .where("hash", "in", db.selectFrom(hashes.as("given")).select("named"))
      .orderBy("hash")
      // Waits for a rotation that is removing one of them.
      .modifyEnd(db.forKeyShare)
      .execute();
    const existing = new Set(named.map(({ hash }) => hash));
    const listed = uses
      .filter(({ hash }) => existing.has(hash))
      .map(({ at, ...use }) => ({ ...use, last_used_at: at }));
    await put(tx, ofOldSecrets, listed);
  };

  return {
    async add(writer, { number, hours, uses, denials, oldSecrets }, now) {
      await db.write(async (tx) => {
        const begun = await tx
          .insertInto("usage_writers")
          .values({ id: writer, batch: number, written_at: now })
          .onConflict((known) =>
            known
              .column("id")
              .doUpdateSet(({ ref }) => ({ batch: ref("excluded.batch"), written_at: ref("excluded.written_at") }))
              .whereRef("usage_writers.batch", "<", "excluded.batch"),
          )
          .returning("id")
          .executeTakeFirst();
        if (begun === undefined) return;
        const existing = await lockExisting(tx, new Set([...hours, ...uses, ...denials].map(({ keyId }) => keyId)));
        const ofExisting = <Row extends { readonly keyId: number }>(rows: readonly Row[]) =>
          rows.filter(({ keyId }) => existing.has(keyId)).map((row) => ({ ...row, key_id: row.keyId }));
        await put(tx, ofTotals, sumByHour(ofExisting(hours)));
        await put(tx, ofHours, ofExisting(hours));
        const lastUses = ofExisting(uses).map(({ at, ...use }) => ({ ...use, last_used_at: at }));
        await put(tx, ofUses, lastUses);
        await put(tx, ofDenials, ofExisting(denials));
        await putOldSecrets(tx, oldSecrets);
        for (const keyId of new Set(denials.map((denial) => denial.keyId))) {
          const ofKey = db.selectFrom("key_denials").select("id").where("key_id", "=", keyId);
          const kept = ofKey.orderBy("at", "desc").orderBy("id", "desc").limit(MAX_STORED_DENIALS);
          await tx.deleteFrom("key_denials").where("key_id", "=", keyId).where("id", "not in", kept).execute();
        }
      });
    },

    async removeBefore(moment) {
      await db.deleteFrom("key_usage_hours").where("hour", "<", moment).execute();
      await db.deleteFrom("usage_hours").where("hour", "<", moment).execute();
      await db.deleteFrom("key_denials").where("at", "<", moment).execute();
      await db.deleteFrom("past_bindings").where("until", "<", moment).execute();
      await db.deleteFrom("usage_writers").where("written_at", "<", moment).execute();
    },
  };
};
