const BUCKET_MICROS = 10;
const BUCKETS = 1_000_000;

/** Counts latencies in steps of 10 µs up to 10 s. Longer ones count as 10 s. */
export class Histogram {
  total = 0;
  private readonly counts = new Uint32Array(BUCKETS);

  add(micros: number): void {
    const bucket = Math.min(BUCKETS - 1, Math.floor(micros / BUCKET_MICROS));
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.total++;
  }

  /** The latency in milliseconds that this share (0 to 1) of requests did not exceed. */
  percentileMs(share: number): number {
    const wanted = Math.ceil(this.total * share);
    let seen = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      seen += this.counts[bucket] ?? 0;
      if (seen >= wanted) return ((bucket + 1) * BUCKET_MICROS) / 1000;
    }
    return (BUCKETS * BUCKET_MICROS) / 1000;
  }
}
