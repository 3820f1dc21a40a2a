import Type from "typebox";
import type { Issue } from "../issues.ts";
import { oneOf } from "../schema.ts";
import { centsOf, MAX_PRICE } from "../vehicles/vehicle.ts";
import { PERCENT_SCALE, type PriceChange as PriceChangeOf, priceAfter, ROUNDINGS } from "./new-price.ts";

const MAX_PERCENT = 10_000;

const hasWholeCents = (amount: number): boolean => centsOf(amount) / 100 === amount;

const rules = {
  rounding: Type.Optional(
    oneOf(ROUNDINGS, {
      description:
        "Rounds the new price to the nearest multiple of 10 or 100, or to the nearest price whose last two digits before the decimals are 95 or 99. A price that would move the other way stays as it is.",
    }),
  ),
  never_below: Type.Optional(
    Type.Refine(
      Type.Number({
        minimum: 0,
        maximum: MAX_PRICE,
        description: "No price gets lower than this; one that is lower already stays as it is.",
      }),
      hasWholeCents,
    ),
  ),
};

const PriceByAmount = Type.Object(
  {
    add: Type.Refine(
      Type.Number({
        minimum: -MAX_PRICE,
        maximum: MAX_PRICE,
        description: "The amount to add to the price. A negative amount lowers it.",
      }),
      hasWholeCents,
    ),
    ...rules,
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
    ...rules,
  },
  { title: "PriceByPercent", additionalProperties: false },
);

/** A change of a price that depends on the price. */
export const PriceChange = Type.Union([PriceByAmount, PriceByPercent]);
export type PriceChange = PriceChangeOf;

/** What a change of a price must be, as the end of a sentence. */
export const PRICE_CHANGE_FAULT = `must be a price, {"add": …} with up to 2 decimals, or {"percent": …} from -100 to ${MAX_PERCENT} with up to 4; besides it may have a rounding (${ROUNDINGS.join(", ")}) and never_below`;

/** The price after a change, or why no vehicle can have it. */
export const changedPrice = (price: number, change: PriceChange): number | Issue => {
  const changed = priceAfter(price, change);
  return changed >= 0 && changed <= MAX_PRICE
    ? changed
    : { path: "price", message: `would be ${changed}; it must be from 0 to ${MAX_PRICE}` };
};
