import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { makeDealerRepository } from "../adapters/sql/dealers.ts";
import { makeKeyRepository } from "../adapters/sql/keys.ts";
import { migrateToLatest } from "../adapters/sql/migrate.ts";
import { openSqlite } from "../adapters/sql/sqlite.ts";
import { makeVehicleRepository } from "../adapters/sql/vehicles.ts";
import { secrets } from "../adapters/system/secrets.ts";
import { EVERY_PERMISSION } from "../core/access/permissions.ts";
import type { DealerFields } from "../core/dealers/dealer-repository.ts";
import type { VehicleFields } from "../core/vehicles/vehicle-repository.ts";
import {
  COLOURS,
  CONDITIONS,
  DRIVETRAINS,
  ENGINES,
  FEATURES,
  FUELS,
  INTERIORS,
  MODELS,
  PLACES,
  SENTENCES,
  STATUS_SHARES,
  TRANSMISSIONS,
  TRIMS,
} from "./catalogue.ts";
import { type Random, randomFrom } from "./random.ts";

export const DEALERS = 100;
export const VEHICLES = 50_000;
/** Above any limit a measurement can reach. */
const RATE_LIMIT = 2_000_000_000;
const FIRST_MOMENT = Date.UTC(2025, 0, 1);
const MOMENT_STEP_MS = 17 * 60_000;
const SHUFFLE = 7919;
const INSERTED_AT_ONCE = 2000;
const BENCH = { keyId: null };

/** A database file to copy for every contender, and a key that its service knows. */
export interface Dataset {
  readonly file: string;
  readonly apiKey: string;
}

const momentOf = (place: number): string => new Date(FIRST_MOMENT + place * MOMENT_STEP_MS).toISOString();

const dealerNumber = (id: number): DealerFields => {
  const [city, state, zip] = randomFrom(id).pick(PLACES);
  return {
    name: `${city} Motors ${id}`,
    address: `${id} Harbor Street`,
    city,
    state,
    zip,
    phone: `503-555-${String(id).padStart(4, "0")}`,
    email: `sales@dealer-${id}.example.com`,
    website: `https://dealer-${id}.example.com`,
    logo_url: `https://dealer-${id}.example.com/logo.png`,
    description: `${SENTENCES[4]} ${SENTENCES[1]}`,
    hours: { monday: "9:00-18:00", saturday: "10:00-16:00", sunday: "closed" },
    social_media: { mastodon: `https://social.example.com/@dealer-${id}` },
    active: 1,
    created_at: momentOf(id),
    updated_at: momentOf(id),
  };
};

const several = (random: Random, words: readonly string[], count: number, separator: string): string => {
  const start = random.whole(0, words.length - 1);
  return Array.from({ length: count }, (_, index) => words[(start + index) % words.length]).join(separator);
};

/** The vehicle with this id (1 to VEHICLES), every field filled; the same in every run. */
export const vehicleNumber = (id: number): VehicleFields => {
  const random = randomFrom(id * SHUFFLE);
  const { make, model, bodyStyle, seats, newPrice } = random.pick(MODELS);
  const year = random.whole(2012, 2026);
  // Neighbours in time are no neighbours in the file, as with vehicles that come and go over years.
  const moment = momentOf((id * SHUFFLE) % VEHICLES);
  return {
    dealer_id: random.whole(1, DEALERS),
    make,
    model,
    year,
    price: Math.round(newPrice * 0.93 ** (2026 - year) * (0.9 + random.next() * 0.2) * 100) / 100,
    title: `${year} ${make} ${model}`,
    trim: random.pick(TRIMS),
    mileage: (2026 - year) * random.whole(5000, 15_000),
    exterior_color: random.pick(COLOURS),
    interior_color: random.pick(INTERIORS),
    vin: `4T1G11AK${String(id).padStart(9, "0")}`,
    stock_number: `A${id}`,
    description: several(random, SENTENCES, 4, " "),
    features: several(random, FEATURES, 6, ","),
    status: random.pick(STATUS_SHARES),
    featured: random.next() < 0.1 ? 1 : 0,
    fuel_type: random.pick(FUELS),
    transmission: random.pick(TRANSMISSIONS),
    engine: random.pick(ENGINES),
    drivetrain: random.pick(DRIVETRAINS),
    body_style: bodyStyle,
    condition: random.pick(CONDITIONS),
    seats,
    created_at: moment,
    updated_at: moment,
  };
};

/** Fills a new database in the folder, through the service's own schema and repositories. */
export const makeDataset = async (folder: string): Promise<Dataset> => {
  await mkdir(folder, { recursive: true });
  const file = join(folder, "inventory.db");
  const db = openSqlite(file);
  await migrateToLatest(db);
  const dealers = makeDealerRepository(db);
  for (let id = 1; id <= DEALERS; id++) await dealers.insert(dealerNumber(id), BENCH);
  const vehicles = makeVehicleRepository(db);
  for (let start = 1; start <= VEHICLES; start += INSERTED_AT_ONCE) {
    const ids = Array.from({ length: INSERTED_AT_ONCE }, (_, index) => start + index);
    await Promise.all(ids.map((id) => vehicles.insert(vehicleNumber(id), BENCH)));
  }
  const secret = secrets.issue("desktop", "bench");
  await makeKeyRepository(db, () => {}).insert(
    {
      name: "Measurements",
      description: null,
      appType: "desktop",
      appId: "bench",
      association: "none",
      dealerId: null,
      userId: null,
      ownPermissions: EVERY_PERMISSION,
      rateLimit: RATE_LIMIT,
      active: true,
      expiresAt: null,
    },
    secret,
    momentOf(0),
    BENCH,
  );
  await db.close();
  return { file, apiKey: secret.key };
};
