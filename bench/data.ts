import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { makeKeyRepository } from "../adapters/sql/keys/repository.ts";
import { migrateToLatest } from "../adapters/sql/schema/migrate.ts";
import { openSqlite } from "../adapters/sql/sqlite/open.ts";
import { makeBulk } from "../adapters/sql/vehicles/bulk.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { secrets } from "../adapters/system/secrets.ts";
import { SERVICE } from "../core/access/principal.ts";
import { EVERY_PERMISSION } from "../core/permissions.ts";
import { dealerWithId, type Scale, vehicleWithId } from "./stock.ts";

/** Higher than any measurement can reach. */
const RATE_LIMIT = 2_000_000_000;
const INSERTED_AT_ONCE = 10_000;

/** A database file to copy for every contender, and a key that the service knows. */
export interface Dataset {
  readonly file: string;
  readonly apiKey: string;
}

/**
 * Does the work without the indexes, and then creates them again. Sorting a million rows once takes much less time than
 * row-by-row updates.
 */
const withoutIndexes = async (file: string, work: () => Promise<void>): Promise<void> => {
  const connection = new Sqlite(file);
  try {
    const made = connection
      .prepare<[], { name: string; sql: string }>(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL",
      )
      .all();
    for (const { name } of made) connection.exec(`DROP INDEX ${name}`);
    await work();
    // The data only has to last for the run.
    connection.pragma("synchronous = OFF");
    connection.transaction(() => {
      for (const { sql } of made) connection.exec(sql);
    })();
  } finally {
    connection.close();
  }
};

const HISTORY = `INSERT INTO vehicle_history (vehicle_id, at, field, dealer_id, old_value, new_value, actor)
  SELECT vehicles.id, strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '+' || change.key || ' days'), 'price', dealer_id,
    CAST(price_cents + 10000 * (4 - change.key) AS TEXT), CAST(price_cents + 10000 * (3 - change.key) AS TEXT),
    json_object('keyId', NULL, 'userId', NULL, 'name', 'Command line', 'via', 'command', 'dealerId', NULL)
  FROM vehicles CROSS JOIN json_each('[1,2,3,4]') AS change WHERE vehicles.id <= ?`;
/** The number of vehicles that have a history. */
const HISTORIES = 50_000;

/** Gives vehicles a history of four prices, as if the present price had been reached in steps. */
const addHistories = (file: string): void => {
  const connection = new Sqlite(file);
  connection.prepare(HISTORY).run(HISTORIES);
  connection.close();
};

// The service judges each dealer's vehicles once a day, and those that changed after five minutes at the earliest, some
// 5 000 vehicles every 30 s, beside what is measured. In a comparison that writes to all dealers at once, these would be
// all vehicles from its sixth minute on. So they count as judged tomorrow; the score itself makes no difference.
const JUDGED = `INSERT INTO dealer_scores (dealer_id, score, mark, judged_at)
  SELECT dealer_id, 100, mark, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+1 day') FROM dealer_inventory`;

/** Notes that the vehicles of all dealers need not be judged. */
const noteJudged = (file: string): void => {
  const connection = new Sqlite(file);
  connection.prepare(JUDGED).run();
  connection.close();
};

/** Fills a new database in the folder, with the service's own schema and repositories. */
export const makeDataset = async (folder: string, scale: Scale): Promise<Dataset> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, "inventory.db");
  const db = openSqlite(file);
  await migrateToLatest(db);
  const bulk = makeBulk(db, systemClock, SERVICE);
  const dealers = Array.from({ length: scale.dealers }, (_, index) => dealerWithId(index + 1, scale));
  await bulk.addDealers(dealers, true);
  await withoutIndexes(file, async () => {
    for (let first = 1; first <= scale.vehicles; first += INSERTED_AT_ONCE) {
      const length = Math.min(INSERTED_AT_ONCE, scale.vehicles - first + 1);
      await bulk.addVehicles(
        Array.from({ length }, (_, index) => ({ fields: vehicleWithId(first + index, scale), images: [] })),
      );
    }
  });
  addHistories(file);
  noteJudged(file);
  const secret = secrets.issue("desktop", "bench");
  await makeKeyRepository(db, () => {}).insert({
    key: {
      name: "Measurements",
      description: null,
      appType: "desktop",
      appId: "bench",
      association: "none",
      dealerId: null,
      userId: null,
      ownPermissions: EVERY_PERMISSION,
      isPublic: false,
      allowedOrigins: null,
      allowedNetworks: null,
      ownerEmail: null,
      disabledReason: null,
      rateLimit: RATE_LIMIT,
      active: true,
      endedBy: null,
      expiresAt: null,
    },
    secret,
    now: new Date().toISOString(),
    by: SERVICE,
  });
  await db.close();
  return { file, apiKey: secret.key };
};
