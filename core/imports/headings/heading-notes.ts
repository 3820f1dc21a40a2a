import { isCurrencyWord } from "../values/currencies.ts";
import { type DistanceUnit, unitNamed } from "../values/units.ts";
import { foldHeading } from "./fold-heading.ts";

/** A heading whose end stands in brackets: `Mileage (km)`. */
interface NotedHeading {
  readonly name: string;
  readonly note: string;
}

const BRACKETS: readonly (readonly [open: string, close: string])[] = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
];

const notedHeading = (heading: string): NotedHeading | null => {
  const text = heading.trim();
  const brackets = BRACKETS.find(([, close]) => text.endsWith(close));
  const open = brackets === undefined ? -1 : text.lastIndexOf(brackets[0]);
  return open <= 0 ? null : { name: text.slice(0, open).trim(), note: text.slice(open + 1, -1).trim() };
};

/** Words of position, which are part of the name: `Colour (interior)`. */
const POSITIONS: ReadonlySet<string> = new Set(
  "interior exterior int ext inside outside inner outer innen aussen interieur exterieur interno esterno".split(" "),
);
/**
 * Words in brackets with which a column is about something else than its name says, or in a unit that is not converted.
 */
const OTHER_THINGS: ReadonlySet<string> = new Set(
  "mpg mpge kml mikwh kmkwh wh whkm whmi kwh100mi kwh100miles gmi gmile msrp cost invoice wholesale trade tradein old was previous original monthly month week weekly down deposit count number tax vat fee sold".split(
    " ",
  ),
);
const PART_OF_ONE = /^(?:last|first)\d{0,2}/;

/** The names that a heading may have without what stands in brackets at its end. */
export const namesWithoutNotes = (heading: string): readonly string[] => {
  const noted = notedHeading(heading);
  if (noted === null) return [];
  const { name, note } = noted;
  const folded = foldHeading(note);
  if (POSITIONS.has(folded)) return [`${note} ${name}`, `${name} ${note}`];
  return OTHER_THINGS.has(folded) || PART_OF_ONE.test(folded) ? [] : [name];
};

const WORDS = /[\p{L}\p{N}]+|\p{Sc}/gu;

const CURRENCY_SIGN = /^\p{Sc}$/u;

const isUnit = (word: string): boolean =>
  word.length > 1 && (unitNamed(word) !== undefined || isCurrencyWord(word.toLowerCase()));

/** The name of a heading that ends with a unit: `Mileage KM`, `Odometer in miles`, `price_eur`; `null` for others. */
export const nameWithoutUnit = (heading: string): string | null => {
  const words = heading.match(WORDS) ?? [];
  const last = words.at(-1);
  if (words.length < 2 || last === undefined || !isUnit(last)) return null;
  const rest = words.slice(0, -1);
  return (rest.length > 1 && rest.at(-1)?.toLowerCase() === "in" ? rest.slice(0, -1) : rest).join(" ");
};

/** Beginnings of headings that name kilometres themselves, in folded form. */
const OF_KILOMETRES = ["km", "kilom", "chilom"];

/** The unit of distance that a heading names: in brackets, as its last word or as a whole; `null` if it names none. */
export const unitOfHeading = (heading: string): DistanceUnit | null => {
  const named = unitNamed(notedHeading(heading)?.note ?? heading.match(WORDS)?.at(-1) ?? "");
  if (named !== undefined) return named;
  const folded = foldHeading(heading);
  return OF_KILOMETRES.some((start) => folded.startsWith(start)) ? "km" : null;
};

/** The currency that a heading names, such as `USD` in `Price (USD)` and `price_usd`; `null` if it names none. */
export const currencyOfHeading = (heading: string): string | null => {
  const note = notedHeading(heading)?.note;
  if (note !== undefined) return isCurrencyWord(note.toLowerCase()) || CURRENCY_SIGN.test(note) ? note : null;
  const words = heading.match(WORDS) ?? [];
  const last = words.at(-1) ?? "";
  return words.length > 1 && last.length > 1 && isCurrencyWord(last.toLowerCase()) ? last : null;
};
