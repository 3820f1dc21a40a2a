import { type Content, contentOf } from "../file/content-survey.ts";
import { foldHeading } from "./fold-heading.ts";

/** Headings that say nothing: none, a letter, a number, or a word for a column with a number. */
const EMPTY = /^(?:[a-z]{1,2}|(?:column|col|field|unnamed|spalte|feld|colonne|champ|columna|campo|colonna)?\d{0,3})$/;

/** Contents that nothing else looks like. Of others, only a heading that says nothing is overruled by its cells. */
const PLAIN: ReadonlySet<Content> = new Set(["vin", "images"]);

/** The field that the cells of a column say, under a heading that is not known; `null` if none. */
export const guessedField = (heading: string, content: Content | null | undefined): Content | null => {
  // In a file without a heading, the first row looks like the others.
  if (content === null || content === undefined || contentOf(heading.trim()) !== null) return null;
  const folded = foldHeading(heading);
  return PLAIN.has(content) || folded.length === 0 || (folded.length <= 20 && EMPTY.test(folded)) ? content : null;
};

/** What the cells of a guessed column look like, in words. */
export const CONTENT_WORDS: Readonly<Record<Content, string>> = {
  vin: "VINs",
  year: "years",
  price: "prices",
  mileage: "mileages",
  images: "addresses of photos",
};
