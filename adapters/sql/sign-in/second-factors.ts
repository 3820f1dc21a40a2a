import { sql } from "kysely";
import type { SecondFactorRepository } from "../../../core/sign-in/second-factors.ts";
import { accessChange } from "../access/access-change.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, params, statement } from "../query/statement.ts";
import type { NewRow } from "../query/tables.ts";
import type { UnlockedSecrets } from "./sealed-secrets.ts";

/** Second factors in SQL; see the port for what it guarantees. `unlocked` waits until the secrets can be opened. */
export const makeSecondFactorRepository = (
  db: SqlDatabase,
  unlocked: () => Promise<UnlockedSecrets>,
): SecondFactorRepository => {
  const found = statement(() =>
    db.build.selectFrom("second_factors").select(["secret", "verified"]).where("user_id", "=", param("user_id")),
  );
  const offered = statement(() => {
    const unused = {
      verified: sql.lit(0),
      recovery_codes: sql.lit("[]"),
      failures: sql.lit(0),
      locked_until: sql.lit(null),
    };
    return db.build
      .insertInto("second_factors")
      .values({ ...params(["user_id", "secret"]), ...unused } satisfies NewRow<"second_factors">)
      .onConflict((conflict) =>
        conflict
          .column("user_id")
          .doUpdateSet({ ...params(["secret"]), ...unused })
          .where("second_factors.verified", "=", sql.lit(0)),
      )
      .returning("user_id");
  });
  const changeAccess = accessChange(db);
  const rowOf = (userId: number) => db.first(found, { user_id: userId });

  return {
    async find(userId) {
      let row = await rowOf(userId);
      if (row === null) return null;
      const secrets = await unlocked();
      if (!secrets.isSealed(row.secret)) {
        // An instance of a version without secret keys has written it since the start.
        await secrets.reseal();
        row = await rowOf(userId);
        if (row === null) return null;
      }
      const secret = secrets.open(row.secret, userId);
      if (secret === null) throw new Error(`the second factor of user ${userId} was sealed with another key`);
      return { secret, sealed: row.secret, isConfirmed: row.verified === 1 };
    },
    async offer({ userId, secret, now, by }) {
      const { seal } = await unlocked();
      const values = { user_id: userId, secret: seal(secret, userId) };
      return changeAccess(by, now, async (tx) => (await tx.all(offered, values)).length > 0);
    },
  };
};
