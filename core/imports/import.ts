import Type from "typebox";
import type { AuditEntry } from "../audit/audit-entry.ts";
import type { Timestamp } from "../clock.ts";
import { invalid, type Outcome } from "../failure.ts";
import { flag, type Input, id, integer, oneOf, text } from "../schema.ts";
import { DATE_ORDERS, type DateOrder } from "../settings/date-order.ts";
import { validator } from "../validation.ts";
import { charsetNamed } from "./file/charset-decoder.ts";
import { type Cell, CHARSETS, type Charset, DELIMITERS, type Delimiter } from "./file/file.ts";
import type { ImportColumns, OwnColumns } from "./headings/columns.ts";
import { isImportField } from "./headings/headings.ts";
import type { ImportIssue, RowWarnings } from "./import-issue.ts";
import type { KeptValue } from "./merge.ts";
import { MAX_VALUES, type OwnValues } from "./values/own-values.ts";
import { DECIMALS, type Decimal } from "./values/reading.ts";
import type { AnsweredValue } from "./values/unknown-values.ts";

/** The states of an import as they are answered. */
export const IMPORT_STATES = [
  "queued",
  "running",
  "previewed",
  "needs_confirmation",
  "completed",
  "failed",
  "cancelled",
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** The same states and two that are never answered: the file is still being received, or the import was removed. */
export type StoredImportState = ImportState | "arriving" | "gone";

/** The states in which an import is neither waiting in the queue nor running. */
const RESTING: ReadonlySet<StoredImportState> = new Set(
  IMPORT_STATES.filter((state) => state !== "queued" && state !== "running"),
);

/** True if an import is neither waiting in the queue nor running. */
export const isResting = (state: StoredImportState): boolean => RESTING.has(state);

/** True if the photos of an import are fetched in this state: its rows are done, and nobody stopped it. */
export const fetchesPhotos = (state: StoredImportState): boolean =>
  state === "completed" || state === "needs_confirmation";

/** The names of delimiters. */
export const DELIMITER_NAMES = ["comma", "semicolon", "tab", "bar"] as const;

export const IMPORT_MODES = ["upsert", "create", "update", "snapshot"] as const;
/** By what the vehicle of a row is found. */
export const MATCHES = ["auto", "vin", "stock_number"] as const;
export type Match = (typeof MATCHES)[number];

/** What happens to valid rows if others fail. */
export const ON_ERROR = ["skip", "reject"] as const;

/** The result of a row. */
export const ROW_OUTCOMES = ["created", "updated", "unchanged", "failed", "skipped", "missing"] as const;
export type RowOutcome = (typeof ROW_OUTCOMES)[number];

/** What happens to unsold vehicles that a snapshot does not contain. */
export const MISSING_MODES = ["sold", "remove", "report"] as const;

/** What an empty cell does with the field. */
export const EMPTY_CELL_MODES = ["keep", "clear"] as const;

/** What the images of a row do to the images that its vehicle already has. */
export const IMAGE_MODES = ["replace", "append", "keep"] as const;

/** Whether values that people corrected stay against those of a file. */
export const MERGE_MODES = ["on", "off"] as const;
/** The order of day and month in dates, unless the file decides it. */
export const DATE_ORDER_MODES = ["auto", ...DATE_ORDERS] as const;

/** What happens to distances in another unit than the installation's. */
export const UNIT_MODES = ["convert", "keep"] as const;

/** What a column for the dealer contains: codes that dealers have in other systems, or our ids. */
export const DEALER_BY = ["code", "id"] as const;

/** What a sign of another currency than the installation's means. */
export const CURRENCY_MODES = ["check", "ignore"] as const;

/** How a file is imported. */
export interface ImportOptions {
  readonly mode: (typeof IMPORT_MODES)[number];
  readonly match: Match;
  /** `reject` means that nothing is written unless every row is valid. */
  readonly on_error: (typeof ON_ERROR)[number];
  /** True if nothing is written. */
  readonly dry_run: boolean;
  readonly missing: (typeof MISSING_MODES)[number];
  /** If a higher percentage of vehicles is missing, the import waits for a confirmation. */
  readonly max_missing_percent: number;
  readonly columns: OwnColumns;
  /** What words of the file mean. Absent in imports of an earlier version. */
  readonly values?: OwnValues;
  readonly empty: (typeof EMPTY_CELL_MODES)[number];
  readonly images: (typeof IMAGE_MODES)[number];
  /** True if the service fetches the photos that the file names, and keeps them. Absent in imports of an earlier version. */
  readonly fetch_images?: boolean;
  readonly decimal: Decimal;
  /** `on`: values that people corrected stay. `off`: those of the file are written. Absent in imports of an earlier version. */
  readonly merge?: (typeof MERGE_MODES)[number];
  /** The mapping that was named: its files are compared with each other. */
  readonly mapping?: number;
  /** The order of day and month. Options that are absent were not known when the import was asked for. */
  readonly date_order?: DateOrder | "auto";
  readonly units?: (typeof UNIT_MODES)[number];
  readonly currency?: (typeof CURRENCY_MODES)[number];
  readonly heading_row?: number;
  /** What the column for the dealer contains. Absent in imports of an earlier version, which knew ids only. */
  readonly dealer_by?: (typeof DEALER_BY)[number];
  /** The sheet of a workbook. */
  readonly sheet?: string;
}

const MAX_CHARSET_NAME = 40;

/** A charset by any of its names, in any case. */
const charsetName = (notes: { readonly description: string; readonly examples: readonly string[] }) =>
  Type.Refine(
    Type.String({ maxLength: MAX_CHARSET_NAME, fault: `must be one of ${CHARSETS.join(", ")}`, ...notes }),
    (name) => charsetNamed(name) !== null,
  );

/** Query of POST /api/imports. */
export const ImportQuery = Type.Object({
  dealer_id: Type.Optional(
    id({
      description:
        "The dealer of all vehicles in the file. For a bound key, it is replaced by the key's dealer. Without it, the file needs a column for the dealer.",
    }),
  ),
  dealer_by: Type.Optional(
    oneOf(DEALER_BY, {
      default: "code",
      description:
        "What the file's column for the dealer contains: the `codes` of dealers, or with `id` their ids here. Files that the service exported always have ids.",
    }),
  ),
  mode: Type.Optional(
    oneOf(IMPORT_MODES, {
      default: "upsert",
      description:
        "Whether rows create vehicles, change them, or both. With `snapshot` they do both, and the file lists the whole inventory.",
    }),
  ),
  match: Type.Optional(
    oneOf(MATCHES, {
      default: "auto",
      description:
        "How the vehicle of a row is found. `auto` uses the VIN if the row has one, and otherwise the stock number. It finds rows of an exported file by their `id`.",
    }),
  ),
  on_error: Type.Optional(
    oneOf(ON_ERROR, {
      default: "skip",
      description: "With `reject`, all rows are checked first, and nothing is written unless all are valid.",
    }),
  ),
  dry_run: Type.Optional(
    flag({ default: false, description: "If true, nothing is changed, and the import tells what would happen." }),
  ),
  missing: Type.Optional(
    oneOf(MISSING_MODES, {
      default: "sold",
      description: "With `snapshot`: what happens to unsold vehicles that are missing from the file.",
    }),
  ),
  max_missing_percent: Type.Optional(
    integer(0, 100, {
      default: 20,
      description:
        "With `snapshot`: if more than this percentage of vehicles is missing, the import waits for a confirmation.",
    }),
  ),
  columns: Type.Optional(
    text(2, 20_000, {
      description:
        "A JSON object with the field for each heading that the service does not know, or `null` for a column that is not read.",
      examples: ['{"Their price": "price", "Notes": null}'],
    }),
  ),
  values: Type.Optional(
    text(2, MAX_VALUES, {
      description:
        "A JSON object of the fields `status`, `condition`, `fuel_type`, `transmission`, `drivetrain`, `body_style`, `exterior_color` and `interior_color`, each with words of the file and the values that they mean.",
      examples: ['{"fuel_type": {"Benzin": "Gasoline"}}'],
    }),
  ),
  mapping: Type.Optional(
    id({
      description:
        "The id of one of the dealer's mappings, which says which fields the columns contain and what words mean. `columns` and `values` take precedence.",
    }),
  ),
  empty: Type.Optional(
    oneOf(EMPTY_CELL_MODES, { default: "keep", description: "What an empty cell does to the field." }),
  ),
  images: Type.Optional(
    oneOf(IMAGE_MODES, {
      default: "replace",
      description:
        "What the images of a row do to the existing images of its vehicle. With `keep`, only vehicles without images get them.",
    }),
  ),
  fetch_images: Type.Optional(
    flag({
      default: false,
      description:
        "If true, the service fetches the photos that the file names, once its rows are done, and keeps them as photos that were sent to it. An address is fetched once for a dealer: the same address is the same photo. What cannot be fetched stays an address, and the row says why.",
    }),
  ),
  decimal: Type.Optional(
    oneOf(DECIMALS, { default: "auto", description: "The character before the cents of a price." }),
  ),
  merge: Type.Optional(
    oneOf(MERGE_MODES, {
      default: "on",
      description:
        "With `on`, a value that somebody corrected stays as long as the file says what its last version said; if both changed, the owner of the field decides (`field_owners` of the settings and of import sources). With `off`, the values of the file are written.",
    }),
  ),
  date_order: Type.Optional(
    oneOf(DATE_ORDER_MODES, {
      default: "auto",
      description:
        "The order of day and month in dates such as 05/06/2026. With `auto`, a cell that can only be read in one way decides it for its column; if none does, the setting `date_order` of the installation.",
    }),
  ),
  units: Type.Optional(
    oneOf(UNIT_MODES, {
      default: "convert",
      description:
        "What happens to a mileage or an electric range that the file has in another unit than the installation. With `keep`, the number stays as it is.",
    }),
  ),
  currency: Type.Optional(
    oneOf(CURRENCY_MODES, {
      default: "check",
      description:
        "What a price in another currency than the installation's means. With `check`, it is not read; with `ignore`, signs and codes of currencies are dropped.",
    }),
  ),
  heading_row: Type.Optional(
    integer(1, 1000, {
      description:
        "The line of a CSV or TSV file, or the row of a sheet, that is its heading. Default: the first of the first 30 rows that looks like one.",
    }),
  ),
  sheet: Type.Optional(
    text(1, 100, {
      description:
        "The sheet of a workbook that is read. Default: the first visible sheet with a heading. Other files have no sheets.",
      examples: ["Stock"],
    }),
  ),
  charset: Type.Optional(
    charsetName({
      description: "The charset of the file, by any of its names. Default: detected.",
      examples: CHARSETS,
    }),
  ),
  delimiter: Type.Optional(
    oneOf([...DELIMITER_NAMES, ...DELIMITERS], {
      description: "The character between cells. Default: detected.",
    }),
  ),
});
export type ImportQuery = Input<typeof ImportQuery>;

const COLUMNS_FAULT = "must be a JSON object of headings, each with null, images or a field of vehicles";

/** Parses the option `columns` of a query. Returns a failure if it is invalid. */
export const ownColumnsIn = (sent: string | undefined): Outcome<OwnColumns> => {
  const fault = invalid({ path: "columns", message: COLUMNS_FAULT });
  try {
    const columns: unknown = JSON.parse(sent ?? "{}");
    if (typeof columns !== "object" || columns === null || Array.isArray(columns)) return fault;
    const isRight = Object.values(columns).every(
      (field) => field === null || (typeof field === "string" && isImportField(field)),
    );
    return isRight ? (columns as OwnColumns) : fault;
  } catch {
    return fault;
  }
};

/** The options of a query, with defaults for those that were not sent. */
export const optionsOf = (query: ImportQuery, columns: OwnColumns, values?: OwnValues): ImportOptions => ({
  mode: query.mode ?? "upsert",
  match: query.match ?? "auto",
  on_error: query.on_error ?? "skip",
  dry_run: query.dry_run ?? false,
  missing: query.missing ?? "sold",
  max_missing_percent: query.max_missing_percent ?? 20,
  empty: query.empty ?? "keep",
  images: query.images ?? "replace",
  fetch_images: query.fetch_images ?? false,
  decimal: query.decimal ?? "auto",
  merge: query.merge ?? "on",
  ...(query.mapping !== undefined && { mapping: query.mapping }),
  date_order: query.date_order ?? "auto",
  units: query.units ?? "convert",
  currency: query.currency ?? "check",
  ...(query.heading_row !== undefined && { heading_row: query.heading_row }),
  dealer_by: query.dealer_by ?? "code",
  ...(query.sheet !== undefined && { sheet: query.sheet }),
  columns,
  ...(values !== undefined && { values }),
});

const DELIMITERS_BY_NAME: Readonly<Record<string, Delimiter>> = { comma: ",", semicolon: ";", tab: "\t", bar: "|" };

/** The character for the option `delimiter`, which may also be given by name. */
export const delimiterOf = (wanted: NonNullable<ImportQuery["delimiter"]>): Delimiter =>
  DELIMITERS_BY_NAME[wanted] ?? (wanted as Delimiter);

/** Body of POST /api/imports/:id/confirm. */
export const Confirmation = Type.Object({
  missing: integer(0, Number.MAX_SAFE_INTEGER, {
    description: "The number of missing vehicles that the import reports.",
  }),
});
export const confirmation = validator(Confirmation);

/** Query of GET /api/imports. */
export const ImportListQuery = Type.Object({
  dealer_id: Type.Optional(
    id({ description: "Only imports of this dealer. For a bound key, it is replaced by the key's dealer." }),
  ),
  state: Type.Optional(oneOf(IMPORT_STATES, { description: "Only imports in this state." })),
  limit: Type.Optional(integer(1, 1000, { description: "Maximum number of results.", default: 100 })),
  cursor: Type.Optional(text(1, 500, { description: "`meta.next_cursor` of the previous page." })),
});
export type ImportListQuery = Input<typeof ImportListQuery>;

/** Query of GET /api/imports/:id/rows. */
export const ImportRowsQuery = Type.Object({
  outcome: Type.Optional(
    oneOf([...ROW_OUTCOMES, "kept"], {
      description: "Only rows with this outcome. `kept`: rows against which values of their vehicles stayed.",
    }),
  ),
  kept: Type.Optional(flag({ description: "If true, only rows against which values of their vehicles stayed." })),
  cells: Type.Optional(flag({ default: false, description: "If true, failed rows have their cells." })),
  limit: ImportListQuery.properties.limit,
  cursor: ImportListQuery.properties.cursor,
});
export type ImportRowsQuery = Input<typeof ImportRowsQuery>;

/** A received file. `bytes` and `sha256` describe the file as it was sent. */
export interface ImportFile {
  readonly name: string | null;
  readonly bytes: number;
  readonly sha256: string;
  readonly rows: number;
  readonly charset: Charset;
  readonly delimiter: Delimiter | null;
  /** The sheet of a workbook that was read; `null` for other files. */
  readonly sheet: string | null;
}

/** The number of rows with each result. `warnings` is the number of all warnings. */
export interface ImportCounts {
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  /** Rows that are no vehicles. Imports of earlier versions do not have it. */
  readonly skipped?: number;
  /** `null` if it is not known which vehicles are missing. */
  readonly missing: number | null;
  readonly removed: number;
  /** The number of rows against which values of their vehicles stayed. Absent if an earlier version counted. */
  readonly kept?: number;
  readonly warnings: number;
}

export const NO_COUNTS: ImportCounts = {
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  skipped: 0,
  missing: 0,
  removed: 0,
  kept: 0,
  warnings: 0,
};

/** The reason why an import failed. */
export interface ImportError {
  readonly code: "rights_lost" | "source_gone" | "rows_failed" | "no_good_row" | "defect" | "file_gone";
  readonly message: string;
}

/** How far the photos of an import are fetched, by their addresses. */
export interface FetchedImages {
  readonly waiting: number;
  /** Those that vehicles have as photos now. */
  readonly fetched: number;
  /** Those that stay addresses; their rows say why. */
  readonly failed: number;
  /** Why the others were not fetched any more; `null` if nothing ended it. */
  readonly problem: string | null;
}

export const NO_IMAGES: FetchedImages = { waiting: 0, fetched: 0, failed: 0, problem: null };

/** An import as it is answered. */
export interface Import {
  readonly id: number;
  readonly dealer_id: number | null;
  readonly state: ImportState;
  readonly mode: ImportOptions["mode"];
  readonly options: Omit<ImportOptions, "mode">;
  readonly file: ImportFile;
  readonly columns: ImportColumns["columns"];
  readonly warnings: readonly ImportIssue[];
  /** What rows were warned of, once for each column and kind. */
  readonly row_warnings: readonly RowWarnings[];
  /** Values of some fields that the service does not know, with what they may stand for. */
  readonly unknown_values: readonly AnsweredValue[];
  readonly progress: { readonly read: number; readonly total: number };
  readonly counts: ImportCounts;
  /** `null` if the photos that the file names are not fetched. */
  readonly images: FetchedImages | null;
  readonly created_at: Timestamp;
  readonly started_at: Timestamp | null;
  readonly finished_at: Timestamp | null;
  /** The change, so that it can be reverted; `null` if the import has not begun, or changes nothing. */
  readonly change_id: string | null;
  /** The person who asked for it. A reader of a dealer sees people from outside that dealer only as `operator`. */
  readonly by: AuditEntry["actor"];
  readonly error: ImportError | null;
}

/** The result of a row as it is answered. A missing vehicle has no `line` and no `row`. */
export interface ImportRow {
  readonly line: number | null;
  readonly row: number | null;
  /** The VIN; or the stock number, if the row has no VIN or is matched by its stock number. */
  readonly key: string | null;
  readonly outcome: RowOutcome;
  readonly vehicle_id: number | null;
  readonly changes: Readonly<Record<string, readonly [before: unknown, after: unknown]>>;
  /** The values of the vehicle that stayed, as people had corrected them. */
  readonly kept: readonly KeptValue[];
  readonly errors: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
}

/** The same with the cells of a failed row, by the headings of the file. A cell that the row does not have is `null`. */
export interface RowWithCells extends ImportRow {
  readonly cells?: Readonly<Record<string, Cell>>;
}
