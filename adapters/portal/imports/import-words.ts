import type { Charset, Delimiter } from "../../../core/imports/file/file.ts";
import { tellingWarnings } from "../../../core/imports/file-warnings.ts";
import type { Import, ImportOptions, ImportState, RowOutcome } from "../../../core/imports/import.ts";
import type { StateColor } from "../page/state-badge.tsx";

/** Values to choose from, with their labels. */
export type Choices<Word extends string> = readonly (readonly [word: Word, label: string])[];

/** The states of an import, with their labels. */
export const STATE_LABELS: Readonly<Record<ImportState, readonly [label: string, color: StateColor]>> = {
  queued: ["Waiting", "amber"],
  running: ["Running", "amber"],
  previewed: ["Checked", "amber"],
  needs_confirmation: ["To be confirmed", "amber"],
  completed: ["Done", "green"],
  failed: ["Failed", "grey"],
  cancelled: ["Cancelled", "grey"],
};

/** The modes of an import, with their labels. */
export const MODES: Choices<ImportOptions["mode"]> = [
  ["upsert", "Add new vehicles and change those that are there"],
  ["create", "Only add new vehicles"],
  ["update", "Only change vehicles that are there"],
  ["snapshot", "It is the whole lot: what it does not have is missing"],
];

/** What to do with missing vehicles. */
export const MISSING: Choices<ImportOptions["missing"]> = [
  ["sold", "Mark them as sold"],
  ["remove", "Delete them"],
  ["report", "Leave them, and tell me"],
];

/** How to match a row with a vehicle. */
export const MATCHES: Choices<ImportOptions["match"]> = [
  ["auto", "The VIN, or else the stock number"],
  ["vin", "The VIN"],
  ["stock_number", "The stock number"],
];

/** What to do if some rows fail. */
export const ON_ERROR: Choices<ImportOptions["on_error"]> = [
  ["skip", "Import the others"],
  ["reject", "Import nothing"],
];

/** What an empty cell does. */
export const EMPTY: Choices<ImportOptions["empty"]> = [
  ["keep", "Leave the field as it is"],
  ["clear", "Empty the field"],
];

/** What a row's images do with the existing ones. */
export const IMAGES: Choices<ImportOptions["images"]> = [
  ["replace", "Replace those of the vehicle"],
  ["append", "Are added to those of the vehicle"],
  ["keep", "Are taken only where there are none"],
];

/** The decimal marks. */
export const DECIMAL: Choices<ImportOptions["decimal"]> = [
  ["auto", "Detect"],
  ["point", "A point: 25,999.50"],
  ["comma", "A comma: 25.999,50"],
];

/** What a column for the dealer contains. */
export const DEALER_BY: Choices<NonNullable<ImportOptions["dealer_by"]>> = [
  ["code", "Its code in another system"],
  ["id", "Its number here"],
];

/** The order of day and month. */
export const DATE_ORDERS: Choices<NonNullable<ImportOptions["date_order"]>> = [
  ["auto", "The file decides"],
  ["dmy", "The day is first: 5 June"],
  ["mdy", "The month is first: May 6"],
];

/** What happens to mileages in another unit than the installation's. */
export const UNITS: Choices<NonNullable<ImportOptions["units"]>> = [
  ["convert", "Are converted"],
  ["keep", "Keep their numbers"],
];

/** What happens to prices in another currency than the installation's. */
export const CURRENCIES: Choices<NonNullable<ImportOptions["currency"]>> = [
  ["check", "Are not read"],
  ["ignore", "Keep their numbers"],
];

/** What happens to what people corrected. */
export const MERGES: Choices<NonNullable<ImportOptions["merge"]>> = [
  ["on", "Stays until the file says something new"],
  ["off", "Is overwritten by the file"],
];

/** The charsets. */
export const CHARSETS: Choices<Charset> = [
  ["utf-8", "UTF-8"],
  ["utf-16le", "UTF-16, low byte first"],
  ["utf-16be", "UTF-16, high byte first"],
  ["windows-1252", "Windows-1252"],
  ["iso-8859-15", "ISO-8859-15"],
];

/** The delimiters. */
export const DELIMITERS: Choices<Delimiter> = [
  [",", "Comma"],
  [";", "Semicolon"],
  ["\t", "Tab"],
  ["|", "Bar"],
];

/** The results of a row; for a check, what would happen. */
export const OUTCOMES: Readonly<Record<RowOutcome, readonly [done: string, planned: string]>> = {
  failed: ["Failed", "Failed"],
  updated: ["Changed", "To be changed"],
  created: ["Added", "To be added"],
  missing: ["Missing", "Missing"],
  unchanged: ["Unchanged", "Unchanged"],
  skipped: ["No vehicle", "No vehicle"],
};

/** The label of a value in a list of choices. */
export const labelIn = <Word extends string>(choices: Choices<Word>, word: Word): string =>
  choices.find(([one]) => one === word)?.[1] ?? word;

/** The title of an import: its file's name, if known. */
export const nameOf = ({ id, file }: Pick<Import, "id" | "file">): string => file.name ?? `Import ${id}`;

/** True for an import that is still in progress. */
export const isInProgress = ({ state }: Pick<Import, "state">): boolean => state === "queued" || state === "running";

/** True while photos of an import are fetched, after its rows. */
export const isFetching = ({ state, images }: Pick<Import, "state" | "images">): boolean =>
  (state === "completed" || state === "needs_confirmation") && (images?.waiting ?? 0) > 0;

/** True for a check, which changed nothing. */
export const isDryRun = ({ options }: Pick<Import, "options">): boolean => options.dry_run;

/** True if something of a file was assumed, not read or left as people had corrected it. */
export const hasAssumptions = (record: Import): boolean =>
  tellingWarnings(record.warnings).length > 0 || record.counts.warnings > 0 || (record.counts.kept ?? 0) > 0;

/** Who started an import. */
export const importedBy = ({ by }: Pick<Import, "by">): string => by.name;

const SIZE_UNITS = ["bytes", "KB", "MB"] as const;
const KILO = 1024;
const figures = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A file size, such as "1.5 MB". */
export const sizeInWords = (bytes: number): string => {
  const power = Math.min(SIZE_UNITS.length - 1, bytes < KILO ? 0 : Math.floor(Math.log(bytes) / Math.log(KILO)));
  return `${figures.format(bytes / KILO ** power)} ${SIZE_UNITS[power]}`;
};
