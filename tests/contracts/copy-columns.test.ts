import { expect, setDefaultTimeout, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { SqlValue } from "../../adapters/sql/query/statement.ts";
import { copyDatabase } from "../../adapters/sql/schema/copy.ts";
import { ENGINES } from "../support/engines.ts";

setDefaultTimeout(60_000);

type Row = Readonly<Record<string, SqlValue>>;

/** The schema in the engines' own words, so that what the copy knows of it is not asked. */
const COLUMNS = {
  sqlite: `SELECT m.name AS "table", c.name AS "column", lower(c.type) AS type FROM sqlite_schema m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name <> 'sqlite_sequence'`,
  postgres: `SELECT table_name AS "table", column_name AS "column", data_type AS type FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
} as const;

/** Tables that the target fills itself, or that are the source's own. */
const OWN = ["access_version", "dealer_inventory", "schema_migrations", "usage_writers", "vehicle_documents"];

/** Values of columns that do not take any. Others get 1, or their own name. */
const VALUES: Readonly<Record<string, string>> = {
  "vehicles.status": "pending",
  "users.role": "user",
  "users.ended_by": "user",
  "api_keys.app_type": "web",
  "api_keys.association": "user",
  "invitations.kind": "invitation",
};

const run = async (db: SqlDatabase, ...texts: readonly string[]): Promise<readonly Row[]> => {
  let rows: readonly Row[] = [];
  await db.migrate(async (statement) => {
    for (const text of texts) rows = await statement(text);
  });
  return rows;
};

const tablesOf = async (db: SqlDatabase): Promise<Map<string, [column: string, type: string][]>> => {
  const tables = new Map<string, [string, string][]>();
  for (const { table, column, type } of await run(db, COLUMNS[db.engine]))
    tables.set(String(table), [...(tables.get(String(table)) ?? []), [String(column), String(type)]]);
  return tables;
};

/** Puts one row into every table, as soon as those it refers to have theirs. */
const fill = async (db: SqlDatabase): Promise<string[]> => {
  const tables = [...(await tablesOf(db))].filter(([name]) => !OWN.includes(name));
  for (let left = tables; left.length > 0; ) {
    const later: typeof tables = [];
    for (const [name, columns] of left) {
      const names = columns.map(([column]) => `"${column}"`);
      const values = columns.map(([column, type]) =>
        /int/.test(type) ? "1" : `'${VALUES[`${name}.${column}`] ?? `${name} ${column}`}'`,
      );
      await run(db, `INSERT INTO ${name} (${names}) VALUES (${values})`).catch((error: unknown) => {
        if (db.violation(error) !== "foreign-key") throw error;
        later.push([name, columns]);
      });
    }
    expect(later.length).toBeLessThan(left.length);
    left = later;
  }
  return tables.map(([name]) => name).sort();
};

const rowsOf = async (db: SqlDatabase, table: string): Promise<Row[]> =>
  (await run(db, `SELECT * FROM ${table}`)).map((row) => {
    // Made by a trigger of PostgreSQL; SQLite has a table for it.
    const { document: _, ...copied } = row;
    return { ...copied };
  });

/** A column that the database computes. */
const GENERATED = {
  sqlite: "ALTER TABLE dealers ADD COLUMN twice INTEGER GENERATED ALWAYS AS (active * 2) VIRTUAL",
  postgres: "ALTER TABLE dealers ADD COLUMN twice BIGINT GENERATED ALWAYS AS (active * 2) STORED",
} as const;

/** Loses a value of every vehicle that is inserted. */
const LOSING = {
  sqlite: ["CREATE TRIGGER losing AFTER INSERT ON vehicles BEGIN UPDATE vehicles SET seats = NULL; END"],
  postgres: [
    "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.seats := NULL; RETURN new; END $$",
    "CREATE TRIGGER losing BEFORE INSERT ON vehicles FOR EACH ROW EXECUTE FUNCTION lose()",
  ],
} as const;

const DIFFERENCES = [
  ["table notes", "CREATE TABLE notes (id INTEGER PRIMARY KEY)"],
  ["column vehicles.invented", "ALTER TABLE vehicles ADD COLUMN invented INTEGER"],
] as const;

for (const from of ENGINES)
  for (const into of ENGINES) {
    test(`a copy from ${from.name} into ${into.name} has every column of every table`, async () => {
      const [source, target] = [await from.open(), await into.open()];
      const tables = await fill(source);
      const copied = await copyDatabase(source, target, () => {});
      expect(copied.map(({ table }) => table).sort()).toEqual(tables);
      for (const table of tables) {
        const [row, ...others] = await rowsOf(source, table);
        expect([table, others]).toEqual([table, []]);
        expect([table, Object.entries(row ?? {}).filter(([, value]) => value === null)]).toEqual([table, []]);
        expect([table, ...(await rowsOf(target, table))]).toEqual([table, row ?? {}]);
      }
      await Promise.all([source.close(), target.close()]);
    });

    test(`what only one of ${from.name} and ${into.name} has is named, and nothing is copied`, async () => {
      for (const [missing, text] of DIFFERENCES) {
        const [more, less] = [await from.open(), await into.open()];
        await fill(less);
        await run(more, text);
        await expect(copyDatabase(more, less, () => {})).rejects.toThrow(`the target has no ${missing}`);
        await expect(copyDatabase(less, more, () => {})).rejects.toThrow(`the source has no ${missing}`);
        await Promise.all([more.close(), less.close()]);
      }
    });

    test(`a generated column of ${from.name} is not copied into ${into.name}, which may compute its own`, async () => {
      const [source, target] = [await from.open(), await into.open()];
      await fill(source);
      await run(source, GENERATED[source.engine]);
      const copied = await copyDatabase(source, target, () => {});
      expect(copied).toContainEqual(expect.objectContaining({ table: "dealers", rows: 1 }));
      await Promise.all([source.close(), target.close()]);
    });
  }

for (const engine of ENGINES)
  test(`a copy within ${engine.name} is refused when a value was lost on the way`, async () => {
    const [source, target] = [await engine.open(), await engine.open()];
    await fill(source);
    await run(target, ...LOSING[target.engine]);
    await expect(copyDatabase(source, target, () => {})).rejects.toThrow("table vehicles is not the same");
    expect(await rowsOf(target, "dealers")).toEqual([]);
    await Promise.all([source.close(), target.close()]);
  });
