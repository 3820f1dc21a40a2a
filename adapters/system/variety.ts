const MIN_DIFFERENT = 10;
/**
 * The minimum share of different groups of three characters. In random text nearly all of them differ, in repeated
 * blocks they do not.
 */
const MIN_NEW_GROUPS = 0.75;
/**
 * The maximum share of steps between neighbouring characters that equal the step before, as in `aaaa`, `abcd` or
 * `9876`.
 */
const MAX_SAME_STEPS = 0.4;
const GROUP = 3;

/**
 * True if the text could be a random secret: it has enough different characters, no repeated blocks and no runs of
 * neighbours. Detects carelessly typed text, but not text that other people know. Takes linear time.
 */
export const isVaried = (text: string): boolean => {
  if (new Set(text).size < MIN_DIFFERENT) return false;
  const groups = new Set<string>();
  let sameSteps = 0;
  for (let place = 0; place + GROUP <= text.length; place++) {
    groups.add(text.slice(place, place + GROUP));
    const [first, second, third] = [0, 1, 2].map((ahead) => text.charCodeAt(place + ahead)) as [number, number, number];
    if (second - first === third - second && Math.abs(second - first) <= 1) sameSteps++;
  }
  const all = text.length - GROUP + 1;
  return groups.size >= all * MIN_NEW_GROUPS && sameSteps <= all * MAX_SAME_STEPS;
};
