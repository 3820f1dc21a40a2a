import type { Principal } from "../access/principal.ts";
import { partyOf } from "../turns.ts";

/** Files that arrive at once: each takes up to 40 MB of memory, and the database's turns. */
const MOST = 6;
/** So many of them of one dealer; of a caller without a dealer as many. */
const MOST_OF_ONE = 2;

/** The files that this process is receiving: a few, so that nobody fills its memory or keeps the others out. */
export class ArrivingFiles {
  private readonly senders: string[] = [];

  /** Runs the reception of a file; `full` if there are as many already. */
  async receive<Received, Full>(
    principal: Principal,
    { full, reception }: { readonly full: Full; readonly reception: () => Promise<Received> },
  ): Promise<Received | Full> {
    const sender = partyOf(principal);
    const own = this.senders.filter((other) => other === sender).length;
    if (this.senders.length >= MOST || own >= MOST_OF_ONE) return full;
    this.senders.push(sender);
    try {
      return await reception();
    } finally {
      this.senders.splice(this.senders.indexOf(sender), 1);
    }
  }
}
