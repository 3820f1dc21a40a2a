import { DEALER_FILTER } from "../dealers/dealer-choice.tsx";
import type { Filter } from "../lists/filters.tsx";
import { STATUS_CHOICES } from "./vehicle-words.ts";

const FEATURED = [
  ["true", "Featured"],
  ["false", "Not featured"],
] as const;

/** What narrows a dealer's vehicles, above their list. */
export const INVENTORY_FILTERS: readonly Filter[] = [
  { name: "status", label: "Status", options: STATUS_CHOICES },
  { name: "make", label: "Make" },
  { name: "model", label: "Model" },
  { name: "year", label: "Year", type: "number" },
  { name: "min_price", label: "Price from", type: "number" },
  { name: "max_price", label: "Price to", type: "number" },
  { name: "featured", label: "Featured", options: FEATURED },
];

/** What narrows the vehicles of several dealers. */
export const VEHICLE_FILTERS: readonly Filter[] = [DEALER_FILTER, ...INVENTORY_FILTERS];
