import { DEALER_FILTER } from "../choices/dealer-choice.tsx";
import { labelFromName } from "../forms/draft.ts";
import type { Filter } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import { useAmountFormats } from "../settings/amounts.tsx";
import { AGE_PARAMETERS, ageOf } from "./age-filter.tsx";
import { ageInWords } from "./lot-ages.ts";
import { STATUS_CHOICES } from "./vehicle-words.ts";

const FEATURED = [
  ["true", "Featured"],
  ["false", "Not featured"],
] as const;

/** The filters of one dealer's vehicles, above their list. */
export const INVENTORY_FILTERS: readonly Filter[] = [
  { name: "status", label: "Status", options: STATUS_CHOICES },
  { name: "make", label: "Make" },
  { name: "model", label: "Model" },
  { name: "year", label: "Year", type: "number" },
  { name: "min_price", label: "Price from", type: "number" },
  { name: "max_price", label: "Price to", type: "number" },
  { name: "featured", label: "Featured", options: FEATURED },
];

/** Fields of which a vehicle has one value, and for which a filter takes several. */
const WORDS = [
  "make",
  "model",
  "body_style",
  "fuel_type",
  "transmission",
  "drivetrain",
  "condition",
  "exterior_color",
  "interior_color",
  "trim",
] as const;

const PHOTOS = [
  ["true", "With photos"],
  ["false", "No photo"],
] as const;

const isNumber = (text: string): boolean => text.trim() !== "" && !Number.isNaN(Number(text));

/** The filters of all visible vehicles, with the wording of their chips. */
export const useVehicleFilters = (list: ListState, hasSeveralDealers: boolean): readonly Filter[] => {
  const { price, distance } = useAmountFormats();
  const within = (write: (amount: number) => string) => (value: string) =>
    isNumber(value) ? write(Number(value)) : value;
  const [minDays, maxDays] = AGE_PARAMETERS;
  const age = ageOf(list);
  const inDays = (): string => (age === null ? "" : ageInWords(age));
  const radius = Number(list.filter("radius"));
  const nearInWords = (place: string): string => `${place}, within ${distance(radius)}`;
  return [
    { name: "status", label: "Status", options: STATUS_CHOICES },
    { name: "stage", label: "Stage", formatValue: labelFromName },
    ...WORDS.map((name) => ({ name, label: labelFromName(name) })),
    ...(hasSeveralDealers ? [DEALER_FILTER] : []),
    { name: "min_price", label: "Price from", formatValue: within(price) },
    { name: "max_price", label: "Price to", formatValue: within(price) },
    { name: "min_mileage", label: "Mileage from", formatValue: within(distance) },
    { name: "max_mileage", label: "Mileage to", formatValue: within(distance) },
    { name: "min_electric_range", label: "Electric range from", formatValue: within(distance) },
    { name: "max_electric_range", label: "Electric range to", formatValue: within(distance) },
    { name: "doors", label: "Doors" },
    { name: "year", label: "Year" },
    { name: "min_year", label: "Year from" },
    { name: "max_year", label: "Year to" },
    // One chip for both ends of the range.
    age?.from === 0
      ? { name: maxDays, label: "Age", dependentParams: [minDays], formatValue: inDays }
      : { name: minDays, label: "Age", dependentParams: [maxDays], formatValue: inDays },
    { name: "has_images", label: "Photos", options: PHOTOS },
    { name: "featured", label: "Featured", options: FEATURED },
    { name: "near", label: "Near", dependentParams: ["radius", "radius_unit"], formatValue: nearInWords },
  ];
};
