import { isCurrencyWord } from "../values/currencies.ts";
import { unitNamed } from "../values/units.ts";

/** What the cells of a column look like, whatever its heading says. */
const CONTENTS = ["vin", "year", "price", "mileage", "images"] as const;
export type Content = (typeof CONTENTS)[number];

/** The rows that are looked at, from the first one on. */
export const SAMPLE_ROWS = 100;
/** Longer cells are none of these; of lists of addresses, the beginning is enough. */
const MAX_NUMBER = 30;
const MAX_ADDRESS = 300;
/** The share of a column's cells that must look alike. Cells without a value do not count. */
const SHARE = 0.9;
/** The fewest cells that say something, and the share of them that must differ: a logo is the same in every row. */
const FEWEST: Readonly<Record<Content, number>> = { vin: 1, year: 3, price: 3, mileage: 3, images: 2 };
const DISTINCT: Readonly<Record<Content, number>> = { vin: SHARE, year: 0, price: 0, mileage: 0, images: 0.8 };

const VIN = /^[A-HJ-NPR-Z0-9]{17}$/i;
const DIGIT = /\d/;
const LETTER = /[A-Z]/i;
const YEAR = /^(?:19[5-9]|20[0-4])\d$/;
const PHOTO = /^https?:\/\/[^\s|,;]+\.(?:jpe?g|png|webp)(?:[?#|,;\s]|$)/i;
/** An amount with a sign or a word before or behind it. */
const AMOUNT = /^(\p{Sc}|[A-Za-z]{2,10})?\s?\d[\d.,' ]*\s?(\p{Sc}|[A-Za-z]{2,10})?$/u;
const SIGN = /^\p{Sc}$/u;

const ofAmount = (text: string): Content | null => {
  const words =
    AMOUNT.exec(text)
      ?.slice(1)
      .filter((word) => word !== undefined) ?? [];
  if (words.some((word) => SIGN.test(word) || isCurrencyWord(word.toLowerCase()))) return "price";
  return words.length === 1 && unitNamed(words[0] ?? "") !== undefined ? "mileage" : null;
};

/** What a text looks like; `null` for all others. */
export const contentOf = (text: string): Content | null => {
  if (text.startsWith("http")) return PHOTO.test(text.slice(0, MAX_ADDRESS)) ? "images" : null;
  if (text.length > MAX_NUMBER) return null;
  if (VIN.test(text)) return DIGIT.test(text) && LETTER.test(text) ? "vin" : null;
  return YEAR.test(text) ? "year" : ofAmount(text);
};

interface Votes {
  cells: number;
  readonly of: Map<Content, number>;
  readonly distinct: Set<string>;
}

/** Looks at the first rows of a file while it arrives, and finds columns whose cells say what they are. */
export class ContentSurvey<Column> {
  private readonly votes = new Map<Column, Votes>();

  add(column: Column, cell: unknown): void {
    const text = typeof cell === "string" || typeof cell === "number" ? String(cell).slice(0, MAX_ADDRESS).trim() : "";
    if (text === "") return;
    let votes = this.votes.get(column);
    if (votes === undefined) {
      votes = { cells: 0, of: new Map(), distinct: new Set() };
      this.votes.set(column, votes);
    }
    const content = contentOf(text);
    votes.cells++;
    if (content === null) return;
    votes.distinct.add(text);
    votes.of.set(content, (votes.of.get(content) ?? 0) + 1);
  }

  of(column: Column): Content | null {
    const votes = this.votes.get(column);
    if (votes === undefined) return null;
    const alike = CONTENTS.find((content) => (votes.of.get(content) ?? 0) >= votes.cells * SHARE);
    if (alike === undefined || votes.cells < FEWEST[alike]) return null;
    return votes.distinct.size >= votes.cells * DISTINCT[alike] ? alike : null;
  }
}
