import type { DealerScope } from "../access/decide.ts";

/**
 * The places of the messages that a process sends at once. A dealer takes a place only if it then has no more than are left
 * free, or one: however many receivers of some dealers do not answer, another dealer finds a place. Webhooks of no dealer
 * count as those of one.
 */
export class SendingPlaces {
  private readonly held = new Map<DealerScope, number>();
  private taken = 0;

  constructor(private readonly most: number) {}

  /** The number of free places. */
  get free(): number {
    return this.most - this.taken;
  }

  /** How many places a dealer may take now. */
  roomOf(dealer: DealerScope): number {
    return Math.max(0, Math.floor((this.free - (this.held.get(dealer) ?? 0) + 1) / 2));
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
