import { admit, scopeOf } from "../access/decide.ts";
import type { Principal } from "../access/principal.ts";
import type { Outcome } from "../failure.ts";
import { andThen, type MaybePromise } from "../maybe-promise.ts";
import { type SearchReadiness, searchRefusal } from "../search/readiness.ts";
import { foldLetters } from "../search/words.ts";
import {
  begins,
  lastWordOf,
  limitOf,
  SUGGESTION_KINDS,
  type Suggestion,
  type SuggestionQuery,
  type ValueCounts,
} from "./suggestion.ts";
import type { SuggestionRepository } from "./suggestion-repository.ts";

type Counted = readonly { readonly text: string; readonly count: number }[];

const byText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Spellings that are equal without regard to case and accents, as one: the one of most vehicles. */
const merged = (spellings: Counted): Counted => {
  const found = new Map<string, { text: string; most: number; count: number }>();
  for (const { text, count } of spellings) {
    const key = foldLetters(text);
    const known = found.get(key) ?? { text, most: 0, count: 0 };
    const isMore = count > known.most || (count === known.most && byText(text, known.text) < 0);
    found.set(key, {
      text: isMore ? text : known.text,
      most: Math.max(count, known.most),
      count: known.count + count,
    });
  }
  return [...found.values()];
};

/** Sums of the same spelling. */
const summed = (spellings: Counted): Counted => {
  const sums = new Map<string, number>();
  for (const { text, count } of spellings) sums.set(text, (sums.get(text) ?? 0) + count);
  return [...sums].map(([text, count]) => ({ text, count }));
};

const suggestionsOf = (q: string, { models, stock_numbers, vins }: ValueCounts): Suggestion[] => {
  const last = lastWordOf(q);
  const makes = models.filter(({ make }) => begins(last, make)).map(({ make, count }) => ({ text: make, count }));
  const named = models
    .filter(({ make, model }) => begins(last, make, model))
    .map(({ make, model, count }) => ({ text: `${make} ${model}`, count }));
  const numbers = stock_numbers.map(({ value, count }) => ({ text: value, count }));
  const found = {
    make: merged(summed(makes)),
    model: merged(named),
    stock_number: numbers,
    vin: vins.map(({ value, count }) => ({ text: value, count })),
  };
  return SUGGESTION_KINDS.flatMap((kind) => found[kind].map(({ text, count }) => ({ text, kind, count })));
};

/** The use case of suggesting what a word may become (interface 6.1). */
export const makeSuggestions = ({
  suggestions,
  search,
}: {
  readonly suggestions: SuggestionRepository;
  readonly search: SearchReadiness;
}) => ({
  /** What the last word may become among the vehicles in the caller's scope; the texts of most vehicles first. */
  list(principal: Principal, query: SuggestionQuery): MaybePromise<Outcome<readonly Suggestion[]>> {
    const refused = admit(principal, "vehicle.suggestions") ?? searchRefusal(search, query);
    if (refused !== null) return refused;
    const { q } = query;
    // Nothing has been typed yet.
    if (q === undefined) return [];
    const limit = limitOf(query);
    const place = ({ kind }: Suggestion): number => SUGGESTION_KINDS.indexOf(kind);
    return andThen(suggestions.values({ scope: scopeOf(principal), q, limit }), (values) =>
      suggestionsOf(q, values)
        .sort((one, other) => other.count - one.count || place(one) - place(other) || byText(one.text, other.text))
        .slice(0, limit),
    );
  },
});

export type Suggestions = ReturnType<typeof makeSuggestions>;
