import { inspectDatabase } from "./inspect-database.ts";

const LISTS = {
  sqlite: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  postgres: "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
};

/** Every row of every table of a database, as one text to search. */
export const dumpOf = (databaseUrl: string): Promise<string> =>
  inspectDatabase(databaseUrl, async (rows) => {
    const names = await rows<{ name: string }>(databaseUrl.startsWith("sqlite:") ? LISTS.sqlite : LISTS.postgres);
    const tables = await Promise.all(names.map(({ name }) => rows(`SELECT * FROM "${name}"`)));
    return JSON.stringify(names.map(({ name }, index) => [name, tables[index]]));
  });
