import type { SqlDatabase } from "../query/database.ts";
import { isOutOfReach } from "./errors.ts";

const PAUSE_MS = 1000;

/** How long to wait for a server, and who is told of each failed try. */
interface Patience {
  readonly timeoutMs: number;
  readonly onFailedTry: (attempt: number, error: unknown) => void;
}

/**
 * Waits until the server answers, in whatever way: only a server that is out of reach, or starts, is asked again. Gives
 * up when the time is over, so that the next statement fails with the reason.
 */
export const untilReachable = async (
  db: Pick<SqlDatabase, "ping">,
  { timeoutMs, onFailedTry }: Patience,
): Promise<void> => {
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt++)
    try {
      return await db.ping();
    } catch (error) {
      if (!isOutOfReach(error) || performance.now() + PAUSE_MS > deadline) return;
      onFailedTry(attempt, error);
      await Bun.sleep(PAUSE_MS);
    }
};
