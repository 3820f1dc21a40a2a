import type { ImportOptions } from "../../../core/imports/import.ts";
import {
  type Choices,
  CURRENCIES,
  DATE_ORDERS,
  DEALER_BY,
  DECIMAL,
  EMPTY,
  IMAGES,
  labelIn,
  MATCHES,
  MERGES,
  ON_ERROR,
  UNITS,
} from "./import-words.ts";

/** The labels of options in the forms, and of their values. */
const OPTIONS: Readonly<Record<string, readonly [label: string, choices: Choices<string>]>> = {
  match: ["A row's vehicle is found by", MATCHES],
  merge: ["What people corrected", MERGES],
  date_order: ["Dates such as 05/06/2026", DATE_ORDERS],
  units: ["Mileages in another unit", UNITS],
  currency: ["Prices in another currency", CURRENCIES],
  dealer_by: ["The file names a dealer by", DEALER_BY],
};

const OPTION = /\b([a-z]{5,9}|date_order|dealer_by)=([a-z_]{2,12})\b/g;

/** A message of the service with its names of options as the forms have them. */
export const withLabels = (message: string): string =>
  message
    .replace(OPTION, (text, name: string, word: string) => {
      const option = OPTIONS[name];
      return option === undefined ? text : `“${option[0]}: ${labelIn(option[1], word)}”`;
    })
    .replaceAll("heading_row says", "“Line of the headings” says");

/** How the rows of a file are read, as facts. Options that an earlier version did not know are left out. */
export const optionFacts = ({
  match,
  on_error,
  empty,
  images,
  fetch_images,
  decimal,
  merge,
  date_order,
  units,
  currency,
  heading_row,
  sheet,
}: Omit<ImportOptions, "mode" | "columns">): readonly (readonly [name: string, value: string])[] => [
  ["Found by", labelIn(MATCHES, match)],
  ["Wrong rows", labelIn(ON_ERROR, on_error)],
  ...(merge === undefined ? [] : [["What people corrected", labelIn(MERGES, merge)] as const]),
  ["Empty cells", labelIn(EMPTY, empty)],
  ["Images", labelIn(IMAGES, images)],
  ...(fetch_images === true ? [["Photos", "Fetched and kept here"] as const] : []),
  ...(date_order === undefined ? [] : [["Dates", labelIn(DATE_ORDERS, date_order)] as const]),
  ["Cents", labelIn(DECIMAL, decimal)],
  ...(units === undefined ? [] : [["Other units", labelIn(UNITS, units)] as const]),
  ...(currency === undefined ? [] : [["Other currencies", labelIn(CURRENCIES, currency)] as const]),
  ...(heading_row === undefined ? [] : [["Line of the headings", String(heading_row)] as const]),
  ...(sheet === undefined ? [] : [["Sheet", sheet] as const]),
];
