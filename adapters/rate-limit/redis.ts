import { RedisClient } from "bun";
import { type Admission, judge, type RateLimiter, WINDOW_MS } from "../../core/access/rate-limits.ts";
import type { Clock } from "../../core/clock.ts";
import type { Standing } from "./counts.ts";
import { patienceOf } from "./patience.ts";
import { ADDING_SCRIPT, WINDOW_SCRIPT } from "./window-script.ts";

/** How long Redis may take for its first answers on a connection: one that is slow from the start is not used. */
const ANSWER_MS = 50;
const CONNECT_MS = 1000;
const KEY_PREFIX = "vehicle-inventory:rate:";
/** Counted when a connection is tried, to see that the server runs the scripts and lets them write. */
const PROBE = "probe";

/** What was admitted without asking the store, and what it had counted before. */
interface Unheard {
  readonly owed: number;
  readonly owedBefore: number;
  readonly known: number;
  readonly knownBefore: number;
  /** The minute's number, as the store counts them. */
  readonly minute: number;
}

/**
 * A limiter in a store that several instances share, as long as the connection lasts. All of it fails when the store is
 * lost; then it is to be closed. Answers come in the order of asking, and may come late.
 */
export interface SharedRateLimiter extends RateLimiter {
  take(subject: string, limit: number): Promise<Admission>;
  /** Counts one request as `take` does, and tells how the subject stood before it. */
  weigh(subject: string, limit: number): Promise<Standing>;
  /** Counts what was admitted without asking. */
  add(subject: string, unheard: Unheard): Promise<Standing>;
  /** Resolves once all is answered that was asked before. */
  probe(): Promise<void>;
  close(): void;
}

const standingOf = (reply: unknown): Standing => {
  const [previous, current, elapsedMs, minute] = Array.isArray(reply) ? reply.map(Number) : [];
  if (previous === undefined || current === undefined || elapsedMs === undefined || minute === undefined)
    throw new Error("the store answered something else than counts");
  return { previous, current, elapsedMs, minute };
};

const hashOf = (script: string): string => new Bun.CryptoHasher("sha1").update(script).digest("hex");

/**
 * The sliding window in Redis or Valkey, exact over all instances: every request is judged and counted there in one
 * step, by the server's clock unless another one is given. Idle subjects expire by themselves. Fails when the server
 * is out of reach, slow, refuses the password or may not be written to; a connection once lost is not made again.
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

  const run = async (command: "EVAL" | "EVALSHA", script: string, subject: string, values: readonly number[]) => {
    const time = clock === undefined ? "" : String(clock.nowMs());
    const sent = [script, "1", KEY_PREFIX + subject, String(WINDOW_MS), time, ...values.map(String)];
    return standingOf(await client.send(command, sent));
  };

  try {
    const patience = patienceOf(answerMs);
    await client.connect();
    // Leaves the scripts on the server, so that requests need only name them.
    await patience.wait(run("EVAL", ADDING_SCRIPT, PROBE, [0, 0, 0, 0, 0]));
    await patience.wait(run("EVAL", WINDOW_SCRIPT, PROBE, [Number.MAX_SAFE_INTEGER]));
  } catch (error) {
    client.close();
    throw error;
  }
  const [window, adding] = [hashOf(WINDOW_SCRIPT), hashOf(ADDING_SCRIPT)];
  const weigh = (subject: string, limit: number): Promise<Standing> => run("EVALSHA", window, subject, [limit]);
  return {
    weigh,
    async take(subject, limit) {
      const { previous, current, elapsedMs } = await weigh(subject, limit);
      return judge(previous, current, elapsedMs, limit);
    },
    add: (subject, { owed, owedBefore, known, knownBefore, minute }) =>
      run("EVALSHA", adding, subject, [owed, owedBefore, known, knownBefore, minute]),
    giveBack(subject) {
      // A store that is lost meanwhile is noticed by the next request; what it counted too much is gone in two minutes.
      run("EVALSHA", adding, subject, [-1, 0, 0, 0, 0]).catch(() => {});
    },
    async probe() {
      await weigh(PROBE, Number.MAX_SAFE_INTEGER);
    },
    close: () => client.close(),
  };
};
