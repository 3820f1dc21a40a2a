import { useState } from "react";
import { browserLanguage, numberForField, parseTypedNumber } from "./numbers.ts";

/** What was typed so far: `bind` connects a field of it, `set` changes several at once, `isChanged` compares. */
export const useDraft = <Values extends object>(initial: Values) => {
  const [initialValues] = useState(initial);
  const [values, setValues] = useState(initial);
  const set = (changes: Partial<Values>): void => setValues((before) => ({ ...before, ...changes }));
  const bind = <Field extends keyof Values & string>(field: Field) => ({
    path: field,
    value: values[field],
    onChange: (value: Values[Field]): void => setValues((before) => ({ ...before, [field]: value })),
  });
  return { values, set, bind, isChanged: JSON.stringify(values) !== JSON.stringify(initialValues) };
};

/** Typed text as a number; `null` when nothing was typed; what is no number goes to the server as it is. */
export const numberOrText = (text: string): number | string | null =>
  text.trim() === "" ? null : (parseTypedNumber(text, browserLanguage()) ?? text);

/** A number as it stands in a field; empty for none. */
export const numberText = (number: number | null): string =>
  number === null ? "" : numberForField(number, browserLanguage());

/** Typed text, `null` when nothing was typed. */
export const textOrNull = (text: string): string | null => (text === "" ? null : text);

/** The fields whose value differs from what it was. */
export const changedFields = <Values extends object>(before: Values, after: Values): Partial<Values> => {
  const changes: Partial<Values> = {};
  for (const field of Object.keys(after) as (keyof Values)[])
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) changes[field] = after[field];
  return changes;
};

/** A value for each of these fields. */
export const recordOf = <Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;

/** "stock_number" as "Stock number". */
export const labelFromName = (field: string): string =>
  `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll("_", " ")}`;
