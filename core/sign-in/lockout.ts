import type { Actor } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { Failure } from "../failure.ts";
import { foldEmail } from "../text.ts";
import type { UserRecord } from "../users/user.ts";
import type { AttemptDraft, AttemptRepository } from "./attempt-repository.ts";
import type { Tokens } from "./authenticator.ts";
import type { SecurityEvents } from "./security-events.ts";

/** The pauses after consecutive failures: from which failure, and for how many seconds. */
interface LockoutPolicy {
  readonly pausesFrom: number;
  /** Seconds after that failure and each later one; the last entry holds for all further ones. */
  readonly pauses: readonly number[];
}

/** From one origin on one account: 5 guesses, then growing pauses; at most some 60 guesses a day. */
const ONE_ORIGIN: LockoutPolicy = { pausesFrom: 5, pauses: [30, 60, 120, 240, 480, 900, 1800] };
/**
 * From all new addresses together on one account: 20 guesses, then down to one in 15 minutes; some 120 on the first
 * day.
 */
const NEW_ADDRESSES: LockoutPolicy = { pausesFrom: 20, pauses: [30, 60, 120, 300, 600, 900] };
/** A code of a second factor works once; its use is remembered for longer than it is valid. */
const SINGLE_USE: LockoutPolicy = { pausesFrom: 1, pauses: [120] };

/** Seconds after the last failure until the count is reset. */
const RESET_SECONDS = 24 * 60 * 60;
/** Seconds for which an address stays known after a success. */
const KNOWN_SECONDS = 30 * 24 * 60 * 60;
/** How often expired counts are deleted. */
const CLEAR_INTERVAL_MS = 60_000;

/** The origin of an attempt: a browser that signed in to this account before, or an address. */
export type AttemptOrigin = { readonly device: string } | { readonly address: string };

/** One attempt in progress; it counts as failed until its outcome is reported. */
export interface Attempt {
  /** It failed. Records a lockout when the pauses begin with it. */
  failed(user: UserRecord | null, by: Actor): Promise<void>;
  /** It succeeded, but a further step must succeed before the count is reset. */
  passed(): Promise<void>;
  /** It succeeded; the count is reset. */
  succeeded(): Promise<void>;
}

/** The failure during a pause. */
export const lockedOut = (seconds: number): Failure =>
  new Failure({ kind: "locked-out", seconds: Math.max(1, seconds) });

/**
 * Makes guessing hopeless without locking the owner out. Failures count for an account and their origin, whether the
 * password or the second factor was wrong. Failures of all new addresses at one account slow new addresses only.
 * Known browsers and open sessions have attempts of their own, which no stranger can use up.
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

  /** Counts an attempt, or answers how long the pause lasts. */
  const count = async (subject: string, account: string | null, policy: LockoutPolicy) => {
    const begun = await attempts.begin(draft(subject, account, policy), clock.now());
    return "pausedUntil" in begun ? lockedOut(clock.secondsUntil(begun.pausedUntil)) : begun;
  };

  /** Deletes expired counts now and then, off the request path. */
  const clear = async (): Promise<void> => {
    const nowMs = clock.steadyMs();
    if (nowMs - clearedMs < CLEAR_INTERVAL_MS) return;
    clearedMs = nowMs;
    await attempts.forgetStale(clock.after(-RESET_SECONDS), clock.after(-KNOWN_SECONDS));
  };

  /** An attempt that counts for one origin only. */
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
    /** When the pause of new addresses at this account ends. */
    lockedUntil: (email: string) => attempts.pausedUntil(accountOf(email), clock.now()),

    /** Lifts all pauses of this account. */
    release: (email: string) => attempts.forgetAccount(accountOf(email)),

    /** Consumes a code of the user's second factor; false when it was used before. */
    async takeCode(userId: number, code: string): Promise<boolean> {
      return !((await count(tokens.hashOf(`code ${userId} ${code}`), null, SINGLE_USE)) instanceof Failure);
    },

    /** Begins an attempt in a session on its own account, with counts of its own. */
    beginOwn: (userId: number, sessionId: number): Promise<Attempt | Failure> =>
      beginAt(tokens.hashOf(`session ${userId} ${sessionId}`), null),

    /** Begins an attempt on the account of this address, whether or not it exists. */
    async begin(email: string, origin: AttemptOrigin): Promise<Attempt | Failure> {
      await clear();
      const account = accountOf(email);
      if ("device" in origin) return beginAt(tokens.hashOf(`device ${account} ${origin.device}`), account);
      const subject = tokens.hashOf(`address ${account} ${origin.address}`);
      const atOrigin = await count(subject, account, ONE_ORIGIN);
      if (atOrigin instanceof Failure) return atOrigin;
      // An address with an earlier success is not new: failures from elsewhere do not count here.
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
