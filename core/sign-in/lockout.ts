import type { Actor } from "../access/principal.ts";
import type { Clock } from "../clock.ts";
import { Failure } from "../failure.ts";
import { foldEmail } from "../text.ts";
import type { UserRecord } from "../users/user.ts";
import type { AttemptDraft, AttemptRepository } from "./attempt-repository.ts";
import type { Tokens } from "./authenticator.ts";
import type { SecurityEvents } from "./security-events.ts";

/** How failures in a row are answered: from which on each is followed by a pause, and how many seconds it lasts. */
interface Patience {
  readonly pausesFrom: number;
  /** Of that failure and of each after it; the last holds for all further ones. */
  readonly pauses: readonly number[];
}

/** Of one place on one account: 5 guesses, then a growing pause after each; some 60 guesses a day at the most. */
const ONE_PLACE: Patience = { pausesFrom: 5, pauses: [30, 60, 120, 240, 480, 900, 1800] };
/** Of all new addresses together on one account: 20 guesses, then down to one in 15 minutes; some 120 on the first day. */
const NEW_PLACES: Patience = { pausesFrom: 20, pauses: [30, 60, 120, 300, 600, 900] };
/** A code of a second factor is taken once, for longer than it is shown. */
const ONCE: Patience = { pausesFrom: 1, pauses: [120] };

/** Seconds after which a row of failures that did not go on is forgotten. */
const FORGOTTEN_SECONDS = 24 * 60 * 60;
/** Seconds for which an address is known after a success. */
const KNOWN_SECONDS = 30 * 24 * 60 * 60;
/** How often what is forgotten is cleared away. */
const CLEARED_MS = 60_000;

/** Where an attempt comes from: a browser that signed in to this very account before, or an address. */
export type Place = { readonly device: string } | { readonly address: string };

/** One attempt under way; it counts as failed until it is said not to be. */
export interface Attempt {
  /** It failed. Recorded when that is where the pauses begin. */
  failed(user: UserRecord | null, by: Actor): Promise<void>;
  /** It did not fail, and more is asked for before the row of failures ends. */
  passed(): Promise<void>;
  /** It did not fail, and the row of failures ends. */
  succeeded(): Promise<void>;
}

/** The failure of an account, or address, that must wait. */
export const lockedOut = (seconds: number): Failure =>
  new Failure({ kind: "locked-out", seconds: Math.max(1, seconds) });

/**
 * Makes guessing hopeless without keeping the owner out. Failures are counted for an account and the place they come
 * from, whatever was wrong, password or second factor; what all new addresses fail at one account slows new addresses
 * only. Browsers that signed in before, and each session that is open, have attempts of their own, which no stranger uses up.
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

  const draft = (subject: string, account: string | null, patience: Patience): AttemptDraft => ({
    subject,
    account,
    pausesFrom: patience.pausesFrom,
    pausedUntil: patience.pauses.map((seconds) => clock.after(seconds)),
    countedSince: clock.after(-FORGOTTEN_SECONDS),
  });

  /** Counts an attempt, or answers how long the subject has to wait. */
  const count = async (subject: string, account: string | null, patience: Patience) => {
    const begun = await attempts.begin(draft(subject, account, patience), clock.now());
    return "pausedUntil" in begun ? lockedOut(clock.secondsUntil(begun.pausedUntil)) : begun;
  };

  /** What has been forgotten is cleared away now and then, off the path of the one who asks. */
  const clear = async (): Promise<void> => {
    const nowMs = clock.steadyMs();
    if (nowMs - clearedMs < CLEARED_MS) return;
    clearedMs = nowMs;
    await attempts.forgetStale(clock.after(-FORGOTTEN_SECONDS), clock.after(-KNOWN_SECONDS));
  };

  /** An attempt that one place alone is answerable for. */
  const beginAt = async (subject: string, account: string | null): Promise<Attempt | Failure> => {
    const begun = await count(subject, account, ONE_PLACE);
    if (begun instanceof Failure) return begun;
    return {
      async failed(user, by) {
        if (user !== null && begun.failures === ONE_PLACE.pausesFrom) events.note("user.locked-out", user, by);
      },
      passed: () => attempts.takeBack(subject),
      succeeded: () => attempts.succeed(subject, clock.now()),
    };
  };

  return {
    /** Until when new addresses may not sign in to this address's account. */
    lockedUntil: (email: string) => attempts.pausedUntil(accountOf(email), clock.now()),

    /** Lets the account of this address in again, from wherever. */
    release: (email: string) => attempts.forgetAccount(accountOf(email)),

    /** Uses up a code of the user's second factor; false for one that was used before: each counts once. */
    async takeCode(userId: number, code: string): Promise<boolean> {
      return !((await count(tokens.hashOf(`code ${userId} ${code}`), null, ONCE)) instanceof Failure);
    },

    /** Begins an attempt of who is signed in, on their own account: no one else has any part in its counts. */
    beginOwn: (userId: number, sessionId: number): Promise<Attempt | Failure> =>
      beginAt(tokens.hashOf(`session ${userId} ${sessionId}`), null),

    /** Begins an attempt on the account of this address, whether or not anybody has it. */
    async begin(email: string, place: Place): Promise<Attempt | Failure> {
      await clear();
      const account = accountOf(email);
      if ("device" in place) return beginAt(tokens.hashOf(`device ${account} ${place.device}`), account);
      const subject = tokens.hashOf(`address ${account} ${place.address}`);
      const here = await count(subject, account, ONE_PLACE);
      if (here instanceof Failure) return here;
      // Where somebody got in before is no new address: what others fail at elsewhere does not count here.
      const everywhere = isKnown(here.succeededAt) ? null : await count(account, account, NEW_PLACES);
      if (everywhere instanceof Failure) {
        await attempts.takeBack(subject);
        return everywhere;
      }
      const takeBackEverywhere = async (): Promise<void> => {
        if (everywhere !== null) await attempts.takeBack(account);
      };
      return {
        async failed(user, by) {
          const beginsHere = here.failures === ONE_PLACE.pausesFrom;
          const beginsEverywhere = everywhere?.failures === NEW_PLACES.pausesFrom;
          if (user !== null && (beginsHere || beginsEverywhere)) events.note("user.locked-out", user, by);
        },
        async passed() {
          await attempts.takeBack(subject);
          await takeBackEverywhere();
        },
        async succeeded() {
          await attempts.succeed(subject, clock.now());
          await takeBackEverywhere();
        },
      };
    },
  };
};

export type Lockout = ReturnType<typeof makeLockout>;
