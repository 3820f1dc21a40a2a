import Type from "typebox";
import { oneOf } from "../../../core/schema.ts";
import { SUGGESTION_KINDS, SuggestionQuery } from "../../../core/suggestions/suggestion.ts";
import type { Suggestions } from "../../../core/suggestions/suggestions.ts";
import { type Route, route } from "../protocol/route.ts";
import { count, recordSchema } from "./answers.ts";

const SuggestionsAnswer = Type.Array(
  recordSchema("Suggestion", {
    text: Type.String({ examples: ["Toyota Camry"] }),
    kind: oneOf(SUGGESTION_KINDS),
    count,
  }),
  { maxItems: 20 },
);

/** The route that completes a word (interface 6.1). */
export const suggestionRoutes = (suggestions: Suggestions): Route[] => [
  route({
    operation: "vehicle.suggestions",
    name: "suggestVehicleWords",
    method: "GET",
    path: "/api/vehicles/suggestions",
    summary: "Suggest completions of the last word",
    description:
      "Makes, models, stock numbers and VINs of the vehicles that match the earlier words, the most frequent first. A key that is bound to a dealer gets only that dealer's.",
    query: SuggestionQuery,
    answer: { status: 200, schema: SuggestionsAnswer, description: "The suggestions" },
    errors: ["search_not_ready"],
    answers: "record",
    of: ({ principal, query }) => suggestions.list(principal, query),
  }),
];
