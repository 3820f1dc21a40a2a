import { sql } from "kysely";
import { foldEmail } from "../../../core/text.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

interface Row {
  readonly id: number;
  readonly email: string;
  readonly email_folded: string;
}

/**
 * Updates the normalized form in which users' addresses are compared, where an older version stored it. If two users'
 * addresses are now equal, both keep their former forms.
 */
export const refoldEmails = async (db: SqlDatabase): Promise<void> => {
  // Nearly all addresses are ASCII. Their form has not changed.
  const others = sqlStatement(
    db,
    sql<Row>`SELECT id, email, email_folded FROM users WHERE length(email_folded) <> octet_length(email_folded)`,
  );
  const update = sqlStatement(
    db,
    sql<object>`UPDATE users SET email_folded = ${param("folded")} WHERE id = ${param("id")} AND email_folded = ${param("before")}`,
  );
  for (const { id, email, email_folded: before } of await db.all(others, {})) {
    const folded = foldEmail(email);
    if (folded === before) continue;
    try {
      await db.writeOne(update, { id, folded, before });
    } catch (error) {
      if (db.violation(error) !== "unique") throw error;
    }
  }
};
