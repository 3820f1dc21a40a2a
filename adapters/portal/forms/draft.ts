import { useState } from "react";
import { browserLanguage, numberForField, parseTypedNumber } from "./numbers.ts";

/** The values of a form. `bind` connects one field, `set` changes several, `isChanged` compares with `initial`. */
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

/** Typed text as a number; `null` if empty. Text that is no number stays as typed, for the server to reject. */
export const numberOrText = (text: string): number | string | null =>
  text.trim() === "" ? null : (parseTypedNumber(text, browserLanguage()) ?? text);

/** A number as a field shows it; "" for `null`. */
export const numberText = (number: number | null): string =>
  number === null ? "" : numberForField(number, browserLanguage());

/** Typed text; `null` if empty. */
export const textOrNull = (text: string): string | null => (text === "" ? null : text);

/** The fields whose values differ, with their new values. */
export const changedFields = <Values extends object>(before: Values, after: Values): Partial<Values> => {
  const changes: Partial<Values> = {};
  for (const field of Object.keys(after) as (keyof Values)[])
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) changes[field] = after[field];
  return changes;
};

/** An object with a value for each of these names. */
export const recordOf = <Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;

/** "stock_number" as "Stock number". */
export const labelFromName = (field: string): string =>
  `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll("_", " ")}`;
