import { sql } from "kysely";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, type SqlValue, type Statement, sqlStatement } from "../query/statement.ts";
import { storedFigures } from "../report/stored-figures.ts";
import { vehicleWordsIn } from "../search/vehicle-words.ts";
import { searchWords } from "../search/words.ts";
import { catalogueOf, type Table } from "./catalogue.ts";
import { type LastIds, sequencesOf } from "./sequences.ts";

/**
 * Tables that are not copied, and columns in the form `table.column`. The target creates stored counts and figures,
 * documents of vehicles and search words itself. It has its own counter of access changes and its own migrations.
 * `usage_writers` are processes of the source, and imports that the source has begun are finished by the source. The target
 * numbers changes itself.
 */
const NOT_COPIED: ReadonlySet<string> = new Set([
  "dealer_inventory",
  "dealer_scores",
  "daily_figures",
  "figures_missing",
  "vehicle_documents",
  "vehicles.document",
  "access_version",
  "changed_records",
  "change_numbering",
  "schema_migrations",
  "usage_writers",
  "jobs",
  "import_chunks",
  "dealer_words",
  "user_words",
  "key_words",
  "vehicle_words",
  "vehicle_words_fresh",
  "search_state",
]);

/**
 * These tables are copied first, because inserting a vehicle before its sale would create a new sale. They refer to no
 * other tables.
 */
const COPIED_FIRST: ReadonlySet<string> = new Set(["vehicle_sales"]);

/** These are copied last. Otherwise, copied changes would be sent to copied webhooks as if they were made now. */
const COPIED_LAST: ReadonlySet<string> = new Set(["webhooks", "webhook_events", "webhook_deliveries"]);

const placeOf = ({ name }: { readonly name: string }): number =>
  COPIED_FIRST.has(name) ? 0 : COPIED_LAST.has(name) ? 2 : 1;

/** Thrown if the copy differs from the source, or is impossible. The target stays empty then. */
export class CopyError extends Error {
  override readonly name = "CopyError";
}

/** The number of copied rows of one table. */
export interface CopiedCount {
  readonly table: string;
  readonly rows: number;
  /** The SHA-256 of all rows in the order of their keys. It is the same in source and target. */
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
    }))
    .sort((one, other) => placeOf(one) - placeOf(other));

/** The tables and columns that `one` has and `other` lacks. */
const missingFrom = (other: readonly Table[], one: readonly Table[]): string[] =>
  one.flatMap(({ name, columns }) => {
    const same = other.find((table) => table.name === name);
    if (same === undefined) return [`table ${name}`];
    return columns.filter((column) => !same.columns.includes(column)).map((column) => `column ${name}.${column}`);
  });

/**
 * The tables without a primary key, or with different ones in source and target. Rows are read in the order of the key.
 */
const withoutCommonKey = (source: readonly Table[], target: readonly Table[]): string[] =>
  target.flatMap(({ name, keys }) => {
    if (keys.length === 0) return [`table ${name} has no primary key`];
    const same = source.find((table) => table.name === name);
    return same === undefined || same.keys.join() === keys.join()
      ? []
      : [`table ${name} has not the same primary key in source and target`];
  });

/** The tables to copy. A table comes after those that it refers to. Throws CopyError if something cannot be copied. */
const commonTables = (source: readonly Table[], target: readonly Table[]): readonly Table[] => {
  const faults = [
    ...missingFrom(target, source).map((missing) => `the target has no ${missing}`),
    ...missingFrom(source, target).map((missing) => `the source has no ${missing}`),
    ...withoutCommonKey(source, target),
  ];
  if (faults.length > 0) throw new CopyError(faults.join(", "));
  return target;
};

/** Runs the same statements. An error of the database becomes a CopyError that begins with `where`. */
const withErrorContext = (where: string, on: Sql): Sql => ({
  async all(statement, values) {
    try {
      return await on.all(statement, values);
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      throw new CopyError(`${where}: ${error.message}`, { cause: error });
    }
  },
});

const references = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/** The rows of a table in the order of its key, in several parts. */
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

/** Counts and hashes rows while they are copied. */
const countRows = (copied: Table) => {
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

/** Inserts rows with statements that have many rows each. */
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

/** The last ids in the source. The tables of the copy continue after them. */
const lastIdsOf = async (db: SqlDatabase, source: Sql, tables: readonly Table[]): Promise<LastIds> => {
  const numbered = tables.filter(({ keys }) => keys.join() === "id").map(({ name }) => name);
  const last = await sequencesOf(db).read(source, numbered);
  for (const [name, id] of last)
    if (id === null)
      throw new CopyError(`the source does not tell the last id of table ${name}: GRANT SELECT ON ALL SEQUENCES`);
  return last;
};

const isEmpty = async (db: SqlDatabase, target: Sql, tables: readonly Table[]): Promise<boolean> => {
  for (const copied of tables) {
    // A database that was only migrated and served contains nothing but its own secret.
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
 * Copies all data of a migrated database into another one that is empty. It uses one snapshot of the source and one
 * transaction in the target, so that the copy is either complete and verified or absent. `progress` receives the number
 * of copied rows and the total. The words of vehicles are not copied: `VehicleWords.fill` makes them, or the service
 * that runs on the target.
 */
export const copyDatabase = (
  source: SqlDatabase,
  target: SqlDatabase,
  progress: (done: number, total: number) => void,
): Promise<CopiedCount[]> =>
  source.snapshot((snapshot) =>
    target.writeWithoutTimeout(async (transaction) => {
      const [from, to] = [withErrorContext("the source", snapshot), withErrorContext("the target", transaction)];
      const fromTable = ({ name }: Table): Sql => withErrorContext(`table ${name} in the source`, snapshot);
      const toTable = ({ name }: Table): Sql => withErrorContext(`table ${name} in the target`, transaction);
      const tables = commonTables(copiedOf(await catalogueOf(source, from)), copiedOf(await catalogueOf(target, to)));
      if (!(await isEmpty(target, to, tables))) throw new CopyError("the target is not empty");
      const vehicleWords = vehicleWordsIn(target);
      await vehicleWords.begin(to, "not kept");
      await to.all(sqlStatement(target, sql<Row>`DELETE FROM service_secrets`), {});
      let total = 0;
      for (const copied of tables) total += await countOf(source, fromTable(copied), copied);
      // It is read before the long part begins, because it may fail.
      const lastIds = await lastIdsOf(source, from, tables);
      let done = 0;
      const counts: CopiedCount[] = [];
      for (const copied of tables) {
        const read = countRows(copied);
        const insert = inserter(target, copied);
        for await (const rows of rowsOf(source, fromTable(copied), copied)) {
          read.add(rows);
          await insert(toTable(copied), rows);
          done += rows.length;
          progress(done, total);
        }
        counts.push(read.result());
      }
      for (const [index, copied] of tables.entries()) {
        const written = countRows(copied);
        for await (const rows of rowsOf(target, toTable(copied), copied)) written.add(rows);
        const { rows, checksum } = written.result();
        if (rows !== counts[index]?.rows || checksum !== counts[index]?.checksum)
          throw new CopyError(`table ${copied.name} is not the same in source and target`);
      }
      await sequencesOf(target).continueAt(to, lastIds);
      await searchWords(target).fillWithin(to);
      await storedFigures(target).fillWithin(to);
      await vehicleWords.begin(to, "kept");
      return counts;
    }),
  );
