import type { PriceChange } from "../../../core/bulk/new-price.ts";
import type { Schedule } from "../../../core/scheduled-changes/schedule.ts";
import type { Status } from "../../../core/vehicles/fields.ts";
import { formatCount } from "../page/counts.ts";
import type { StateColor } from "../page/state-badge.tsx";

type InPrice = (amount: number) => string;

const priceInWords = (wanted: number | PriceChange, price: InPrice): string => {
  if (typeof wanted === "number") return `price ${price(wanted)}`;
  const [by, amount] =
    "add" in wanted ? [wanted.add, price(Math.abs(wanted.add))] : [wanted.percent, `${Math.abs(wanted.percent)} %`];
  return `price ${by < 0 ? "lower" : "higher"} by ${amount}`;
};

/** What a scheduled change changes: "price $24,990, status sold". */
export const changesInWords = (
  { changes: { price: wanted, status } }: Pick<Schedule, "changes">,
  price: InPrice,
): string =>
  [wanted !== undefined && priceInWords(wanted, price), status !== undefined && `status ${status}`]
    .filter((part) => part !== false)
    .join(", ");

/** The statuses that a vehicle may get, or keep. */
export const STATUSES: readonly (readonly [Status | "", string])[] = [
  ["", "As it is"],
  ["available", "Available"],
  ["pending", "Pending"],
  ["sold", "Sold"],
];

/** How a state looks: what is dropped wants a look. */
export const STATE_COLORS: Readonly<Record<Schedule["state"], StateColor>> = {
  scheduled: "green",
  running: "green",
  done: "grey",
  dropped: "amber",
  cancelled: "grey",
};

/** What became of it, in words; `null` while nothing has. */
export const resultInWords = ({ state, reason, total, updated, dropped }: Schedule): string | null => {
  if (reason === "rights_lost") return "Whoever scheduled it may not change these vehicles any more";
  if (reason === "interrupted") return "The service failed at it";
  if (state === "dropped") return total === 1 ? "The vehicle changed meanwhile" : "The vehicles changed meanwhile";
  if (state !== "done" || total === 1) return null;
  const left = dropped === 0 ? "" : `, ${dropped} dropped`;
  return `${formatCount(updated, "vehicle")} changed${left}`;
};
