import { type Clock, msOf, type Timestamp, timestampAt } from "../clock.ts";
import { IDLE_NOTICE_DAYS } from "./key.ts";

/** How many days before a key expires there are notices. */
const EXPIRY_NOTICE_DAYS = [0, 1, 7, 30] as const;
/** How long after its expiry the last notice is made up for. */
const LATE_DAYS = 7;

const DAY_MS = 86_400_000;

/** Whom a notice is mailed to. */
export interface NoticeReceiver {
  /** `null` for somebody who is known by the address alone. */
  readonly userId: number | null;
  readonly name: string;
  readonly email: string;
}

/** What people are told of a key that ends by itself. */
export interface KeyNotice {
  readonly keyId: number;
  readonly name: string;
  /** The dealer that the key is bound to. */
  readonly dealerId: number | null;
  readonly kind: "expiring" | "idle" | "switched-off";
  /** When the key ends, or ended. */
  readonly endsAt: Timestamp;
  /** The key's owner, or else its active user; `null` if there is neither. */
  readonly receiver: NoticeReceiver | null;
}

/** Some notices. If there `isMore`, the same call gives others. */
export interface KeyNotices {
  readonly notices: readonly KeyNotice[];
  readonly isMore: boolean;
}

/**
 * Keys that end by themselves, in the database. Each notice is recorded in the transaction that finds it due, so that of
 * several instances one gives it. Keys of the first start are left alone.
 */
export interface KeyLives {
  /**
   * Notes keys that expire after `since` and by `until`, unless that was done for as many or fewer `days` before the
   * same expiry. A key that was made later than so many days before gets no notice. Webhooks are told in the same
   * transaction.
   */
  noteExpiring(due: {
    readonly days: number;
    readonly since: Timestamp;
    readonly until: Timestamp;
    readonly now: Timestamp;
  }): Promise<KeyNotices>;
  /**
   * Notes keys that were neither used nor changed since `since`, unless that was done after their last use or change.
   * They end at `endsAt`.
   */
  noteIdle(due: {
    readonly since: Timestamp;
    readonly now: Timestamp;
    readonly endsAt: Timestamp;
  }): Promise<KeyNotices>;
  /** Switches off keys that were neither used nor changed since `since`, and were noted by `notedBy`. */
  switchOffIdle(due: {
    readonly since: Timestamp;
    readonly notedBy: Timestamp;
    readonly now: Timestamp;
  }): Promise<KeyNotices>;
}

interface Ports {
  readonly lives: KeyLives;
  readonly clock: Clock;
  /** After how many days without a use keys are switched off; `null` if they are not. */
  readonly idleDays: number | null;
  readonly tell: (notice: KeyNotice) => void;
}

/** Gives the notices of keys that are due, and switches off those that nobody uses. */
export const makeKeyLife = ({ lives, clock, idleDays, tell }: Ports) => {
  const tellAll = async (some: () => Promise<KeyNotices>): Promise<void> => {
    for (;;) {
      const { notices, isMore } = await some();
      notices.forEach(tell);
      if (!isMore) return;
    }
  };
  return async (): Promise<void> => {
    const now = clock.now();
    const before = (days: number): Timestamp => timestampAt(msOf(now) - days * DAY_MS);
    for (const days of EXPIRY_NOTICE_DAYS)
      await tellAll(() => lives.noteExpiring({ days, since: before(LATE_DAYS), until: before(-days), now }));
    if (idleDays === null) return;
    // A key that is noted has been idle for all of its days but these, or for longer.
    const endsAt = before(-IDLE_NOTICE_DAYS);
    await tellAll(() => lives.noteIdle({ since: before(idleDays - IDLE_NOTICE_DAYS), now, endsAt }));
    await tellAll(() => lives.switchOffIdle({ since: before(idleDays), notedBy: before(IDLE_NOTICE_DAYS), now }));
  };
};
