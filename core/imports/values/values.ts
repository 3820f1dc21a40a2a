import { type Kind, VEHICLE_FIELDS } from "../../vehicles/fields.ts";
import { CHECK_PLACE, checkDigitOf, hasRightCheckDigit, isVin } from "../../vin/vin.ts";
import type { Cell } from "../file/file.ts";
import type { ImportColumns } from "../headings/columns.ts";
import { type ImportField, isImportField } from "../headings/headings.ts";
import type { ImportIssue } from "../import-issue.ts";
import { addressesIn } from "./addresses.ts";
import { dateIn } from "./dates.ts";
import { mileageIn, priceIn, wholeIn } from "./numbers.ts";
import { type Decimal, EMPTY_CELL, type Fault, type Reading, valueRead } from "./reading.ts";
import { conditionWord, flagIn, stageIn, statusIn } from "./words.ts";

/** How cells are read. */
export interface ValueOptions {
  readonly decimal: Decimal;
  /** What an empty cell means: the field stays as it is, or has no value any more. */
  readonly empty: "keep" | "clear";
}

/** A vehicle of our own export: a database that has another vehicle of this number made it at another moment. */
export interface WrittenVehicle {
  readonly id: number;
  readonly createdAt: string;
}

/** What a row says. */
export interface RowValues {
  /** The body of a POST or a PUT, which its schema judges: only what the row says. Without the dealer and the images. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Addresses in their order, each once; `null` if the row says nothing about images. */
  readonly images: readonly string[] | null;
  readonly key: { readonly vin: string | null; readonly stock_number: string | null };
  /** The very vehicle that this service wrote into the row. */
  readonly written: WrittenVehicle | null;
  /** The dealer that the row names. */
  readonly dealerId: number | null;
  readonly errors: readonly ImportIssue[];
  readonly warnings: readonly ImportIssue[];
}

type VehicleColumn = Exclude<ImportField, "images" | "certified">;

interface Context extends ValueOptions {
  readonly isOwnExport: boolean;
  /** A column is the condition. */
  readonly hasCondition: boolean;
}

type ReadCell = (cell: string | number, context: Context) => Reading;

const trimmed = (cell: string | number): string => String(cell).trim();

/** A code as spreadsheets are told to keep its zeros: `="00123"`. */
const HELD = /^="([^"]*)"$/;
/** Longer ones are no codes. */
const LONGEST_HELD = 100;

const codeText = (cell: string | number): string => {
  const text = trimmed(cell);
  return text.length > LONGEST_HELD ? text : (HELD.exec(text)?.[1]?.trim() ?? text);
};

const VIN_LENGTH = 17;

const vinFault = (vin: string): Fault | undefined => {
  if (vin.length !== VIN_LENGTH) return undefined;
  const capitals = vin.toUpperCase();
  if (!isVin(capitals))
    return { code: "vin_form", message: "has a sign that no VIN has: it is of digits and letters without I, O and Q" };
  if (hasRightCheckDigit(capitals)) return undefined;
  const [is, expected] = [capitals[CHECK_PLACE], checkDigitOf(capitals)];
  return { code: "vin_check_digit", message: `has ${is} as its 9th character, which should be ${expected}` };
};

/** What is odd with a VIN that is sent; `null` for one that is not, and for what is none. */
export const vinWarning = (sent: unknown): Fault | null => (typeof sent === "string" ? (vinFault(sent) ?? null) : null);

/** A text, which our own exports have exactly as it is. */
const textIn: ReadCell = (cell, { isOwnExport }) => valueRead(isOwnExport ? String(cell) : trimmed(cell));
const codeIn: ReadCell = (cell, { isOwnExport }) => valueRead(isOwnExport ? String(cell) : codeText(cell));

/** How the cells of each kind of field are read; empty ones are no question any more. */
const BY_KIND: Readonly<Record<Exclude<Kind, "id" | "moment" | "past-price" | "past-moment">, ReadCell>> = {
  dealer: (cell) => wholeIn(cell),
  name: textIn,
  text: textIn,
  code: codeIn,
  // Of several lines: their indents mean something.
  long: (cell) => valueRead(String(cell)),
  year: (cell) => wholeIn(cell),
  whole: (cell) => wholeIn(cell),
  price: (cell, context) => priceIn(cell, context),
  status: (cell) => statusIn(trimmed(cell)),
  stage: (cell) => stageIn(trimmed(cell)),
  flag: (cell) => flagIn(trimmed(cell)),
  date: (cell) => dateIn(String(cell)),
};

/** Fields that mean more than their kind. */
const BY_FIELD: Readonly<Partial<Record<VehicleColumn, ReadCell>>> = {
  vin(cell, { isOwnExport }) {
    const vin = isOwnExport ? String(cell) : codeText(cell);
    return valueRead(vin, vinFault(vin));
  },
  stock_number: codeIn,
  mileage: (cell, { decimal }) => mileageIn(cell, decimal),
  condition: (cell, context) =>
    context.isOwnExport ? textIn(cell, context) : valueRead(conditionWord(trimmed(cell)) ?? trimmed(cell)),
};

