import type { ImportOptions } from "../../../core/imports/import.ts";
import {
  CURRENCIES,
  DATE_ORDERS,
  DECIMAL,
  EMPTY,
  IMAGES,
  labelIn,
  MATCHES,
  MERGES,
  ON_ERROR,
  UNITS,
} from "./import-words.ts";

/** How the rows of a file are read, as facts. Options that an earlier version did not know are left out. */
export const optionFacts = ({
  match,
  on_error,
  empty,
  images,
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
  ...(date_order === undefined ? [] : [["Dates", labelIn(DATE_ORDERS, date_order)] as const]),
  ["Cents", labelIn(DECIMAL, decimal)],
  ...(units === undefined ? [] : [["Other units", labelIn(UNITS, units)] as const]),
  ...(currency === undefined ? [] : [["Other currencies", labelIn(CURRENCIES, currency)] as const]),
  ...(heading_row === undefined ? [] : [["Line of the headings", String(heading_row)] as const]),
  ...(sheet === undefined ? [] : [["Sheet", sheet] as const]),
];
