/** The codes that the browser supports, and `others` that it may not, with their labels, as options of a field. */
export const standardChoices = (
  kind: "currency" | "timeZone",
  others: readonly string[],
  labelOf: (word: string) => string = (word) => word,
): readonly (readonly [word: string, label: string])[] =>
  [...new Set([...Intl.supportedValuesOf(kind), ...others])]
    .filter((word) => word !== "")
    .sort()
    .map((word) => [word, labelOf(word)] as const);
