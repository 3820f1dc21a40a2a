import type { SqlDatabase } from "../query/database.ts";
import { param, params, statement } from "../query/statement.ts";

const SECRET_BYTES = 32;

/**
 * A random secret of the installation. It is created by the first call, and shared by all processes that use the
 * database.
 */
export const serviceSecret = async (db: SqlDatabase, name: string): Promise<string> => {
  const stored = statement(() =>
    db.build.selectFrom("service_secrets").select("secret").where("name", "=", param("name")),
  );
  const [known] = await db.all(stored, { name });
  if (known !== undefined) return known.secret;
  const secret = Buffer.from(crypto.getRandomValues(new Uint8Array(SECRET_BYTES))).toString("base64url");
  const insert = statement(() =>
    db.build
      .insertInto("service_secrets")
      .values(params(["name", "secret"]))
      .onConflict((conflict) => conflict.doNothing()),
  );
  return db.write(async (tx) => {
    await tx.all(insert, { name, secret });
    const [row] = await tx.all(stored, { name });
    return row?.secret ?? secret;
  });
};
