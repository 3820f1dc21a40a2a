import type { DealerScope } from "../access/decide.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { SuggestedTexts } from "./suggestion.ts";

/** What vehicles have that a word may become. The scope is in the WHERE of every statement. */
export interface SuggestionRepository {
  /**
   * Of each kind `limit` texts that the last word of `q` begins, with the number of vehicles that have all words of
   * `q`: those of most vehicles, then by the text. Spellings of makes and models that are equal without regard to case
   * and accents are one text: the one of most vehicles.
   */
  values(query: {
    readonly scope: DealerScope;
    readonly q: string;
    readonly limit: number;
  }): MaybePromise<SuggestedTexts>;
}
