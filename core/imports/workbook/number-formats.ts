import { WORKBOOK_LIMITS } from "./limits.ts";
import { type Parts, textOfPart } from "./parts.ts";
import { attributeOf, plainText, XmlReader } from "./xml-reader.ts";

/** What the format of a cell says about its number. */
export interface NumberFormat {
  readonly kind: "number" | "day" | "moment";
  /** The number of digits that are shown at least, such as 5 for `00000`; 0 if there is no such number. */
  readonly digits: number;
}

const PLAIN: NumberFormat = { kind: "number", digits: 0 };
const DAY: NumberFormat = { kind: "day", digits: 0 };
const MOMENT: NumberFormat = { kind: "moment", digits: 0 };

/** The formats that every workbook has, as far as they are of dates. */
const BUILT_IN = new Map<number, NumberFormat>([
  ...[14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58].map((id) => [id, DAY] as const),
  [22, MOMENT],
]);

/** The end of what begins with a sign and ends with another one. */
const closing = (code: string, sign: string, from: number): number => {
  const end = code.indexOf(sign, from + 1);
  return end < 0 ? code.length : end;
};

/**
 * The codes of a format, without what is none: texts in quotes or behind a backslash, conditions, languages and colours
 * in brackets, and blanks as wide as a sign.
 */
const codesIn = (format: string): string => {
  let codes = "";
  for (let at = 0; at < format.length; at++) {
    const sign = format[at] ?? "";
    if (sign === '"') at = closing(format, '"', at);
    else if (sign === "[") at = closing(format, "]", at);
    else if (sign === "\\" || sign === "_" || sign === "*") at++;
    else codes += sign;
  }
  return codes;
};

const DIGITS = /^0{2,15}$/;
const MAX_CODE = 500;

/** What the code of a format says, such as `dd/mm/yyyy`. */
const formatOf = (code: string): NumberFormat => {
  const plain = codesIn(code.slice(0, MAX_CODE)).split(";")[0]?.trim().toLowerCase() ?? "";
  if (DIGITS.test(plain)) return { kind: "number", digits: plain.length };
  if (plain === "general") return PLAIN;
  const hasTime = plain.includes("h") || plain.includes("s");
  // Minutes are written like months.
  const hasDay = plain.includes("y") || plain.includes("d") || (plain.includes("m") && !hasTime);
  if (!hasDay) return PLAIN;
  return hasTime ? MOMENT : DAY;
};

const WHAT = "the list of formats";

/** The formats of numbers by the styles of cells. */
export const formatsOf = async (parts: Parts, name: string | null): Promise<(style: number) => NumberFormat> => {
  const own = new Map<number, NumberFormat>();
  const styles: NumberFormat[] = [];
  if (name === null) return () => PLAIN;
  const reader = new XmlReader(WHAT);
  let isInStyles = false;
  for await (const chunk of textOfPart(parts, { name, most: WORKBOOK_LIMITS.styles, what: WHAT })) {
    reader.push(chunk);
    while (reader.advance()) {
      const { kind, name: element, text } = reader;
      if (element === "cellXfs") isInStyles = kind === "open";
      if (kind !== "open") continue;
      const id = Number(attributeOf(text, "numFmtId") ?? 0);
      if (element === "numFmt")
        own.set(id, formatOf(plainText({ text: attributeOf(text, "formatCode") ?? "", isPlain: false })));
      else if (element === "xf" && isInStyles) styles.push(own.get(id) ?? BUILT_IN.get(id) ?? PLAIN);
    }
  }
  return (style) => styles[style] ?? PLAIN;
};
