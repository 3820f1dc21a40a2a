import { type Choices, CURRENCIES, DATE_ORDERS, DEALER_BY, labelIn, MATCHES, MERGES, UNITS } from "./import-words.ts";

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
