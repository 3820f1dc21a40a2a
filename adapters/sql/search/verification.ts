import { sql } from "kysely";
import { foldName } from "../../../core/search/names.ts";
import {
  SEARCHED_FIELDS,
  type SearchedVehicle,
  vehicleWords as wordsOf,
} from "../../../core/vehicles/vehicle-words.ts";
import type { Sql, SqlDatabase } from "../query/database.ts";
import { param, sqlStatement } from "../query/statement.ts";
import { ALL_SPELLING_FIELDS, foldedSpelling } from "./spellings.ts";

const BATCH = 500;
const MAX_EXAMPLES = 10;

/** The result of a check of vehicles' words. */
export interface WordsCheck {
  readonly vehicles: number;
  /** The number of vehicles whose words are missing or wrong. */
  readonly wrong: number;
  /** The number of words of vehicles that do not exist. */
  readonly stray: number;
  /**
   * The number of vehicles for which SQLite's index has other words than those that are stored. PostgreSQL updates its
   * indexes itself.
   */
  readonly misindexed: number;
  /** The ids of some of these vehicles. */
  readonly examples: readonly number[];
}

type Checked = { readonly id: number; readonly words: string | null; readonly fresh: number } & SearchedVehicle;

/** A vehicle in SQLite's index, with the number of its words and a checksum of them. */
interface Indexed {
  readonly id: number;
  readonly words: number;
  readonly sum: number;
}

const COLUMNS = sql.join(["id", ...SEARCHED_FIELDS].map((name) => sql.ref(`vehicles.${name}`)));

const codeAt = (letters: readonly string[], place: number): number => letters[place]?.codePointAt(0) ?? 0;

const weightOf = (word: string): number => {
  const letters = [...word];
  const middle = Math.floor(letters.length / 2);
  return codeAt(letters, 0) * 7 + codeAt(letters, letters.length - 1) * 31 + codeAt(letters, middle) * 101;
};

const WEIGHT = sql`unicode(term) * 7 + unicode(substr(term, -1)) * 31 + unicode(substr(term, length(term) / 2 + 1)) * 101`;

const statementsOf = (db: SqlDatabase) => {
  const isSqlite = db.engine === "sqlite";
  const fresh = isSqlite
    ? sql`EXISTS (SELECT 1 FROM vehicle_words_fresh WHERE vehicle_words_fresh.vehicle_id = vehicles.id)`
    : sql`0`;
  return {
    next: sqlStatement(
      db,
      sql<Checked>`SELECT ${COLUMNS}, vehicle_words.words AS words, ${fresh} AS fresh FROM vehicles
        LEFT JOIN vehicle_words
          ON vehicle_words.dealer_id = vehicles.dealer_id AND vehicle_words.vehicle_id = vehicles.id
        WHERE vehicles.id > ${param("after")} ORDER BY vehicles.id LIMIT ${sql.lit(BATCH)}`,
    ),
    stray: sqlStatement(
      db,
      sql<{ id: number }>`SELECT vehicle_id AS id FROM vehicle_words WHERE NOT EXISTS (SELECT 1 FROM vehicles
        WHERE vehicles.id = vehicle_words.vehicle_id AND vehicles.dealer_id = vehicle_words.dealer_id)`,
    ),
    last: sqlStatement(db, sql<{ last: number }>`SELECT COALESCE(MAX(id), 0) AS last FROM vehicles`),
    indexed: sqlStatement(
      db,
      sql<Indexed>`SELECT doc AS id, COUNT(*) AS words, SUM(${WEIGHT}) AS sum FROM vehicle_index_words GROUP BY doc`,
    ),
  };
};

/** True if the index has exactly these words. */
const isIndexed = (words: string, indexed: Indexed | undefined): boolean => {
  const each = words.split(" ").slice(1);
  return indexed?.words === each.length && indexed.sum === each.reduce((sum, word) => sum + weightOf(word), 0);
};

/**
 * Compares the words of all vehicles with their texts, and SQLite's index with the words, on one snapshot. It changes
 * nothing. `reached` receives the percentage that is done.
 */
export const verifyVehicleWords = (db: SqlDatabase, reached: (percent: number) => void): Promise<WordsCheck> => {
  const statements = statementsOf(db);
  const indexIn = async (snapshot: Sql): Promise<ReadonlyMap<number, Indexed> | null> =>
    db.engine === "sqlite"
      ? new Map((await snapshot.all(statements.indexed, {})).map((indexed) => [indexed.id, indexed]))
      : null;

  return db.snapshot(async (snapshot) => {
    const last = (await snapshot.all(statements.last, {}))[0]?.last ?? 0;
    const index = await indexIn(snapshot);
    const stray = await snapshot.all(statements.stray, {});
    const wrong: number[] = [];
    const misindexed: number[] = [];
    let vehicles = 0;
    for (let after = 0; after < last; ) {
      const rows = await snapshot.all(statements.next, { after });
      for (const row of rows) {
        vehicles++;
        if (row.words !== wordsOf(row)) wrong.push(row.id);
        else if (index !== null && row.fresh === 0 && !isIndexed(row.words, index.get(row.id))) misindexed.push(row.id);
      }
      after = rows.at(-1)?.id ?? last;
      reached(Math.floor((100 * after) / last));
    }
    return {
      vehicles,
      wrong: wrong.length,
      stray: stray.length,
      misindexed: misindexed.length,
      examples: [...wrong, ...misindexed, ...stray.map(({ id }) => id)].slice(0, MAX_EXAMPLES),
    };
  });
};

/** A value of a field that some vehicles have. */
export interface Spelling {
  readonly field: string;
  readonly value: string;
}

/** A value with its stored folded form; `null` if that is missing. */
interface Compared {
  readonly value: string;
  readonly folded: string | null;
}

/**
 * The values of vehicles that cannot be found without regard to case and accents, because their folded form is missing
 * or wrong. It changes nothing.
 */
export const verifySpellings = (db: SqlDatabase): Promise<readonly Spelling[]> => {
  const spelled = (field: (typeof ALL_SPELLING_FIELDS)[number]) => {
    const column = sql.ref(`vehicles.${field}`);
    // Only stock numbers with letters that the databases fold differently have a stored form.
    const isSpelled = field === "stock_number" ? sql`length(${column}) <> octet_length(${column})` : sql`TRUE`;
    return sqlStatement(
      db,
      sql<Compared>`SELECT used.value, vehicle_spellings.folded
        FROM (SELECT DISTINCT ${column} AS value FROM vehicles WHERE ${column} IS NOT NULL AND ${isSpelled}) AS used
        LEFT JOIN vehicle_spellings ON vehicle_spellings.field = ${sql.lit(field)} AND vehicle_spellings.value = used.value`,
    );
  };
  const folded = (field: "make" | "model") =>
    sqlStatement(
      db,
      sql<Compared>`SELECT DISTINCT ${sql.ref(field)} AS value, ${sql.ref(`${field}_folded`)} AS folded FROM vehicles`,
    );

  return db.snapshot(async (snapshot) => {
    const wrong: Spelling[] = [];
    for (const field of ALL_SPELLING_FIELDS)
      for (const { value, folded } of await snapshot.all(spelled(field), {}))
        if (folded !== foldedSpelling(field, value)) wrong.push({ field, value });
    for (const field of ["make", "model"] as const)
      for (const form of await snapshot.all(folded(field), {}))
        if (form.folded !== foldName(form.value)) wrong.push({ field, value: form.value });
    return wrong;
  });
};
