import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { SqlValue } from "../../adapters/sql/query/statement.ts";
import { copyDatabase } from "../../adapters/sql/schema/copy.ts";
import { connect, ENGINES, type TestDatabase, type TestEngine } from "../support/engines.ts";

setDefaultTimeout(300_000);

type Row = Readonly<Record<string, SqlValue>>;

/** The schema as the engines report it, so that the copy's own knowledge is not used. */
const COLUMNS = {
  sqlite: `SELECT m.name AS "table", c.name AS "column", lower(c.type) AS type FROM sqlite_schema m, pragma_table_info(m.name) c
    WHERE m.type = 'table' AND m.name <> 'sqlite_sequence'
      AND m.name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow'))`,
  postgres: `SELECT table_name AS "table", column_name AS "column", data_type AS type FROM information_schema.columns
    JOIN information_schema.tables USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
} as const;

/** Tables that the target fills itself, or that belong to the source. */
const OWN = [
  "access_version",
  "change_numbering",
  "changed_records",
  "daily_figures",
  "dealer_inventory",
  "dealer_scores",
  "dealer_words",
  "figures_missing",
  "import_chunks",
  "jobs",
  "key_words",
  "schema_migrations",
  "search_state",
  "usage_writers",
  "user_words",
  "vehicle_documents",
  "vehicle_words",
  "vehicle_words_fresh",
];

/** Values of columns that are restricted or that others are computed from. Other columns get 1, or their own name. */
const VALUES: Readonly<Record<string, string>> = {
  "vehicles.status": "pending",
  "vehicles.listed_at": "2026-03-01T00:00:00.000Z",
  "vehicle_sales.sold_at": "2026-03-14T09:26:00.000Z",
  "vehicle_sales.listed_at": "2026-03-01T00:00:00.000Z",
  // Of another vehicle, since an existing one was not removed.
  "vehicle_stays.vehicle_id": "2",
  "settings.date_order": "dmy",
  "users.role": "user",
  "users.ended_by": "user",
  "api_keys.app_type": "web",
  "api_keys.association": "user",
  "old_secret_uses.hash": "key_secrets hash",
  "fetched_photos.photo_id": "photos photo_id",
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

/** Puts one row into every table, once the tables it refers to have one. */
const fill = async (db: SqlDatabase): Promise<string[]> => {
  const tables = [...(await tablesOf(db))].filter(([name]) => !OWN.includes(name));
  for (let left = tables; left.length > 0; ) {
    const later: typeof tables = [];
    for (const [name, columns] of left) {
      const names = columns.map(([column]) => `"${column}"`);
      const values = columns.map(([column, type]) => {
        if (/real|double/.test(type)) return "0.1";
        const value = VALUES[`${name}.${column}`];
        return /int/.test(type) ? (value ?? "1") : `'${value ?? `${name} ${column}`}'`;
      });
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
    // PostgreSQL computes documents with a trigger; SQLite has a table for them. The other one is GENERATED.
    const { document: _, twice: __, ...copied } = row;
    return { ...copied };
  });

/** A column that the database computes. */
const GENERATED = {
  sqlite: "ALTER TABLE dealers ADD COLUMN twice INTEGER GENERATED ALWAYS AS (active * 2) VIRTUAL",
  postgres: "ALTER TABLE dealers ADD COLUMN twice BIGINT GENERATED ALWAYS AS (active * 2) STORED",
} as const;

/** A trigger that drops a value of every inserted vehicle. */
const LOSING = {
  sqlite: ["CREATE TRIGGER losing AFTER INSERT ON vehicles BEGIN UPDATE vehicles SET seats = NULL; END"],
  postgres: [
    "CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.seats := NULL; RETURN new; END $$",
    "CREATE TRIGGER losing BEFORE INSERT ON vehicles FOR EACH ROW EXECUTE FUNCTION lose()",
  ],
} as const;

/** What only one of two databases has, and how to undo it. */
const DIFFERENCES = [
  ["table invented", "CREATE TABLE invented (id INTEGER PRIMARY KEY)", "DROP TABLE invented"],
  [
    "column vehicles.invented",
    "ALTER TABLE vehicles ADD COLUMN invented INTEGER",
    "ALTER TABLE vehicles DROP COLUMN invented",
  ],
] as const;

/** Tables of the source and the target, and the copy's message about them. */
const UNCOPYABLE = [
  ["CREATE TABLE invented (text TEXT)", "CREATE TABLE invented (text TEXT)", "table invented has no primary key"],
  [
    "CREATE TABLE invented (id INTEGER, text TEXT, PRIMARY KEY (id, text))",
    "CREATE TABLE invented (id INTEGER PRIMARY KEY, text TEXT)",
    "table invented has not the same primary key in source and target",
  ],
] as const;

const ODD_NAME = `Odd "Na'me é`;
const ODD = `"${ODD_NAME.replaceAll('"', '""')}"`;
const ADD_ODD = `INSERT INTO ${ODD} ("a ""?") VALUES ('x')`;
/** A primary key whose numbers are never reused. */
const NUMBERED = {
  sqlite: "INTEGER PRIMARY KEY AUTOINCREMENT",
  postgres: "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
} as const;

/** Adds a table whose names have any characters. */
const addOdd = (db: SqlDatabase) => run(db, `CREATE TABLE ${ODD} (id ${NUMBERED[db.engine]}, "a ""?" TEXT)`);

/** An empty database with the same tables as the sources. */
const openTarget = async (engine: TestEngine): Promise<TestDatabase> => {
  const db = await engine.open();
  await addOdd(db);
  return db;
};

/** The database of each engine from which the tests copy, with a row in every table. Copying changes nothing in it. */
const sources = new Map<TestEngine, { readonly db: TestDatabase; readonly tables: readonly string[] }>();
const sourceOf = (engine: TestEngine) => {
  const source = sources.get(engine);
  if (source === undefined) throw new Error(`there is no source on ${engine.name}`);
  return source;
};

beforeAll(async () => {
  for (const engine of ENGINES) {
    const db = await engine.open();
    const tables = await fill(db);
    await addOdd(db);
    // Its last number is not in use.
    await run(db, ADD_ODD, ADD_ODD, `DELETE FROM ${ODD} WHERE id = 2`, GENERATED[db.engine]);
    sources.set(engine, { db, tables });
  }
});
afterAll(() => Promise.all([...sources.values()].map(({ db }) => db.close())));

for (const from of ENGINES)
  for (const into of ENGINES)
    describe(`a copy from ${from.name} into ${into.name}`, () => {
      let source: TestDatabase;
      let target: TestDatabase;
      let copied: ReturnType<typeof copyDatabase> | undefined;
      /** The one copy that is not refused, made when a test first asks for it. */
      const copy = () => {
        copied ??= copyDatabase(source, target, () => {});
        return copied;
      };

      beforeAll(async () => {
        source = sourceOf(from).db;
        target = await openTarget(into);
      });
      afterAll(() => target.close());

      const expectRefused = async (words: string): Promise<void> => {
        await expect(copyDatabase(source, target, () => {})).rejects.toThrow(words);
        expect(await rowsOf(target, "dealers")).toEqual([]);
      };

      test("names a column or table that only one of them has, and copies nothing", async () => {
        for (const [missing, text, undo] of DIFFERENCES) {
          await run(source, text);
          await expectRefused(`the target has no ${missing}`);
          await run(source, undo);
          await run(target, text);
          await expectRefused(`the source has no ${missing}`);
          await run(target, undo);
        }
      });

      test("names a table that cannot be copied, and copies nothing", async () => {
        for (const [text, other, words] of UNCOPYABLE) {
          await run(source, text);
          await run(target, other);
          await expectRefused(words);
          for (const db of [source, target]) await run(db, "DROP TABLE invented");
        }
      });

      test("has every column of every table", async () => {
        const { tables } = sourceOf(from);
        expect((await copy()).map(({ table }) => table).sort()).toEqual([...tables, ODD_NAME].sort());
        for (const table of tables) {
          const [row, ...others] = await rowsOf(source, table);
          expect([table, others]).toEqual([table, []]);
          expect([table, Object.entries(row ?? {}).filter(([, value]) => value === null)]).toEqual([table, []]);
          expect([table, ...(await rowsOf(target, table))]).toEqual([table, row ?? {}]);
        }
      });

      test("keeps names of any characters, and new ids continue after the old", async () => {
        await copy();
        await run(target, ADD_ODD);
        expect((await rowsOf(target, ODD)).map(({ id }) => id).sort()).toEqual([1, 3]);
      });

      test("leaves out generated columns", async () => {
        expect(await copy()).toContainEqual(expect.objectContaining({ table: "dealers", rows: 1 }));
      });
    });

for (const engine of ENGINES)
  test(`a copy within ${engine.name} is refused if a value was lost on the way`, async () => {
    const target = await openTarget(engine);
    await run(target, ...LOSING[target.engine]);
    await expect(copyDatabase(sourceOf(engine).db, target, () => {})).rejects.toThrow("table vehicles is not the same");
    expect(await rowsOf(target, "dealers")).toEqual([]);
    await target.close();
  });

const [SQLITE, POSTGRES] = ENGINES;

/** Another role's connection to the database at an address. */
const as = (role: string, url: string): SqlDatabase => connect(url.replace(/\/\/[^@]*@/, `//${role}:${role}@`));

for (const into of ENGINES)
  test(`a copy from PostgreSQL into ${into.name} by a role that may not read its sequences is refused, and copies nothing`, async () => {
    const source = sourceOf(POSTGRES).db;
    const target = await openTarget(into);
    const role = `reader_into_${target.engine}`;
    await run(source, `CREATE ROLE ${role} LOGIN PASSWORD '${role}'`);
    const reader = as(role, source.url);
    await expect(copyDatabase(reader, target, () => {})).rejects.toThrow(
      /^table .+ in the source: permission denied for table .+$/,
    );
    await run(source, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
    const refused = copyDatabase(reader, target, () => {});
    await expect(refused).rejects.toThrow(
      /^the source does not tell the last id of table .+: GRANT SELECT ON ALL SEQUENCES/,
    );
    expect(await rowsOf(target, "dealers")).toEqual([]);
    await run(source, `GRANT SELECT ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
    expect(await copyDatabase(reader, target, () => {})).not.toEqual([]);
    await Promise.all([reader.close(), target.close()]);
  });

test("a copy with text that PostgreSQL cannot store is refused and names the table, and nothing is copied", async () => {
  const [source, target] = [await SQLITE.open(), await POSTGRES.open()];
  await fill(source);
  await run(source, "UPDATE dealers SET name = 'a' || char(0)");
  await expect(copyDatabase(source, target, () => {})).rejects.toThrow(/^table dealers in the target: invalid byte/);
  expect(await rowsOf(target, "dealers")).toEqual([]);
  await Promise.all([source.close(), target.close()]);
});
