import type { SteadyClock } from "./clock.ts";

const SECOND_MS = 1000;
const GRACE_MS = 30 * SECOND_MS;

/** The minimum speed of a long body, in bytes per second. */
export const MIN_SPEED = 64 * 1024;

/**
 * The maximum time to wait for this number of bytes, in milliseconds: at least 30 seconds, and longer if the bytes need
 * more at the minimum speed.
 */
const longestMs = (bytes: number): number => Math.max(GRACE_MS, (bytes / MIN_SPEED) * SECOND_MS);

/**
 * Decides whether the other side of a connection is too slow. It occupies a place that others wait for. Only the time
 * spent waiting for the other side counts, not the service's own work.
 */
export class Pace {
  private bytes = 0;
  private waitedBeforeMs = 0;
  private since: number | null = null;

  constructor(private readonly clock: SteadyClock) {}

  /** Starts the wait for the other side. */
  wait(): void {
    this.since ??= this.clock.steadyMs();
  }

  /** Ends the wait, after this number of bytes was transferred. */
  moved(bytes: number): void {
    this.waitedBeforeMs = this.waitedMs();
    this.since = null;
    this.bytes += bytes;
  }

  /** True if the service has waited too long for the bytes transferred so far. */
  isTooSlow(): boolean {
    return this.waitedMs() > longestMs(this.bytes);
  }

  /** The bytes that the other side took or sent in a second of waiting. */
  speed(): number {
    return (this.bytes / this.waitedMs()) * SECOND_MS;
  }

  /** The time that the service has waited for the other side, in milliseconds. */
  waitedMs(): number {
    return this.waitedBeforeMs + (this.since === null ? 0 : this.clock.steadyMs() - this.since);
  }
}
