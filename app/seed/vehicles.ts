import { generatedTitle, type Status, UNSET_VEHICLE } from "../../core/vehicles/vehicle.ts";
import type { VehicleFields } from "../../core/vehicles/vehicle-repository.ts";
import type { SeedDealer } from "./dealers.ts";
import { BODIES } from "./model.ts";
import { type Offer, offerOf } from "./offers.ts";
import { describe, featuresOf } from "./prose.ts";
import { lottery, Random } from "./random.ts";
import { DAY_MS, STREAMS, timestampAt, VEHICLES_MS } from "./times.ts";
import { centsFor } from "./values.ts";
import { type Condition, drawExteriorColor, drawInteriorColor } from "./vehicle-words.ts";
import { vinOf } from "./vins.ts";

/** A vehicle to create. */
export interface SeedVehicle {
  /** The index of its dealer in the list of dealers. */
  readonly dealer: number;
  readonly fields: Omit<VehicleFields, "dealer_id">;
  /** The number of its images, if images are wanted. */
  readonly images: number;
}

/** Most vehicles are sold after some two months; a few stand for long. */
const FASTEST_SALE_DAYS = 4;
const MEAN_SALE_DAYS = 55;
const SLOW_SHARE = 0.08;
const SLOWER = 4;
/** The share of those on the lot that somebody has reserved. */
const PENDING_SHARE = 0.1;
/** The share of vehicles whose price is lowered once while they stand, by so much. */
const REPRICED_SHARE = 0.45;
const REDUCTIONS = [0.02, 0.03, 0.04, 0.05, 0.07] as const;

/** Some of the newest vehicles have no photos yet, and nobody has judged their condition. */
const UNPREPARED_DAYS = 14;
const UNPREPARED_SHARE = 0.25;

/** When a vehicle was listed, and how long before the end of the data. */
interface Listing {
  readonly created: number;
  readonly elapsed: number;
}

/** What became of a vehicle, in milliseconds since the epoch; `null` for what did not happen. */
interface Progress {
  readonly status: Status;
  readonly sold: number | null;
  readonly reserved: number | null;
  readonly repriced: number | null;
}

/** How long a vehicle stands until it is sold. */
const standingMs = (chance: Random): number => {
  const mean = chance.happens(SLOW_SHARE) ? MEAN_SALE_DAYS * SLOWER : MEAN_SALE_DAYS;
  return Math.floor((FASTEST_SALE_DAYS - mean * Math.log(1 - chance.fraction())) * DAY_MS);
};

const progressOf = (chance: Random, { created, elapsed }: Listing): Progress => {
  const standing = standingMs(chance);
  const seen = Math.min(standing, elapsed);
  const within = (): number => created + Math.floor(chance.fraction() * seen);
  const repriced = chance.happens(REPRICED_SHARE) ? within() : null;
  if (standing <= elapsed) return { status: "sold", sold: created + standing, reserved: null, repriced };
  const reserved = chance.happens(PENDING_SHARE) ? Math.max(within(), repriced ?? 0) : null;
  return { status: reserved === null ? "available" : "pending", sold: null, reserved, repriced };
};

/** The price before it was lowered, which ended in the same way. */
const priceBefore = (chance: Random, cents: number): number => {
  const lowered = Math.max(1, Math.round((cents * chance.pick(REDUCTIONS)) / 10_000));
  return cents + lowered * 10_000;
};

const STOCK_LETTERS: Readonly<Record<Condition, string>> = { new: "N", used: "U", certified: "C" };
const FIRST_STOCK_NUMBER = 1_000_000;
const SERIALS = 1_000_000;
/** It is coprime to the number of serials, so that a million consecutive vehicles have different serials. */
const SERIAL_STEP = 7919;

const TRIM_IN_TITLE_SHARE = 0.75;
const DESCRIBED_SHARE = 0.95;
const FEATURED_SHARE = 0.04;

