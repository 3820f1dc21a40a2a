import { WINDOW_MS } from "../../core/access/rate-limits.ts";

/**
 * Waits for the next minute unless `neededMs` of this one are left. After the start of a minute, the counts of the
 * minute before gradually lose weight, so a burst across it would be allowed a few more requests.
 */
export const sameMinute = async (neededMs: number): Promise<void> => {
  const leftMs = WINDOW_MS - (Date.now() % WINDOW_MS);
  if (leftMs < neededMs) await Bun.sleep(leftMs);
};
