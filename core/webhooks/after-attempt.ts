import { msOf, type Timestamp, timestampAt } from "../clock.ts";
import type { DisabledReason } from "./webhook.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The pause before each try. A message that still failed at the last one is given up. */
export const PAUSES_MS: readonly number[] = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
/** Pauses are up to so much longer, so that messages that failed together do not come back together. */
const JITTER = 0.1;
/** The longest pause that a receiver may ask for. */
const LONGEST_PAUSE_MS = DAY_MS;

const FAILING = { noticeMs: DAY_MS, offMs: 5 * DAY_MS, offFailures: 20 } as const;

const GONE = 410;
/** True for the status with which a receiver takes a message. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** What a webhook remembers of its tries. */
export interface Failing {
  /** The number of tries that failed since the last success, and the time of the first one. */
  readonly failures: number;
  readonly failingSince: Timestamp | null;
  /** The time at which somebody was told; `null` if nobody was since the last success. */
  readonly noticedAt: Timestamp | null;
}

/** One try, as it ended. */
export interface Attempted {
  /** The number of tries, including this one. */
  readonly tries: number;
  readonly status: number | null;
  /** The pause that the receiver asked for, in seconds; `null` if it did not. */
  readonly retryAfterSeconds: number | null;
  readonly at: Timestamp;
  /** A random number from 0 to 1. */
  readonly chance: number;
}

/** What follows from a try. */
export interface AfterAttempt extends Failing {
  readonly state: "delivered" | "failed" | "pending";
  /** The time of the next try; `null` if there is none. */
  readonly nextAt: Timestamp | null;
  /** Why the webhook is switched off now; `null` if it is not. */
  readonly disabled: DisabledReason | null;
  /** True if somebody is to be told that the webhook keeps failing. */
  readonly isToBeNoticed: boolean;
}

const nextTry = ({ tries, retryAfterSeconds, at, chance }: Attempted): Timestamp | null => {
  const pause = PAUSES_MS[tries];
  if (pause === undefined) return null;
  const asked = Math.min((retryAfterSeconds ?? 0) * SECOND_MS, LONGEST_PAUSE_MS);
  return timestampAt(msOf(at) + Math.max(asked, Math.round(pause * (1 + JITTER * chance))));
};

/**
 * What follows from a try: whether the message is delivered, tried again or given up, and whether its webhook is
 * switched off. A webhook that had no success for 5 days, and 20 failures, is; so is one whose receiver is gone (410).
 */
export const afterAttempt = (before: Failing, attempt: Attempted): AfterAttempt => {
  const { status, at } = attempt;
  if (isSuccess(status))
    return {
      state: "delivered",
      nextAt: null,
      failures: 0,
      failingSince: null,
      noticedAt: null,
      disabled: null,
      isToBeNoticed: false,
    };
  const failures = before.failures + 1;
  const failingSince = before.failingSince ?? at;
  const failingMs = msOf(at) - msOf(failingSince);
  const isTooLong = failingMs >= FAILING.offMs && failures >= FAILING.offFailures;
  const disabled = status === GONE ? "gone" : isTooLong ? "failing" : null;
  const isToBeNoticed = disabled === null && before.noticedAt === null && failingMs >= FAILING.noticeMs;
  const nextAt = disabled === null ? nextTry(attempt) : null;
  return {
    state: nextAt === null ? "failed" : "pending",
    nextAt,
    failures,
    failingSince,
    noticedAt: isToBeNoticed ? at : before.noticedAt,
    disabled,
    isToBeNoticed,
  };
};
