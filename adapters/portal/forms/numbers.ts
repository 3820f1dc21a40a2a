const ENGLISH = "en-US";

/** The browser's language, in which its user writes numbers. Some name one that is none, such as `en-US@posix`. */
export const browserLanguage = (language = globalThis.navigator?.language ?? ENGLISH): string => {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? ENGLISH;
  } catch {
    return ENGLISH;
  }
};

const part = (parts: readonly Intl.NumberFormatPart[], type: string, missing: string): string =>
  parts.find((one) => one.type === type)?.value ?? missing;

/** The decimal mark of a language. */
const decimalMarkOf = (language: string): string =>
  part(new Intl.NumberFormat(language, { numberingSystem: "latn" }).formatToParts(0.5), "decimal", ".");

/** A currency sign or code before or after the number, and the units of a mileage. */
const CURRENCY_OR_UNIT = /^(?:[A-Z]{1,3}(?=\p{Sc})|[A-Z]{3})?\p{Sc}?|\p{Sc}$|[A-Z]{3}$|(?:mi|miles|km)$/gu;
/** Spaces of every width, invisible characters, and the apostrophes that group digits in Switzerland. */
const SPACES = /[\s\p{Cf}'’]/gu;
const DIGITS = /^\d+(?:\.\d+)?$/;
/** Groups of three digits, or of two before the last three as in India. */
const GROUPED: Readonly<Record<string, RegExp>> = {
  ",": /^[1-9]\d{0,2}(?:,\d{3})+$|^[1-9]\d?(?:,\d{2})*,\d{3}$/,
  ".": /^[1-9]\d{0,2}(?:\.\d{3})+$/,
};

const isGrouped = (text: string, mark: string): boolean => GROUPED[mark]?.test(text) ?? false;

/**
 * The decimal mark; "" without decimals, `null` if the marks make no number. Of two marks it is the last. A mark that
 * could group thousands does so, unless it is the language's decimal mark.
 */
const decimalMarkIn = (text: string, language: string): string | null => {
  const marks = [...new Set(text.replaceAll(/[^.,]/g, ""))];
  const [first] = marks;
  if (first === undefined) return "";
  if (marks.length > 1) return text.lastIndexOf(",") > text.lastIndexOf(".") ? "," : ".";
  const isOwn = first === decimalMarkOf(language);
  if (isOwn && text.indexOf(first) === text.lastIndexOf(first)) return first;
  if (isGrouped(text, first)) return "";
  // Programs write decimals with a point in every language. A comma that groups wrongly may be a typing error.
  return first === "." || isOwn ? first : null;
};

/**
 * A number as people type it: "25,999.99", "$12,000", "25 999,99"; "1.500" is 1500 in German and 1.5 in English.
 * `null` if the text is no number, is ambiguous, or has more digits than a number can hold.
 */
export const parseTypedNumber = (typed: string, language: string): number | null => {
  const signed = typed.normalize("NFKC").replaceAll(SPACES, "").replace("−", "-");
  const text = signed.replace("-", "").replaceAll(CURRENCY_OR_UNIT, "");
  const mark = decimalMarkIn(text, language);
  if (mark === null) return null;
  const at = mark === "" ? text.length : text.lastIndexOf(mark);
  const whole = text.slice(0, at);
  const grouping = /[.,]/.exec(whole)?.[0];
  if (grouping !== undefined && !isGrouped(whole, grouping)) return null;
  const plain = `${whole.replaceAll(/[.,]/g, "")}${mark === "" ? "" : `.${text.slice(at + 1)}`}`;
  const number = Number(plain);
  if (!DIGITS.test(plain) || number > Number.MAX_SAFE_INTEGER || signed.lastIndexOf("-") > 0) return null;
  return signed.startsWith("-") ? -number : number;
};

/** A number as a field shows it: in the language's format, without groups, so that it is easy to edit. */
export const numberForField = (number: number, language: string): string =>
  new Intl.NumberFormat(language, { useGrouping: false, maximumFractionDigits: 20, numberingSystem: "latn" }).format(
    number,
  );

/** A number within a sentence; only numbers of five digits and more are grouped, so that years are not. */
export const numberForSentence = (number: number, language: string): string =>
  new Intl.NumberFormat(language, { useGrouping: "min2", maximumFractionDigits: 20 }).format(number);
