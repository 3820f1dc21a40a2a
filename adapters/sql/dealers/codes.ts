import { sql } from "kysely";
import { foldCode, foldedCodes, TakenCode } from "../../../core/dealers/codes.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/** The codes of dealers in folded form, each at one dealer only. */
export const storedCodes = (db: SqlDatabase) => {
  const given = db.jsonRows(param<string>("codes"), { folded: "text" });
  const statements = {
    taken: sqlStatement(
      db,
      sql<{ folded: string }>`SELECT stored.folded FROM ${given} AS given
        JOIN dealer_codes AS stored ON stored.folded = given.folded
        WHERE stored.dealer_id <> ${param("id")} ORDER BY stored.folded LIMIT ${sql.lit(1)}`,
    ),
    forget: sqlStatement(db, sql<object>`DELETE FROM dealer_codes WHERE dealer_id = ${param("id")}`),
    add: sqlStatement(
      db,
      sql<object>`INSERT INTO dealer_codes (folded, dealer_id)
        SELECT given.folded, CAST(${param("id")} AS BIGINT) FROM ${given} AS given ORDER BY given.folded`,
    ),
  };
  return {
    /** Replaces the codes of a dealer. Throws TakenCode if another one has one of them, so that nothing is changed. */
    async set(tx: Sql, id: number, codes: readonly string[]): Promise<void> {
      const values = { id, codes: JSON.stringify(foldedCodes(codes).map((code) => [code])) };
      const [taken] = await tx.all(statements.taken, values);
      if (taken !== undefined)
        throw new TakenCode(codes.find((code) => foldCode(code) === taken.folded) ?? taken.folded);
      await tx.all(statements.forget, values);
      await tx.all(statements.add, values);
    },

    /** Waits for a change of a dealer. If another has got one of the codes since it looked, it throws TakenCode, too. */
    async orTaken<Result>(write: Promise<Result>, codes: readonly string[]): Promise<Result> {
      try {
        return await write;
      } catch (error) {
        if (codes.length > 0 && db.violation(error) === "unique") throw new TakenCode(codes.join(", "));
        throw error;
      }
    },
  };
};
