import { sql } from "kysely";
import type { Sealing } from "../../../core/sealing.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type Statement, sqlStatement } from "../query/statement.ts";

const CHECK = "key check";
/** The row by which a database recognises its secret key. */
const CHECK_ROW = "key-check";
/** The row of the key that earlier versions stored in the database. It is sealed now. */
const LEGACY_ROW = "portal";
const LEGACY_ROWS = "portal-before-";

/** A sealed column of another table than those of secrets and second factors. */
export interface SealedColumn {
  readonly table: "import_sources" | "webhooks";
  readonly column: "auth" | "secret" | "previous_secret";
  readonly contextOf: (id: number) => string;
}

/** The sealing context of a user's second factor. */
export const contextOfSecondFactor = (userId: number): string => `second_factors.secret of user ${userId}`;
const contextOf = (name: string): string => `service_secrets.secret of ${name}`;

/** Thrown if the database's secrets are sealed with another key. */
export class WrongSecretKey extends Error {
  override readonly name = "WrongSecretKey";
}

/** Opens what an earlier version sealed with its own key; returns `null` if that is impossible. */
export type OpenLegacy = (key: string, sealed: string) => Promise<string | null>;

/** The secrets of a database, after the key was found to be the right one. */
export interface UnlockedSecrets {
  /** The key that signs cookies. */
  readonly cookieKey: string;
  /** Seals the secret of a user's second factor. */
  seal(secret: string, userId: number): string;
  open(sealed: string, userId: number): string | null;
  isSealed(text: string): boolean;
  /** Seals all other secrets. */
  readonly sealing: Pick<Sealing, "seal" | "open">;
  /** Seals again what an instance of an earlier version wrote. */
  reseal(): Promise<unknown>;
}

interface Found {
  readonly name: string;
  readonly secret: string;
}

