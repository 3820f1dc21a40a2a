import type { Principal } from "../access/principal.ts";
import { requesterOf } from "../turns.ts";

/** The maximum number of uploads at the same time. Each takes up to 40 MB of memory, and time of the database. */
const MAX_UPLOADS = 6;
/** The maximum number for one dealer, or for one caller without a dealer. */
const MAX_UPLOADS_PER_SENDER = 2;

/** Limits the uploads of this process, so that no sender can fill its memory or keep other senders out. */
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
