import { isStorable } from "../../text.ts";
import { meaningOf, type Subject } from "../../vehicles/synonyms.ts";
import { foldHeading } from "../headings/fold-heading.ts";
import { KNOWN_VALUES, knownValuesOf, TAUGHT_FIELDS, type TaughtField } from "./known-values.ts";
import { conditionWord, statusIn } from "./words.ts";

/** A value of a file that the service does not know. */
export interface UnknownValue {
  readonly field: TaughtField;
  readonly value: string;
}

/** The same with the number of rows that have it. It is stored with the progress of an import. */
export interface CountedValue extends UnknownValue {
  readonly count: number;
}

/** A value of a file that the service does not know, as it is answered. */
export interface AnsweredValue extends CountedValue {
  /** The heading of the column. */
  readonly heading: string;
  /** The value that it may stand for; `null` if no word of it is known. */
  readonly guess: string | null;
}

/** The length of a value that is listed. Longer texts are no values. */
const MAX_LENGTH = 100;
/** The number of values that are listed of an import, and of each of its fields. */
const MOST_VALUES = 100;
const MOST_OF_FIELD = 30;
/** The number of texts whose meaning is remembered. Files repeat the same few words. */
const MOST_REMEMBERED = 500;

const WORDS = /[\p{L}\p{N}]+/gu;

const wordsOfField = (field: TaughtField): ReadonlyMap<string, string> =>
  new Map(
    Object.entries<readonly string[]>(KNOWN_VALUES[field]).flatMap(([value, words]) =>
      words.map((word) => [foldHeading(word), value] as const),
    ),
  );
const FOREIGN: Readonly<Record<TaughtField, ReadonlyMap<string, string>>> = Object.fromEntries(
  TAUGHT_FIELDS.map((field) => [field, wordsOfField(field)]),
) as Record<TaughtField, ReadonlyMap<string, string>>;
const OWN: Readonly<Record<TaughtField, ReadonlySet<string>>> = Object.fromEntries(
  TAUGHT_FIELDS.map((field) => [field, new Set<string>(knownValuesOf(field).map(foldHeading))]),
) as unknown as Record<TaughtField, ReadonlySet<string>>;

const SUBJECTS: Readonly<Partial<Record<TaughtField, Subject>>> = {
  fuel_type: "fuel",
  transmission: "transmission",
  drivetrain: "drivetrain",
  body_style: "body",
};
/** English colours beside those of the table. */
const MORE_COLORS: ReadonlySet<string> = new Set(
  "grey charcoal graphite slate pearl ivory cream tan camel maroon burgundy navy turquoise teal bronze copper champagne titanium platinum pink magenta olive chrome ebony".split(
    " ",
  ),
);

const wordsIn = (text: string): readonly string[] => (text.match(WORDS) ?? []).map(foldHeading);

const isEnglish = (field: TaughtField, text: string): boolean => {
  if (OWN[field].has(foldHeading(text))) return true;
  const subject = SUBJECTS[field];
  if (subject !== undefined) return meaningOf(subject, text) !== null;
  return wordsIn(text).some((word) => OWN[field].has(word) || MORE_COLORS.has(word));
};

/** The value that a text in another language may stand for: all of it, or else the first word of it that is known. */
export const guessOf = (field: TaughtField, text: string): string | null => {
  const known = FOREIGN[field];
  const words = [foldHeading(text), ...wordsIn(text)];
  return words.map((word) => known.get(word)).find((value) => value !== undefined) ?? null;
};

const isKnown = (field: TaughtField, text: string): boolean => {
  if (field === "status") return statusIn(text).kind === "value" || conditionWord(text) !== undefined;
  if (field === "condition") return conditionWord(text) !== undefined;
  return !FOREIGN[field].has(foldHeading(text)) && isEnglish(field, text);
};

/** Finds out whether the service knows a value of a field. It remembers the last texts. */
export const valueKnower = (field: TaughtField): ((text: string) => boolean) => {
  const remembered = new Map<string, boolean>();
  return (text) => {
    // A database cannot keep it in the list. The row says what is wrong with it.
    if (text.length > MAX_LENGTH || !isStorable(text)) return true;
    const before = remembered.get(text);
    if (before !== undefined) return before;
    const known = foldHeading(text) === "" || isKnown(field, text);
    if (remembered.size >= MOST_REMEMBERED) remembered.clear();
    remembered.set(text, known);
    return known;
  };
};

const keyOf = ({ field, value }: UnknownValue): string => `${field} ${foldHeading(value)}`;

/** The values with those of further rows. Spellings that differ in case, accents and signs only are one value. */
export const withUnknownValues = (
  known: readonly CountedValue[],
  more: readonly UnknownValue[],
): readonly CountedValue[] => {
  const all = new Map(known.map((one) => [keyOf(one), one]));
  const ofField = new Map(TAUGHT_FIELDS.map((field) => [field, known.filter((one) => one.field === field).length]));
  for (const one of more) {
    const before = all.get(keyOf(one));
    const there = ofField.get(one.field) ?? 0;
    if (before !== undefined) all.set(keyOf(one), { ...before, count: before.count + 1 });
    else if (all.size < MOST_VALUES && there < MOST_OF_FIELD) {
      all.set(keyOf(one), { ...one, count: 1 });
      ofField.set(one.field, there + 1);
    }
  }
  return [...all.values()];
};

/** The unknown values of an import as they are answered: by field, the most frequent ones first. */
export const answeredValues = (
  values: readonly CountedValue[],
  headingOf: (field: TaughtField) => string,
): readonly AnsweredValue[] =>
  TAUGHT_FIELDS.flatMap((field) =>
    values
      .filter((one) => one.field === field)
      .toSorted((one, other) => other.count - one.count)
      .map(({ value, count }) => ({ field, heading: headingOf(field), value, count, guess: guessOf(field, value) })),
  );
