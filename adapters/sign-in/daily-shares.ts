import type { Clock } from "../../core/clock.ts";

const DAY_MS = 86_400_000;
const MAX_ADDRESSES = 10_000;

/** How many mails there may be in a day. */
interface DailyShares {
  readonly toAddress: number;
  /** About the keys and webhooks of one dealer, or of none. */
  readonly ofDealer: number;
}

/**
 * Whether a mail may be sent to an address that somebody wrote down. Whoever makes keys names the addresses of their owners:
 * nobody may be sent many mails by that, and no dealer may have strangers sent mails, or use up what others may have sent.
 */
export const dailyShares = (clock: Pick<Clock, "nowMs">, { toAddress, ofDealer }: DailyShares) => {
  const to = new Map<string, number>();
  const of = new Map<number | null, number>();
  let day = 0;
  return (address: string, dealerId: number | null): boolean => {
    const today = Math.floor(clock.nowMs() / DAY_MS);
    if (today !== day) for (const counts of [to, of]) counts.clear();
    day = today;
    const name = address.toLowerCase();
    const [got, caused] = [to.get(name) ?? 0, of.get(dealerId) ?? 0];
    if (got >= toAddress || caused >= ofDealer || (got === 0 && to.size >= MAX_ADDRESSES)) return false;
    to.set(name, got + 1);
    of.set(dealerId, caused + 1);
    return true;
  };
};
