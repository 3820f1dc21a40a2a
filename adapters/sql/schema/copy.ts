import { sql } from "kysely";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type SqlValue, type Statement, sqlStatement } from "../query/statement.ts";
import { catalogueOf, type Table } from "./catalogue.ts";
import { sequencesOf } from "./sequences.ts";

/**
 * Tables, and columns as `table.column`, that are not copied. The target makes kept counts and vehicles' documents
 * itself, by triggers. It counts changes of access and knows its migrations itself. `usage_writers` are processes of
 * the source.
 */
const NOT_COPIED: ReadonlySet<string> = new Set([
  "dealer_inventory",
  "vehicle_documents",
  "vehicles.document",
  "access_version",
  "schema_migrations",
  "usage_writers",
]);

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

const copiedOf = (catalogue: readonly Table[]): readonly Table[] =>
  catalogue
    .filter(({ name }) => !NOT_COPIED.has(name))
    .map((table) => ({
      ...table,
      columns: table.columns.filter((column) => !NOT_COPIED.has(`${table.name}.${column}`)),
    }));

/** The tables and columns that `one` has and `other` has not. */
const missingFrom = (other: readonly Table[], one: readonly Table[]): string[] =>
  one.flatMap(({ name, columns }) => {
    const same = other.find((table) => table.name === name);
    if (same === undefined) return [`table ${name}`];
    return columns.filter((column) => !same.columns.includes(column)).map((column) => `column ${name}.${column}`);
  });

/** The tables to be copied, those that others refer to first. Throws CopyError where source and target differ. */
const commonTables = (source: readonly Table[], target: readonly Table[]): readonly Table[] => {
  const differences = [
    ...missingFrom(target, source).map((missing) => `the target has no ${missing}`),
    ...missingFrom(source, target).map((missing) => `the source has no ${missing}`),
  ];
  if (differences.length > 0) throw new CopyError(differences.join(", "));
  return target;
};

const references = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/** The rows of a table in the order of its key, a part at a time. */
async function* rowsOf(db: SqlDatabase, source: Sql, copied: Table): AsyncGenerator<readonly Row[]> {
  const keys = references(copied.keys);
  const after = sql.join(copied.keys.map((key) => param(key)));
  const select = sql<Row>`SELECT ${references(copied.columns)} FROM ${sql.table(copied.name)}`;
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
const tally = (copied: Table) => {
  const hash = new Bun.CryptoHasher("sha256");
  const { columns } = copied;
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
const inserter = (db: SqlDatabase, copied: Table) => {
  const { columns } = copied;
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

const isEmpty = async (db: SqlDatabase, target: Sql, tables: readonly Table[]): Promise<boolean> => {
  for (const copied of tables) {
    // Its own secret is all that a database has after it was first migrated and served.
    if (copied.name === "service_secrets") continue;
    const any = sqlStatement(db, sql<Row>`SELECT ${references(copied.keys)} FROM ${sql.table(copied.name)} LIMIT 1`);
    if ((await target.all(any, {})).length > 0) return false;
  }
  return true;
};

const countOf = async (db: SqlDatabase, source: Sql, { name }: Table): Promise<number> => {
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
      const tables = commonTables(copiedOf(await catalogueOf(source, from)), copiedOf(await catalogueOf(target, to)));
      if (!(await isEmpty(target, to, tables))) throw new CopyError("the target is not empty");
      await to.all(sqlStatement(target, sql<Row>`DELETE FROM service_secrets`), {});
      let total = 0;
      for (const copied of tables) total += await countOf(source, from, copied);
      let done = 0;
      const counts: CopiedCount[] = [];
      for (const copied of tables) {
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
      for (const [index, copied] of tables.entries()) {
        const written = tally(copied);
        for await (const rows of rowsOf(target, to, copied)) written.add(rows);
        const { rows, checksum } = written.result();
        if (rows !== counts[index]?.rows || checksum !== counts[index]?.checksum)
          throw new CopyError(`table ${copied.name} is not the same in source and target`);
      }
      const numbered = tables.filter(({ keys }) => keys.join() === "id").map(({ name }) => name);
      await sequencesOf(target).continueAt(to, await sequencesOf(source).read(from, numbered));
      return counts;
    }),
  );
