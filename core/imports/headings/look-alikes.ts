import type { ImportIssue } from "../import-issue.ts";
import { foldHeading } from "./fold-heading.ts";
import type { ImportField } from "./headings.ts";

/** The fields that every new vehicle needs, with words in headings that look like them. */
const NEEDED: Readonly<Partial<Record<ImportField, RegExp>>> = {
  make: /make|brand|marke|marque|marca|manufact|oem/,
  model: /model|modele|modello/,
  year: /year|jahr|annee|anno|ano$|^my$|yr/,
  price: /price|special|amount|value|retail|sale|cash|asking|preis|prix|precio|prezzo|tarif|offer/,
};
/** What a suggested retail price is called. It is never the price. */
const NEVER_THE_PRICE = /msrp|sticker|cost|invoice|wholesale/;

const quoted = (headings: readonly string[]): string => headings.map((heading) => `"${heading}"`).join(", ");

/** Says which fields that every new vehicle needs no column has, and which unknown headings look like them. */
export const missingColumns = (
  has: ReadonlySet<ImportField | null>,
  unknown: readonly string[],
): ImportIssue | null => {
  const fields = (Object.keys(NEEDED) as ImportField[]).filter((field) => !has.has(field));
  if (fields.length === 0) return null;
  const alike = fields.flatMap((field) => {
    const looks = unknown.filter((heading) => {
      const folded = foldHeading(heading);
      return NEEDED[field]?.test(folded) === true && !(field === "price" && NEVER_THE_PRICE.test(folded));
    });
    return looks.length === 0 ? [] : [`${field} may be ${quoted(looks)}`];
  });
  const advice = alike.length === 0 ? "" : `; ${alike.join("; ")}: say so in columns`;
  // A file of a whole lot without prices would leave them as they are night after night.
  const isSilent = fields.includes("price") && ((has.has("make") && has.has("model")) || alike.length > 0);
  return {
    path: "",
    code: isSilent ? "price_column_missing" : "columns_missing",
    message: `has no column for ${fields.join(", ")}, which every new vehicle needs${isSilent ? ", so that prices stay as they are" : ""}${advice}`,
  };
};
