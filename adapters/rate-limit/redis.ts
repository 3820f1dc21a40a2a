import { RedisClient } from "bun";
import { type Admission, judge, type RateLimiter, WINDOW_MS } from "../../core/access/rate-limits.ts";
import type { Clock } from "../../core/clock.ts";
import { patienceOf } from "./patience.ts";
import { WINDOW_SCRIPT } from "./window-script.ts";

/** How long Redis may take for one answer. */
const ANSWER_MS = 50;
const CONNECT_MS = 1000;
const KEY_PREFIX = "vehicle-inventory:rate:";
/** Counted once for each connection, to see that the server runs the script and lets it write. */
const PROBE = "probe";

/** A limiter in a store that several instances share, as long as the connection lasts. */
export interface SharedRateLimiter extends RateLimiter {
  /** Fails when the store does not answer in time, or not at all; then this limiter is to be closed. */
  take(subject: string, limit: number): Promise<Admission>;
  close(): void;
}

const countsOf = (reply: unknown): [previous: number, current: number, elapsedMs: number] => {
  const [previous, current, elapsedMs] = Array.isArray(reply) ? reply.map(Number) : [];
  if (previous === undefined || current === undefined || elapsedMs === undefined)
    throw new Error("the store answered something else than counts");
  return [previous, current, elapsedMs];
};

/**
 * The sliding window in Redis or Valkey, exact over all instances: every request is judged and counted there in one
 * step, by the server's clock unless another one is given. Idle subjects expire by themselves. Fails when the server
 * is out of reach, refuses the password or may not be written to; a connection once lost is not made again.
 */
export const connectRedisRateLimiter = async (
  url: string,
  clock?: Pick<Clock, "nowMs">,
  answerMs = ANSWER_MS,
): Promise<SharedRateLimiter> => {
  const client = new RedisClient(url, {
    connectionTimeout: CONNECT_MS,
    autoReconnect: false,
    enableOfflineQueue: false,
  });
  const patience = patienceOf(answerMs);

  const run = async (command: "EVAL" | "EVALSHA", script: string, subject: string, limit: number) => {
    const time = clock === undefined ? [] : [String(clock.nowMs())];
    const values = ["1", KEY_PREFIX + subject, String(limit), String(WINDOW_MS), ...time];
    return judge(...countsOf(await patience.wait(client.send(command, [script, ...values]))), limit);
  };

  try {
    await client.connect();
    // Leaves the script on the server, so that requests need only name it.
    await run("EVAL", WINDOW_SCRIPT, PROBE, Number.MAX_SAFE_INTEGER);
  } catch (error) {
    client.close();
    throw error;
  }
  const hash = new Bun.CryptoHasher("sha1").update(WINDOW_SCRIPT).digest("hex");
  return {
    take: (subject, limit) => run("EVALSHA", hash, subject, limit),
    close: () => client.close(),
  };
};
