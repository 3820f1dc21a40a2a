import { sql } from "kysely";
import { sqlStatement } from "../../adapters/sql/statement.ts";
import { connect } from "./engines.ts";

const LISTS = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  postgres: "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
};

/** Every row of every table of the database at an address, as one text to search in. */
export const dumpOf = async (databaseUrl: string): Promise<string> => {
  const db = connect(databaseUrl);
  try {
    const names = await db.all<{ name: string }>({ text: LISTS[db.engine], bind: () => [] }, {});
    const tables = await Promise.all(
      names.map(({ name }) => db.all(sqlStatement(db, sql`SELECT * FROM ${sql.table(name)}`), {})),
    );
    return JSON.stringify(names.map(({ name }, index) => [name, tables[index]]));
  } finally {
    await db.close();
  }
};
