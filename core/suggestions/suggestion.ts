import Type from "typebox";
import { type Input, integer } from "../schema.ts";
import { vehicleSearch } from "../search/query.ts";
import { type SearchedWord, wordsIn } from "../search/words.ts";

/** What a word that is being typed may become. */
export const SUGGESTION_KINDS = ["make", "model", "stock_number", "vin"] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

/** A text that the last word may become, and how many of the vehicles that the earlier words find have it. */
export interface Suggestion {
  readonly text: string;
  readonly kind: SuggestionKind;
  readonly count: number;
}

/** Texts of one kind, and how many vehicles have each. */
export type TextCounts = readonly { readonly text: string; readonly count: number }[];

/** The texts of each kind that a last word may become. */
export type SuggestedTexts = Readonly<Record<SuggestionKind, TextCounts>>;

const LIMIT = { usual: 10, most: 20 } as const;

/** Query of GET /api/vehicles/suggestions. */
export const SuggestionQuery = Type.Object({
  q: Type.Optional(vehicleSearch),
  limit: Type.Optional(
    integer(1, LIMIT.most, { default: LIMIT.usual, description: `How many suggestions, up to ${LIMIT.most}.` }),
  ),
});
export type SuggestionQuery = Input<typeof SuggestionQuery>;

/** How many suggestions a query asks for. */
export const limitOf = ({ limit = LIMIT.usual }: SuggestionQuery): number => limit;

/** The word of a query that is still being typed. */
export const lastWordOf = (q: string): SearchedWord => wordsIn(q).at(-1) ?? { parts: [], joined: null };

/** True if a word begins words of these texts, as a search understands it. */
export const beginsWords = ({ parts, joined }: SearchedWord, ...texts: readonly string[]): boolean => {
  const words = texts.flatMap((text) => wordsIn(text).flatMap((word) => [...word.parts, word.joined ?? ""]));
  const isBegun = (part: string): boolean => words.some((word) => word.startsWith(part));
  return parts.every(isBegun) || (joined !== null && isBegun(joined));
};

/** The texts by which a VIN is found: itself, and its last 6 and 8 characters. */
export const textsOfVin = (vin: string): readonly string[] => [vin, vin.slice(-6), vin.slice(-8)];
