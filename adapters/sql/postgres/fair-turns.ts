import { type CurrentDeadline, DatabaseUnavailable, type Deadline, requestAbandoned } from "../query/database.ts";
import { FairLine, isOf } from "../query/fair-line.ts";

/** Work that waits for its turn. */
interface Waiting {
  readonly askedBy: string;
  readonly since: number;
  readonly deadline: Deadline | undefined;
  readonly enter: () => void;
  readonly refuse: (error: Error) => void;
}

/** How much runs at once, how much of it for one caller, and how much else waits for how long in ms. */
interface TurnLimits {
  readonly atOnce: number;
  readonly ofOneCaller: number;
  readonly waiting: number;
  readonly waitMs: number;
}

const WAITING = { waiting: 1000, waitMs: 2000 } as const;
const TICK_MS = 50;

const halfOf = (connections: number): number => Math.max(1, Math.floor(connections / 2));

/** Half of the connections are for long reads, and half of these for those of one caller. */
export const longReadLimits = (connections: number): TurnLimits => {
  const atOnce = halfOf(connections);
  return { atOnce, ofOneCaller: halfOf(atOnce), ...WAITING };
};

/** Changes take all connections, and those of one caller half of them: each has its connection alone until it is made. */
export const changeLimits = (connections: number, waitMs: number): TurnLimits => ({
  ...{ atOnce: connections, ofOneCaller: halfOf(connections) },
  ...{ waiting: Number.POSITIVE_INFINITY, waitMs },
});

/**
 * Lets work in that has a connection alone, so that one caller's never has all that there are for such work. The rest
 * waits, fairly among callers (see FairLine), and is refused with DatabaseUnavailable after a while.
 */
export class FairTurns {
  private readonly line: FairLine<Waiting>;
  private readonly callers = new Map<string, number>();
  private running = 0;
  private timer: Timer | null = null;

  constructor(
    private readonly limits: TurnLimits,
    private readonly current: CurrentDeadline,
  ) {
    this.line = new FairLine(limits.waiting);
  }

  /** How much waits. */
  get waiting(): number {
    return this.line.size;
  }

  /** Runs work when it is its turn. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const deadline = this.current();
    const askedBy = deadline?.askedBy ?? "";
    const turn = new Promise<void>((enter, refuse) => {
      const waiting = { askedBy, since: performance.now(), deadline, enter, refuse };
      this.line
        .add(askedBy, waiting)
        ?.refuse(new DatabaseUnavailable("too many wait already for a connection of their own"));
    });
    this.goOn();
    await turn;
    try {
      return await work();
    } finally {
      this.running--;
      const others = (this.callers.get(askedBy) ?? 0) - 1;
      if (others > 0) this.callers.set(askedBy, others);
      else this.callers.delete(askedBy);
      this.goOn();
    }
  }

  private underWay(name: string): number {
    let count = 0;
    for (const [caller, own] of this.callers) if (isOf(caller, name)) count += own;
    return count;
  }

  /** Whoever has as many as one caller may have, a group as well, is passed over. */
  private readonly claim = (name: string): number => {
    const count = this.underWay(name);
    return count < this.limits.ofOneCaller ? count : Number.POSITIVE_INFINITY;
  };

  private goOn(): void {
    while (this.running < this.limits.atOnce) {
      const next = this.line.take(this.claim);
      if (next === null) break;
      if (next.deadline?.isOver() === true) {
        next.refuse(requestAbandoned());
        continue;
      }
      this.running++;
      this.callers.set(next.askedBy, (this.callers.get(next.askedBy) ?? 0) + 1);
      next.enter();
    }
    if (this.line.size > 0) this.timer ??= setInterval(() => this.checkLimits(performance.now()), TICK_MS).unref();
  }

  private checkLimits(now: number): void {
    for (const { refuse } of this.line.remove(({ deadline }) => deadline?.isOver() === true))
      refuse(requestAbandoned());
    for (const { refuse } of this.line.remove(({ since }) => now - since >= this.limits.waitMs))
      refuse(new DatabaseUnavailable("no turn came in time to have a connection alone"));
    if (this.line.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
