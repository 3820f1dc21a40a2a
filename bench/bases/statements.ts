import { COLUMNS, INSERTED, WHOLE } from "./vehicle.ts";

// The table's name is needed: otherwise PostgreSQL would order by the selected text, and would not use the index.
const NEWEST_FIRST = "ORDER BY created_at DESC, vehicles.id DESC";
const OLDEST_FIRST = "ORDER BY created_at, vehicles.id";
const OF_MODEL = "WHERE make_folded = ? AND model_folded = ? AND price_cents >= ? AND price_cents <= ?";
const VALUE_FACETS =
  "make model year status stage body_style fuel_type transmission drivetrain condition exterior_color".split(" ");
const RANGE_FACETS = ["price_cents", "mileage"];
const RANGES = 10;

const facetRow = (facet: string, value: string) => `SELECT '${facet}' AS facet, CAST(${value} AS TEXT) AS value`;

const SUMMARY_COLUMNS = ["id", "make", "model", "year", "created_at"];

/** The differences between the engines in the statements of the hand-written contenders. */
interface Dialect {
  /** Selects a whole number so that the driver returns it as a number. */
  readonly whole: (expression: string) => string;
  /** The condition that a text contains another one. */
  readonly contains: (text: string, part: string) => string;
  /** The statement with the engine's placeholders instead of `?`. */
  readonly placed: (text: string) => string;
}

const statementsIn = ({ whole, contains, placed }: Dialect) => {
  const columns = (names: readonly string[]): string =>
    names.map((name) => (WHOLE.has(name) ? `${whole(name)} AS ${name}` : name)).join(", ");
  const vehicle = columns(COLUMNS);
  const count = `${whole("count(*)")} AS total`;
  const summary = `SELECT ${columns(SUMMARY_COLUMNS)} FROM vehicles WHERE dealer_id = ?`;
  const hasWords = `WHERE dealer_id = ? AND id IN (SELECT vehicle_id FROM vehicle_words
    WHERE vehicle_words.dealer_id = ? AND ${contains("words", "?")} AND ${contains("words", "?")})`;
  const number = `${whole("count(*)")} AS count`;
  const facets = [
    `SELECT 'total' AS facet, NULL AS value, ${number},
      CAST(NULL AS INTEGER) AS least, CAST(NULL AS INTEGER) AS most FROM found`,
    ...VALUE_FACETS.map((name) => `${facetRow(name, name)}, ${number}, NULL, NULL FROM found GROUP BY ${name}`),
    ...RANGE_FACETS.map(
      (name) =>
        `${facetRow(name, `${name} / (SELECT width FROM ${name}_width)`)}, ${number},
          ${whole(`min(${name})`)}, ${whole(`max(${name})`)} FROM found WHERE ${name} IS NOT NULL GROUP BY 2`,
    ),
  ].join(" UNION ALL ");
  const widths = RANGE_FACETS.map(
    (name) =>
      `${name}_width AS MATERIALIZED (SELECT (max(${name}) - min(${name})) / ${RANGES} + 1 AS width FROM found)`,
  );
  const ofPrice = "FROM vehicle_history WHERE vehicle_id = ? AND field = 'price'";
  const texts = {
    one: `SELECT ${vehicle} FROM vehicles WHERE id = ?`,
    ofDealer: `SELECT ${vehicle} FROM vehicles WHERE dealer_id = ? ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
    countOfDealer: `SELECT ${count} FROM vehicles WHERE dealer_id = ?`,
    ofModel: `SELECT ${vehicle} FROM vehicles ${OF_MODEL} ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
    withWords: `SELECT ${vehicle} FROM vehicles ${hasWords} ${NEWEST_FIRST} LIMIT ? OFFSET ?`,
    countWithWords: `SELECT ${count} FROM vehicles ${hasWords}`,
    byPrice: `SELECT ${vehicle} FROM vehicles WHERE dealer_id = ? ORDER BY price_cents DESC, vehicles.id DESC LIMIT ? OFFSET ?`,
    facets: `WITH found AS MATERIALIZED (
      SELECT ${[...VALUE_FACETS, ...RANGE_FACETS]} FROM vehicles WHERE dealer_id = ?), ${widths} ${facets}`,
    changes: `SELECT at, field, old_value, new_value, actor FROM vehicle_history
      WHERE vehicle_id = ? ORDER BY at DESC, field DESC LIMIT ? OFFSET ?`,
    changeFacts: `SELECT (SELECT ${whole("count(*)")} FROM vehicle_history WHERE vehicle_id = ?) AS total,
      (SELECT ${whole("old_value")} ${ofPrice} ORDER BY at LIMIT 1) AS first_cents,
      (SELECT ${whole("count(*)")} ${ofPrice} AND CAST(new_value AS BIGINT) < CAST(old_value AS BIGINT)) AS price_drops,
      vehicles.listed_at, vehicles.sold_at FROM vehicles WHERE id = ?`,
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

/** The statements of all hand-written contenders on SQLite. */
export const SQLITE_STATEMENTS = statementsIn({
  whole: (expression) => expression,
  contains: (text, part) => `instr(${text}, ${part}) > 0`,
  placed: (text) => text,
});

const numbered = (text: string): string => {
  let place = 0;
  return text.replaceAll("?", () => `$${++place}`);
};

/** The same for PostgreSQL. Its drivers return 64-bit numbers as text, so numbers that fit into 32 bits are cast. */
export const POSTGRES_STATEMENTS = statementsIn({
  whole: (expression) => `CAST(${expression} AS int4)`,
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  placed: numbered,
});
