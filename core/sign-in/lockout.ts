import type { Actor } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { Failure } from "../failure.ts";
import { foldEmail } from "../text.ts";
import type { UserRecord } from "../users/user.ts";
import type { AttemptDraft, AttemptRepository } from "./attempt-repository.ts";
import type { Tokens } from "./authenticator.ts";
import type { SecurityEvents } from "./security-events.ts";

/** The pauses after consecutive failures: after how many failures they begin, and how many seconds they last. */
interface LockoutPolicy {
  readonly pausesFrom: number;
  /** The seconds after that failure and after each later one. The last entry applies to all further failures. */
  readonly pauses: readonly number[];
}

/** For attempts from one origin on one account: 5 guesses, then growing pauses. At most about 60 guesses a day. */
const ONE_ORIGIN: LockoutPolicy = { pausesFrom: 5, pauses: [30, 60, 120, 240, 480, 900, 1800] };
/**
 * For attempts from all new addresses together on one account: 20 guesses, then growing pauses up to 15 minutes. About
 * 120 guesses on the first day.
 */
const NEW_ADDRESSES: LockoutPolicy = { pausesFrom: 20, pauses: [30, 60, 120, 300, 600, 900] };
/** For a code of a second factor, which works only once. Its use is remembered for longer than it is valid. */
const SINGLE_USE: LockoutPolicy = { pausesFrom: 1, pauses: [120] };

/** The seconds after the last failure until the count is reset. */
const RESET_SECONDS = 24 * 60 * 60;
/** The seconds for which an address is known after a success. */
const KNOWN_SECONDS = 30 * 24 * 60 * 60;
/** How often expired counts are deleted. */
const CLEAR_INTERVAL_MS = 60_000;

/** The origin of an attempt: a browser that signed in to this account before, or an address. */
export type AttemptOrigin = { readonly device: string } | { readonly address: string };

/** One attempt in progress. It counts as failed until its result is reported. */
export interface Attempt {
  /** The attempt failed. Records a lockout if the pauses begin with this failure. */
  failed(user: UserRecord | null, by: Actor): Promise<void>;
  /** The attempt succeeded, but the count is reset only after a further step succeeds. */
  passed(): Promise<void>;
  /** The attempt succeeded, and the count is reset. */
  succeeded(): Promise<void>;
}

/** The failure during a pause. */
export const lockedOut = (seconds: number): Failure =>
  new Failure({ kind: "locked-out", seconds: Math.max(1, seconds) });

/**
 * Slows guessing down without locking the owner out. Failures count for an account and their origin, whether the
 * password or the second factor was wrong. Failures from all new addresses on one account slow down only new addresses.
 * Known browsers and open sessions have their own counts, which strangers cannot use up.
 */
export const makeLockout = (ports: {
  readonly attempts: AttemptRepository;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly events: SecurityEvents;
}) => {
  const { attempts, tokens, clock, events } = ports;
  const accountOf = (email: string): string => tokens.hashOf(`account ${foldEmail(email)}`);
  const isKnown = (succeededAt: string | null): boolean =>
    succeededAt !== null && succeededAt > clock.after(-KNOWN_SECONDS);
  let clearedMs = Number.NEGATIVE_INFINITY;

  const draft = (subject: string, account: string | null, policy: LockoutPolicy): AttemptDraft => ({
    subject,
    account,
    pausesFrom: policy.pausesFrom,
    pausedUntil: policy.pauses.map((seconds) => clock.after(seconds)),
    countedSince: clock.after(-RESET_SECONDS),
  });

  /** Counts an attempt. During a pause, returns a failure with its length. */
  const count = async (subject: string, account: string | null, policy: LockoutPolicy) => {
    const begun = await attempts.begin(draft(subject, account, policy), clock.now());
    return "pausedUntil" in begun ? lockedOut(clock.secondsUntil(begun.pausedUntil)) : begun;
  };

  /** Deletes expired counts from time to time. */
  const clear = async (): Promise<void> => {
    const nowMs = clock.steadyMs();
    if (nowMs - clearedMs < CLEAR_INTERVAL_MS) return;
    clearedMs = nowMs;
    await attempts.forgetStale(clock.after(-RESET_SECONDS), clock.after(-KNOWN_SECONDS));
  };

  /** An attempt that counts only for its origin. */
  const beginAt = async (subject: string, account: string | null): Promise<Attempt | Failure> => {
    const begun = await count(subject, account, ONE_ORIGIN);
    if (begun instanceof Failure) return begun;
    return {
      async failed(user, by) {
        if (user !== null && begun.failures === ONE_ORIGIN.pausesFrom)
          events.recordInBackground({ event: "user.locked-out", concerned: user, by });
      },
      passed: () => attempts.takeBack(subject),
      succeeded: () => attempts.succeed(subject, clock.now()),
    };
  };

  return {
    /** When the pause of new addresses on this account ends. */
    lockedUntil: (email: string) => attempts.pausedUntil(accountOf(email), clock.now()),

    /** Ends all pauses of this account. */
    release: (email: string) => attempts.forgetAccount(accountOf(email)),

    /** Uses up a code of the user's second factor. Returns false if it was used before. */
    async takeCode(userId: number, code: string): Promise<boolean> {
      return !((await count(tokens.hashOf(`code ${userId} ${code}`), null, SINGLE_USE)) instanceof Failure);
    },

    /** Begins an attempt on the user's own account within a session. The session has its own count. */
    beginOwn: (userId: number, sessionId: number): Promise<Attempt | Failure> =>
      beginAt(tokens.hashOf(`session ${userId} ${sessionId}`), null),

    /** Begins an attempt on the account of this address, whether or not there is one. */
    async begin(email: string, origin: AttemptOrigin): Promise<Attempt | Failure> {
      await clear();
      const account = accountOf(email);
      if ("device" in origin) return beginAt(tokens.hashOf(`device ${account} ${origin.device}`), account);
      const subject = tokens.hashOf(`address ${account} ${origin.address}`);
      const atOrigin = await count(subject, account, ONE_ORIGIN);
      if (atOrigin instanceof Failure) return atOrigin;
      // An address that has succeeded before is not new. Failures from elsewhere do not count for it.
      const overall = isKnown(atOrigin.succeededAt) ? null : await count(account, account, NEW_ADDRESSES);
      if (overall instanceof Failure) {
        await attempts.takeBack(subject);
        return overall;
      }
      const takeBackOverall = async (): Promise<void> => {
        if (overall !== null) await attempts.takeBack(account);
      };
      return {
        async failed(user, by) {
          const beginsAtOrigin = atOrigin.failures === ONE_ORIGIN.pausesFrom;
          const beginsOverall = overall?.failures === NEW_ADDRESSES.pausesFrom;
          if (user !== null && (beginsAtOrigin || beginsOverall))
            events.recordInBackground({ event: "user.locked-out", concerned: user, by });
        },
        async passed() {
          await attempts.takeBack(subject);
          await takeBackOverall();
        },
        async succeeded() {
          await attempts.succeed(subject, clock.now());
          await takeBackOverall();
        },
      };
    },
  };
};

export type Lockout = ReturnType<typeof makeLockout>;
