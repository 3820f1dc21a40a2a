import type { Sample } from "./registry.ts";

/** The upper bounds of the buckets in seconds, from a read by id to a time that no client waits for. */
const BOUNDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5] as const;
/** The number of buckets of one distribution. Its sum and count are two more lines. */
const WIDTH = BOUNDS.length + 1;

type Labels = Sample["labels"];

/** Distributions of times, each with its own labels. */
export class Histogram {
  private readonly counts: Float64Array;
  private readonly sums: Float64Array;
  private readonly labels: Labels[] = [];

  constructor(private readonly capacity: number) {
    this.counts = new Float64Array(capacity * WIDTH);
    this.sums = new Float64Array(capacity);
  }

  /** Adds a distribution and returns its number. */
  add(labels: Labels): number {
    if (this.labels.length >= this.capacity) throw new Error("the histogram is full");
    return this.labels.push(labels) - 1;
  }

  /** Counts a time in a distribution. */
  observe(place: number, seconds: number): void {
    let bucket = place * WIDTH;
    for (const bound of BOUNDS) {
      if (seconds <= bound) break;
      bucket++;
    }
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sums[place] = (this.sums[place] ?? 0) + seconds;
  }

  samples(): Sample[] {
    return this.labels.flatMap((labels, place) => {
      let count = 0;
      const buckets = Array.from({ length: WIDTH }, (_, index): Sample => {
        count += this.counts[place * WIDTH + index] ?? 0;
        const le = String(BOUNDS[index] ?? "+Inf");
        return { suffix: "_bucket", labels: { ...labels, le }, value: count };
      });
      const sum: Sample = { suffix: "_sum", labels, value: this.sums[place] ?? 0 };
      return [...buckets, sum, { suffix: "_count", labels, value: count }];
    });
  }
}
