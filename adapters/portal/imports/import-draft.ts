import type { ImportOptions } from "../../../core/imports/import.ts";
import { numberOrText } from "../forms/draft.ts";
import type { ParseOptions } from "./first-rows.ts";

/** The import options as the form holds them. */
export interface ImportDraft
  extends Required<
    Omit<
      ImportOptions,
      "dry_run" | "columns" | "values" | "max_missing_percent" | "mapping" | "heading_row" | "dealer_by" | "sheet"
    >
  > {
  readonly dealer_id: string;
  readonly max_missing_percent: string;
  /** The line of the heading; "" if it is found. */
  readonly heading_row: string;
}

/** The import options with the parse options of a chosen file. */
export type FileDraft = ImportDraft & ParseOptions & { readonly dealer_by: NonNullable<ImportOptions["dealer_by"]> };

/** The service's default options. */
export const emptyImport = (dealerId: number | null): ImportDraft => ({
  dealer_id: dealerId === null ? "" : String(dealerId),
  mode: "upsert",
  match: "auto",
  on_error: "skip",
  missing: "sold",
  max_missing_percent: "20",
  empty: "keep",
  images: "replace",
  fetch_images: false,
  decimal: "auto",
  date_order: "auto",
  units: "convert",
  currency: "check",
  merge: "on",
  heading_row: "",
});

/** The default options of a file; charset, delimiter and sheet are found. */
export const emptyFile = (dealerId: number | null): FileDraft => ({
  ...emptyImport(dealerId),
  dealer_by: "code",
  charset: "",
  delimiter: "",
  sheet: "",
});

/** The query of a check. */
export const queryOf = (
  { missing, max_missing_percent, heading_row, fetch_images, ...draft }: FileDraft,
  { columns, values }: { readonly columns: object; readonly values: object },
): Readonly<Record<string, string>> => ({
  ...draft,
  ...(heading_row.trim() !== "" && { heading_row: String(numberOrText(heading_row)) }),
  ...(draft.mode === "snapshot" && { missing, max_missing_percent }),
  ...(fetch_images && { fetch_images: "true" }),
  dry_run: "true",
  ...(Object.keys(columns).length > 0 && { columns: JSON.stringify(columns) }),
  ...(Object.keys(values).length > 0 && { values: JSON.stringify(values) }),
});
