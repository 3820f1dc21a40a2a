import type { SteadyClock } from "./clock.ts";

const SECOND_MS = 1000;
const GRACE_MS = 30 * SECOND_MS;

/** The lowest speed of a long body, in bytes a second. */
export const MIN_SPEED = 64 * 1024;

/** For how long, in milliseconds and in all, one waits for so many bytes: 30 seconds, or as the lowest speed has it. */
const longestMs = (bytes: number): number => Math.max(GRACE_MS, (bytes / MIN_SPEED) * SECOND_MS);

/**
 * Tells whether the other side of a connection is too slow to keep its place, which others wait for. Only time spent
 * waiting for that side counts, never the service's own work.
 */
export class Pace {
  private bytes = 0;
  private waitedMs = 0;
  private since: number | null = null;

  constructor(private readonly clock: SteadyClock) {}

  /** From now on it is the other side's turn. */
  wait(): void {
    this.since ??= this.clock.steadyMs();
  }

  /** So many bytes have gone over, and it is the service's turn again. */
  moved(bytes: number): void {
    this.waitedMs = this.wholeMs();
    this.since = null;
    this.bytes += bytes;
  }

  /** True once it was waited for longer than its bytes deserve. */
  isTooSlow(): boolean {
    return this.wholeMs() > longestMs(this.bytes);
  }

  private wholeMs(): number {
    return this.waitedMs + (this.since === null ? 0 : this.clock.steadyMs() - this.since);
  }
}
