import { sql } from "kysely";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { connect } from "./engines.ts";
import type { TestService } from "./service.ts";

/**
 * Moves the last proof of all signed-in users, or of one, to `seconds` from now. Their sessions stay unchanged
 * otherwise.
 */
export const moveProofs = async (
  { databaseUrl, after }: TestService,
  seconds: number,
  userId: number | null = null,
): Promise<void> => {
  const db = connect(databaseUrl);
  const moment = sql.lit(after(seconds));
  const whose = userId === null ? sql`1 = 1` : sql`user_id = ${sql.lit(userId)}`;
  // Sessions without their own proof count from their sign-in.
  const moved = sql<object>`UPDATE sessions SET created_at = ${moment}, proved_at = CASE WHEN proved_at IS NULL THEN NULL ELSE ${moment} END WHERE ${whose}`;
  await db.writeOne(sqlStatement(db, moved), {});
  await db.close();
};
