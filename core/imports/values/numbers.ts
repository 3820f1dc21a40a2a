import { foldHeading } from "../headings/fold-heading.ts";
import { currencyDiffers, isCurrencyWord, otherCurrencyIn } from "./currencies.ts";
import { type CellReading, type Decimal, EMPTY_CELL, invalidCell, isTooLong, quoted, valueRead } from "./reading.ts";
import { type DistanceUnit, unitNamed } from "./units.ts";

const ONE_DIGIT = /^\d$/;
const DIGITS = /^\d+$/;
const GROUP = /^\d{3}$/;
const FIRST_GROUP = /^[1-9]\d{0,2}$/;
/** Separators of thousands other than points and commas. */
const GROUP_SPACES = /[\s'’_]+/;

/** The groups of Indian numbers before the last one, as in 8,50,000. */
const INDIAN_FIRST = /^[1-9]\d?$/;
const INDIAN_GROUP = /^\d{2}$/;

const isIndian = ([first = "", ...others]: readonly string[]): boolean =>
  others.length > 1 &&
  INDIAN_FIRST.test(first) &&
  GROUP.test(others.at(-1) ?? "") &&
  others.slice(0, -1).every((group) => INDIAN_GROUP.test(group));

/** The integer part without its separators; `null` if the separators are not where thousands begin. */
const ungrouped = (groups: readonly string[], separator: string | RegExp): string | null => {
  const [first = "", ...others] = groups;
  if (others.length === 0) return DIGITS.test(first) || first === "" ? first : null;
  const isGrouped = FIRST_GROUP.test(first) && others.every((group) => GROUP.test(group));
  return isGrouped || (separator === "," && isIndian(groups)) ? groups.join("") : null;
};

/**
 * The decimal separator of a number with only one kind of separator. If three digits follow it, it separates thousands.
 */
const singleDecimal = (number: string, sign: "." | ","): "." | "," | null => {
  const [first = "", behind = "", ...others] = number.split(sign);
  return others.length > 0 || (FIRST_GROUP.test(first) && GROUP.test(behind)) ? null : sign;
};

const decimalSign = (number: string, decimal: Decimal): "." | "," | null => {
  if (decimal !== "auto") return decimal === "point" ? "." : ",";
  const [point, comma] = [number.lastIndexOf("."), number.lastIndexOf(",")];
  if (point >= 0 && comma >= 0) return point > comma ? "." : ",";
  if (point < 0 && comma < 0) return null;
  return singleDecimal(number, point >= 0 ? "." : ",");
};

/** The number that digits and separators stand for; `null` if they stand for none. */
const numberOf = (number: string, decimal: Decimal): number | null => {
  const sign = decimalSign(number, decimal);
  const end = sign === null ? -1 : number.lastIndexOf(sign);
  const whole = end < 0 ? number : number.slice(0, end);
  const fraction = end < 0 ? "" : number.slice(end + 1);
  const thousands = sign === "." ? "," : ".";
  const separator = whole.includes(thousands) ? thousands : whole.includes(",") ? "," : GROUP_SPACES;
  const digits = ungrouped(whole.split(separator), separator);
  if (digits === null || !(fraction === "" || DIGITS.test(fraction))) return null;
  return Number(`${digits}.${fraction}`);
};

/** A number and the words around it, such as a currency or a unit. */
interface Amount {
  readonly number: number | null;
  readonly words: readonly string[];
}

const SIGNS = /[\p{Sc}.,*–—+-]+/gu;
const BLANK = /\s+/;

const wordsIn = (text: string): string[] =>
  text
    .replaceAll(SIGNS, " ")
    .toLowerCase()
    .split(BLANK)
    .filter((word) => word !== "");

/** The amount in a text; `null` if there is no digit. */
const amountIn = (text: string, decimal: Decimal): Amount | null => {
  let start = 0;
  while (start < text.length && !ONE_DIGIT.test(text[start] ?? "")) start++;
  if (start === text.length) return null;
  let end = text.length;
  while (!ONE_DIGIT.test(text[end - 1] ?? "")) end--;
  const [before, after] = [text.slice(0, start), text.slice(end)];
  const isNegative = before.includes("-") || (before.includes("(") && after.includes(")"));
  const number = numberOf(text.slice(start, end), decimal);
  const words = [...wordsIn(before.replace("(", "")), ...wordsIn(after.replace(")", ""))];
  return { number: number === null || !isNegative ? number : -number, words };
};

/** Most numbers have this form, in which no character is ambiguous. */
const PLAIN = /^\d{1,9}$/;
const PLAIN_DECIMALS = /^\d{1,9}\.\d{1,2}$/;

const plainNumber = (text: string, decimal: Decimal): number | null =>
  PLAIN.test(text) || (decimal !== "comma" && PLAIN_DECIMALS.test(text)) ? Number(text) : null;

/** Words that files have instead of a price, in folded form. */
const NO_PRICE_WORDS: ReadonlySet<string> = new Set(
  "call callus callforprice callforpricing contact contactus contactdealer contactforprice ask askus askforprice inquire inquireforprice request onrequest priceonrequest poa tbd tba na none null nil aufanfrage preisaufanfrage surdemande prixsurdemande aconsultar precioaconsultar pvpaconsultar surichiesta prezzosurichiesta".split(
    " ",
  ),
);
const NO_MILEAGE_WORDS: ReadonlySet<string> = new Set("na none null unknown exempt tmu call tbd tba".split(" "));

/** Words behind a price that do not change it, in small letters: or nearest offer, negotiable, firm. */
const PRICE_REMARKS: ReadonlySet<string> = new Set("ono obo firm neg negotiable vb vhb festpreis ttc".split(" "));

/** How a price is read. `currency` is the installation's; `null` drops signs of all currencies. */
export interface PriceContext {
  readonly decimal: Decimal;
  readonly isOwnExport: boolean;
  readonly currency: string | null;
}

/** What Indian prices end with, as in `8,50,000/-`. */
const PRICE_END = /\/-?\s*$/;

/**
 * A price. Words such as "Call", an empty cell and 0 mean that there is none. In files that this service wrote, 0 is a
 * price.
 */
export const priceIn = (
  cell: string | number,
  { decimal, isOwnExport, currency }: PriceContext,
): CellReading<number> => {
  const zero = (): CellReading<number> =>
    isOwnExport ? valueRead(0, { code: "price_zero", message: "is 0, as this service wrote it" }) : EMPTY_CELL;
  if (typeof cell === "number") return cell === 0 ? zero() : valueRead(cell);
  const plain = plainNumber(cell, decimal);
  if (plain !== null) return plain === 0 ? zero() : valueRead(plain);
  const none = invalidCell("not_a_price", `${quoted(cell)} is not a price`);
  if (isTooLong(cell)) return none;
  const text = cell.replace(PRICE_END, "");
  const amount = amountIn(text, decimal);
  if (amount === null) return foldHeading(cell) === "" || NO_PRICE_WORDS.has(foldHeading(cell)) ? EMPTY_CELL : none;
  if (amount.number === null || !amount.words.every((word) => isCurrencyWord(word) || PRICE_REMARKS.has(word)))
    return none;
  if (amount.number === 0) return zero();
  const other = currency === null ? null : otherCurrencyIn({ text, words: amount.words }, currency);
  if (other === null || currency === null) return valueRead(amount.number);
  const { code, message } = currencyDiffers(other, currency);
  return invalidCell(code, `${quoted(cell)} ${message}`);
};

const THOUSANDS = "k";

/** A mileage or a range, and its unit if the cell names one. */
export interface ReadDistance {
  readonly number: number;
  readonly unit: DistanceUnit | null;
}

/** A distance. `45k` is 45 000. */
export const distanceIn = (
  cell: string | number,
  { decimal, what }: { readonly decimal: Decimal; readonly what: "mileage" | "range" },
): CellReading<ReadDistance> => {
  const number = typeof cell === "number" ? cell : plainNumber(cell, decimal);
  if (number !== null) return valueRead({ number, unit: null });
  const text = String(cell);
  const none = invalidCell(`not_a_${what}`, `${quoted(text)} is not a ${what}`);
  if (isTooLong(text)) return none;
  const amount = amountIn(text, decimal);
  if (amount === null) return foldHeading(text) === "" || NO_MILEAGE_WORDS.has(foldHeading(text)) ? EMPTY_CELL : none;
  const units = amount.words.filter((word) => word !== THOUSANDS);
  if (amount.number === null || units.some((word) => unitNamed(word) === undefined)) return none;
  return valueRead({
    number: amount.words.includes(THOUSANDS) ? Math.round(amount.number * 1000) : amount.number,
    unit: unitNamed(units[0] ?? "") ?? null,
  });
};

const WHOLE = /^\d{1,15}(?:[.,]0{1,2})?$/;

/** A whole number. */
export const wholeIn = (cell: string | number): CellReading<number> => {
  if (typeof cell === "number") return valueRead(cell);
  const text = cell.trim();
  return WHOLE.test(text)
    ? valueRead(Number.parseInt(text, 10))
    : invalidCell("not_a_number", `${quoted(text)} is not a whole number`);
};
