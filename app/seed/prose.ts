import type { Engine, Model } from "./model.ts";
import type { Random } from "./random.ts";
import {
  BODY_FEATURES,
  CLOSINGS,
  COMMON_FEATURES,
  type Condition,
  HISTORIES,
  MIDDLE_FEATURES,
  TOP_FEATURES,
} from "./vehicle-words.ts";

const miles = new Intl.NumberFormat("en-US");

/** The facts that a description mentions. */
export interface DescribedVehicle {
  readonly title: string;
  readonly color: string;
  readonly mileage: number;
  readonly condition: Condition;
  readonly engine: Engine;
  readonly drivetrain: string;
}

/** A few sentences for buyers. */
export const describe = (chance: Random, vehicle: DescribedVehicle): string =>
  [
    `${vehicle.title} in ${vehicle.color} with ${miles.format(vehicle.mileage)} miles.`,
    `${vehicle.engine.engine}, ${vehicle.engine.transmission}, ${vehicle.drivetrain}.`,
    chance.pick(HISTORIES[vehicle.condition]),
    chance.pick(CLOSINGS),
  ].join(" ");

/**
 * A comma-separated list of features. It is longer for better trims: `rank` is 0 for the cheapest and 1 for the most
 * expensive.
 */
export const featuresOf = (chance: Random, body: Model["body"], rank: number): string => {
  const features = [
    ...chance.sample(COMMON_FEATURES, chance.integer(5, 8)),
    ...chance.sample(MIDDLE_FEATURES, Math.round(rank * 6) + chance.integer(0, 2)),
    ...chance.sample(TOP_FEATURES, rank > 0.5 ? Math.round(rank * 4) + chance.integer(0, 2) : 0),
    ...chance.sample(BODY_FEATURES[body] ?? [], chance.integer(0, 2)),
  ];
  return [...new Set(features)].join(",");
};
