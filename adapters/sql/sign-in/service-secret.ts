import type { SqlDatabase } from "../query/database.ts";
import type { Queries } from "../query/driver.ts";

const SECRET_BYTES = 32;

/**
 * A random secret of the installation. It is created by the first call, and shared by all processes that use the
 * database.
 */
export const serviceSecret = async (db: SqlDatabase, name: string): Promise<string> => {
  const stored = async (on: Queries): Promise<string | undefined> =>
    (await on.selectFrom("service_secrets").select("secret").where("name", "=", name).executeTakeFirst())?.secret;
  const known = await stored(db);
  if (known !== undefined) return known;
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");
  return db.write(async (tx) => {
    await tx
      .insertInto("service_secrets")
      .values({ name, secret })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return (await stored(tx)) ?? secret;
  });
};
