import type { Principal } from "../access/principal.ts";
import { requesterOf } from "../turns.ts";

/** The uploads that run at the same time: each takes up to 40 MB of memory, and time of the database. */
const MAX_UPLOADS = 6;
/** The same for one dealer, or for one caller without a dealer. */
const MAX_UPLOADS_PER_SENDER = 2;

/** Limits the uploads of this process, so that nobody fills its memory or keeps others out. */
export class UploadSlots {
  private readonly senders: string[] = [];

  /** Receives a file; returns `full` if no slot is free. */
  async receive<Received, Full>(
    principal: Principal,
    { full, reception }: { readonly full: Full; readonly reception: () => Promise<Received> },
  ): Promise<Received | Full> {
    const sender = requesterOf(principal);
    const own = this.senders.filter((other) => other === sender).length;
    if (this.senders.length >= MAX_UPLOADS || own >= MAX_UPLOADS_PER_SENDER) return full;
    this.senders.push(sender);
    try {
      return await reception();
    } finally {
      this.senders.splice(this.senders.indexOf(sender), 1);
    }
  }
}
