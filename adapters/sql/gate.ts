import { type CurrentErrand, DatabaseUnavailable, type Errand, NO_ERRAND, unwanted } from "./database.ts";

/** Where work can be done, by one alone or by a few who share it. */
export abstract class Place {
  /** When each of those who are in came in, the longest first. */
  readonly visits: number[] = [];
  isShared = true;

  /** Makes all work on it fail at once: it has taken too long. */
  abstract expire(): void;
}

type Company = "alone" | "shared";

/** How long to wait for a place, how long to stay there, and how many may share one. */
interface GateLimits {
  readonly waitMs: number;
  readonly stayMs: number;
  readonly sharing: number;
}

interface Waiting<Held> {
  readonly company: Company;
  readonly enter: (place: Held) => void;
  readonly refuse: (error: Error) => void;
  readonly since: number;
  readonly errand: Errand | undefined;
}

/** How late a limit is noticed at most. One timer for all: one per statement is 3 of the 15 µs that a read costs. */
const TICK_MS = 50;

/**
 * Lets work in, in the order of asking; a place is shared only when none is empty. Nobody waits longer than `waitMs`,
 * and the work of whoever stays longer than `stayMs` is expired; it has left only once it says so.
 */
export class Gate<Held extends Place> {
  private readonly waiting: Waiting<Held>[] = [];
  private timer: Timer | null = null;

  constructor(
    private readonly places: readonly Held[],
    private readonly limits: GateLimits,
    private readonly current: CurrentErrand = NO_ERRAND,
  ) {}

  /** A place, at once when there is one; rejects with DatabaseUnavailable when none came free in time. */
  enter(company: Company): Held | Promise<Held> {
    this.timer ??= setInterval(() => this.look(performance.now()), TICK_MS).unref();
    const place = this.waiting.length === 0 ? this.emptiest() : undefined;
    if (place !== undefined && this.admits(place, company)) return this.admit(place, company);
    const errand = this.current();
    // Of several steps for one request those are not begun any more that come when nobody waits for it.
    if (errand?.isOver() === true) return Promise.reject(unwanted());
    return new Promise((enter, refuse) =>
      this.waiting.push({ company, enter, refuse, since: performance.now(), errand }),
    );
  }

  /** Lets whoever is alone on a place stay as long as it likes. */
  exempt(place: Held): void {
    place.visits[0] = Number.POSITIVE_INFINITY;
  }

  /** Those who share a place leave in the order in which they came. */
  leave(place: Held): void {
    place.visits.shift();
    for (let next = this.waiting[0]; next !== undefined; next = this.waiting[0]) {
      if (!this.admits(place, next.company)) break;
      this.waiting.shift();
      next.enter(this.admit(place, next.company));
    }
  }

  private emptiest(): Held | undefined {
    let found = this.places[0];
    for (const place of this.places) {
      if (place.visits.length === 0) return place;
      if (found === undefined || !found.isShared || (place.isShared && place.visits.length < found.visits.length))
        found = place;
    }
    return found;
  }

  private admits({ visits, isShared }: Held, company: Company): boolean {
    return visits.length === 0 || (company === "shared" && isShared && visits.length < this.limits.sharing);
  }

  private admit(place: Held, company: Company): Held {
    place.isShared = company === "shared";
    place.visits.push(performance.now());
    return place;
  }

  private look(now: number): void {
    let isQuiet = true;
    for (const place of this.places) {
      const since = place.visits[0];
      if (since === undefined) continue;
      isQuiet = false;
      if (now - since >= this.limits.stayMs) place.expire();
    }
    for (let index = this.waiting.length - 1; index >= 0; index--)
      if (this.waiting[index]?.errand?.isOver() === true) this.waiting.splice(index, 1)[0]?.refuse(unwanted());
    for (let first = this.waiting[0]; first !== undefined; first = this.waiting[0]) {
      if (now - first.since < this.limits.waitMs) break;
      this.waiting.shift();
      first.refuse(new DatabaseUnavailable("no database connection came free in time"));
    }
    if (!isQuiet || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }
}
