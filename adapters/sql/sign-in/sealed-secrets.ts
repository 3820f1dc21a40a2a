import { sql } from "kysely";
import type { Sealing } from "../../../core/sealing.ts";
import type { SqlDatabase, Tx } from "../query/database.ts";

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
  /** The values of a sealed column of another table. */
  const sealedIn = ({ table, column }: SealedColumn) => {
    const sealed = sql.ref<string>(column);
    return db
      .selectFrom(table)
      .select(["id", sealed.as("sealed")])
      .where(sealed, "is not", null)
      .orderBy("id")
      .execute();
  };
  const allSecrets = (): Promise<readonly Found[]> =>
    db.selectFrom("service_secrets").select(["name", "secret"]).orderBy("name").execute();
  const factors = () => db.selectFrom("second_factors").select(["user_id", "secret"]).orderBy("user_id").execute();

  const remove = (tx: Tx, name: string, seen: string) =>
    tx.deleteFrom("service_secrets").where("name", "=", name).where("secret", "=", seen).execute();
  const add = (tx: Tx, row: Found) =>
    tx
      .insertInto("service_secrets")
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();

  /** Replaces a row. A row of this name that another process has just written stays, and the caller reads it. */
  const replace = async (
    tx: Tx,
    { name, seen, secret }: { readonly name: string; readonly seen: string | null; readonly secret: string },
  ): Promise<void> => {
    if (seen !== null) await remove(tx, name, seen);
    await add(tx, { name, secret });
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
    const rows = await allSecrets();
    const keys = legacyKeys(rows);
    const fresh: { user: number; seen: string; secret: string }[] = [];
    for (const { user_id: user, secret: seen } of await factors()) {
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
    for (const column of columns)
      for (const { id, sealed: seen } of await sealedIn(column)) {
        const context = column.contextOf(id);
        const opened = sealing.isSealedWithCurrentKey(seen) ? null : sealing.open(seen, context);
        if (opened !== null)
          await db
            .updateTable(column.table)
            .set({ [column.column]: sealing.seal(opened, context) })
            .where("id", "=", id)
            .where(sql.ref(column.column), "=", seen)
            .execute();
      }
    if (fresh.length + stale.length > 0)
      await db.write(async (tx) => {
        for (const { user, seen, secret } of fresh)
          await tx
            .updateTable("second_factors")
            .set({ secret })
            .where("user_id", "=", user)
            .where("secret", "=", seen)
            .execute();
        for (const { name, seen, to, secret } of stale) {
          await remove(tx, name, seen);
          await add(tx, { name: to, secret });
        }
      });
    return fresh.length;
  };

  /** True if a value of the other tables cannot be opened because it was sealed with another key. */
  const hasUnopenable = async (): Promise<boolean> => {
    for (const column of columns)
      if ((await sealedIn(column)).some(({ id, sealed }) => sealing.open(sealed, column.contextOf(id)) === null))
        return true;
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
      const check = (await allSecrets()).find(({ name }) => name === CHECK_ROW)?.secret ?? null;
      if (check !== null && sealing.open(check, contextOf(CHECK_ROW)) !== CHECK) {
        const rows = await factors();
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