/** The secrets of a database. They are sealed with a key that is not in the database. */
export const sealedSecrets = (
  db: SqlDatabase,
  sealing: Sealing,
  { openLegacy, columns }: { readonly openLegacy: OpenLegacy; readonly columns: readonly SealedColumn[] },
) => {
  const others = columns.map(({ table, column, contextOf }) => ({
    contextOf,
    found: sqlStatement(
      db,
      sql<{ id: number; sealed: string }>`SELECT id, ${sql.ref(column)} AS sealed FROM ${sql.table(table)}
        WHERE ${sql.ref(column)} IS NOT NULL ORDER BY id`,
    ),
    resealed: sqlStatement(
      db,
      sql<object>`UPDATE ${sql.table(table)} SET ${sql.ref(column)} = ${param("fresh")}
        WHERE id = ${param("id")} AND ${sql.ref(column)} = ${param("seen")}`,
    ),
  }));
  const allSecrets: Statement<Found> = sqlStatement(db, sql`SELECT name, secret FROM service_secrets ORDER BY name`);
  const factors: Statement<{ user_id: number; secret: string }> = sqlStatement(
    db,
    sql`SELECT user_id, secret FROM second_factors ORDER BY user_id`,
  );
  const removed = sqlStatement(
    db,
    sql<object>`DELETE FROM service_secrets WHERE name = ${param("name")} AND secret = ${param("seen")}`,
  );
  const added = sqlStatement(
    db,
    sql<object>`INSERT INTO service_secrets (name, secret) VALUES (${param("name")}, ${param("secret")}) ON CONFLICT DO NOTHING`,
  );
  const resealed = sqlStatement(
    db,
    sql<object>`UPDATE second_factors SET secret = ${param("secret")} WHERE user_id = ${param("user")} AND secret = ${param("seen")}`,
  );

  /** Replaces a row. A row of this name that another process has just written stays, and the caller reads it. */
  const replace = async (
    tx: Sql,
    { name, seen, secret }: { readonly name: string; readonly seen: string | null; readonly secret: string },
  ): Promise<void> => {
    if (seen !== null) await tx.all(removed, { name, seen });
    await tx.all(added, { name, secret });
  };

  const legacyKeys = (rows: readonly Found[]): string[] =>
    rows.flatMap(({ name, secret }) => {
      if (name === LEGACY_ROW) return [secret];
      const opened = name.startsWith(LEGACY_ROWS) ? sealing.open(secret, contextOf(name)) : null;
      return opened === null ? [] : [opened];
    });

  const openSecret = async (userId: number, secret: string, keys: readonly string[]): Promise<string | null> => {
    if (sealing.isSealed(secret)) return sealing.open(secret, contextOfSecondFactor(userId));
    for (const key of keys) {
      const opened = await openLegacy(key, secret);
      if (opened !== null) return opened;
    }
    return null;
  };

  /**
   * Seals again what was sealed with another key, such as the one that was stored in the database. That key is kept,
   * sealed, for second factors that instances of an earlier version create during a rolling update.
   */
  const reseal = async (): Promise<number> => {
    const rows = await db.all(allSecrets, {});
    const keys = legacyKeys(rows);
    const fresh: { user: number; seen: string; secret: string }[] = [];
    for (const { user_id: user, secret: seen } of await db.all(factors, {})) {
      if (sealing.isSealedWithCurrentKey(seen)) continue;
      const opened = await openSecret(user, seen, keys);
      if (opened !== null) fresh.push({ user, seen, secret: sealing.seal(opened, contextOfSecondFactor(user)) });
    }
    const stale = rows.flatMap(({ name, secret: seen }) => {
      const opened =
        name === LEGACY_ROW
          ? seen
          : name.startsWith(LEGACY_ROWS) && !sealing.isSealedWithCurrentKey(seen)
            ? sealing.open(seen, contextOf(name))
            : null;
      if (opened === null) return [];
      const to = name === LEGACY_ROW ? `${LEGACY_ROWS}${Bun.SHA256.hash(seen, "hex").slice(0, 16)}` : name;
      return [{ name, seen, to, secret: sealing.seal(opened, contextOf(to)) }];
    });
    for (const { contextOf, found, resealed } of others)
      for (const { id, sealed: seen } of await db.all(found, {})) {
        const opened = sealing.isSealedWithCurrentKey(seen) ? null : sealing.open(seen, contextOf(id));
        if (opened !== null) await db.writeOne(resealed, { id, seen, fresh: sealing.seal(opened, contextOf(id)) });
      }
    if (fresh.length + stale.length > 0)
      await db.write(async (tx) => {
        for (const values of fresh) await tx.all(resealed, values);
        for (const { name, seen, to, secret } of stale) {
          await tx.all(removed, { name, seen });
          await tx.all(added, { name: to, secret });
        }
      });
    return fresh.length;
  };

  /** True if a value of the other tables cannot be opened because it was sealed with another key. */
  const hasUnopenable = async (): Promise<boolean> => {
    for (const { contextOf, found } of others)
      if ((await db.all(found, {})).some(({ id, sealed }) => sealing.open(sealed, contextOf(id)) === null)) return true;
    return false;
  };

  return {
    reseal,

    /**
     * Checks that the key is the right one for the database, and seals everything with it again. Throws WrongSecretKey
     * if the database was sealed with another key; with `isLenient`, only if something is still sealed with that other
     * key.
     */
    async unlock(isLenient: boolean): Promise<void> {
      const check = (await db.all(allSecrets, {})).find(({ name }) => name === CHECK_ROW)?.secret ?? null;
      if (check !== null && sealing.open(check, contextOf(CHECK_ROW)) !== CHECK) {
        const rows = await db.all(factors, {});
        if (
          !isLenient ||
          rows.some(
            ({ user_id, secret }) =>
              sealing.isSealed(secret) && sealing.open(secret, contextOfSecondFactor(user_id)) === null,
          ) ||
          (await hasUnopenable())
        )
          throw new WrongSecretKey("the secrets in the database were sealed with another key");
      }
      await reseal();
      if (check === null || !sealing.isSealedWithCurrentKey(check))
        await db.write((tx) =>
          replace(tx, { name: CHECK_ROW, seen: check, secret: sealing.seal(CHECK, contextOf(CHECK_ROW)) }),
        );
    },
  };
};
