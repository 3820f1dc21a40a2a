import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { Pace } from "../../../core/pace.ts";

/** Callers of one dealer may together take the places divided by this number, however many keys they have. */
const GROUP_DIVISOR = 4;

/** How often those who wait look for a slow answer, in milliseconds. */
const LOOK_MS = 100;
/** An answer makes way for others only after the service has waited this long for its client. */
const PATIENCE_MS = 5000;
/** A client that reads this many bytes a second is not slow. */
const FAIR_SPEED = 1024 * 1024;

/** The recipient of a long answer. */
export interface Recipient {
  /** The caller. Each caller gets one long answer at a time. */
  readonly subject: string;
  /** The group of the caller, such as its dealer; `null` if there is none. Callers of a group share some places. */
  readonly group: string | null;
  /** True for the file of a feed, for which some places are reserved. */
  readonly isFeed?: boolean;
  /** True while the recipient may still have the answer. It is checked before every slice except the first. */
  readonly mayGoOn: () => MaybePromise<boolean>;
}

/** The place of an answer that is being sent. */
export interface AnswerPlace {
  readonly reader: Recipient;
  /** How fast the answer is read, and how it is broken off; `null` until it has begun. */
  holder: { readonly pace: Pace; readonly end: () => void } | null;
}

/** A request for a long answer that waits for its place. */
interface Waiting {
  readonly reader: Recipient;
  readonly enter: (place: AnswerPlace) => void;
}

interface PlaceLimits {
  readonly most: number;
  /** The places for feeds besides. */
  readonly forFeeds: number;
  readonly waitMs: number;
  /** True if an answer that is read slowly ends when somebody waits for its place. */
  readonly slowMakeWay: boolean;
}

/**
 * The places for long answers. Each caller has one at most, the callers of a group share some, and others wait. So that
 * a few slow readers cannot keep everybody else out, the slowest of them makes way for whoever waits.
 */
export class AnswerPlaces {
  private readonly taken = new Map<string, AnswerPlace>();
  private readonly waiting = new Set<Waiting>();

  constructor(private readonly limits: PlaceLimits) {}

  /** A place; `null` if none became free in time, or if the client went away. */
  take(reader: Recipient, gone: AbortSignal): Promise<AnswerPlace | null> | AnswerPlace | null {
    if (!this.admits(reader)) this.endSlowest(reader);
    if (this.admits(reader)) return this.enter(reader);
    return new Promise((resolve) => {
      const finish = (place: AnswerPlace | null): void => {
        clearTimeout(timer);
        clearInterval(looking);
        gone.removeEventListener("abort", giveUp);
        this.waiting.delete(one);
        resolve(place);
      };
      const giveUp = (): void => finish(null);
      const one: Waiting = { reader, enter: finish };
      const timer = setTimeout(giveUp, this.limits.waitMs);
      const looking = this.limits.slowMakeWay ? setInterval(() => this.endSlowest(reader), LOOK_MS) : undefined;
      gone.addEventListener("abort", giveUp, { once: true });
      this.waiting.add(one);
    });
  }

  /** Gives a place to the first of those who wait and are admitted now. */
  leave({ reader: { subject } }: AnswerPlace): void {
    this.taken.delete(subject);
    for (const { reader, enter } of this.waiting) {
      if (!this.admits(reader)) continue;
      enter(this.enter(reader));
      break;
    }
  }

  private enter(reader: Recipient): AnswerPlace {
    const place: AnswerPlace = { reader, holder: null };
    this.taken.set(reader.subject, place);
    return place;
  }

  /** True if the recipient is admitted, as the places are or would be if one of them were free. */
  private admits({ subject, group, isFeed = false }: Recipient, free: AnswerPlace | null = null): boolean {
    const { most, forFeeds } = this.limits;
    const others = [...this.taken.values()].filter((place) => place !== free).map(({ reader }) => reader);
    if (others.some((other) => other.subject === subject)) return false;
    const feeds = others.filter((other) => other.isFeed).length;
    const isFull = isFeed ? others.length >= most + forFeeds : others.length - Math.min(feeds, forFeeds) >= most;
    if (isFull) return false;
    const ofGroup = others.filter((other) => other.group === group).length;
    return group === null || ofGroup < Math.max(1, Math.floor(most / GROUP_DIVISOR));
  }

  /** Ends the answer that is read most slowly of those whose places the recipient could take. */
  private endSlowest(reader: Recipient): void {
    if (!this.limits.slowMakeWay) return;
    const slow = [...this.taken.values()].flatMap((place) => {
      const { pace, end } = place.holder ?? {};
      const isSlow = pace !== undefined && pace.waitedMs() >= PATIENCE_MS && pace.speed() < FAIR_SPEED;
      return isSlow && place.reader.subject !== reader.subject && this.admits(reader, place) ? [{ pace, end }] : [];
    });
    slow.sort((one, other) => one.pace.speed() - other.pace.speed())[0]?.end?.();
  }
}
