import type { DateOrder } from "../../settings/date-order.ts";
import { type Kind, VEHICLE_FIELDS } from "../../vehicles/fields.ts";
import { isNothing } from "../../vehicles/nothing.ts";
import { CHECK_PLACE, checkDigitOf, hasRightCheckDigit, isVin, isWithoutCheckDigit } from "../../vin/vin.ts";
import { type ImportField, isImportField } from "../headings/headings.ts";
import { dateIn } from "./dates.ts";
import { dayIn, MEASURES, measureIn } from "./measures.ts";
import { distanceIn, priceIn, wholeIn } from "./numbers.ts";
import type { OwnValues } from "./own-values.ts";
import { type CellFault, type CellReading, type Decimal, valueRead } from "./reading.ts";
import { conditionWord, flagIn, stageIn, statusIn } from "./words.ts";

/** A field of a vehicle that is read from one cell. */
export type VehicleColumn = Exclude<ImportField, "images" | "certified" | "mileage_unit" | "currency">;

const kindOf = (field: VehicleColumn): keyof typeof READ_BY_KIND =>
  field === "sold_price" ? "price" : VEHICLE_FIELDS[field].kind;

const BESIDE: ReadonlySet<ImportField> = new Set(["images", "certified", "mileage_unit", "currency"]);

/** True for a field of a vehicle that is read from one cell. */
export const isVehicleColumn = (field: ImportField): field is VehicleColumn => !BESIDE.has(field);

/** How the cells of a column are read. */
export interface CellContext {
  readonly decimal: Decimal;
  /** What an empty cell means: the field keeps its value, or is cleared. */
  readonly empty: "keep" | "clear";
  readonly isOwnExport: boolean;
  /** What a column for the dealer contains. */
  readonly dealerBy: "code" | "id";
  /** True if the file has a column for the condition. */
  readonly hasCondition: boolean;
  /** The order of day and month in this column. */
  readonly dateOrder: DateOrder;
  /** The installation's currency; `null` if the signs of others are dropped. */
  readonly currency: string | null;
  /** What words of the file mean, as somebody said. */
  readonly values?: OwnValues;
}

type ReadCell = (cell: string | number, context: CellContext) => CellReading;

/** The text of a cell without blanks around it. */
export const trimmed = (cell: string | number): string => String(cell).trim();

/** The number of characters of a VIN since 1981. */
export const VIN_LENGTH = 17;

/** Signs that nobody sees, such as those for the direction of a text, which come with texts from web pages. */
const INVISIBLE = /\p{Cf}/gu;

/** What is unusual with a VIN. */
export const vinFault = (vin: string): CellFault | undefined => {
  if (vin.length !== VIN_LENGTH) return undefined;
  const capitals = vin.toUpperCase();
  if (!isVin(capitals))
    return { code: "vin_form", message: "has a sign that no VIN has: it is of digits and letters without I, O and Q" };
  if (isWithoutCheckDigit(capitals) || hasRightCheckDigit(capitals)) return undefined;
  const [is, expected] = [capitals[CHECK_PLACE], checkDigitOf(capitals)];
  return { code: "vin_check_digit", message: `has ${is} as its 9th character, which should be ${expected}` };
};

/** A text. It is trimmed unless this service wrote the file. */
const textIn: ReadCell = (cell, { isOwnExport }) => valueRead(isOwnExport ? String(cell) : trimmed(cell));

/** How to read cells that are not empty, by the kind of their field. */
const READ_BY_KIND: Readonly<Record<Exclude<Kind, "id" | "moment" | "past-price" | "past-moment">, ReadCell>> = {
  dealer: (cell) => wholeIn(cell),
  name: textIn,
  text: textIn,
  code: textIn,
  // It is not trimmed, because the indentation of its lines matters.
  long: (cell) => valueRead(String(cell)),
  year: (cell) => wholeIn(cell),
  whole: (cell) => wholeIn(cell),
  price: (cell, context) => priceIn(cell, context),
  status: (cell) => statusIn(trimmed(cell)),
  stage: (cell) => stageIn(trimmed(cell)),
  flag: (cell) => flagIn(trimmed(cell)),
  date: (cell, { dateOrder }) => dateIn(String(cell), dateOrder),
  day: (cell, { dateOrder }) => dayIn(String(cell), dateOrder),
  money: (cell, context) => priceIn(cell, context),
  decimal: (cell) => measureIn(cell),
};

/** Fields whose cells are read differently from others of their kind. */
const READ_BY_FIELD: Readonly<Partial<Record<VehicleColumn, ReadCell>>> = {
  vin(cell, { isOwnExport }) {
    const vin = isOwnExport ? String(cell) : trimmed(cell).replaceAll(INVISIBLE, "");
    return valueRead(vin, vinFault(vin));
  },
  mileage: (cell, { decimal }) => distanceIn(cell, { decimal, what: "mileage" }),
  electric_range: (cell, { decimal }) => distanceIn(cell, { decimal, what: "range" }),
  ...Object.fromEntries(
    Object.entries(MEASURES).map(([field, measure]): [string, ReadCell] => [field, (cell) => measureIn(cell, measure)]),
  ),
  condition: (cell, context) =>
    context.isOwnExport ? textIn(cell, context) : valueRead(conditionWord(trimmed(cell)) ?? trimmed(cell)),
};

/** How the cells of a field are read. */
export const cellReader = (field: VehicleColumn): ReadCell => READ_BY_FIELD[field] ?? READ_BY_KIND[kindOf(field)];

/** The kinds of fields that may be unset. */
const CLEARABLE: ReadonlySet<Kind> = new Set<Kind>([
  "text",
  "code",
  "long",
  "whole",
  "decimal",
  "money",
  "stage",
  "date",
  "day",
]);

/** True if a field may be unset. */
export const isClearable = (field: VehicleColumn): boolean => CLEARABLE.has(kindOf(field));

/** True if a column contains dates or days. */
export const isDateField = (field: ImportField): boolean =>
  isVehicleColumn(field) && ["date", "day"].includes(kindOf(field));

/** True for a cell without a value: an empty one, or one with a word or sign for nothing. */
export const isEmpty = (cell: string | number): boolean =>
  typeof cell === "string" && (cell.trim() === "" || isNothing(cell));

/** True if a cell of a vehicle's field is empty. In files that this service wrote, a text of blanks is a value. */
export const isEmptyFor = ({ isOwnExport }: CellContext, cell: string | number): boolean =>
  isOwnExport ? cell === "" : isEmpty(cell);

const LENIENT: CellContext = {
  ...{ decimal: "auto", empty: "keep", isOwnExport: false, dealerBy: "id", hasCondition: true },
  ...{ dateOrder: "mdy", currency: null },
};

/**
 * True if a stored value equals the one in a file. Surrounding blanks and the spelling of known words do not matter.
 */
export const isSameValue = (field: string, stored: unknown, sent: unknown): boolean => {
  if (stored === sent) return true;
  // An empty cell may stand for either.
  if (stored === "" && sent === null) return true;
  if (typeof sent === "boolean") return Number(stored) === Number(sent);
  if (typeof stored !== "string" || typeof sent !== "string") return false;
  if (!isImportField(field) || !isVehicleColumn(field)) return false;
  const reading = cellReader(field)(stored, LENIENT);
  return reading.kind === "value" && reading.value === sent;
};
