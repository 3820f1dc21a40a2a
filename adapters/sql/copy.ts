import { sql } from "kysely";
import type { Sql, SqlDatabase } from "./database.ts";
import { type NumberedTable, sequencesOf } from "./sequences.ts";
import { param, type SqlValue, type Statement, sqlStatement } from "./statement.ts";

/** A table to be copied: its key, in whose order it is read, and its columns besides. */
interface CopiedTable {
  readonly name: string;
  readonly keys: readonly string[];
  readonly columns: readonly string[];
  readonly numbered: boolean;
}

const table = (name: string, keys: string, columns: string): CopiedTable => ({
  name,
  keys: keys.split(" "),
  columns: columns.split(" "),
  numbered: keys === "id",
});

/**
 * Every table of the service's data, those that others refer to first. Not here: kept counts and vehicles' documents, which the target's
 * own triggers make, the version of access, which each database counts for itself, and the ledger of migrations.
 */
const COPIED_TABLES: readonly CopiedTable[] = [
  table(
    "dealers",
    "id",
    "name address city state zip phone email website logo_url description hours social_media active city_folded state_folded created_at updated_at",
  ),
  table(
    "vehicles",
    "id",
    "dealer_id make model year price_cents title trim mileage exterior_color interior_color vin stock_number description features status featured fuel_type transmission engine drivetrain body_style condition seats make_folded model_folded created_at updated_at",
  ),
  table("vehicle_images", "id", "vehicle_id image_url is_primary display_order created_at"),
  table("users", "id", "name email email_folded role dealer_id permissions active ended_by created_at updated_at"),
  table(
    "api_keys",
    "id",
    "name description app_type app_id key_start association user_id permissions rate_limit active ended_by bound_since bootstrap expires_at search_folded created_at updated_at",
  ),
  table("dealer_keys", "key_id", "dealer_id"),
  table("past_bindings", "key_id until", "dealer_id since"),
  table("key_secrets", "hash", "key_id ends_at"),
  table("key_usage", "key_id", "last_used_at address user_agent"),
  table("key_usage_hours", "key_id hour", "served denied limited failed unauthorized"),
  table("usage_hours", "hour", "served denied limited failed unauthorized"),
  table("key_denials", "id", "key_id at status code method route address"),
  table(
    "audit_entries",
    "id",
    "created_at actor_key_id actor_user_id actor_name via action resource resource_id dealer_id before after address request_id actor_dealer_id",
  ),
  table("service_secrets", "name", "secret"),
  table("sign_in_accounts", "id", "user_id provider account password_hash created_at updated_at"),
  table(
    "sessions",
    "id",
    "user_id token_hash address user_agent last_seen_at expires_at ends_at proved_at created_at updated_at",
  ),
  table("second_factors", "id", "user_id secret recovery_codes verified failures locked_until"),
  table("sign_in_challenges", "id", "identifier value expires_at created_at updated_at"),
  table("sign_in_attempts", "subject", "account failures locked_until succeeded_at last_at"),
  table("hourly_counts", "subject", "begins_at count"),
  table("invitations", "id", "kind user_id token_hash created_at expires_at"),
];

/** The copy is not what was copied, or cannot be made; nothing of it stays in the target. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}

/** What was copied of one table. */
export interface CopiedCount {
  readonly table: string;
  readonly rows: number;
  /** SHA-256 of all rows in the order of their keys; the same in source and target. */
  readonly checksum: string;
}

const READ_ROWS = 2000;
const INSERT_ROWS = 200;

type Row = Readonly<Record<string, SqlValue>>;

const columnsOf = ({ keys, columns }: CopiedTable): string[] => [...keys, ...columns];

const references = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/** The rows of a table in the order of its key, a part at a time. */
async function* rowsOf(db: SqlDatabase, source: Sql, copied: CopiedTable): AsyncGenerator<readonly Row[]> {
  const keys = references(copied.keys);
  const after = sql.join(copied.keys.map((key) => param(key)));
  const select = sql<Row>`SELECT ${references(columnsOf(copied))} FROM ${sql.table(copied.name)}`;
  const first = sqlStatement(db, sql<Row>`${select} ORDER BY ${keys} LIMIT ${sql.lit(READ_ROWS)}`);
  const next = sqlStatement(
    db,
    sql<Row>`${select} WHERE (${keys}) > (${after}) ORDER BY ${keys} LIMIT ${sql.lit(READ_ROWS)}`,
  );
  let rows = await source.all(first, {});
  while (rows.length > 0) {
    yield rows;
    rows = await source.all(next, rows.at(-1) ?? {});
  }
}

