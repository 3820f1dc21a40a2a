const MIN_DIFFERENT = 10;
/** Of random text nearly all groups of three differ; of repeated blocks few do. */
const MIN_NEW_GROUPS = 0.75;
/** Steps from one character to the next that repeat the step before: a run such as `aaaa`, `abcd` or `9876`. */
const MAX_SAME_STEPS = 0.4;
const GROUP = 3;

/**
 * Whether text can be a secret at all: not few different characters, nor repeated blocks, nor runs of neighbours. It
 * tells what somebody typed to have done with it from what was drawn, and nothing of who else knows it. Linear.
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
