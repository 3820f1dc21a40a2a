import { DatabaseUnavailable } from "./database.ts";

interface Waiting {
  readonly enter: () => void;
  readonly timer: Timer;
}

/**
 * Lets so many pieces of work run at a time and the others wait their turn, for a bounded time. With as many places
 * as connections, no statement is queued behind another one's on the same connection: that, and not the database, is
 * what makes a driver's slowest requests hundreds of times slower than its usual ones.
 */
export class Gate {
  private readonly waiting = new Set<Waiting>();
  private free: number;

  constructor(
    places: number,
    private readonly waitMs: number,
  ) {
    this.free = places;
  }

  /** Runs the work when there is a place; throws DatabaseUnavailable when none came free in time. */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.free > 0) this.free--;
    else await this.turn();
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private turn(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(waiting);
        reject(new DatabaseUnavailable("no database connection came free in time"));
      }, this.waitMs);
      const waiting: Waiting = { enter: resolve, timer };
      this.waiting.add(waiting);
    });
  }

  /** Hands the place to whoever waits longest. */
  private leave(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.free++;
      return;
    }
    this.waiting.delete(next);
    clearTimeout(next.timer);
    next.enter();
  }
}
