import type { Clock } from "../../core/clock.ts";

const DAY_MS = 86_400_000;
const MAX_ADDRESSES = 10_000;

/**
 * How many mails each address may get in a day. Whoever makes keys names the addresses of their owners: nobody may be sent
 * many mails by that.
 */
export const dailyShares = (clock: Pick<Clock, "nowMs">, most: number) => {
  const sent = new Map<string, number>();
  let day = 0;
  return (address: string): boolean => {
    const today = Math.floor(clock.nowMs() / DAY_MS);
    if (today !== day) sent.clear();
    day = today;
    const name = address.toLowerCase();
    const before = sent.get(name) ?? 0;
    if (before >= most || (before === 0 && sent.size >= MAX_ADDRESSES)) return false;
    sent.set(name, before + 1);
    return true;
  };
};
