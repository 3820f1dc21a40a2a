import { COLUMNS, INSERTED, WHOLE } from "./vehicle.ts";

// With the table's name: without it PostgreSQL would order by the selected text, and not use the index.
const NEWEST_FIRST = "ORDER BY created_at DESC, vehicles.id DESC";
const OLDEST_FIRST = "ORDER BY created_at, vehicles.id";
const OF_MODEL = "WHERE make_folded = ? AND model_folded = ? AND price_cents >= ? AND price_cents <= ?";
const SUMMARY_COLUMNS = ["id", "make", "model", "year", "created_at"];

/** The differences between the engines in the statements of the hand-written contenders. */
interface Dialect {
  /** Selects a whole number in a form that the driver returns as a number. */
  readonly whole: (expression: string) => string;
  /** The text with the engine's placeholders instead of `?`. */
  readonly placed: (text: string) => string;
}

const statementsIn = ({ whole, placed }: Dialect) => {
  const columns = (names: readonly string[]): string =>
    names.map((name) => (WHOLE.has(name) ? `${whole(name)} AS ${name}` : name)).join(", ");
  const vehicle = columns(COLUMNS);
  const count = `${whole("count(*)")} AS total`;
  const summary = `SELECT ${columns(SUMMARY_COLUMNS)} FROM vehicles WHERE dealer_id = ?`;
  const texts = {
    one: `SELECT ${vehicle} FROM vehicles WHERE id = ?`,
    ofDealer: `SELECT ${vehicle} FROM vehicles WHERE dealer_id = ? ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
    countOfDealer: `SELECT ${count} FROM vehicles WHERE dealer_id = ?`,
    ofModel: `SELECT ${vehicle} FROM vehicles ${OF_MODEL} ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
    countOfModel: `SELECT ${count} FROM vehicles ${OF_MODEL}`,
    statistics: `SELECT ${count}_vehicles,
      ${whole("count(*) FILTER (WHERE status = 'available')")} AS available_vehicles,
      ${whole("count(*) FILTER (WHERE status = 'sold')")} AS sold_vehicles,
      ${whole("count(*) FILTER (WHERE status = 'pending')")} AS pending_vehicles,
      CAST(coalesce(avg(price_cents) FILTER (WHERE status <> 'sold'), 0) AS float8) / 100 AS average_price,
      CAST(coalesce(sum(price_cents) FILTER (WHERE status <> 'sold'), 0) AS float8) / 100 AS inventory_value
      FROM vehicles WHERE dealer_id = ?`,
    newest: `${summary} ${NEWEST_FIRST} LIMIT 1`,
    oldest: `${summary} ${OLDEST_FIRST} LIMIT 1`,
    insert: `INSERT INTO vehicles (${INSERTED.join(", ")}) VALUES (${INSERTED.map(() => "?").join(", ")})
      RETURNING ${whole("id")} AS id`,
    changePrice: `UPDATE vehicles SET price_cents = ?, updated_at = ? WHERE id = ? RETURNING ${vehicle}`,
  };
  type Name = keyof typeof texts;
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, placed(text)])) as Record<Name, string>;
};

/** The statements of every hand-written contender on SQLite. */
export const SQLITE_STATEMENTS = statementsIn({ whole: (expression) => expression, placed: (text) => text });

const numbered = (text: string): string => {
  let place = 0;
  return text.replaceAll("?", () => `$${++place}`);
};

/** The same for PostgreSQL. Its drivers return 64-bit numbers as text, so those that fit are cast. */
export const POSTGRES_STATEMENTS = statementsIn({
  whole: (expression) => `CAST(${expression} AS int4)`,
  placed: numbered,
});
