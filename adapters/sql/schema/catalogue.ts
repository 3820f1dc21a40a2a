import { type RawBuilder, sql } from "kysely";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { sqlStatement } from "../query/statement.ts";

/** A table, as its database describes it. */
export interface Table {
  readonly name: string;
  /** The columns of its primary key, in the key's order. */
  readonly keys: readonly string[];
  /** The names of all columns except generated ones. Each database computes those itself and refuses to insert them. */
  readonly columns: readonly string[];
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  /** The column's place in the primary key, from 1; 0 if it is not part of the key. */
  readonly key: number;
}

interface ReferenceRow {
  readonly table: string;
  readonly other: string;
}

interface CatalogueQueries {
  readonly columns: RawBuilder<ColumnRow>;
  readonly references: RawBuilder<ReferenceRow>;
}

/** Virtual tables and their shadow tables are excluded, as they are derived from other tables. */
const SQLITE_TABLES = sql`sqlite_schema.type = 'table' AND sqlite_schema.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  AND sqlite_schema.name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow'))`;
const POSTGRES_TABLES = sql`relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace`;

/** How each engine describes its tables. */
const QUERIES: Readonly<Record<SqlDatabase["engine"], CatalogueQueries>> = {
  sqlite: {
    columns: sql`SELECT sqlite_schema.name AS "table", info.name AS "column", info.pk AS key
      FROM sqlite_schema, pragma_table_info(sqlite_schema.name) AS info WHERE ${SQLITE_TABLES}`,
    references: sql`SELECT sqlite_schema.name AS "table", info."table" AS other
      FROM sqlite_schema, pragma_foreign_key_list(sqlite_schema.name) AS info WHERE ${SQLITE_TABLES}`,
  },
  // information_schema does not show primary keys to a role that may only read.
  postgres: {
    columns: sql`SELECT relname::text AS "table", attname::text AS "column",
        COALESCE(array_position(indkey::int2[], attnum) + 1, 0) AS key
      FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      LEFT JOIN pg_index ON indrelid = pg_class.oid AND indisprimary WHERE ${POSTGRES_TABLES}`,
    references: sql`SELECT pg_class.relname::text AS "table", others.relname::text AS other
      FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid JOIN pg_class AS others ON others.oid = confrelid
      WHERE contype = 'f' AND pg_class.relnamespace = current_schema()::regnamespace`,
  },
};

const byText = (one: string, other: string): number => (one < other ? -1 : 1);

/** Every table of a database. A table comes after those that it refers to. */
export const catalogueOf = async (db: SqlDatabase, from: Sql): Promise<readonly Table[]> => {
  const words = QUERIES[db.engine];
  const columns = await from.all(sqlStatement(db, words.columns), {});
  const references = await from.all(sqlStatement(db, words.references), {});
  const names = [...new Set(columns.map(({ table }) => table))].sort(byText);
  const visited = new Set<string>();
  const tables: Table[] = [];
  const addTable = (name: string): void => {
    if (visited.has(name)) return;
    visited.add(name);
    for (const { table, other } of references) if (table === name) addTable(other);
    const own = columns.filter(({ table }) => table === name);
    const keys = own.filter(({ key }) => key > 0).sort((one, other) => one.key - other.key);
    tables.push({
      name,
      keys: keys.map(({ column }) => column),
      columns: own.map(({ column }) => column).sort(byText),
    });
  };
  for (const name of names) addTable(name);
  return tables;
};
