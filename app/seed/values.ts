import type { Engine } from "./model.ts";
import { MILES_A_YEAR, type Offer } from "./offers.ts";
import type { Random } from "./random.ts";

/** The share of the new price that remains, by age in years. Older vehicles have the last share. */
const RESIDUAL_SHARES = [
  0.93, 0.84, 0.75, 0.67, 0.6, 0.53, 0.47, 0.41, 0.36, 0.31, 0.27, 0.23, 0.2, 0.18, 0.16,
] as const;

/** The surcharge of an engine over a gasoline engine, in dollars. */
const FUEL_SURCHARGE: Readonly<Record<Engine["fuel"], number>> = {
  gasoline: 0,
  diesel: 8000,
  hybrid: 2000,
  "plug-in hybrid": 6500,
  electric: 0,
};

/** The surcharge of four-wheel drive if it is optional, in dollars. */
const DRIVETRAIN_SURCHARGE: Readonly<Record<string, number>> = { AWD: 1900, "4WD": 3200 };

/** The surcharge of each trim over the one below it, as a share. */
const TRIM_STEP = 0.09;
/** The year of the table's prices. In each year before it, a new vehicle cost less by the share `INFLATION`. */
const PRICE_YEAR = 2026;
const INFLATION = 0.022;

/** The change of the price for each mile above or below the usual mileage, as a share. */
const WEAR_PER_MILE = 0.000_002;
const MAX_WEAR = 0.2;
const MIN_PRICE = 1995;

/** The last two digits of prices, in dollars. */
const PRICE_ENDINGS = [95, 95, 99, 90, 50, 0, 88] as const;

/** The price of the new vehicle in dollars. */
const newPriceOf = ({ model, modelYear, trim, engine, drivetrain }: Offer): number => {
  const surcharge = model.drivetrains.length > 1 ? (DRIVETRAIN_SURCHARGE[drivetrain] ?? 0) : 0;
  const today = model.price * (1 + TRIM_STEP * trim) + FUEL_SURCHARGE[engine.fuel] + surcharge;
  return today * (1 - INFLATION * (PRICE_YEAR - modelYear));
};

/** A plausible price in whole cents. It falls with age and mileage, rises with the trim, and has a usual ending. */
export const centsFor = (chance: Random, offer: Offer): number => {
  const { age, mileage, condition } = offer;
  const newPrice = newPriceOf(offer);
  const left = RESIDUAL_SHARES[Math.min(Math.floor(age), RESIDUAL_SHARES.length - 1)] ?? 0;
  const wear = Math.min(Math.max((mileage - MILES_A_YEAR * age) * WEAR_PER_MILE, -MAX_WEAR), MAX_WEAR);
  const worth = condition === "new" ? newPrice : newPrice * left * (1 - wear);
  const askingPrice = Math.max(MIN_PRICE, worth * (0.96 + chance.fraction() * 0.08));
  const dollars = Math.floor(askingPrice / 100) * 100 + chance.pick(PRICE_ENDINGS);
  return dollars * 100 + (chance.happens(0.05) ? 99 : 0);
};
