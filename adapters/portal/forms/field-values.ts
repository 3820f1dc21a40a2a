import { dateOf, endOfDate } from "../times/dates.ts";
import { numberOrText, numberText, textOrNull } from "./draft.ts";

const asItIs = (value: unknown): unknown => value;

/** The words of a text, which are separated by white space; `null` if there are none. */
const wordsIn = (text: string): readonly string[] | null => textOrNull(text.trim())?.split(/\s+/) ?? null;

/** How a form holds each kind of value, and what is sent of it. */
const KINDS = {
  word: [(value: string | undefined) => value ?? "", asItIs],
  text: [(value: string | null | undefined) => value ?? "", (typed: string) => textOrNull(typed.trim())],
  number: [(value: number | null | undefined) => numberText(value ?? null), numberOrText],
  id: [(value: number | null | undefined) => String(value ?? ""), numberOrText],
  endOfDay: [(value: string | null | undefined) => dateOf(value ?? null), endOfDate],
  words: [(value: readonly string[] | null | undefined) => (value ?? []).join("\n"), wordsIn],
  flag: [(value: boolean | undefined) => value ?? false, asItIs],
} as const;

/** The kinds of a record's fields, by their names. */
type FieldKinds = Readonly<Record<string, keyof typeof KINDS>>;

/** The fields as a form holds them. */
export type HeldFields<List extends FieldKinds> = {
  readonly [Name in keyof List]: ReturnType<(typeof KINDS)[List[Name]][0]>;
};

const each = <List extends FieldKinds>(list: List, values: object, turn: 0 | 1): object =>
  Object.fromEntries(
    Object.entries(list).map(([name, kind]) => {
      const convert = KINDS[kind][turn] as (value: unknown) => unknown;
      return [name, convert((values as Readonly<Record<string, unknown>>)[name])];
    }),
  );

/** A record's fields as a form holds them; those that it lacks are empty. */
export const heldFields = <List extends FieldKinds>(list: List, record: object): HeldFields<List> =>
  each(list, record, 0) as HeldFields<List>;

/** What is sent of the fields that a form holds. */
export const sentFields = <List extends FieldKinds>(
  list: List,
  draft: HeldFields<List>,
): Readonly<Record<keyof List, unknown>> => each(list, draft, 1) as Readonly<Record<keyof List, unknown>>;
