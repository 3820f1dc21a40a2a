/** Values with weights. A value of weight 3 is drawn three times as often as one of weight 1. */
export type Weighted<Value> = readonly (readonly [value: Value, weight: number])[];

const GOLDEN = 0x9e3779b9;

/** One round of a mixing function. Every bit of its input affects all bits of its output. */
const mix32 = (bits: number): number => {
  let mix = bits ^ (bits >>> 16);
  mix = Math.imul(mix, 0x21f0aaad);
  mix ^= mix >>> 15;
  mix = Math.imul(mix, 0x735a2d97);
  return (mix ^ (mix >>> 15)) >>> 0;
};

/**
 * A stream of random numbers. For the same seeds, it is the same on every machine, because it uses only whole numbers.
 * Each record has its own stream, so that its values do not depend on the records before it.
 */
export class Random {
  private state = 0;

  constructor(...seeds: readonly number[]) {
    for (const seed of seeds) this.state = mix32(this.state + GOLDEN + mix32(seed >>> 0) + Math.floor(seed / 2 ** 32));
  }

  /** A number from 0 up to, but not including, 1. */
  fraction(): number {
    this.state = (this.state + GOLDEN) | 0;
    return mix32(this.state) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  happens(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** One item of a list, which must not be empty. */
  pick<Value>(list: readonly Value[]): Value {
    const value = list[this.integer(0, list.length - 1)];
    if (value === undefined) throw new Error("there is nothing to pick from");
    return value;
  }

  /** `count` different items of a list, in the order of the list; all items if the list is shorter. */
  sample<Value>(list: readonly Value[], count: number): Value[] {
    let wanted = Math.min(count, list.length);
    return list.filter((_, index) => {
      const taken = this.fraction() * (list.length - index) < wanted;
      if (taken) wanted--;
      return taken;
    });
  }
}

/**
 * Returns a function that draws from a list by its weights. It is made once and used often: the number of steps hardly
 * grows with the list. The list must not be empty.
 */
export const lottery = <Value>(list: Weighted<Value>): ((chance: Random) => Value) => {
  let total = 0;
  const ends = list.map(([, weight]) => (total += weight));
  return (chance) => {
    const drawn = chance.fraction() * total;
    let first = 0;
    let last = list.length - 1;
    while (first < last) {
      const middle = (first + last) >> 1;
      if ((ends[middle] ?? total) > drawn) last = middle;
      else first = middle + 1;
    }
    const winner = list[first];
    if (winner === undefined) throw new Error("there is nothing to draw from");
    return winner[0];
  };
};
