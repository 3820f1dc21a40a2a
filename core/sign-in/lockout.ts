import type { Actor } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { Failure } from "../failure.ts";
import { fold } from "../text.ts";
import type { UserRecord } from "../users/user.ts";
import type { AttemptRepository } from "./account-repository.ts";
import type { Tokens } from "./authenticator.ts";
import type { SecurityEvents } from "./security-events.ts";

/** Failures in a row after which an account is locked, and for how many seconds. */
const LOCKING_FAILURES = 5;
const LOCK_SECONDS = 15 * 60;
/** Longer than a code of a second factor is taken, in seconds. */
const CODE_SECONDS = 2 * 60;
/** Seconds after which a row of failures that did not go on is forgotten. */
const FORGOTTEN_SECONDS = 24 * 60 * 60;

/** One attempt under way; it counts as failed until it is said not to be. */
export interface Attempt {
  /** It failed. Recorded when that locks the account. */
  failed(user: UserRecord | null, by: Actor): Promise<void>;
  /** It did not fail, and more is asked for before the row of failures ends. */
  passed(): Promise<void>;
  /** It did not fail, and the row of failures ends. */
  succeeded(): Promise<void>;
}

/** The failure of an account, or address, that must wait. */
export const lockedOut = (seconds: number): Failure =>
  new Failure({ kind: "locked-out", seconds: Math.max(1, seconds) });

/** Locks accounts after repeated failures, whatever was wrong: password or second factor. */
export const makeLockout = (ports: {
  readonly attempts: AttemptRepository;
  readonly tokens: Tokens;
  readonly clock: Clock;
  readonly events: SecurityEvents;
}) => {
  const { attempts, tokens, clock, events } = ports;
  const subjectOf = (email: string): string => tokens.hashOf(fold(email));

  return {
    /** Until when sign-in to this address's account is locked. */
    lockedUntil: (email: string) => attempts.lockedUntil(subjectOf(email), clock.now()),

    /** Lets the account of this address in again. */
    release: (email: string) => attempts.forget(subjectOf(email), clock.after(-FORGOTTEN_SECONDS)),

    /** Uses up a code of the user's second factor; false for one that was used before: each signs in once. */
    async takeCode(userId: number, code: string): Promise<boolean> {
      const subject = tokens.hashOf(`code ${userId} ${code}`);
      return "failures" in (await attempts.begin(subject, 1, clock.after(CODE_SECONDS), clock.now()));
    },

    /** Begins an attempt on the account of this address, whether or not anybody has it. */
    async begin(email: string): Promise<Attempt | Failure> {
      const subject = subjectOf(email);
      const begun = await attempts.begin(subject, LOCKING_FAILURES, clock.after(LOCK_SECONDS), clock.now());
      if ("lockedUntil" in begun) return lockedOut(clock.secondsUntil(begun.lockedUntil));
      return {
        async failed(user, by) {
          if (user !== null && begun.failures >= LOCKING_FAILURES) await events.record("user.locked-out", user, by);
        },
        passed: () => attempts.takeBack(subject),
        succeeded: () => attempts.forget(subject, clock.after(-FORGOTTEN_SECONDS)),
      };
    },
  };
};

export type Lockout = ReturnType<typeof makeLockout>;
