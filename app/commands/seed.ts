import type { Command } from "commander";
import { makeBulk, NOT_EMPTY } from "../../adapters/sql/vehicles/bulk.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import type { PhotoStorage } from "../../core/photos/photo-storage.ts";
import { photosOf } from "../photo-config.ts";
import { batches } from "../seed/batches.ts";
import { inventDealers, MAX_DEALERS } from "../seed/dealers.ts";
import { addMorning } from "../seed/morning.ts";
import { NotStored } from "../seed/photos.ts";
import { picturesFor } from "../seed/picturing.ts";
import { EARLIEST_END, endOfData, morningsOf } from "../seed/times.ts";
import { inventVehicles } from "../seed/vehicles.ts";
import { withCore } from "./database.ts";
import { CommandError, usageError } from "./exit.ts";
import { numberOption } from "./options.ts";
import { print } from "./output.ts";
import { ownStorage, withStorageErrors } from "./photo-storages.ts";
import { showProgress } from "./progress.ts";
import { plural } from "./table.ts";

/**
 * The number of rows in one transaction. It makes the command fast, while a service on the same database hardly has to
 * wait.
 */
const BATCH = 2000;
const MAX_VEHICLES = 10_000_000;
const MAX_SEED = 2 ** 32 - 1;

interface SeedOptions {
  readonly dealers: number;
  readonly vehicles: number;
  readonly seed: number;
  readonly force?: true;
  readonly images: boolean;
  /** The day on which the data ends; now if it is not given. */
  readonly until?: string;
}

/** The moment at which the data ends. */
const endOf = (day: string | undefined): number => {
  const end = endOfData(day, systemClock.nowMs());
  if (end === null) throw usageError(`--until: must be a day from ${EARLIEST_END} to yesterday (UTC), as YYYY-MM-DD`);
  return end;
};

const NO_PICTURES = "the pictures cannot be stored; --no-images adds none";

/** Where pictures are to be stored; `null` if none are wanted, or this installation holds no photos. */
const storageFor = async ({ images }: SeedOptions): Promise<PhotoStorage | null> => {
  if (!images || photosOf(process.env).storage.kind === "off") return null;
  const { storage } = ownStorage({ isMade: true });
  await withStorageErrors(NO_PICTURES, () => storage.check());
  return storage;
};

const seed = async (options: SeedOptions): Promise<void> => {
  const until = endOf(options.until);
  await withCore("existing or new", async (core, db) => {
    const started = performance.now();
    const bulk = makeBulk(db, systemClock, OPERATOR);
    const storage = await storageFor(options);
    const dealers = inventDealers({ seed: options.seed, count: options.dealers, until });
    const dealerIds = await bulk.addDealers(
      dealers.map(({ fields }) => fields),
      options.force !== true,
    );
    if (dealerIds === NOT_EMPTY)
      throw new CommandError("the database is not empty; --force adds invented data to what is there");

    const withPictures = picturesFor({ ...options, dealerIds, storage });
    const progress = showProgress("vehicles", options.vehicles);
    try {
      let done = 0;
      for (const batch of batches(
        inventVehicles({ seed: options.seed, count: options.vehicles, dealers, until }),
        BATCH,
      )) {
        await bulk.addVehicles(...(await withPictures(batch)));
        done += batch.length;
        progress.reach(done);
      }
    } catch (error) {
      throw error instanceof NotStored ? new CommandError(`${NO_PICTURES}: ${error.message}`) : error;
    } finally {
      progress.end();
    }
    for (const dealer of dealerIds.slice(0, morningsOf(options))) await addMorning(core, dealer);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`Added ${plural(options.dealers, "dealer")} and ${plural(options.vehicles, "vehicle")} in ${seconds} s.`);
  });
};

/** Adds the command `seed`. */
export const addSeed = (program: Command): void => {
  program
    .command("seed")
    .description(
      "fill an empty database with invented dealers and vehicles; the same --seed and --until always give the same data",
    )
    .addOption(
      numberOption("--dealers <number>", `the number of dealers, up to ${MAX_DEALERS}`, {
        least: 1,
        most: MAX_DEALERS,
      }).default(100),
    )
    .addOption(
      numberOption("--vehicles <number>", "the number of vehicles", { least: 0, most: MAX_VEHICLES }).default(50_000),
    )
    .addOption(
      numberOption("--seed <number>", "the seed of the invented data; another number gives other data", {
        least: 0,
        most: MAX_SEED,
      }).default(1),
    )
    .option("--until <day>", "a past day on which the data ends (default: now)")
    .option("--images", "add images to the vehicles", true)
    .option("--no-images", "add no images")
    .option("--force", "add to a database that is not empty")
    .action(seed);
};