/** Counts and hashes rows as they pass. */
const tally = (copied: CopiedTable) => {
  const hash = new Bun.CryptoHasher("sha256");
  const columns = columnsOf(copied);
  let rows = 0;
  return {
    add(part: readonly Row[]): void {
      rows += part.length;
      for (const row of part) hash.update(`${JSON.stringify(columns.map((column) => row[column]))}\n`);
    },
    result: (): CopiedCount => ({ table: copied.name, rows, checksum: hash.digest("hex") }),
  };
};

/** Inserts rows with statements of many rows each. */
const inserter = (db: SqlDatabase, copied: CopiedTable) => {
  const columns = columnsOf(copied);
  const made = new Map<number, Statement<Row>>();
  const statementFor = (count: number): Statement<Row> => {
    const known = made.get(count);
    if (known !== undefined) return known;
    const rows = Array.from(
      { length: count },
      (_, row) => sql`(${sql.join(columns.map((column) => param(`${row}.${column}`)))})`,
    );
    const insertion = sqlStatement(
      db,
      sql<Row>`INSERT INTO ${sql.table(copied.name)} (${references(columns)}) VALUES ${sql.join(rows)}`,
    );
    made.set(count, insertion);
    return insertion;
  };
  return async (target: Sql, rows: readonly Row[]): Promise<void> => {
    for (let from = 0; from < rows.length; from += INSERT_ROWS) {
      const some = rows.slice(from, from + INSERT_ROWS);
      const values: Record<string, SqlValue> = {};
      for (const [index, row] of some.entries())
        for (const column of columns) values[`${index}.${column}`] = row[column] ?? null;
      await target.all(statementFor(some.length), values);
    }
  };
};

const isEmpty = async (db: SqlDatabase, target: Sql): Promise<boolean> => {
  for (const copied of COPIED_TABLES) {
    // Its own secret is all that a database has after it was first migrated and served.
    if (copied.name === "service_secrets") continue;
    const any = sqlStatement(db, sql<Row>`SELECT ${references(copied.keys)} FROM ${sql.table(copied.name)} LIMIT 1`);
    if ((await target.all(any, {})).length > 0) return false;
  }
  return true;
};

const countOf = async (db: SqlDatabase, source: Sql, { name }: CopiedTable): Promise<number> => {
  const [counted] = await source.all(
    sqlStatement(db, sql<{ n: number }>`SELECT count(*) AS n FROM ${sql.table(name)}`),
    {},
  );
  return counted?.n ?? 0;
};

/**
 * Copies all data of one migrated database into another that is empty: one snapshot of the source, one transaction in
 * the target, so that the copy is either whole and verified or not there at all. `progress` hears of rows done and in all.
 */
export const copyDatabase = (
  source: SqlDatabase,
  target: SqlDatabase,
  progress: (done: number, total: number) => void,
): Promise<CopiedCount[]> =>
  source.snapshot((from) =>
    target.writeLong(async (to) => {
      if (!(await isEmpty(target, to))) throw new CopyError("the target is not empty");
      await to.all(sqlStatement(target, sql<Row>`DELETE FROM service_secrets`), {});
      let total = 0;
      for (const copied of COPIED_TABLES) total += await countOf(source, from, copied);
      let done = 0;
      const counts: CopiedCount[] = [];
      for (const copied of COPIED_TABLES) {
        const read = tally(copied);
        const insert = inserter(target, copied);
        for await (const rows of rowsOf(source, from, copied)) {
          read.add(rows);
          await insert(to, rows);
          done += rows.length;
          progress(done, total);
        }
        counts.push(read.result());
      }
      for (const [index, copied] of COPIED_TABLES.entries()) {
        const written = tally(copied);
        for await (const rows of rowsOf(target, to, copied)) written.add(rows);
        const { rows, checksum } = written.result();
        if (rows !== counts[index]?.rows || checksum !== counts[index]?.checksum)
          throw new CopyError(`table ${copied.name} is not the same in source and target`);
      }
      const numbered = COPIED_TABLES.filter((copied) => copied.numbered).map(({ name }) => name as NumberedTable);
      await sequencesOf(target).continueAt(to, await sequencesOf(source).read(from, numbered));
      return counts;
    }),
  );
