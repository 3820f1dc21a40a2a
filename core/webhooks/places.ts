import type { DealerScope } from "../access/decide.ts";

/** The share of the places that only dealers without one take. */
const KEPT_SHARE = 4;

/**
 * The places of the messages that a process sends at once. A dealer takes a place only if it then has no more than are left
 * free, or one; and of the last quarter nobody takes a second: however many receivers of fewer dealers than that do not
 * answer, another dealer finds a place. Webhooks of no dealer count as those of one.
 */
export class SendingPlaces {
  private readonly held = new Map<DealerScope, number>();
  private taken = 0;
  private readonly kept: number;

  constructor(private readonly most: number) {
    this.kept = Math.floor(most / KEPT_SHARE);
  }

  /** The number of free places. */
  get free(): number {
    return this.most - this.taken;
  }

  /** How many places a dealer may take now. */
  roomOf(dealer: DealerScope): number {
    const held = this.held.get(dealer) ?? 0;
    const first = held === 0 && this.free > 0 ? 1 : 0;
    return Math.max(first, Math.min(Math.floor((this.free - held + 1) / 2), this.free - this.kept));
  }

  take(dealer: DealerScope): void {
    this.held.set(dealer, (this.held.get(dealer) ?? 0) + 1);
    this.taken++;
  }

  giveBack(dealer: DealerScope): void {
    const left = (this.held.get(dealer) ?? 1) - 1;
    if (left === 0) this.held.delete(dealer);
    else this.held.set(dealer, left);
    this.taken--;
  }
}
