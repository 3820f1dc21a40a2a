import { WINDOW_MS } from "../../core/access/rate-limits.ts";

/**
 * Waits for the next minute unless this one lasts as long as `neededMs`: in the next minute the counts of the one
 * before gradually lose weight, so that a burst across its border is admitted a little more.
 */
export const sameMinute = async (neededMs: number): Promise<void> => {
  const leftMs = WINDOW_MS - (Date.now() % WINDOW_MS);
  if (leftMs < neededMs) await Bun.sleep(leftMs);
};
