import { UNSET_DEALER } from "../core/dealers/dealer.ts";
import type { DealerFields } from "../core/dealers/dealer-repository.ts";
import { UNSET_VEHICLE } from "../core/vehicles/vehicle.ts";
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

/** The numbers of records, and the owners of vehicles. */
export interface Scale {
  readonly dealers: number;
  readonly vehicles: number;
  /** The dealer of the vehicle with this id. It may draw a random number. */
  readonly dealerOf: (id: number, random: Random) => number;
}

const DEALERS = 100;

/** The scale of the comparison of contenders. */
export const COMPARISON_SCALE: Scale = {
  dealers: DEALERS,
  vehicles: 50_000,
  dealerOf: (_, random) => random.whole(1, DEALERS),
};

const FIRST_TIMESTAMP = Date.UTC(2025, 0, 1);
/** At every scale, all records were created within this time. */
const SPAN_MS = 590 * 24 * 60 * 60_000;

/** The time at this share (0 to 1) of the span. */
const timestampAt = (share: number): string => new Date(FIRST_TIMESTAMP + Math.floor(share * SPAN_MS)).toISOString();

/** The dealer with this id (1 to `dealers`). It is the same in every run. */
export const dealerWithId = (id: number, { dealers }: Scale): DealerFields => {
  const [city, state, zip] = randomFrom(id).pick(PLACES);
  return {
    ...UNSET_DEALER,
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
    created_at: timestampAt(id / dealers),
    updated_at: timestampAt(id / dealers),
  };
};

const several = (
  random: Random,
  words: readonly string[],
  { count, separator }: { readonly count: number; readonly separator: string },
): string => {
  const start = random.whole(0, words.length - 1);
  return Array.from({ length: count }, (_, index) => words[(start + index) % words.length]).join(separator);
};

/**
 * The vehicle with this id (1 to `vehicles`). Every field has a value, which is the same in every run. Higher ids are
 * newer, as if the service had assigned them.
 */
export const vehicleWithId = (id: number, { vehicles, dealerOf }: Scale): VehicleFields => {
  const random = randomFrom(id);
  const { make, model, bodyStyle, seats, newPrice } = random.pick(MODELS);
  const year = random.whole(2012, 2026);
  const moment = timestampAt(id / vehicles);
  return {
    ...UNSET_VEHICLE,
    dealer_id: dealerOf(id, random),
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
    description: several(random, SENTENCES, { count: 4, separator: " " }),
    features: several(random, FEATURES, { count: 6, separator: "," }),
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
