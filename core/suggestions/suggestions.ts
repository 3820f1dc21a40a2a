import { scopeOf } from "../access/decide.ts";
import { useCase } from "../access/use-case.ts";
import type { Outcome } from "../failure.ts";
import { type SearchIndex, searchRefusal } from "../search/progress.ts";
import { limitOf, SUGGESTION_KINDS, type Suggestion, type SuggestionQuery } from "./suggestion.ts";
import type { SuggestionRepository } from "./suggestion-repository.ts";

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** The use case of suggesting completions of a word (interface 6.1). */
export const makeSuggestions = ({
  suggestions,
  search,
}: {
  readonly suggestions: SuggestionRepository;
  readonly search: SearchIndex;
}) => ({
  /** The completions of the last word among the vehicles in the caller's scope. Texts of more vehicles come first. */
  list: useCase(
    "vehicle.suggestions",
    async (principal, query: SuggestionQuery): Promise<Outcome<readonly Suggestion[]>> => {
      const unanswerable = searchRefusal(search, query);
      if (unanswerable !== null) return unanswerable;
      const { q } = query;
      // Nothing has been typed yet.
      if (q === undefined) return [];
      const limit = limitOf(query);
      const place = ({ kind }: Suggestion): number => SUGGESTION_KINDS.indexOf(kind);
      const texts = await suggestions.values({ scope: scopeOf(principal), q, limit });
      return SUGGESTION_KINDS.flatMap((kind) => texts[kind].map(({ text, count }) => ({ text, kind, count })))
        .sort((one, other) => other.count - one.count || place(one) - place(other) || byText(one.text, other.text))
        .slice(0, limit);
    },
  ),
});

export type Suggestions = ReturnType<typeof makeSuggestions>;
