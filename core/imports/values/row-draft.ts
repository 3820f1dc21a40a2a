import { isNoStockNumber, isNoVin } from "../../vehicles/nothing.ts";
import type { ImportField } from "../headings/headings.ts";
import type { ImportIssue } from "../import-issue.ts";
import { addressesIn } from "./addresses.ts";
import {
  type CellContext,
  cellReader,
  isClearable,
  isEmpty,
  isEmptyFor,
  isVehicleColumn,
  trimmed,
  type VehicleColumn,
  VIN_LENGTH,
} from "./cell-readers.ts";
import { isTaughtField, type TaughtField } from "./known-values.ts";
import type { ReadDistance } from "./numbers.ts";
import { wholeIn } from "./numbers.ts";
import { taughtReader } from "./own-values.ts";
import { type CellFault, type CellReading, EMPTY_CELL, quoted } from "./reading.ts";
import { type Distance, type DistanceUnit, isDistance, unitNamed } from "./units.ts";
import { type UnknownValue, valueKnower } from "./unknown-values.ts";
import { certifiedIn, conditionWord, statusIn } from "./words.ts";

/** A row whose cells are being read. */
export interface RowDraft {
  readonly fields: Record<string, unknown>;
  readonly images: Set<string>;
  dealerId: number | null;
  /** The code of another system that the row names its dealer by. */
  dealerCode: string | null;
  isCertified: boolean;
  /** The units that the cells of distances name, and that of the column of units. */
  readonly units: { mileage?: DistanceUnit; electric_range?: DistanceUnit; column?: DistanceUnit };
  /** The text of the column for the currency. */
  currency: string | null;
  /** Faults that decide about the row; those that decide about a new vehicle only; and those that cost one field. */
  readonly errors: ImportIssue[];
  readonly newOnly: ImportIssue[];
  readonly warnings: ImportIssue[];
  /** Values that the service does not know. */
  readonly unknown: UnknownValue[];
}

/** An empty draft. */
export const emptyDraft = (): RowDraft => ({
  fields: {},
  images: new Set(),
  ...{ dealerId: null, dealerCode: null, isCertified: false, units: {}, currency: null },
  ...{ errors: [], newOnly: [], warnings: [], unknown: [] },
});

/** Puts what a cell says into a draft. */
export type WriteCell = (cell: string | number, draft: RowDraft) => void;

/** Fields of which an unreadable cell fails the row. */
const DECIDING: ReadonlySet<ImportField> = new Set(["make", "model", "year", "vin", "stock_number", "dealer_id"]);
/** Fields of which an unreadable cell fails a new vehicle. */
const DECIDING_NEW: ReadonlySet<ImportField> = new Set(["price", "status"]);

/** Adds a fault of a cell where it belongs. */
export const addFault = (
  draft: RowDraft,
  field: ImportField,
  { path, code, message }: CellFault & { readonly path: string },
): void => {
  if (DECIDING.has(field)) draft.errors.push({ path, code, message });
  else if (DECIDING_NEW.has(field)) draft.newOnly.push({ path, code, message });
  else draft.warnings.push({ path, code, message: `${message}; the field stays as it is` });
};

/** A column, and what it contains. */
export interface ReadColumn {
  readonly field: ImportField;
  readonly heading: string;
}

/** The value of a cell; `undefined` for an empty or an unreadable one. Adds faults and warnings to the draft. */
const acceptedValue = <Value>(
  reading: CellReading<Value>,
  { field, heading }: ReadColumn,
  draft: RowDraft,
): Value | undefined => {
  if (reading.kind === "empty") return undefined;
  if (reading.kind === "invalid") {
    addFault(draft, field, { path: heading, code: reading.code, message: reading.message });
    return undefined;
  }
  if (reading.warning !== undefined) draft.warnings.push({ path: heading, ...reading.warning });
  return reading.value;
};

const imagesWriter =
  ({ heading }: ReadColumn, { isOwnExport }: CellContext): WriteCell =>
  (cell, draft) => {
    const { addresses, fault } = addressesIn(String(cell), isOwnExport);
    for (const address of addresses) draft.images.add(address);
    if (fault !== null) draft.warnings.push({ path: heading, ...fault });
  };

const certifiedWriter =
  (column: ReadColumn): WriteCell =>
  (cell, draft) => {
    if (!isEmpty(cell)) draft.isCertified = acceptedValue(certifiedIn(trimmed(cell)), column, draft) ?? false;
  };

const dealerWriter =
  (column: ReadColumn, { dealerBy }: CellContext): WriteCell =>
  (cell, draft) => {
    if (dealerBy === "code") {
      draft.dealerCode = isEmpty(cell) ? null : trimmed(cell);
      return;
    }
    draft.dealerId = acceptedValue(isEmpty(cell) ? EMPTY_CELL : wholeIn(cell), column, draft) ?? null;
  };

const unitWriter =
  ({ heading }: ReadColumn): WriteCell =>
  (cell, draft) => {
    if (isEmpty(cell)) return;
    const unit = unitNamed(trimmed(cell).replace(/^k$/i, "km").replace(/^m$/i, "mi"));
    if (unit !== undefined) draft.units.column = unit;
    else
      draft.warnings.push({
        path: heading,
        code: "unit_unknown",
        message: `${quoted(trimmed(cell))} is neither miles nor kilometres; the mileage is kept as it is`,
      });
  };

