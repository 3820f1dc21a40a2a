import { type Kind, VEHICLE_FIELDS } from "../../vehicles/fields.ts";
import { CHECK_PLACE, checkDigitOf, hasRightCheckDigit, isVin, isWithoutCheckDigit } from "../../vin/vin.ts";
import type { Cell } from "../file/file.ts";
import type { ImportColumns } from "../headings/columns.ts";
import { type ImportField, isImportField } from "../headings/headings.ts";
import type { ImportIssue } from "../import-issue.ts";
import { addressesIn } from "./addresses.ts";
import { dateIn } from "./dates.ts";
import { mileageIn, priceIn, wholeIn } from "./numbers.ts";
import { type CellFault, type CellReading, type Decimal, EMPTY_CELL, valueRead } from "./reading.ts";
import { conditionWord, flagIn, stageIn, statusIn } from "./words.ts";

/** How cells are read. */
export interface ValueOptions {
  readonly decimal: Decimal;
  /** What an empty cell means: the field keeps its value, or is cleared. */
  readonly empty: "keep" | "clear";
}

/**
 * Identifies a vehicle in a file that this service wrote. Another database may have this id, but not with this time of
 * creation.
 */
export interface ExportedIdentity {
  readonly id: number;
  readonly createdAt: string;
}

/** The values of a row. */
export interface RowValues {
  /**
   * The fields in the form of a POST or PUT body, not yet validated. Only cells with values are there, without the
   * dealer and images.
   */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Image addresses in their order, each once; `null` if the row has none. */
  readonly images: readonly string[] | null;
  /** The address of the image that is to be the primary one. By default it is the first. */
  readonly primary?: string;
  readonly key: { readonly vin: string | null; readonly stock_number: string | null };
  /** The vehicle that the row is about, if this service wrote the file. */
  readonly exported: ExportedIdentity | null;
  /** The dealer that the row names, if it does. */
  readonly dealerId: number | null;
  readonly errors: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
}

type VehicleColumn = Exclude<ImportField, "images" | "certified">;

const kindOf = (field: VehicleColumn): keyof typeof READ_BY_KIND =>
  field === "sold_price" ? "price" : VEHICLE_FIELDS[field].kind;

interface CellContext extends ValueOptions {
  readonly isOwnExport: boolean;
  /** True if the file has a column for the condition. */
  readonly hasCondition: boolean;
}

type ReadCell = (cell: string | number, context: CellContext) => CellReading;

const trimmed = (cell: string | number): string => String(cell).trim();

/** A code in the form that makes spreadsheets keep its leading zeros: `="00123"`. */
const QUOTED_CODE = /^="([^"]*)"$/;
/** The maximum length of such a code. */
const MAX_QUOTED_CODE = 100;

const codeText = (cell: string | number): string => {
  const text = trimmed(cell);
  return text.length > MAX_QUOTED_CODE ? text : (QUOTED_CODE.exec(text)?.[1]?.trim() ?? text);
};

const VIN_LENGTH = 17;

const vinFault = (vin: string): CellFault | undefined => {
  if (vin.length !== VIN_LENGTH) return undefined;
  const capitals = vin.toUpperCase();
  if (!isVin(capitals))
    return { code: "vin_form", message: "has a sign that no VIN has: it is of digits and letters without I, O and Q" };
  if (isWithoutCheckDigit(capitals) || hasRightCheckDigit(capitals)) return undefined;
  const [is, expected] = [capitals[CHECK_PLACE], checkDigitOf(capitals)];
  return { code: "vin_check_digit", message: `has ${is} as its 9th character, which should be ${expected}` };
};

/** The warning for an unusual VIN; `null` for any other value. */
export const vinWarning = (sent: unknown): CellFault | null =>
  typeof sent === "string" ? (vinFault(sent) ?? null) : null;

/** A text. It is trimmed unless this service wrote the file. */
const textIn: ReadCell = (cell, { isOwnExport }) => valueRead(isOwnExport ? String(cell) : trimmed(cell));
const codeIn: ReadCell = (cell, { isOwnExport }) => valueRead(isOwnExport ? String(cell) : codeText(cell));

