import { invalid, type Outcome } from "../../failure.ts";
import { type Issue, Issues } from "../../issues.ts";
import { isStorable, shortened } from "../../text.ts";
import { STATUSES } from "../../vehicles/fields.ts";
import { foldHeading } from "../headings/fold-heading.ts";
import { isTaughtField, TAUGHT_FIELDS, type TaughtField } from "./known-values.ts";

/** What words of a file mean, by field: `{"fuel_type": {"Benzin": "Gasoline"}}`. */
export type OwnValues = Readonly<Partial<Record<TaughtField, Readonly<Record<string, string>>>>>;

/** The number of words of a field, and the length of a word and of a value. */
export const VALUE_LIMITS = { words: 200, length: 100 } as const;
/** The length of all words as JSON. */
export const MAX_VALUES = 20_000;
/** The length to which a word is shown in an error. */
const MAX_SHOWN = 60;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "" && value.length <= VALUE_LIMITS.length && isStorable(value);

/** What is wrong with a word of a field and its meaning; `null` if nothing is. */
const faultOf = (field: TaughtField, [word, value]: readonly [string, unknown]): string | null => {
  if (word.length > VALUE_LIMITS.length || foldHeading(word) === "" || !isStorable(word))
    return `is a word that must have 1 to ${VALUE_LIMITS.length} characters that can be stored, and letters or digits`;
  if (field === "status")
    return STATUSES.some((status) => status === value) ? null : `must be one of ${STATUSES.join(", ")}`;
  return isText(value) ? null : `must be a text of 1 to ${VALUE_LIMITS.length} characters that can be stored`;
};

const addIssuesOfField = (issues: Issues, field: string, words: unknown): void => {
  const path = `values.${shortened(field, MAX_SHOWN)}`;
  const entries = isRecord(words) ? Object.entries(words) : [];
  if (!isTaughtField(field)) {
    issues.add(path, `must be one of the fields ${TAUGHT_FIELDS.join(", ")}`);
    return;
  }
  if (!isRecord(words)) issues.add(path, "must be an object of the file's words, each with the value it means");
  if (entries.length > VALUE_LIMITS.words) {
    issues.add(path, `must have at most ${VALUE_LIMITS.words} words`);
    return;
  }
  const meanings = new Map<string, readonly [word: string, value: unknown]>();
  for (const entry of entries) {
    const [word, value] = entry;
    const same = meanings.get(foldHeading(word));
    const fault =
      faultOf(field, entry) ??
      (same !== undefined && same[1] !== value ? `is the same word as "${same[0]}", which means another value` : null);
    if (fault !== null) issues.add(`${path}.${shortened(word, MAX_SHOWN)}`, fault);
    else meanings.set(foldHeading(word), entry);
  }
};

/** What is wrong with the words of a mapping, each with its field and word. */
export const issuesOfValues = (values: unknown): readonly Issue[] => {
  const issues = new Issues();
  if (!isRecord(values)) issues.add("values", "must be an object of fields");
  else if (JSON.stringify(values).length > MAX_VALUES)
    issues.add("values", `must have at most ${MAX_VALUES} characters as JSON`);
  else for (const [field, words] of Object.entries(values)) addIssuesOfField(issues, field, words);
  return issues.list;
};

const NO_JSON = invalid({
  path: "values",
  message: "must be a JSON object of fields, each with the file's words and the values they mean",
});

/** Parses the option `values` of a query. Returns a failure if it is invalid. */
export const ownValuesIn = (sent: string | undefined): Outcome<OwnValues> => {
  if (sent === undefined) return {};
  try {
    const values: unknown = JSON.parse(sent);
    const [first, ...others] = issuesOfValues(values);
    return first === undefined ? (values as OwnValues) : invalid(first, ...others);
  } catch {
    return NO_JSON;
  }
};

/** The words of a mapping that a request does not say itself, in whatever spelling. */
const unsaid = (kept: Readonly<Record<string, string>>, sent: Readonly<Record<string, string>>) => {
  const said = new Set(Object.keys(sent).map(foldHeading));
  return Object.entries(kept).filter(([word]) => !said.has(foldHeading(word)));
};

/** The words of a mapping, with those of a request in place of its own. */
export const withOwnValues = (kept: OwnValues, sent: OwnValues): OwnValues =>
  Object.fromEntries(
    TAUGHT_FIELDS.flatMap((field) => {
      const own = sent[field] ?? {};
      const words = [...unsaid(kept[field] ?? {}, own), ...Object.entries(own)];
      return words.length === 0 ? [] : [[field, Object.fromEntries(words)]];
    }),
  );

/** Finds what a text of a field means; `undefined` if nobody said it. */
export const taughtReader = (
  field: TaughtField,
  values: OwnValues | undefined,
): ((text: string) => string | undefined) | null => {
  const words = Object.entries(values?.[field] ?? {});
  if (words.length === 0) return null;
  const meanings = new Map(words.map(([word, value]) => [foldHeading(word), value]));
  const exactly = new Map(words);
  return (text) =>
    exactly.get(text) ?? (text.length > VALUE_LIMITS.length ? undefined : meanings.get(foldHeading(text)));
};
