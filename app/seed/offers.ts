import { drawMake } from "./makes.ts";
import type { Engine, Make, Model } from "./model.ts";
import { lottery, type Random } from "./random.ts";
import { YEAR_MS } from "./times.ts";
import type { Condition } from "./vehicle-words.ts";

/** A vehicle that a dealer puts on sale: everything that its price depends on. */
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

/** The usual mileage of a year. */
export const MILES_A_YEAR = 11_500;

/** The miles on a used vehicle of this age in years: around the usual, on some far less, on some far more. */
const milesAt = (chance: Random, age: number): number =>
  Math.round(MILES_A_YEAR * Math.max(age, 0.3) * (0.4 + chance.fraction() * 0.8 + chance.fraction() * 0.4));

/** A franchised dealer's share of new vehicles, and the share of its make among the used ones. */
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

/** A vehicle that a dealer with this franchise, or none, puts on sale at this time. */
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
