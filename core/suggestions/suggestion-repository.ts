import type { DealerScope } from "../access/decide.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { SuggestedTexts } from "./suggestion.ts";

/** Finds texts of vehicles that complete a word. The scope is in the WHERE of every statement. */
export interface SuggestionRepository {
  /**
   * Up to `limit` texts of each kind in which the last word of `q` begins a word, each with the number of vehicles that
   * have it and match all words of `q`. Texts of more vehicles come first; those of equally many are sorted by text.
   * Spellings of makes and models that differ only in case and accents count as one text, in the most frequent
   * spelling.
   */
  values(query: {
    readonly scope: DealerScope;
    readonly q: string;
    readonly limit: number;
  }): MaybePromise<SuggestedTexts>;
}
