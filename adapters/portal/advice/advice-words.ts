import type { Advice } from "../../../core/advice/advice.ts";
import type { DaysAtPrice } from "../../../core/advice/estimate.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { formatCount } from "../page/counts.ts";

/** What the sold vehicles are: "Camry, 2020 to 2024" or "Toyota sedan, 2022". */
export const salesOfWhat = (
  { like, sales }: Pick<Advice, "like" | "sales">,
  { make, model, body_style }: Pick<Vehicle, "make" | "model" | "body_style">,
): string => {
  const kind = like === "body_style_and_years" ? `${make} ${body_style ?? ""}`.trim() : model;
  const years = sales.map(({ year }) => year);
  const [first, last] = [Math.min(...years), Math.max(...years)];
  if (years.length === 0) return kind;
  return first === last ? `${kind}, ${first}` : `${kind}, ${first} to ${last}`;
};

/** "38 days (6 sales)". */
export const daysInWords = ({ days, sales }: DaysAtPrice): string =>
  `${formatCount(days, "day")} (${formatCount(sales, "sale")})`;

/** Prices that a slider offers: every hundred, less ten, of dear cars; whole tens of cheap ones. */
interface PriceRange {
  readonly low: number;
  readonly high: number;
  readonly step: number;
}

const DEAR = 5000;
/** Farther away a price is asked about, so that the slider does not go there. */
const [LOWEST, HIGHEST] = [0.81, 1.1];

/** The prices about the present one that are worth a thought. */
export const rangeAbout = (price: number): PriceRange => {
  const [step, less] = price >= DEAR ? [100, 10] : [10, 0];
  const low = Math.ceil((price * LOWEST) / step) * step - less;
  const steps = Math.floor((price * HIGHEST - low) / step);
  return { low: Math.max(0, low), high: Math.max(0, low) + steps * step, step };
};

/** The price of the range about the present one that is nearest to a chosen one, or the present one itself. */
export const nearestOffer = (price: number, chosen: number): number => {
  if (chosen === price) return price;
  const { low, high, step } = rangeAbout(price);
  return Math.min(high, Math.max(low, low + Math.round((chosen - low) / step) * step));
};

/** The price of the range that is offered first: a little below the present one. */
export const firstOffer = (price: number): number => nearestOffer(price, price * 0.975);

/** Round numbers from `low` to `high`, about `count` of them. */
export const ticksOf = (low: number, high: number, count: number): readonly number[] => {
  const wanted = Math.max(high - low, 1) / count;
  const unit = 10 ** Math.floor(Math.log10(wanted));
  const step = Math.max(1, unit * ([1, 2, 5, 10].find((times) => times * unit >= wanted) ?? 10));
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, place) => first + place * step);
};
