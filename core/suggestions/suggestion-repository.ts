import type { DealerScope } from "../access/decide.ts";
import type { MaybePromise } from "../maybe-promise.ts";
import type { ValueCounts } from "./suggestion.ts";

/** What vehicles have that a word may become. The scope is in the WHERE of every statement. */
export interface SuggestionRepository {
  /**
   * Makes and models of the vehicles that have all words of `q`, and `limit` of their stock numbers and VINs that the
   * last word begins: those of most vehicles, then by the text.
   */
  values(query: { readonly scope: DealerScope; readonly q: string; readonly limit: number }): MaybePromise<ValueCounts>;
}