/** The fields of a vehicle. `stock` and `serial` make it unique. */
const fieldsOf = (
  chance: Random,
  {
    offer,
    listing,
    stock,
    serial,
  }: { readonly offer: Offer; readonly listing: Listing; readonly stock: number; readonly serial: number },
): SeedVehicle["fields"] => {
  const { make, model, modelYear, engine, drivetrain, condition, mileage } = offer;
  const trim = model.trims[offer.trim] ?? null;
  const { status, sold, reserved, repriced } = progressOf(chance, listing);
  const cents = centsFor(chance, offer);
  const updated = sold ?? reserved ?? repriced ?? listing.created;
  const plainTitle = generatedTitle({ year: modelYear, make: make.name, model: model.name });
  const title = chance.happens(TRIM_IN_TITLE_SHARE) ? `${plainTitle} ${trim}` : plainTitle;
  const color = drawExteriorColor(chance);
  return {
    ...UNSET_VEHICLE,
    make: make.name,
    model: model.name,
    year: modelYear,
    price: cents / 100,
    ...(repriced !== null && {
      previous_price: priceBefore(chance, cents) / 100,
      price_changed_at: timestampAt(repriced),
    }),
    title,
    trim,
    mileage,
    exterior_color: color,
    interior_color: drawInteriorColor(chance),
    vin: vinOf(chance, { wmi: model.wmi, modelYear, serial }),
    stock_number: `${STOCK_LETTERS[condition]}${stock}`,
    description: chance.happens(DESCRIBED_SHARE)
      ? describe(chance, { title, color, mileage, condition, engine, drivetrain })
      : null,
    features: featuresOf(chance, model.body, offer.trim / Math.max(1, model.trims.length - 1)),
    status,
    featured: chance.happens(FEATURED_SHARE) ? 1 : 0,
    fuel_type: engine.fuel,
    transmission: engine.transmission,
    engine: engine.engine,
    drivetrain,
    body_style: BODIES[model.body].style,
    condition,
    seats: BODIES[model.body].seats,
    doors: BODIES[model.body].doors,
    ...engine.charge,
    listed_at: timestampAt(listing.created),
    sold_at: sold === null ? null : timestampAt(sold),
    created_at: timestampAt(listing.created),
    updated_at: timestampAt(updated),
  };
};

/** Which vehicles to invent. */
export interface VehiclesWanted {
  readonly seed: number;
  readonly count: number;
  readonly dealers: readonly SeedDealer[];
  /** The moment at which the invented data ends, in milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Invents vehicles of these dealers, in the order in which they were listed. The same seed, counts and moment give the
 * same vehicles.
 */
export function* inventVehicles({ seed, count, dealers, until }: VehiclesWanted): Generator<SeedVehicle> {
  const drawDealer = lottery(dealers.map(({ size }, index) => [index, size] as const));
  const firstSerial = seed % SERIALS;
  for (let index = 0; index < count; index++) {
    const chance = new Random(seed, STREAMS.vehicles, index);
    const dealer = drawDealer(chance);
    const created = until - VEHICLES_MS + Math.floor(((index + chance.fraction()) / count) * VEHICLES_MS);
    const offer = offerOf(chance, dealers[dealer]?.franchise ?? null, created);
    const fields = fieldsOf(chance, {
      offer,
      listing: { created, elapsed: until - created },
      stock: FIRST_STOCK_NUMBER + index,
      serial: (firstSerial + index * SERIAL_STEP) % SERIALS,
    });
    const images = chance.integer(1, 6);
    const isUnprepared = until - created < UNPREPARED_DAYS * DAY_MS && chance.happens(UNPREPARED_SHARE);
    // Channels do not take a used vehicle of which nobody says that it is used.
    const condition = fields.condition === "new" ? "new" : null;
    yield isUnprepared ? { dealer, fields: { ...fields, condition }, images: 0 } : { dealer, fields, images };
  }
}
