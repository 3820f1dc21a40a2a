import { suggestionRoutes } from "../../adapters/http/api/suggestions.ts";
import { vinRoutes } from "../../adapters/http/api/vin.ts";
import { makeSuggestionRepository } from "../../adapters/sql/suggestions/repository.ts";
import { makeSuggestions } from "../../core/suggestions/suggestions.ts";
import { makeVins } from "../../core/vin/vins.ts";
import type { Feature } from "./feature.ts";
import type { Shared } from "./shared.ts";

/** What helps somebody who types: suggestions for a search, and what a VIN says. */
export const wireSuggestions = ({ db, words }: Shared) => {
  const suggestions = makeSuggestions({ suggestions: makeSuggestionRepository(db), search: words });
  const vins = makeVins();
  return {
    uses: { suggestions, vins },
    routes: () => [...suggestionRoutes(suggestions), ...vinRoutes(vins)],
  } satisfies Feature;
};
