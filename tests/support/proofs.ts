import { sql } from "kysely";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { connect } from "./engines.ts";
import type { TestService } from "./service.ts";

/**
 * Moves the last proof of everybody who is signed in, or of one user, to so many seconds from now, and leaves all else of
 * their sessions alone.
 */
export const moveProofs = async (
  { databaseUrl, after }: TestService,
  seconds: number,
  userId: number | null = null,
): Promise<void> => {
  const db = connect(databaseUrl);
  const moment = sql.lit(after(seconds));
  const whose = userId === null ? sql`1 = 1` : sql`user_id = ${sql.lit(userId)}`;
  // Those without a proof of their own have the sign-in's.
  const moved = sql<object>`UPDATE sessions SET created_at = ${moment}, proved_at = CASE WHEN proved_at IS NULL THEN NULL ELSE ${moment} END WHERE ${whose}`;
  await db.writeOne(sqlStatement(db, moved), {});
  await db.close();
};
