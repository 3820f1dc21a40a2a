import { foldHeading } from "../headings/headings.ts";
import { type CellReading, type Decimal, EMPTY_CELL, invalidCell, isTooLong, quoted, valueRead } from "./reading.ts";

const ONE_DIGIT = /^\d$/;
const DIGITS = /^\d+$/;
const GROUP = /^\d{3}$/;
const FIRST_GROUP = /^[1-9]\d{0,2}$/;
/** Separators of thousands other than points and commas. */
const GROUP_SPACES = /[\s'’_]+/;

/** The integer part without its separators; `null` if the separators are not where thousands begin. */
const ungrouped = (groups: readonly string[]): string | null => {
  const [first = "", ...others] = groups;
  if (others.length === 0) return DIGITS.test(first) || first === "" ? first : null;
  return FIRST_GROUP.test(first) && others.every((group) => GROUP.test(group)) ? groups.join("") : null;
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
  const digits = ungrouped(whole.split(separator));
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

/** Words for currencies, including codes of ISO 4217. */
const CURRENCY_WORDS: ReadonlySet<string> = new Set(
  "usd us u s ca cad c eur euro gbp aud a nzd mxn chf fr sfr jpy cny inr rs sek nok dkk isk kr pln zł czk kč huf ft ron lei bgn try tl zar r brl aed sar ils krw".split(
    " ",
  ),
);
/** Words that files have instead of a price, in folded form. */
const NO_PRICE_WORDS: ReadonlySet<string> = new Set(
  "call callus callforprice callforpricing contact contactus contactdealer contactforprice ask askus askforprice inquire inquireforprice request onrequest priceonrequest poa tbd tba na none null nil".split(
    " ",
  ),
);
const NO_MILEAGE_WORDS: ReadonlySet<string> = new Set("na none null unknown exempt tmu call tbd tba".split(" "));

/**
 * A price. Words such as "Call", an empty cell and 0 mean that there is none. In files that this service wrote, 0 is a
 * price.
 */
export const priceIn = (
  cell: string | number,
  { decimal, isOwnExport }: { readonly decimal: Decimal; readonly isOwnExport: boolean },
): CellReading<number> => {
  const zero = (): CellReading<number> =>
    isOwnExport ? valueRead(0, { code: "price_zero", message: "is 0, as this service wrote it" }) : EMPTY_CELL;
  if (typeof cell === "number") return cell === 0 ? zero() : valueRead(cell);
  const plain = plainNumber(cell, decimal);
  if (plain !== null) return plain === 0 ? zero() : valueRead(plain);
  const none = invalidCell("not_a_price", `${quoted(cell)} is not a price`);
  if (isTooLong(cell)) return none;
  const amount = amountIn(cell, decimal);
  if (amount === null) return foldHeading(cell) === "" || NO_PRICE_WORDS.has(foldHeading(cell)) ? EMPTY_CELL : none;
  if (amount.number === null || !amount.words.every((word) => CURRENCY_WORDS.has(word))) return none;
  return amount.number === 0 ? zero() : valueRead(amount.number);
};

const MILES: ReadonlySet<string> = new Set("mi mile miles mls".split(" "));
const KILOMETRES: ReadonlySet<string> = new Set("km kms kilometers kilometres kilometer kilometre".split(" "));
const THOUSANDS = "k";

/** A mileage in the unit of the file. `45k` is 45 000. A mileage in kilometres gets a warning. */
export const mileageIn = (cell: string | number, decimal: Decimal): CellReading<number> => {
  if (typeof cell === "number") return valueRead(cell);
  const plain = plainNumber(cell, decimal);
  if (plain !== null) return valueRead(plain);
  const none = invalidCell("not_a_mileage", `${quoted(cell)} is not a mileage`);
  if (isTooLong(cell)) return none;
  const amount = amountIn(cell, decimal);
  if (amount === null) return foldHeading(cell) === "" || NO_MILEAGE_WORDS.has(foldHeading(cell)) ? EMPTY_CELL : none;
  const units = amount.words.filter((word) => word !== THOUSANDS);
  const isKilometres = units.some((word) => KILOMETRES.has(word));
  if (amount.number === null || !units.every((word) => MILES.has(word) || KILOMETRES.has(word))) return none;
  const value = amount.words.includes(THOUSANDS) ? Math.round(amount.number * 1000) : amount.number;
  return isKilometres
    ? valueRead(value, { code: "kilometres", message: "is in kilometres; the number is kept as it is" })
    : valueRead(value);
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
