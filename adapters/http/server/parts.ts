import type { RateLimiter } from "../../../core/access/rate-limits.ts";
import type { Denials } from "../../../core/audit/denials.ts";
import type { Clock } from "../../../core/clock.ts";
import type { UsageMeter } from "../../../core/keys/usage-repository.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { Headers } from "../protocol/headers.ts";
import type { LongAnswers } from "../protocol/long-answers.ts";
import type { FaultParts } from "../protocol/problem-response.ts";
import type { IsSecret } from "../protocol/request-id.ts";
import type { ForwardedNotice } from "./forwarded-notice.ts";
import type { Log } from "./request-log.ts";
import type { RequestMeter } from "./request-meter.ts";

/** What every request is answered with, whatever it asks for. */
export interface PipelineParts extends FaultParts {
  readonly limiter: RateLimiter;
  readonly longAnswers: LongAnswers;
  readonly usage: UsageMeter;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: RequestMeter;
  readonly trustedProxyHops: number;
  /** Looks for untrusted proxies. Called for changes and for what is limited by address: each read would cost more. */
  readonly noticeForwarded: ForwardedNotice;
  /** Records what callers were not allowed to do. */
  readonly denials: Pick<Denials, "note">;
  /** Finds keys that were sent as a request id. */
  readonly isSecret: IsSecret;
  /** Headers that every answer carries besides. */
  readonly everyAnswers: Headers;
  /** Limits how long the service works for a request. */
  readonly deadlines: Deadlines;
  /** Set once the service was told to stop. Each answer is then the last one on its connection. */
  readonly stopping: { begun: boolean };
}

/** The time that one request has. */
export interface Deadline {
  /** True once a part of the request's change was made. */
  readonly hasChanged: boolean;
  /** Waits for what the client has still to send, which does not count. */
  whileSent<Value>(sent: MaybePromise<Value>): MaybePromise<Value>;
}

/** Limits how long the service works for each request. */
interface Deadlines {
  deadlineOf(request: Request, startedAtMs: number): Deadline;
  /** Does the work for a request. Fails once the request's time is over. */
  run<Result>(deadline: Deadline, isRead: boolean, work: () => MaybePromise<Result>): MaybePromise<Result>;
}
