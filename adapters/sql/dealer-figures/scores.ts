import { sql } from "kysely";
import type { DealerScores } from "../../../core/dealer-figures/figures-repository.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/** Kept scores in SQL; see the port for what they guarantee. */
export const makeDealerScores = (db: SqlDatabase): DealerScores => {
  const due = sqlStatement<{ dealerId: number; mark: number }>(
    db,
    sql<{
      dealerId: number;
      mark: number;
    }>`SELECT dealer_inventory.dealer_id AS ${sql.ref("dealerId")}, dealer_inventory.mark
      FROM dealer_inventory LEFT JOIN dealer_scores ON dealer_scores.dealer_id = dealer_inventory.dealer_id
      WHERE dealer_scores.dealer_id IS NULL
        OR (dealer_scores.mark <> dealer_inventory.mark AND dealer_scores.judged_at < ${param("changed")})
        OR dealer_scores.judged_at < ${param("before")}
      ORDER BY COALESCE(dealer_scores.judged_at, ''), dealer_inventory.dealer_id LIMIT ${param("most")}`,
  );
  // A dealer that is gone has no inventory.
  const kept = sqlStatement<never>(
    db,
    sql<never>`INSERT INTO dealer_scores (dealer_id, score, mark, judged_at)
      SELECT dealer_id, CAST(${param("score")} AS INTEGER), CAST(${param("mark")} AS BIGINT), ${param("at")}
      FROM dealer_inventory WHERE dealer_id = ${param("dealerId")}
      ON CONFLICT (dealer_id) DO UPDATE
      SET score = excluded.score, mark = excluded.mark, judged_at = excluded.judged_at`,
  );
  return {
    due: async (limits) => db.all(due, limits),
    async keep({ dealerId, mark, score, at }) {
      await db.writeOne(kept, { dealerId, mark, score, at });
    },
  };
};