/** How to read cells that are not empty, by the kind of their field. */
const READ_BY_KIND: Readonly<Record<Exclude<Kind, "id" | "moment" | "past-price" | "past-moment">, ReadCell>> = {
  dealer: (cell) => wholeIn(cell),
  name: textIn,
  text: textIn,
  code: codeIn,
  // It is not trimmed, because the indentation of its lines matters.
  long: (cell) => valueRead(String(cell)),
  year: (cell) => wholeIn(cell),
  whole: (cell) => wholeIn(cell),
  price: (cell, context) => priceIn(cell, context),
  status: (cell) => statusIn(trimmed(cell)),
  stage: (cell) => stageIn(trimmed(cell)),
  flag: (cell) => flagIn(trimmed(cell)),
  date: (cell) => dateIn(String(cell)),
};

/** Fields whose cells are read differently from others of their kind. */
const READ_BY_FIELD: Readonly<Partial<Record<VehicleColumn, ReadCell>>> = {
  vin(cell, { isOwnExport }) {
    const vin = isOwnExport ? String(cell) : codeText(cell);
    return valueRead(vin, vinFault(vin));
  },
  stock_number: codeIn,
  mileage: (cell, { decimal }) => mileageIn(cell, decimal),
  condition: (cell, context) =>
    context.isOwnExport ? textIn(cell, context) : valueRead(conditionWord(trimmed(cell)) ?? trimmed(cell)),
};

const cellReader = (field: VehicleColumn): ReadCell => READ_BY_FIELD[field] ?? READ_BY_KIND[kindOf(field)];

/** The kinds of fields that may be unset. */
const CLEARABLE: ReadonlySet<Kind> = new Set<Kind>(["text", "code", "long", "whole", "stage", "date"]);

const isEmpty = (cell: string | number): boolean => typeof cell === "string" && cell.trim() === "";

/** True if a cell of a vehicle's field is empty. In files that this service wrote, a text of blanks is a value. */
const isEmptyFor = ({ isOwnExport }: CellContext, cell: string | number): boolean =>
  isOwnExport ? cell === "" : isEmpty(cell);

/** A row whose cells are being read. */
interface RowDraft {
  readonly fields: Record<string, unknown>;
  readonly images: Set<string>;
  dealerId: number | null;
  isCertified: boolean;
  readonly errors: ImportIssue[];
  readonly warnings: ImportIssue[];
}

type WriteCell = (cell: string | number, draft: RowDraft) => void;

/** The value of a cell; `undefined` for an empty or an invalid one. Adds errors and warnings to the draft. */
const acceptedValue = <Value>(reading: CellReading<Value>, path: string, draft: RowDraft): Value | undefined => {
  if (reading.kind === "empty") return undefined;
  if (reading.kind === "invalid") {
    draft.errors.push({ path, code: reading.code, message: reading.message });
    return undefined;
  }
  if (reading.warning !== undefined) draft.warnings.push({ path, ...reading.warning });
  return reading.value;
};

const imagesWriter =
  (heading: string, { isOwnExport }: CellContext): WriteCell =>
  (cell, draft) => {
    const addresses = acceptedValue(addressesIn(String(cell), isOwnExport), heading, draft);
    for (const address of addresses ?? []) draft.images.add(address);
  };

const certifiedWriter =
  (heading: string): WriteCell =>
  (cell, draft) => {
    if (isEmpty(cell)) return;
    const isCertified = conditionWord(trimmed(cell)) === "certified" ? valueRead(true) : flagIn(trimmed(cell));
    draft.isCertified = acceptedValue(isCertified, heading, draft) ?? false;
  };

const dealerWriter =
  (heading: string): WriteCell =>
  (cell, draft) => {
    draft.dealerId = acceptedValue(isEmpty(cell) ? EMPTY_CELL : wholeIn(cell), heading, draft) ?? null;
  };

