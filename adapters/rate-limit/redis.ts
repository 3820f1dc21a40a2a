import { RedisClient } from "bun";
import { type Admission, judge, type RateLimiter, WINDOW_MS } from "../../core/access/rate-limits.ts";
import type { Clock, SteadyClock } from "../../core/clock.ts";
import type { StoredCounts } from "./counts.ts";
import { timeoutAfter } from "./timeout.ts";
import { ADD_SCRIPT, WINDOW_SCRIPT } from "./window-script.ts";

/**
 * The maximum time in milliseconds for Redis' first answers on a connection. A server that is slow from the start is
 * not used.
 */
const ANSWER_MS = 50;
/** The maximum time in milliseconds for a connection, the check of the password included. */
const CONNECT_MS = 1000;
const KEY_PREFIX = "vehicle-inventory:rate:";
/** The subject with which a new connection is tested: does the server run the scripts, and can they write? */
const PROBE = "probe";

/** Requests that were admitted without asking the store, and the store's counts before them. */
interface Unreported {
  readonly unreported: number;
  readonly unreportedBefore: number;
  readonly known: number;
  readonly knownBefore: number;
  /** The number of the minute in the store. */
  readonly minute: number;
}

/**
 * A limiter in a store that several instances share, for as long as the connection lasts. When the store is lost, all
 * calls reject; close it then. Answers come in the order of the questions, and may be late.
 */
export interface SharedRateLimiter extends RateLimiter {
  take(subject: string, limit: number): Promise<Admission>;
  /** Counts one request as `take` does. Returns the subject's counts before the request. */
  countRequest(subject: string, limit: number): Promise<StoredCounts>;
  /** Adds requests that were admitted without asking the store. */
  addUnreported(subject: string, unreported: Unreported): Promise<StoredCounts>;
  /** Resolves when all earlier requests have been answered. */
  probe(): Promise<void>;
  close(): void;
}

const storedCountsIn = (reply: unknown): StoredCounts => {
  // An answer has all four, or is another one.
  const [previous = 0, current = 0, elapsedMs = 0, minute] = Array.isArray(reply) ? reply.map(Number) : [];
  if (minute === undefined) throw new Error("the store answered something else than counts");
  return { previous, current, elapsedMs, minute };
};

const hashOf = (script: string): string => new Bun.CryptoHasher("sha1").update(script).digest("hex");

/**
 * The sliding window in Redis or Valkey, exact over all instances: the server judges and counts each request in one
 * step. It uses its own clock unless another one is given as `windows`. Idle subjects expire. Rejects if the server
 * cannot be reached, is slow by `clock`, refuses the password or is read-only. A lost connection is not opened again.
 */
export const connectRedisRateLimiter = async (
  url: string,
  clock: SteadyClock,
  windows?: Pick<Clock, "nowMs">,
): Promise<SharedRateLimiter> => {
  const client = new RedisClient(url, {
    // None of the client's own: it also ends when this process was too busy to read the answer that has arrived.
    connectionTimeout: 0,
    autoReconnect: false,
    enableOfflineQueue: false,
  });

  const run = async ({
    command,
    script,
    subject,
    values,
  }: {
    readonly command: "EVAL" | "EVALSHA";
    readonly script: string;
    readonly subject: string;
    readonly values: readonly number[];
  }) => {
    const time = windows === undefined ? "" : String(windows.nowMs());
    const sent = [script, "1", KEY_PREFIX + subject, String(WINDOW_MS), time, ...values.map(String)];
    return storedCountsIn(await client.send(command, sent));
  };

  try {
    const timeout = timeoutAfter(ANSWER_MS, clock);
    await timeoutAfter(CONNECT_MS, clock).wait(client.connect());
    // This loads the scripts into the server. Later requests only name them.
    await timeout.wait(run({ command: "EVAL", script: ADD_SCRIPT, subject: PROBE, values: [0, 0, 0, 0, 0] }));
    await timeout.wait(
      run({ command: "EVAL", script: WINDOW_SCRIPT, subject: PROBE, values: [Number.MAX_SAFE_INTEGER] }),
    );
  } catch (error) {
    client.close();
    throw error;
  }
  const [window, adding] = [hashOf(WINDOW_SCRIPT), hashOf(ADD_SCRIPT)];
  const countRequest = (subject: string, limit: number): Promise<StoredCounts> =>
    run({ command: "EVALSHA", script: window, subject, values: [limit] });
  return {
    countRequest,
    async take(subject, limit) {
      return judge(await countRequest(subject, limit), limit);
    },
    addUnreported: (subject, { unreported, unreportedBefore, known, knownBefore, minute }) =>
      run({
        command: "EVALSHA",
        script: adding,
        subject,
        values: [unreported, unreportedBefore, known, knownBefore, minute],
      }),
    giveBack(subject) {
      // Failures are ignored: the next request notices a lost store, and the surplus expires within two minutes.
      run({ command: "EVALSHA", script: adding, subject, values: [-1, 0, 0, 0, 0] }).catch(() => {});
    },
    async probe() {
      await countRequest(PROBE, Number.MAX_SAFE_INTEGER);
    },
    close: () => client.close(),
  };
};
