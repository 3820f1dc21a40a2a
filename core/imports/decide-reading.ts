import type { DateOrder } from "../settings/date-order.ts";
import type { ScannedFile } from "./file/file.ts";
import type { ImportColumns } from "./headings/columns.ts";
import type { ImportField } from "./headings/headings.ts";
import { missingColumns } from "./headings/look-alikes.ts";
import type { ImportIssue } from "./import-issue.ts";
import { isDateField } from "./values/cell-readers.ts";
import type { DistanceUnit } from "./values/units.ts";

/** What the sender and the installation say about a file. */
export interface Assumptions {
  readonly dateOrder: DateOrder | "auto";
  readonly units: "convert" | "keep";
  readonly currency: "check" | "ignore";
  /** True if rows may make new vehicles. */
  readonly mayCreate: boolean;
  readonly settings: {
    readonly date_order: DateOrder;
    readonly distance_unit: DistanceUnit;
    readonly currency: string;
  };
}

const IN_WORDS: Readonly<Record<DateOrder, string>> = { dmy: "the day first", mdy: "the month first" };

const places = (columns: ImportColumns["columns"], is: (field: ImportField) => boolean): readonly number[] =>
  columns.flatMap(({ field }, place) => (field !== null && is(field) ? [place] : []));

/** The order of each column of dates, and a warning if nothing in the file decides one. */
const decideDates = (
  { columns }: Pick<ImportColumns, "columns">,
  { dates = [] }: Pick<ScannedFile, "dates">,
  { dateOrder, settings }: Assumptions,
): { readonly dateOrders: Record<string, DateOrder>; readonly warnings: readonly ImportIssue[] } => {
  const ofDates = places(columns, isDateField);
  const decided = ofDates.map((place) => dates[place]?.order ?? null);
  const ofOthers = decided.find((order) => order !== null) ?? null;
  const orderAt = (index: number): DateOrder =>
    dateOrder === "auto" ? (decided[index] ?? ofOthers ?? settings.date_order) : dateOrder;
  const assumed =
    dateOrder === "auto" && ofOthers === null ? ofDates.filter((place) => dates[place]?.unclear != null) : [];
  const warnings = assumed.slice(0, 1).map((place) => ({
    path: columns[place]?.heading ?? "",
    code: "date_order_assumed",
    message: `can be read in two ways, such as ${dates[place]?.unclear}, and no cell decides; ${IN_WORDS[settings.date_order]} is assumed, as in the installation's settings. Choose date_order=dmy or date_order=mdy to say it`,
  }));
  return {
    dateOrders: Object.fromEntries(ofDates.map((place, index) => [place, orderAt(index)])),
    warnings,
  };
};

/** Says how many rows above the heading were skipped. */
const linesSkipped = ({ above }: Pick<ScannedFile, "above">): readonly ImportIssue[] => {
  if (above === undefined || above.rows === 0) return [];
  const lines = above.rows === 1 ? "1 line above the heading is" : `${above.rows} lines above the heading are`;
  return [
    {
      path: "",
      code: "lines_skipped",
      message: `${lines} skipped, beginning with "${above.text}"; heading_row says which row is the heading`,
    },
  ];
};

/** Says which columns every new vehicle needs and the file does not have. */
const columnsMissing = ({ columns, warnings, isOwnExport }: ImportColumns): readonly ImportIssue[] => {
  const unknown = warnings.filter(({ code }) => code === "heading_unknown").map(({ path }) => path);
  const missing = isOwnExport ? null : missingColumns(new Set(columns.map(({ field }) => field)), unknown);
  return missing === null ? [] : [missing];
};

/** Decides how a file is read, over all of its cells, and warns of what is assumed. */
export const decideReading = (found: ScannedFile, file: ImportColumns, assumptions: Assumptions): ImportColumns => {
  const { units, currency, mayCreate, settings } = assumptions;
  const { dateOrders, warnings } = decideDates(file, found, assumptions);
  return {
    ...file,
    warnings: [...linesSkipped(found), ...warnings, ...(mayCreate ? columnsMissing(file) : []), ...file.warnings],
    decided: {
      dateOrders,
      distanceUnit: units === "keep" ? null : settings.distance_unit,
      currency: currency === "ignore" ? null : settings.currency,
    },
  };
};
