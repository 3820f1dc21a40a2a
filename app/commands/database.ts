import { existsSync } from "node:fs";
import { DatabaseUnavailable, type SqlDatabase } from "../../adapters/sql/query/database.ts";
import { migrateToLatest, requireLatest, WAITS_FOR_SCHEMA } from "../../adapters/sql/schema/migrate.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { type Core, composeCore } from "../compose-core.ts";
import { imageDeliveryBaseOf, migrateOf, postgresLimitsOf, READERS } from "../config.ts";
import type { Environment } from "../config-error.ts";
import { fileOf, forDatabase, openDatabase } from "../database.ts";
import { databaseUrlOf, isPostgresUrl } from "../database-url.ts";
import type { CoreParts, PhotoParts } from "../features/shared.ts";
import { photosOf } from "../photo-config.ts";
import { publicUrlOf } from "../portal-config.ts";
import { maxKeyDaysOf, quotasOf } from "../quota-config.ts";
import { CommandError } from "./exit.ts";
import { note } from "./output.ts";

/** Whether a command may create the database. Commands that only read or change records may not. */
type RequiredState = "existing" | "existing or new";

/** The address of the database. An address with which the command would have no effect is refused. */
const addressOf = (wanted: RequiredState): string => {
  const url = databaseUrlOf(process.env);
  if (isPostgresUrl(url)) return url;
  const file = fileOf(url);
  if (file === ":memory:")
    throw new CommandError(
      "a database in memory ends with the command; set DATABASE_URL to a file, for example sqlite:./data/inventory.db",
    );
  if (wanted === "existing" && !existsSync(file))
    throw new CommandError(`there is no database ${file}; set DATABASE_URL, or make one with the command migrate`);
  return url;
};

/**
 * Runs `work` on the database of DATABASE_URL, then closes the database. If it is busy or cannot be reached, the error
 * is one line.
 */
const onDatabase = async <Result>(wanted: RequiredState, work: (db: SqlDatabase, url: string) => Promise<Result>) => {
  const url = addressOf(wanted);
  const db = openDatabase(url, { postgres: postgresLimitsOf(process.env) });
  try {
    return await work(db, url);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    return await forDatabase<Result>(url, () => Promise.reject(error));
  } finally {
    await db.close();
  }
};

const updated = (db: SqlDatabase): Promise<readonly string[]> => migrateToLatest(db, () => note(WAITS_FOR_SCHEMA));

/** Updates the schema and returns the names of the applied migrations. */
export const migrateDatabase = (): Promise<readonly string[]> =>
  onDatabase("existing or new", (db, url) => forDatabase(url, () => updated(db)));

/** Runs `work` on the database, after its schema was updated or checked as at the start of the service. */
export const withDatabase = <Result>(
  wanted: RequiredState,
  work: (db: SqlDatabase) => Promise<Result>,
): Promise<Result> =>
  onDatabase(wanted, async (db, url) => {
    await forDatabase<unknown>(url, () => (migrateOf(process.env) ? updated(db) : requireLatest(db)));
    return work(db);
  });

/** Commands take no photos, and show those that are there with the addresses that the service gives them. */
const addressesOfPhotos = (environment: Environment): PhotoParts => {
  const own = `http://${READERS.host(environment)}:${READERS.port(environment)}`;
  const base = imageDeliveryBaseOf(environment) ?? `${publicUrlOf(environment) ?? own}/images`;
  const { isOwn, quotaMib } = photosOf(environment);
  return { work: null, offReason: "Commands take no photos", quotaMib, delivery: { isOwn, base } };
};

/** What is so of every command: no other request waits for it, it fetches no files, and it opens no secrets. */
const OF_A_COMMAND: Omit<CoreParts, "db" | "clock" | "imageDeliveryBase" | "photoParts" | "quotas" | "maxKeyDays"> = {
  freeBytes: () => null,
  minFreeMib: 0,
  requestTimeoutMs: 5000,
  search: true,
  background: (work) => work(),
  currentRequest: () => undefined,
  currentDeadline: () => undefined,
  idempotencyHours: 24,
  sealing: () => Promise.reject(new Error("the secrets of this database are not unlocked")),
  egressAllow: [],
  idleKeyDays: null,
  tellOfKey: () => {},
  warnOfSource: () => {},
  warnOfWebhook: () => {},
  explainSource: () => {},
};

/** Runs `work` on the service's use cases. The database is opened in the same way as by `withDatabase`. */
export const withCore = <Result>(
  wanted: RequiredState,
  work: (core: Core, db: SqlDatabase) => Promise<Result>,
): Promise<Result> =>
  withDatabase(wanted, (db) =>
    work(
      composeCore({
        ...OF_A_COMMAND,
        db,
        clock: systemClock,
        imageDeliveryBase: imageDeliveryBaseOf(process.env),
        photoParts: addressesOfPhotos(process.env),
        quotas: quotasOf(process.env),
        maxKeyDays: maxKeyDaysOf(process.env),
      }),
      db,
    ),
  );
