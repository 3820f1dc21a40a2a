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

const SOLD_WITHIN_TWO_YEARS = 0.3;
const PENDING_SHARE = 0.05;
const REPRICED_SHARE = 0.3;
const SELLING_DAYS = 60;

/** When a vehicle was listed, and how long before the end of the data. */
interface Listing {
  readonly created: number;
  readonly elapsed: number;
}

/** The status of a vehicle, and the time of its last change. The older it is, the more likely it is sold. */
const progressOf = (
  chance: Random,
  { created, elapsed }: Listing,
): { readonly status: Status; readonly updated: number } => {
  const drawn = chance.fraction();
  const sold = (SOLD_WITHIN_TWO_YEARS * elapsed) / VEHICLES_MS;
  const status = drawn < sold ? "sold" : drawn < sold + PENDING_SHARE ? "pending" : "available";
  const changed = status !== "available" || chance.happens(REPRICED_SHARE);
  const until = Math.min(elapsed, SELLING_DAYS * DAY_MS);
  return { status, updated: changed ? created + Math.floor(chance.fraction() * until) : created };
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
  const { status, updated } = progressOf(chance, listing);
  const plainTitle = generatedTitle({ year: modelYear, make: make.name, model: model.name });
  const title = chance.happens(TRIM_IN_TITLE_SHARE) ? `${plainTitle} ${trim}` : plainTitle;
  const color = drawExteriorColor(chance);
  return {
    ...UNSET_VEHICLE,
    make: make.name,
    model: model.name,
    year: modelYear,
    price: centsFor(chance, offer) / 100,
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
    sold_at: status === "sold" ? timestampAt(updated) : null,
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
    yield { dealer, fields, images: chance.integer(1, 6) };
  }
}