const fieldWriter = (column: ReadColumn & { readonly field: VehicleColumn }, context: CellContext): WriteCell => {
  const { field } = column;
  const read = cellReader(field);
  const isCleared = context.empty === "clear" && isClearable(field);
  return (cell, draft) => {
    if (isEmptyFor(context, cell)) {
      if (isCleared) draft.fields[field] = null;
      return;
    }
    const value = acceptedValue(read(cell, context), column, draft);
    if (value !== undefined) draft.fields[field] = value;
  };
};

const distanceWriter = (column: ReadColumn & { readonly field: Distance }, context: CellContext): WriteCell => {
  const { field } = column;
  const put = fieldWriter(column, context);
  return (cell, draft) => {
    put(cell, draft);
    const read = draft.fields[field] as ReadDistance | null | undefined;
    if (read === null || read === undefined) return;
    draft.fields[field] = read.number;
    if (read.unit !== null) draft.units[field] = read.unit;
  };
};

/** The message about a text that stands where a VIN belongs. */
const placeholder = (path: string, text: string): ImportIssue => ({
  path,
  code: "placeholder",
  message: `${quoted(text)} is no VIN, and is taken as an empty cell`,
});

/** A number behind an apostrophe, with which spreadsheets make it a text. */
const APOSTROPHE = /^'(?=[^'\s])/;
const BLANKS = /\s+/g;
/** The maximum length of a key that is read so. No vehicle has a longer one. */
const MAX_KEY = 100;

/** A key as it is meant: without the apostrophe of a spreadsheet, and a VIN in groups without the blanks between them. */
const plainKey = (text: string, field: "vin" | "stock_number"): string => {
  if (text.length > MAX_KEY) return text;
  const key = text.replace(APOSTROPHE, "");
  const compact = field === "vin" ? key.replaceAll(BLANKS, "") : key;
  return compact.length === VIN_LENGTH ? compact : key;
};

/** Writes a column of VINs or stock numbers. What stands for none of them is an empty cell. */
const keyWriter = (
  column: ReadColumn & { readonly field: "vin" | "stock_number" },
  context: CellContext,
): WriteCell => {
  const put = fieldWriter(column, context);
  const isNone = column.field === "vin" ? isNoVin : isNoStockNumber;
  return (cell, draft) => {
    const text = context.isOwnExport ? trimmed(cell) : plainKey(trimmed(cell), column.field);
    // A stock number that the service itself wrote is one, whatever it looks like. No VIN is ever a placeholder.
    const isPlaceholder = text !== "" && isNone(text) && (column.field === "vin" || !context.isOwnExport);
    // A file that the service wrote does not clear what is stored.
    if (!isPlaceholder) put(context.isOwnExport ? cell : text, draft);
    else if (!context.isOwnExport) put("", draft);
    if (isPlaceholder && column.field === "vin") draft.warnings.push(placeholder(column.heading, text));
  };
};

/**
 * Writes a column `Title`. In a file without a column for the condition, New, Used or Certified in it are the
 * condition.
 */
const titleWriter = (heading: string, context: CellContext): WriteCell => {
  const put = fieldWriter({ field: "title", heading }, context);
  return (cell, draft) => {
    const word = typeof cell === "string" ? conditionWord(cell) : undefined;
    if (word === undefined) put(cell, draft);
    else draft.fields.condition = word;
  };
};

/**
 * Writes a column for the status. In a file without a column for the condition, it may have new and used vehicles:
 * `Stato` and `Estado` mean both.
 */
const statusWriter = (heading: string, context: CellContext): WriteCell => {
  const put = fieldWriter({ field: "status", heading }, context);
  return (cell, draft) => {
    const text = trimmed(cell);
    const word = statusIn(text).kind === "value" ? undefined : conditionWord(text);
    if (word === undefined) put(cell, draft);
    else draft.fields.condition = word;
  };
};

/**
 * Writes a column of a field whose values can be taught: a word whose meaning somebody said is read as that, and what
 * the service does not know is noted. A file that the service wrote is read as it is.
 */
const taughtWriter = (
  field: TaughtField,
  put: WriteCell,
  { values, isOwnExport }: Pick<CellContext, "values" | "isOwnExport">,
): WriteCell => {
  if (isOwnExport) return put;
  const meaningOf = taughtReader(field, values);
  const isKnown = valueKnower(field);
  return (cell, draft) => {
    const text = trimmed(cell);
    const meant = meaningOf?.(text);
    if (meant === undefined && !isEmpty(cell) && !isKnown(text)) draft.unknown.push({ field, value: text });
    put(meant ?? cell, draft);
  };
};

/** How the cells of a column are put into a row. */
export const cellWriter = (column: ReadColumn, context: CellContext): WriteCell => {
  const put = plainWriter(column, context);
  return isTaughtField(column.field) ? taughtWriter(column.field, put, context) : put;
};

const plainWriter = (column: ReadColumn, context: CellContext): WriteCell => {
  const { field, heading } = column;
  if (field === "images") return imagesWriter(column, context);
  if (field === "certified") return certifiedWriter(column);
  if (field === "dealer_id") return dealerWriter(column, context);
  if (field === "mileage_unit") return unitWriter(column);
  if (field === "title" && !context.hasCondition) return titleWriter(heading, context);
  if (field === "status" && !context.hasCondition) return statusWriter(heading, context);
  if (isDistance(field)) return distanceWriter({ field, heading }, context);
  if (field === "vin" || field === "stock_number") return keyWriter({ field, heading }, context);
  if (!isVehicleColumn(field))
    return (cell, draft) => {
      draft.currency = isEmpty(cell) ? null : trimmed(cell);
    };
  return fieldWriter({ field, heading }, context);
};
