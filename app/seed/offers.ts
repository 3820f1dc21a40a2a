import { drawMake } from "./makes.ts";
import type { Engine, Make, Model } from "./model.ts";
import { lottery, type Random } from "./random.ts";
import { YEAR_MS } from "./times.ts";
import type { Condition } from "./vehicle-words.ts";

/** What a dealer puts on sale: one vehicle of one model, as far as its price depends on it. */
export interface Offer {
  readonly make: Make;
  readonly model: Model;
  readonly modelYear: number;
  /** The place of its trim in the model's list. */
  readonly trim: number;
  readonly engine: Engine;
  readonly drivetrain: string;
  readonly condition: Condition;
  /** Years; 0 for a new vehicle. */
  readonly age: number;
  readonly mileage: number;
}

/** The miles that vehicles usually go. */
export const MILES_A_YEAR = 11_500;

/** The miles on a used vehicle of this age in years: around the usual, on some far less, on some far more. */
const milesAt = (chance: Random, age: number): number =>
  Math.round(MILES_A_YEAR * Math.max(age, 0.3) * (0.4 + chance.fraction() * 0.8 + chance.fraction() * 0.4));

/** Of the vehicles of a dealer with a franchise, the share that is new, and the share of the used ones of its make. */
const NEW_SHARE = 0.45;
const OWN_MAKE_SHARE = 0.4;

/** How many model years old vehicles come on sale; three-year-olds, back from a lease, are the most frequent. */
const drawNewAge = lottery<number>([
  [0, 5],
  [1, 1],
]);
const drawUsedAge = lottery<number>(
  [9, 11, 14, 11, 10, 8, 7, 6, 5, 4, 3, 2, 1].map((weight, index) => [index + 1, weight]),
);

/** September: the month in which next year's models reach dealers. */
const NEXT_MODELS = 8;
/** A dealer certifies vehicles of its own make, not too old and not too worn. */
const CERTIFIED = { age: 6, miles: 70_000, share: 0.45 };
const DELIVERY_MILES = [3, 60] as const;

/** What a dealer with this franchise, or none, puts on sale at this moment. */
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
