/**
 * Names of makes that people use for one another, as the words of each name. Whoever searches for one of them finds
 * the others, too. It never changes what is stored. What begins a name needs no line here: `alfa` finds Alfa Romeo.
 */
const NAMES: readonly (readonly string[])[] = [
  ["volkswagen", "vw"],
  ["chevrolet", "chevy", "chev"],
  ["mercedes benz", "mercedesbenz", "mercedes", "merc", "benz"],
  ["land rover", "landrover"],
  ["bmw", "beemer", "bimmer", "beamer"],
  ["cadillac", "caddy"],
  ["alfa romeo", "alfaromeo", "alfa"],
  ["aston martin", "astonmartin"],
  ["rolls royce", "rollsroyce"],
];

/** For each word of a name of several words, and each name of one word, the other names as their words. */
const OTHERS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  NAMES.flatMap((names) =>
    [...new Set(names.flatMap((name) => name.split(" ")))].map((word) => [
      word,
      names.map((other) => other.split(" ")).filter((words) => !words.includes(word)),
    ]),
  ),
);

/** Words that are no name of a make by themselves. Other words beside them say which make is meant. */
const WITHIN = new Set(["land", "rover", "aston", "martin", "rolls", "royce", "romeo"]);

/**
 * The other names of the make that a word names, each as the words that a vehicle must have as they stand; empty for
 * words that name no make. A word within a name stands for that name written as one word, or cut short.
 */
export const otherNamesOf = (word: string): readonly (readonly string[])[] => {
  const others = OTHERS.get(word) ?? [];
  return WITHIN.has(word) ? others.filter((words) => words.length === 1) : others;
};
