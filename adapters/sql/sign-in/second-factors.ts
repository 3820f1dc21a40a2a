import type { SecondFactorRepository } from "../../../core/sign-in/second-factors.ts";
import { accessChange } from "../access/access-change.ts";
import type { SqlDatabase } from "../query/database.ts";
import type { NewRow } from "../query/tables.ts";
import type { UnlockedSecrets } from "./sealed-secrets.ts";

/** The columns of a second factor that nobody has used yet. */
const UNUSED = { verified: 0, recovery_codes: "[]", failures: 0, locked_until: null };

/** Second factors in SQL; see the port for what it guarantees. `unlocked` waits until the secrets can be opened. */
export const makeSecondFactorRepository = (
  db: SqlDatabase,
  unlocked: () => Promise<UnlockedSecrets>,
): SecondFactorRepository => {
  const changeAccess = accessChange(db);
  const rowOf = (userId: number) =>
    db.selectFrom("second_factors").select(["secret", "verified"]).where("user_id", "=", userId).executeTakeFirst();

  return {
    async find(userId) {
      let row = await rowOf(userId);
      if (row === undefined) return null;
      const secrets = await unlocked();
      if (!secrets.isSealed(row.secret)) {
        // An instance of a version without secret keys has written it since the start.
        await secrets.reseal();
        row = await rowOf(userId);
        if (row === undefined) return null;
      }
      const secret = secrets.open(row.secret, userId);
      if (secret === null) throw new Error(`the second factor of user ${userId} was sealed with another key`);
      return { secret, sealed: row.secret, isConfirmed: row.verified === 1 };
    },
    async offer({ userId, secret, now, by }) {
      const { seal } = await unlocked();
      const values = { secret: seal(secret, userId), ...UNUSED };
      return changeAccess(by, now, async (tx) => {
        const offered = await tx
          .insertInto("second_factors")
          .values({ user_id: userId, ...values } satisfies NewRow<"second_factors">)
          .onConflict((conflict) =>
            conflict.column("user_id").doUpdateSet(values).where("second_factors.verified", "=", 0),
          )
          .returning("user_id")
          .execute();
        return offered.length > 0;
      });
    },
  };
};
