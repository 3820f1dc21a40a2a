import postgres from "postgres";
import { Sqlite } from "../../adapters/sql/sqlite/addon.ts";
import { fileOf } from "../../app/database.ts";

/** Runs a query and returns its rows. */
type Witness = <Row extends object>(text: string) => Promise<readonly Row[]>;

/** 64-bit integers, which the driver would return as text. */
const INT8_AS_NUMBER = { to: 20, from: [20], parse: Number, serialize: String };

/**
 * Inspects the database at an address without the service's own adapter: on PostgreSQL through another driver, on
 * SQLite through a read-only connection.
 */
export const inspectDatabase = async <Result>(
  databaseUrl: string,
  look: (rows: Witness) => Promise<Result>,
): Promise<Result> => {
  if (databaseUrl.startsWith("sqlite:")) {
    const file = new Sqlite(fileOf(databaseUrl), { readonly: true });
    const rows: Witness = async <Row>(text: string) => file.prepare<unknown[], Row>(text).all();
    return look(rows).finally(() => file.close());
  }
  const client = postgres(databaseUrl, { max: 1, types: { whole: INT8_AS_NUMBER } });
  const rows: Witness = <Row extends object>(text: string) => client.unsafe<Row[]>(text);
  return look(rows).finally(() => client.end());
};

/** The result of one query, seen in the same way. */
export const queryDatabase = <Row extends object>(databaseUrl: string, text: string): Promise<readonly Row[]> =>
  inspectDatabase(databaseUrl, (rows) => rows<Row>(text));
