import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";

declare const brand: unique symbol;

/** The fields of a record as JSON in which no text is longer than an entry keeps. */
export type EntryFields = string & { readonly [brand]: true };

/** Texts of up to so many characters are kept whole. */
export const WHOLE_TEXT = 1000;

const isHalf = (text: string, place: number, beginning: 0xd800 | 0xdc00): boolean =>
  (text.charCodeAt(place) & 0xfc00) === beginning;

/**
 * The number of characters. One outside of the basic plane counts once, as PostgreSQL counts it. A list of them would
 * take ten times as long.
 */
const charactersOf = (text: string): number => {
  let characters = text.length;
  for (let place = 1; place < text.length; place++)
    if (isHalf(text, place, 0xdc00) && isHalf(text, place - 1, 0xd800)) characters--;
  return characters;
};

/** The text, or its beginning if it is long. */
export const cutText = (text: string): string => {
  const characters = text.length > WHOLE_TEXT ? charactersOf(text) : 0;
  if (characters <= WHOLE_TEXT) return text;
  const hash = createHash("sha256").update(text).digest("hex");
  const beginning = [...text.slice(0, WHOLE_TEXT * 2)].slice(0, WHOLE_TEXT).join("");
  return `${beginning}… (${characters} characters, SHA-256 ${hash})`;
};

const isLong = (value: unknown): value is string => typeof value === "string" && value.length > WHOLE_TEXT;

/**
 * The fields of a record as an audit entry keeps them. Of a longer text, an entry has the first 1000 characters, its
 * length and its hash: enough to see what happened, and whether it is the text that somebody has. `json` is the record
 * as JSON, if it is there already.
 */
export const entryFields = (record: object, json?: string): EntryFields => {
  if (!Object.values(record).some(isLong)) return (json ?? JSON.stringify(record)) as EntryFields;
  const cut = Object.entries(record).map(([name, value]) => [name, isLong(value) ? cutText(value) : value]);
  return JSON.stringify(Object.fromEntries(cut)) as EntryFields;
};

/** The same for fields that the database has written as JSON. */
export const entryFieldsIn = (json: string | null): EntryFields | null =>
  json === null || json.length <= WHOLE_TEXT ? (json as EntryFields | null) : entryFields(JSON.parse(json), json);

/** The same in SQL, for PostgreSQL, where the old fields never leave the database. */
export const entryFieldsInSql = (json: RawBuilder<unknown>): RawBuilder<string> => {
  const whole = sql.lit(WHOLE_TEXT);
  const text = sql`(field.value #>> '{}')`;
  // The dots are written as a code, as the driver sends a statement sooner that is all ASCII.
  const cut = sql`left(${text}, ${whole}) || chr(8230) || ' (' || length(${text}) || ' characters, SHA-256 '
    || encode(sha256(convert_to(${text}, 'UTF8')), 'hex') || ')'`;
  return sql<string>`CASE WHEN length(${json}) <= ${whole} THEN ${json} ELSE (
    SELECT CAST(json_object_agg(field.key, CASE WHEN json_typeof(field.value) = 'string' AND length(${text}) > ${whole}
      THEN to_json(${cut}) ELSE field.value END) AS TEXT)
    FROM json_each(CAST(${json} AS json)) AS field) END`;
};
