import type { Engine, Migration } from "./migration.ts";

const STATUSES = ["available", "sold", "pending"] as const;

/** A timestamp in whole milliseconds since 1970. */
const MS: Readonly<Record<Engine, (moment: string) => string>> = {
  sqlite: (moment) => `(unixepoch(${moment}) * 1000 + CAST(substr(${moment}, 21, 3) AS INTEGER))`,
  postgres: (moment) => `CAST(EXTRACT(EPOCH FROM CAST(${moment} AS TIMESTAMPTZ)) * 1000 AS BIGINT)`,
};
const listedMs = (engine: Engine, row: string): string => MS[engine](`COALESCE(${row}.listed_at, ${row}.created_at)`);

/** A random number, because a counter could reach the same number again after a backup was restored. */
const CHANCE: Readonly<Record<Engine, string>> = {
  sqlite: "(random() & 1099511627775)",
  postgres: "CAST(floor(random() * 1099511627776) AS BIGINT)",
};

/** What a vehicle adds to the columns of its dealer's row. */
const sharesOf = (engine: Engine, row: "old" | "new"): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    STATUSES.flatMap((status) => {
      const share = (value: string) => `(CASE WHEN ${row}.status = '${status}' THEN ${value} ELSE 0 END)`;
      return [
        [status, share("1")],
        [`${status}_cents`, share(`${row}.price_cents`)],
      ];
    }),
  ),
  listed_ms: `(CASE WHEN ${row}.status <> 'sold' THEN ${listedMs(engine, row)} ELSE 0 END)`,
});

const update = (engine: Engine, dealer: string, changes: (column: string) => string): string => {
  const counted = Object.keys(sharesOf(engine, "new")).map((column) => `${column} = ${column} ${changes(column)}`);
  return `UPDATE dealer_inventory SET ${counted.join(", ")}, mark = ${CHANCE[engine]} WHERE dealer_id = ${dealer};`;
};

/** Adds a vehicle to its dealer's row (+), or takes it away (-). */
const tally = (engine: Engine, sign: "+" | "-", row: "old" | "new"): string =>
  update(engine, `${row}.dealer_id`, (column) => `${sign} ${sharesOf(engine, row)[column]}`);

/** Replaces a vehicle's share, whose dealer is the same as before. */
const exchange = (engine: Engine): string => {
  const [before, after] = [sharesOf(engine, "old"), sharesOf(engine, "new")];
  return update(engine, "new.dealer_id", (column) => `- ${before[column]} + ${after[column]}`);
};

/** The columns that are counted. A change of others only gives the dealer a new mark. */
const COUNTED = ["status", "price_cents", "listed_at"] as const;
const IS_COUNTED = COUNTED.map((column) => `old.${column} IS DISTINCT FROM new.${column}`).join(" OR ");
const marked = (engine: Engine): string =>
  `UPDATE dealer_inventory SET mark = ${CHANCE[engine]} WHERE dealer_id = new.dealer_id;`;

const SQLITE = [
  ...["vehicle_inserted", "vehicle_deleted", "vehicle_updated"],
  ...["vehicle_insert_marked", "vehicle_update_marked", "vehicle_delete_marked"],
].map((name) => `DROP TRIGGER ${name}`);

const sqliteTriggers = [
  `CREATE TRIGGER vehicle_inserted AFTER INSERT ON vehicles BEGIN ${tally("sqlite", "+", "new")} END`,
  `CREATE TRIGGER vehicle_deleted AFTER DELETE ON vehicles BEGIN ${tally("sqlite", "-", "old")} END`,
  `CREATE TRIGGER vehicle_marked AFTER UPDATE ON vehicles WHEN old.dealer_id = new.dealer_id AND NOT (${IS_COUNTED})
    BEGIN ${marked("sqlite")} END`,
  `CREATE TRIGGER vehicle_updated AFTER UPDATE OF ${COUNTED.join(", ")} ON vehicles
    WHEN old.dealer_id = new.dealer_id AND (${IS_COUNTED}) BEGIN ${exchange("sqlite")} END`,
  `CREATE TRIGGER vehicle_moved AFTER UPDATE OF dealer_id ON vehicles WHEN old.dealer_id <> new.dealer_id
    BEGIN ${tally("sqlite", "-", "old")} ${tally("sqlite", "+", "new")} END`,
];

const postgresTriggers = [
  ...["insert", "update", "delete"].flatMap((event) => [
    `DROP TRIGGER vehicle_${event}_marked ON vehicles`,
    `DROP FUNCTION vehicle_${event}_marked()`,
  ]),
  "DROP TRIGGER vehicle_counted ON vehicles",
  // A change of the dealer locks both dealers in the order of their ids, so that two such changes cannot deadlock.
  `CREATE OR REPLACE FUNCTION count_vehicle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF TG_OP = 'INSERT' THEN ${tally("postgres", "+", "new")}
    ELSIF TG_OP = 'DELETE' THEN ${tally("postgres", "-", "old")}
    ELSIF old.dealer_id <> new.dealer_id THEN
      PERFORM 1 FROM dealer_inventory WHERE dealer_id IN (old.dealer_id, new.dealer_id) ORDER BY dealer_id FOR UPDATE;
      ${tally("postgres", "-", "old")} ${tally("postgres", "+", "new")}
    ELSIF ${IS_COUNTED} THEN ${exchange("postgres")}
    ELSE ${marked("postgres")}
    END IF; RETURN NULL; END $$`,
  `CREATE TRIGGER vehicle_counted AFTER INSERT OR DELETE OR UPDATE ON vehicles FOR EACH ROW
    EXECUTE FUNCTION count_vehicle()`,
];

/** The sums of the vehicles that exist. No vehicle changes meanwhile: on PostgreSQL, the lock sees to it. */
const listed = (engine: Engine): string[] => [
  ...(engine === "postgres" ? ["LOCK TABLE vehicles IN SHARE ROW EXCLUSIVE MODE"] : []),
  `UPDATE dealer_inventory SET listed_ms = sums.listed_ms FROM (
    SELECT dealer_id, ${engine === "postgres" ? "CAST(" : ""}SUM(${listedMs(engine, "vehicles")})${
      engine === "postgres" ? " AS BIGINT)" : ""
    } AS listed_ms FROM vehicles WHERE status <> 'sold' GROUP BY dealer_id
  ) AS sums WHERE sums.dealer_id = dealer_inventory.dealer_id`,
];

/**
 * One statement keeps a dealer's counts, the sum of the times at which its unsold vehicles were listed, and its mark:
 * they are in one row. Before, each change of a vehicle wrote that row twice, and statistics read each vehicle's time.
 * The sum has room for five million unsold vehicles of one dealer.
 */
export const dealerFigures: Migration = {
  name: "0034-dealer-figures",
  statements: (engine) => [
    `ALTER TABLE dealer_inventory ADD COLUMN listed_ms ${engine === "sqlite" ? "INTEGER" : "BIGINT"} NOT NULL DEFAULT 0`,
    ...listed(engine),
    ...(engine === "sqlite" ? [...SQLITE, ...sqliteTriggers] : postgresTriggers),
  ],
};
