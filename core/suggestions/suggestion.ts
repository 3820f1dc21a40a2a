import Type from "typebox";
import { type Input, integer } from "../schema.ts";
import { joinsOf } from "../search/neighbours.ts";
import { vehicleSearch } from "../search/query.ts";
import { type SearchedWord, wordsIn } from "../search/words.ts";

/** The kinds of texts that may complete the word that is being typed. */
export const SUGGESTION_KINDS = ["make", "model", "stock_number", "vin"] as const;
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number];

/** A text that completes the last word, and the number of vehicles that have it and match the earlier words. */
export interface Suggestion {
  readonly text: string;
  readonly kind: SuggestionKind;
  readonly count: number;
}

/** Texts of one kind, with the number of vehicles that have each. */
export type TextCounts = readonly { readonly text: string; readonly count: number }[];

/** The texts of each kind that complete a last word. */
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

/** The number of suggestions that a query asks for. */
export const limitOf = ({ limit = LIMIT.usual }: SuggestionQuery): number => limit;

/** The last word of a query, which is still being typed. */
export const lastWordOf = (q: string): SearchedWord => wordsIn(q).at(-1) ?? { parts: [], joined: null };

/** True if a word begins words of these texts, by the rules of the search. */
export const beginsWords = ({ parts, joined }: SearchedWord, ...texts: readonly string[]): boolean => {
  const words = texts.flatMap((text) => [
    ...wordsIn(text).flatMap((word) => [...word.parts, word.joined ?? ""]),
    ...joinsOf(text, "all"),
  ]);
  const isBegun = (part: string): boolean => words.some((word) => word.startsWith(part));
  return parts.every(isBegun) || (joined !== null && isBegun(joined));
};

/** The texts by which a VIN is found: the whole VIN, and its last 6 and 8 characters. */
export const textsOfVin = (vin: string): readonly string[] => [vin, vin.slice(-6), vin.slice(-8)];
