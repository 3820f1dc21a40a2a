import { drawMake } from "./makes.ts";
import type { Engine, Make, Model } from "./model.ts";
import { lottery, type Random } from "./random.ts";
import { YEAR_MS } from "./times.ts";
import type { Condition } from "./vehicle-words.ts";

/** A vehicle that a dealer puts on sale, with everything on which its price depends. */
export interface Offer {
  readonly make: Make;
  readonly model: Model;
  readonly modelYear: number;
  /** The index of its trim in the model's list. */
  readonly trim: number;
  readonly engine: Engine;
  readonly drivetrain: string;
  readonly condition: Condition;
  /** The age in years; 0 for a new vehicle. */
  readonly age: number;
  readonly mileage: number;
}

/** The usual number of miles in a year. */
export const MILES_A_YEAR = 11_500;

/**
 * The miles on a used vehicle of this age in years. They are around the usual number; some vehicles have far less or
 * far more.
 */
const milesAt = (chance: Random, age: number): number =>
  Math.round(MILES_A_YEAR * Math.max(age, 0.3) * (0.4 + chance.fraction() * 0.8 + chance.fraction() * 0.4));

/** The share of new vehicles at a franchised dealer, and the share of its make among its used vehicles. */
const NEW_SHARE = 0.45;
const OWN_MAKE_SHARE = 0.4;

/**
 * Draws the age of a vehicle in model years when it comes on sale. Vehicles of three years, whose leases have ended,
 * are the most frequent.
 */
const drawNewAge = lottery<number>([
  [0, 5],
  [1, 1],
]);
const drawUsedAge = lottery<number>(
  [9, 11, 14, 11, 10, 8, 7, 6, 5, 4, 3, 2, 1].map((weight, index) => [index + 1, weight]),
);

/** The month in which next year's models reach dealers: September. */
const NEXT_MODELS = 8;
/** A dealer certifies vehicles of its own make that are not too old or worn. */
const CERTIFIED = { age: 6, miles: 70_000, share: 0.45 };
const DELIVERY_MILES = [3, 60] as const;

/** A vehicle that a dealer puts on sale at this time. The dealer has this franchise, or none. */
export const offerOf = (chance: Random, franchise: Make | null, created: number): Offer => {
  const isNew = franchise !== null && chance.happens(NEW_SHARE);
  const make = franchise !== null && (isNew || chance.happens(OWN_MAKE_SHARE)) ? franchise : drawMake(chance);
  const model = chance.pick(make.models);
  const day = new Date(created);
  const newest = day.getUTCFullYear() + (day.getUTCMonth() >= NEXT_MODELS ? 1 : 0);
  const modelYear = Math.max(model.since, newest - (isNew ? drawNewAge(chance) : drawUsedAge(chance)));
  const age = isNew ? 0 : Math.max(0, (created - Date.UTC(modelYear, 0, 1)) / YEAR_MS);
  const mileage = isNew ? chance.integer(...DELIVERY_MILES) : milesAt(chance, age);
  const certifiable = make === franchise && age < CERTIFIED.age && mileage < CERTIFIED.miles;
  const engine = chance.pick(model.engines);
  return {
    make,
    model,
    modelYear,
    trim: chance.integer(0, model.trims.length - 1),
    engine,
    drivetrain: engine.drives ?? chance.pick(model.drivetrains),
    condition: isNew ? "new" : certifiable && chance.happens(CERTIFIED.share) ? "certified" : "used",
    age,
    mileage,
  };
};
