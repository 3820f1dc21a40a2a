/** Pseudo-random numbers, which are the same for the same seed. */
export interface Random {
  /** A number from 0 up to 1, without 1. */
  next(): number;
  /** A whole number from `low` to `high`, including both. */
  whole(low: number, high: number): number;
  /** One of these items. */
  pick<Item>(items: readonly Item[]): Item;
}

/** Numbers for this seed (mulberry32). */
export const randomFrom = (seed: number): Random => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    whole,
    pick(items) {
      const item = items[whole(0, items.length - 1)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
};

const ZIPF_EXPONENT = 0.99;

/**
 * Draws ranks from 0 to `count` - 1 by Zipf's law: rank k is about k times less frequent than the first. The exponent
 * is that of database benchmarks (YCSB).
 */
export const zipfOf = (count: number): ((random: Random) => number) => {
  const upTo = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1) ** ZIPF_EXPONENT;
    upTo[rank] = sum;
  }
  return (random) => {
    const drawn = random.next() * sum;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
};
