import Type, { type Static } from "typebox";
import type { Issue } from "../issues.ts";
import { centsOf, MAX_PRICE } from "../vehicles/vehicle.ts";

/** Percents have up to this many decimals, so that prices are computed in whole numbers. */
const PERCENT_SCALE = 10_000;
const MAX_PERCENT = 10_000;
const HUNDRED_PERCENT = 100 * PERCENT_SCALE;

const PriceByAmount = Type.Object(
  {
    add: Type.Refine(
      Type.Number({
        minimum: -MAX_PRICE,
        maximum: MAX_PRICE,
        description: "The amount to add to the price. A negative amount lowers it.",
      }),
      (amount) => centsOf(amount) / 100 === amount,
    ),
  },
  { title: "PriceByAmount", additionalProperties: false },
);
const PriceByPercent = Type.Object(
  {
    percent: Type.Refine(
      Type.Number({
        minimum: -100,
        maximum: MAX_PERCENT,
        description:
          "The percentage to add to the price, with up to 4 decimals. A negative one lowers it. The new price is rounded to cents, half a cent up.",
      }),
      (percent) => Math.round(percent * PERCENT_SCALE) / PERCENT_SCALE === percent,
    ),
  },
  { title: "PriceByPercent", additionalProperties: false },
);

/** A change of a price that depends on the price. */
export const PriceChange = Type.Union([PriceByAmount, PriceByPercent]);
export type PriceChange = Static<typeof PriceChange>;

/** What a change of a price must be, as the end of a sentence. */
export const PRICE_CHANGE_FAULT = `must be a price, {"add": …} with up to 2 decimals, or {"percent": …} from -100 to ${MAX_PERCENT} with up to 4`;

/** Exact: cents and percents are whole numbers, half a cent goes up. */
const changedCents = (cents: number, change: PriceChange): number => {
  if ("add" in change) return cents + centsOf(change.add);
  const scaled = BigInt(cents) * BigInt(HUNDRED_PERCENT + Math.round(change.percent * PERCENT_SCALE));
  return Number((scaled + BigInt(HUNDRED_PERCENT / 2)) / BigInt(HUNDRED_PERCENT));
};

/** The price after a change, or why no vehicle can have it. */
export const changedPrice = (price: number, change: PriceChange): number | Issue => {
  const changed = changedCents(centsOf(price), change) / 100;
  return changed >= 0 && changed <= MAX_PRICE
    ? changed
    : { path: "price", message: `would be ${changed}; it must be from 0 to ${MAX_PRICE}` };
};
