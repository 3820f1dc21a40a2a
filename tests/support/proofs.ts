import { sql } from "kysely";
import { sqlStatement } from "../../adapters/sql/statement.ts";
import type { TestEngine } from "./engines.ts";
import type { TestService } from "./service.ts";

/** Moves the last proof of everybody who is signed in to so many seconds from now, and leaves all else alone. */
export const moveProofs = async (
  engine: TestEngine,
  { databaseUrl, after }: TestService,
  seconds: number,
): Promise<void> => {
  const db = await engine.open(databaseUrl);
  const moment = sql.lit(after(seconds));
  // Those without a proof of their own have the sign-in's.
  const moved = sql<object>`UPDATE sessions SET created_at = ${moment}, proved_at = CASE WHEN proved_at IS NULL THEN NULL ELSE ${moment} END`;
  await db.writeOne(sqlStatement(db, moved), {});
  await db.close();
};
