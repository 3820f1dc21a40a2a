import { FRENCH } from "./languages/french.ts";
import { GERMAN } from "./languages/german.ts";
import { ITALIAN } from "./languages/italian.ts";
import { SPANISH } from "./languages/spanish.ts";

/** Headings of one language for fields, as they are written. */
export type LanguageHeadings = Readonly<Record<string, readonly string[]>>;

/** The headings of other languages. They are used where the file has no heading of the common table. */
export const OTHER_HEADINGS: readonly LanguageHeadings[] = [GERMAN, FRENCH, SPANISH, ITALIAN];
