import { FRENCH } from "./languages/french.ts";
import { GERMAN } from "./languages/german.ts";
import { ITALIAN } from "./languages/italian.ts";
import { SPANISH } from "./languages/spanish.ts";
import { SYSTEMS } from "./systems.ts";

/** Headings of one language or system for fields, as they are written. */
export type LanguageHeadings = Readonly<Record<string, readonly string[]>>;

/** The headings of other languages and of systems. They are used where the file has no heading of the common table. */
export const OTHER_HEADINGS: readonly LanguageHeadings[] = [
  ...[GERMAN, FRENCH, SPANISH, ITALIAN],
  ...SYSTEMS.map(({ headings }) => headings),
];
