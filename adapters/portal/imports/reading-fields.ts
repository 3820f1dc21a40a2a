import type { FieldList, ListedField } from "../forms/field-list.tsx";
import type { ImportDraft } from "./import-draft.ts";
import {
  CURRENCIES,
  DATE_ORDERS,
  DECIMAL,
  EMPTY,
  IMAGES,
  MATCHES,
  MERGES,
  MISSING,
  MODES,
  ON_ERROR,
  UNITS,
} from "./import-words.ts";

/** The line on which a file's headings are. */
export const HEADING_ROW: ListedField<string> = {
  kind: "whole",
  label: "Line of the headings",
  hint: "If it is empty, the first line that looks like headings is taken.",
};

/** How the rows of a file are read, and what they do to vehicles that are there. */
export const READING_FIELDS: FieldList<ImportDraft> = {
  match: { kind: "choice", label: "A row's vehicle is found by", choices: MATCHES },
  merge: {
    kind: "choice",
    label: "What people corrected",
    hint: "A value that somebody changed after the last file said the same.",
    choices: MERGES,
  },
  empty: { kind: "choice", label: "Empty cells", choices: EMPTY },
  images: { kind: "choice", label: "Images of a row", choices: IMAGES },
  fetch_images: {
    kind: "flag",
    label: "Fetch the photos and keep them here",
    hint: "Otherwise websites load them from the addresses in the file.",
  },
  date_order: {
    kind: "choice",
    label: "Dates such as 05/06/2026",
    hint: "If no cell of the file decides, the settings do, and a warning says so.",
    choices: DATE_ORDERS,
  },
  decimal: { kind: "choice", label: "Before the cents of a price", choices: DECIMAL },
  units: {
    kind: "choice",
    label: "Mileages in another unit",
    hint: "Another than the one of the settings.",
    choices: UNITS,
  },
  currency: {
    kind: "choice",
    label: "Prices in another currency",
    hint: "They are never converted.",
    choices: CURRENCIES,
  },
};

/** What the file does, and what becomes of vehicles that a whole lot does not contain. */
export const doingFields = (
  { mode, missing }: ImportDraft,
  mayRemove: boolean,
  missingHint?: string,
): FieldList<ImportDraft> => ({
  mode: { kind: "choice", label: "What the file does", choices: MODES },
  ...(mode === "snapshot" && {
    missing: {
      kind: "choice",
      label: "Vehicles that are missing",
      hint: missingHint,
      choices: MISSING.filter(([word]) => word !== "remove" || mayRemove || missing === word),
    },
    max_missing_percent: {
      kind: "whole",
      label: "Ask me if more are missing than",
      hint: "Percent of the lot, and more than 3 vehicles.",
    },
  }),
  on_error: { kind: "choice", label: "If some rows are wrong", choices: ON_ERROR },
});
