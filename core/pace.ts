import type { SteadyClock } from "./clock.ts";

const SECOND_MS = 1000;
const GRACE_MS = 30 * SECOND_MS;

/** The minimum speed of a long body, in bytes per second. */
export const MIN_SPEED = 64 * 1024;

/** The maximum total wait for so many bytes, in milliseconds: 30 seconds, or longer at the minimum speed. */
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

  /** From now on the service waits for the other side. */
  wait(): void {
    this.since ??= this.clock.steadyMs();
  }

  /** So many bytes were transferred, and the wait is over. */
  moved(bytes: number): void {
    this.waitedMs = this.wholeMs();
    this.since = null;
    this.bytes += bytes;
  }

  /** True once the service has waited too long for the bytes so far. */
  isTooSlow(): boolean {
    return this.wholeMs() > longestMs(this.bytes);
  }

  private wholeMs(): number {
    return this.waitedMs + (this.since === null ? 0 : this.clock.steadyMs() - this.since);
  }
}
