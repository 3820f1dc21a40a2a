import type { Principal } from "../access/principal.ts";
import { requesterOf } from "../access/turns.ts";
import type { Alarm } from "../clock.ts";

/** The maximum number of uploads at the same time. Each takes up to 40 MB of memory, and time of the database. */
const MAX_UPLOADS = 6;
/** The maximum number for one dealer, or for one caller without a dealer. */
const MAX_UPLOADS_PER_SENDER = 2;

/**
 * The maximum number of uploads that wait for a place: for one sender, and for all. The service reads nothing of them
 * meanwhile; the runtime holds about a megabyte of each, then its client has to wait.
 */
const MAX_WAITING_PER_SENDER = 8;
const MAX_WAITING = 24;
const WAIT_MS = 5000;

/** A piece of work that receives a file. */
interface Sending<Received, Full> {
  /** The result if no place becomes free in time. */
  readonly full: Full;
  readonly reception: () => Promise<Received>;
  /** Resolves if the sender goes away. */
  readonly gone?: Promise<unknown> | undefined;
}

interface Waiter {
  readonly sender: string;
  /** Ends the wait, with the place or without. */
  readonly end: (hasPlace: boolean) => void;
}

/**
 * Limits the uploads of this process, so that no sender can fill its memory or keep other senders out. Some more wait up
 * to 5 seconds for a place, in the order in which they came.
 */
export class UploadSlots {
  private readonly senders: string[] = [];
  private readonly waiting: Waiter[] = [];

  /** Without an alarm, nothing waits. */
  constructor(private readonly alarm: Alarm | null = null) {}

  /** Receives a file; returns `full` if no place becomes free. */
  async receive<Received, Full>(
    principal: Principal,
    { full, reception, gone }: Sending<Received, Full>,
  ): Promise<Received | Full> {
    const sender = requesterOf(principal);
    if (this.mayEnter(sender)) this.senders.push(sender);
    else if (!(await this.placeFor(sender, gone))) return full;
    try {
      return await reception();
    } finally {
      this.senders.splice(this.senders.indexOf(sender), 1);
      this.letNextEnter();
    }
  }

  private mayEnter(sender: string): boolean {
    const own = this.senders.filter((other) => other === sender).length;
    return this.senders.length < MAX_UPLOADS && own < MAX_UPLOADS_PER_SENDER;
  }

  /** Waits for a place, which is taken when it is given. False if there is none in time, or if the sender goes away. */
  private placeFor(sender: string, gone: Promise<unknown> | undefined): Promise<boolean> {
    const own = this.waiting.filter((waiter) => waiter.sender === sender).length;
    const { alarm } = this;
    if (alarm === null || this.waiting.length >= MAX_WAITING || own >= MAX_WAITING_PER_SENDER)
      return Promise.resolve(false);
    return new Promise((resolve) => {
      const cancel = alarm(WAIT_MS, () => waiter.end(false));
      const waiter: Waiter = {
        sender,
        end: (hasPlace) => {
          const place = this.waiting.indexOf(waiter);
          if (place < 0) return;
          this.waiting.splice(place, 1);
          cancel();
          resolve(hasPlace);
        },
      };
      this.waiting.push(waiter);
      void gone?.then(() => waiter.end(false));
    });
  }

  private letNextEnter(): void {
    const next = this.waiting.find(({ sender }) => this.mayEnter(sender));
    if (next === undefined) return;
    this.senders.push(next.sender);
    next.end(true);
  }
}
