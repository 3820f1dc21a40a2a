import { type RawBuilder, sql } from "kysely";
import { PIECE_BYTES } from "../../../core/imports/import-repository.ts";
import type { StoredBytes } from "../../../core/storage.ts";
import { cachedForASecond } from "../query/cached-for-a-second.ts";
import type { SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";

/** What an audit entry counts as. */
const ENTRY_BYTES = 2048;

/** What the database keeps for a dealer; see the port. It reads no files, no results and no entries. */
export const makeStoredBytes = (db: SqlDatabase): StoredBytes => {
  const rows =
    db.engine === "sqlite"
      ? sql`COALESCE(json_extract(progress, '$.kept'), 0)`
      : sql`COALESCE(CAST(CAST(progress AS json) ->> 'kept' AS BIGINT), 0)`;
  const statementOf = (dealer: RawBuilder<unknown>, entries: RawBuilder<unknown>) =>
    sqlStatement(
      db,
      // Each piece but the last of a file has the same size, so counting them reads no bytes.
      sql<{ pieces: number; rows: number; entries: number }>`SELECT
        (SELECT count(*) FROM import_chunks WHERE import_id IN (SELECT id FROM imports WHERE ${dealer})) AS pieces,
        (SELECT CAST(COALESCE(sum(${rows}), 0) AS BIGINT) FROM imports WHERE ${dealer} AND state <> 'gone') AS rows,
        ${entries} AS entries`,
    );
  const ofDealer = statementOf(
    sql`dealer_id = ${param("dealer")}`,
    sql`(SELECT count(*) FROM audit_entries WHERE dealer_id = ${param("dealer")} AND created_at >= ${param("since")})`,
  );
  // Entries without a dealer are those of super-admins, who keep what they like.
  const ofMany = statementOf(sql`dealer_id IS NULL`, sql`0`);
  const of: StoredBytes["of"] = async (dealer, since) => {
    const [found] = await (dealer === null ? db.all(ofMany, {}) : db.all(ofDealer, { dealer, since }));
    return found === undefined ? 0 : found.pieces * PIECE_BYTES + found.rows + found.entries * ENTRY_BYTES;
  };
  let latest = "";
  const lately = cachedForASecond((dealer: number | null) => of(dealer, latest));
  return {
    of,
    lately(dealer, since) {
      latest = since;
      return lately(dealer);
    },
  };
};
