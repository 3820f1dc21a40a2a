import {
  type CurrentDeadline,
  DatabaseUnavailable,
  type Deadline,
  NO_DEADLINE,
  requestAbandoned,
} from "../query/database.ts";

/** A slot for work. It is used by one caller, or shared by a few. */
export abstract class PoolSlot {
  /** The times at which the present leases began, in ascending order. */
  readonly leases: number[] = [];
  isShared = true;

  /** Makes all work on the slot fail at once because it took too long. */
  abstract expire(): void;
}

type Lease = "alone" | "shared";

/** How long a caller waits for a slot, how long it may keep the slot, and how many callers may share one. */
interface PoolLimits {
  readonly waitMs: number;
  readonly leaseMs: number;
  readonly sharing: number;
}

interface WaitingCaller<Held> {
  readonly lease: Lease;
  readonly resolve: (slot: Held) => void;
  readonly reject: (error: Error) => void;
  readonly queuedAt: number;
  readonly deadline: Deadline | undefined;
}

/**
 * The longest time until an exceeded limit is noticed. One timer serves all statements, as a timer for each would be
 * expensive.
 */
const TICK_MS = 50;

/**
 * Gives out slots in the order of the requests. A slot is shared only if none is free. Nobody waits longer than
 * `waitMs`. If work holds a slot longer than `leaseMs`, the slot is expired; the work must still release it.
 */
export class ConnectionPool<Held extends PoolSlot> {
  private readonly waiting: WaitingCaller<Held>[] = [];
  private timer: Timer | null = null;

  constructor(
    private readonly slots: readonly Held[],
    private readonly limits: PoolLimits,
    private readonly currentDeadline: CurrentDeadline = NO_DEADLINE,
  ) {}

  /** The number of callers that wait for a slot. */
  get queued(): number {
    return this.waiting.length;
  }

  /**
   * Returns a slot; synchronously, if one is available. Rejects with DatabaseUnavailable if none was released in time.
   */
  acquire(lease: Lease): Held | Promise<Held> {
    this.timer ??= setInterval(() => this.checkLimits(performance.now()), TICK_MS).unref();
    const slot = this.waiting.length === 0 ? this.leastShared() : undefined;
    if (slot !== undefined && this.isFree(slot, lease)) return this.lease(slot, lease);
    const deadline = this.currentDeadline();
    // A further step of a request must not begin if nobody waits for the request any more.
    if (deadline?.isOver() === true) return Promise.reject(requestAbandoned());
    return new Promise((enter, refuse) =>
      this.waiting.push({ lease, resolve: enter, reject: refuse, queuedAt: performance.now(), deadline }),
    );
  }

  /** Gives more time to a caller that does not share its slot. */
  extend(slot: Held, ms: number): void {
    slot.leases[0] = performance.now() + ms;
  }

  /** Releases a slot. The leases of callers that share one end in the order in which they began. */
  release(slot: Held): void {
    slot.leases.shift();
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      if (!this.isFree(slot, next.lease)) break;
      this.waiting.shift();
      next.resolve(this.lease(slot, next.lease));
    }
  }

  private leastShared(): Held | undefined {
    let least = this.slots[0];
    for (const slot of this.slots) {
      if (slot.leases.length === 0) return slot;
      if (least === undefined || !least.isShared || (slot.isShared && slot.leases.length < least.leases.length))
        least = slot;
    }
    return least;
  }

  private isFree({ leases, isShared }: Held, lease: Lease): boolean {
    return leases.length === 0 || (lease === "shared" && isShared && leases.length < this.limits.sharing);
  }

  private lease(slot: Held, lease: Lease): Held {
    slot.isShared = lease === "shared";
    slot.leases.push(performance.now());
    return slot;
  }

  private checkLimits(now: number): void {
    let isQuiet = true;
    for (const slot of this.slots) {
      const since = slot.leases[0];
      if (since === undefined) continue;
      isQuiet = false;
      if (now - since >= this.limits.leaseMs) slot.expire();
    }
    for (let index = this.waiting.length - 1; index >= 0; index--)
      if (this.waiting[index]?.deadline?.isOver() === true)
        this.waiting.splice(index, 1)[0]?.reject(requestAbandoned());
    for (let first = this.waiting[0]; first !== undefined; first = this.waiting[0]) {
      if (now - first.queuedAt < this.limits.waitMs) break;
      this.waiting.shift();
      first.reject(new DatabaseUnavailable("no database connection came free in time"));
    }
    if (!isQuiet || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