const fieldWriter = (field: VehicleColumn, heading: string, context: CellContext): WriteCell => {
  const read = cellReader(field);
  const isCleared = context.empty === "clear" && CLEARABLE.has(kindOf(field));
  return (cell, draft) => {
    if (isEmptyFor(context, cell)) {
      if (isCleared) draft.fields[field] = null;
      return;
    }
    const value = acceptedValue(read(cell, context), heading, draft);
    if (value !== undefined) draft.fields[field] = value;
  };
};

/**
 * Writes a column `Title`. In a file without a column for the condition, New, Used or Certified in it are the
 * condition.
 */
const titleWriter = (heading: string, context: CellContext): WriteCell => {
  const put = fieldWriter("title", heading, context);
  return (cell, draft) => {
    const word = typeof cell === "string" ? conditionWord(cell) : undefined;
    if (word === undefined) put(cell, draft);
    else draft.fields.condition = word;
  };
};

const cellWriter = (heading: string, field: ImportField, context: CellContext): WriteCell => {
  if (field === "images") return imagesWriter(heading, context);
  if (field === "certified") return certifiedWriter(heading);
  if (field === "dealer_id") return dealerWriter(heading);
  if (field === "title" && !context.hasCondition) return titleWriter(heading, context);
  return fieldWriter(field, heading, context);
};

const WHOLE = /^[1-9]\d{0,14}$/;

/** Finds the vehicle that a row is about, if this service wrote the file; otherwise the result is always `null`. */
const exportedIdentityReader = ({
  columns,
  isOwnExport,
}: ImportColumns): ((cells: readonly Cell[]) => ExportedIdentity | null) => {
  if (!isOwnExport) return () => null;
  const [ids, moments] = ["id", "created_at"].map((name) => columns.findIndex(({ heading }) => heading === name));
  return (cells) => {
    const [id, createdAt] = [cells[ids ?? -1], cells[moments ?? -1]];
    return WHOLE.test(String(id)) && typeof createdAt === "string" ? { id: Number(id), createdAt } : null;
  };
};

const keyIn = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

/** Reads the rows of a file with these columns. */
export const valuesReader = (file: ImportColumns, options: ValueOptions): ((cells: readonly Cell[]) => RowValues) => {
  const { columns, isOwnExport } = file;
  const exportedIdentity = exportedIdentityReader(file);
  const context = {
    ...options,
    // Files that this service wrote always have decimal points.
    ...(isOwnExport && { decimal: "point" as const }),
    isOwnExport,
    hasCondition: columns.some(({ field }) => field === "condition"),
  };
  const puts = columns.flatMap(({ heading, field }, index) =>
    field === null ? [] : [{ index, put: cellWriter(heading, field, context) }],
  );
  return (cells) => {
    const draft: RowDraft = {
      fields: {},
      images: new Set(),
      dealerId: null,
      isCertified: false,
      errors: [],
      warnings: [],
    };
    for (const { index, put } of puts) {
      const cell = cells[index] ?? null;
      if (cell !== null) put(cell, draft);
    }
    const { fields, images, dealerId, errors, warnings } = draft;
    if (draft.isCertified) fields.condition = "certified";
    return {
      fields,
      images: images.size === 0 ? null : [...images],
      key: { vin: keyIn(fields.vin), stock_number: keyIn(fields.stock_number) },
      exported: exportedIdentity(cells),
      dealerId,
      errors,
      warnings,
    };
  };
};

const LENIENT: CellContext = { decimal: "auto", empty: "keep", isOwnExport: false, hasCondition: true };

/**
 * True if a stored value equals the one in a file. Surrounding blanks and the spelling of known words do not matter.
 */
export const isSameValue = (field: string, stored: unknown, sent: unknown): boolean => {
  if (stored === sent) return true;
  // An empty cell may stand for either.
  if (stored === "" && sent === null) return true;
  if (typeof sent === "boolean") return Number(stored) === Number(sent);
  if (typeof stored !== "string" || typeof sent !== "string") return false;
  if (!isImportField(field) || field === "images" || field === "certified") return false;
  const reading = cellReader(field)(stored, LENIENT);
  return reading.kind === "value" && reading.value === sent;
};
