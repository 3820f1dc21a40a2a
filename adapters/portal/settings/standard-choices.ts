/** The words that a standard has, and others that this browser may not know, for a field; `labelOf` names each. */
export const standardChoices = (
  kind: "currency" | "timeZone",
  others: readonly string[],
  labelOf: (word: string) => string = (word) => word,
): readonly (readonly [word: string, label: string])[] =>
  [...new Set([...Intl.supportedValuesOf(kind), ...others])]
    .filter((word) => word !== "")
    .sort()
    .map((word) => [word, labelOf(word)] as const);