const readerOf = (field: VehicleColumn): ReadCell => BY_FIELD[field] ?? BY_KIND[VEHICLE_FIELDS[field].kind];

/** Kinds of fields that may have no value. */
const CLEARABLE: ReadonlySet<Kind> = new Set<Kind>(["text", "code", "long", "whole", "stage", "date"]);

const isEmpty = (cell: string | number): boolean => typeof cell === "string" && cell.trim() === "";

/** The same for a field; our own exports have texts of blanks as they are. */
const isEmptyFor = ({ isOwnExport }: Context, cell: string | number): boolean =>
  isOwnExport ? cell === "" : isEmpty(cell);

/** A row as it is put together. */
interface Draft {
  readonly fields: Record<string, unknown>;
  readonly images: Set<string>;
  dealerId: number | null;
  isCertified: boolean;
  readonly errors: ImportIssue[];
  readonly warnings: ImportIssue[];
}

type Put = (cell: string | number, draft: Draft) => void;

/** The value of a cell, unless it says nothing or something wrong, of which the draft is told. */
const valueIn = <Value>(reading: Reading<Value>, path: string, draft: Draft): Value | undefined => {
  if (reading.kind === "empty") return undefined;
  if (reading.kind === "invalid") {
    draft.errors.push({ path, code: reading.code, message: reading.message });
    return undefined;
  }
  if (reading.warning !== undefined) draft.warnings.push({ path, ...reading.warning });
  return reading.value;
};

const putImages =
  (heading: string, { isOwnExport }: Context): Put =>
  (cell, draft) => {
    const addresses = valueIn(addressesIn(String(cell), isOwnExport), heading, draft);
    for (const address of addresses ?? []) draft.images.add(address);
  };

const putCertified =
  (heading: string): Put =>
  (cell, draft) => {
    if (isEmpty(cell)) return;
    const isCertified = conditionWord(trimmed(cell)) === "certified" ? valueRead(true) : flagIn(trimmed(cell));
    draft.isCertified = valueIn(isCertified, heading, draft) ?? false;
  };

const putDealer =
  (heading: string): Put =>
  (cell, draft) => {
    draft.dealerId = valueIn(isEmpty(cell) ? EMPTY_CELL : wholeIn(cell), heading, draft) ?? null;
  };

const putField = (field: VehicleColumn, heading: string, context: Context): Put => {
  const read = readerOf(field);
  const isCleared = context.empty === "clear" && CLEARABLE.has(VEHICLE_FIELDS[field].kind);
  return (cell, draft) => {
    if (isEmptyFor(context, cell)) {
      if (isCleared) draft.fields[field] = null;
      return;
    }
    const value = valueIn(read(cell, context), heading, draft);
    if (value !== undefined) draft.fields[field] = value;
  };
};

/** A column `Title` with New, Used or Certified is the condition, in a file that has no other column for it. */
const putTitle = (heading: string, context: Context): Put => {
  const put = putField("title", heading, context);
  return (cell, draft) => {
    const word = typeof cell === "string" ? conditionWord(cell) : undefined;
    if (word === undefined) put(cell, draft);
    else draft.fields.condition = word;
  };
};

const putOf = (heading: string, field: ImportField, context: Context): Put => {
  if (field === "images") return putImages(heading, context);
  if (field === "certified") return putCertified(heading);
  if (field === "dealer_id") return putDealer(heading);
  if (field === "title" && !context.hasCondition) return putTitle(heading, context);
  return putField(field, heading, context);
};

const WHOLE = /^[1-9]\d{0,14}$/;

/** Reads which vehicle of ours a row is; rows of files that we did not write are none. */
const writtenIn = ({ columns, isOwnExport }: ImportColumns): ((cells: readonly Cell[]) => WrittenVehicle | null) => {
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
  const written = writtenIn(file);
  const context = {
    ...options,
    // Our own exports have no other one.
    ...(isOwnExport && { decimal: "point" as const }),
    isOwnExport,
    hasCondition: columns.some(({ field }) => field === "condition"),
  };
  const puts = columns.flatMap(({ heading, field }, index) =>
    field === null ? [] : [{ index, put: putOf(heading, field, context) }],
  );
  return (cells) => {
    const draft: Draft = {
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
      written: written(cells),
      dealerId,
      errors,
      warnings,
    };
  };
};

const ANY: Context = { decimal: "auto", empty: "keep", isOwnExport: false, hasCondition: true };

/**
 * True if a vehicle's value is the one that a file has sent: the same, or one that a file would say in the same way, as
 * outer blanks and the spelling of a known word do not count.
 */
export const isSameValue = (field: string, stored: unknown, sent: unknown): boolean => {
  if (stored === sent) return true;
  // An empty cell is how a file says either.
  if (stored === "" && sent === null) return true;
  if (typeof sent === "boolean") return Number(stored) === Number(sent);
  if (typeof stored !== "string" || typeof sent !== "string") return false;
  if (!isImportField(field) || field === "images" || field === "certified") return false;
  const reading = readerOf(field)(stored, ANY);
  return reading.kind === "value" && reading.value === sent;
};
