/** Longer words are not compared, as the cost grows with the product of both lengths. No known word is as long. */
const MAX_COMPARED = 40;

/** The number of letters to change, add, leave out or swap with the next one to get from one word to the other. */
export const editsBetween = (one: string, other: string): number => {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row++) {
    const present = [row];
    for (let column = 1; column <= other.length; column++) {
      const changed = one[row - 1] === other[column - 1] ? 0 : 1;
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      present[column] = Math.min(
        (last[column - 1] ?? 0) + changed,
        (last[column] ?? 0) + 1,
        (present[column - 1] ?? 0) + 1,
        isSwapped ? (beforeLast[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [beforeLast, last] = [last, present];
  }
  return last[other.length] ?? 0;
};

/** Half of a word's letters may differ. With more, it would be another word. */
const isNear = (edits: number, length: number): boolean => edits * 2 <= length;

/**
 * The known word that somebody probably meant, without regard to case; `null` if none is near. A part of a known word
 * between underscores counts, too, but less than the whole word: `colour` means `exterior_color`.
 */
export const nearestWord = (sent: string, known: Iterable<string>): string | null => {
  if (sent.length > MAX_COMPARED) return null;
  const word = sent.toLowerCase();
  let nearest: { readonly word: string; readonly edits: number } | null = null;
  for (const candidate of known) {
    const whole = editsBetween(word, candidate.toLowerCase());
    const parts = candidate.includes("_") ? candidate.split("_").map((part) => editsBetween(word, part) + 1) : [];
    const edits = Math.min(whole, ...parts);
    if (isNear(edits, word.length) && (nearest === null || edits < nearest.edits)) nearest = { word: candidate, edits };
  }
  return nearest?.word ?? null;
};
