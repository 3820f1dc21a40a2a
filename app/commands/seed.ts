import type { Command } from "commander";
import { type BulkVehicle, makeBulk, NOT_EMPTY } from "../../adapters/sql/vehicles/bulk.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import type { Clock } from "../../core/clock.ts";
import { inventDealers, MAX_DEALERS } from "../seed/dealers.ts";
import { imageUrlsOf } from "../seed/images.ts";
import { DAY_MS, EARLIEST_END, timestampAt } from "../seed/times.ts";
import { inventVehicles, type SeedVehicle } from "../seed/vehicles.ts";
import { withDatabase } from "./database.ts";
import { CommandError, usageError } from "./exit.ts";
import { numberOption } from "./options.ts";
import { print } from "./output.ts";
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

/** The items in lists of `size`; the last list may be shorter. Only one list is kept in memory at a time. */
function* batches<Item>(series: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of series) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const DAY_LENGTH = "YYYY-MM-DD".length;

/** The moment at which the data ends: now, or the end of a day. */
const endOf = (day: string | undefined, clock: Pick<Clock, "nowMs">): number => {
  const now = clock.nowMs();
  if (day === undefined) return now;
  const begin = Date.parse(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(begin) && timestampAt(begin).slice(0, DAY_LENGTH) === day;
  if (!isDay || day < EARLIEST_END || begin + DAY_MS > now)
    throw usageError(`--until: must be a day from ${EARLIEST_END} to yesterday (UTC), as YYYY-MM-DD`);
  return begin + DAY_MS;
};

const seed = async (options: SeedOptions): Promise<void> => {
  const until = endOf(options.until, systemClock);
  await withDatabase("existing or new", async (db) => {
    const started = performance.now();
    const bulk = makeBulk(db, systemClock, OPERATOR);
    const dealers = inventDealers({ seed: options.seed, count: options.dealers, until });
    const dealerIds = await bulk.addDealers(
      dealers.map(({ fields }) => fields),
      options.force !== true,
    );
    if (dealerIds === NOT_EMPTY)
      throw new CommandError("the database is not empty; --force adds invented data to what is there");

    const bulkVehicleOf = (vehicle: SeedVehicle): BulkVehicle => ({
      fields: { ...vehicle.fields, dealer_id: dealerIds[vehicle.dealer] ?? 0 },
      imageUrls: options.images ? imageUrlsOf(vehicle) : [],
    });
    const progress = showProgress("vehicles", options.vehicles);
    try {
      let done = 0;
      for (const batch of batches(
        inventVehicles({ seed: options.seed, count: options.vehicles, dealers, until }),
        BATCH,
      )) {
        await bulk.addVehicles(batch.map(bulkVehicleOf));
        done += batch.length;
        progress.reach(done);
      }
    } finally {
      progress.end();
    }
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
