import type { RateLimiter } from "../../../core/access/rate-limits.ts";
import type { DenialQueue } from "../../../core/audit/denials.ts";
import type { Clock } from "../../../core/clock.ts";
import type { UsageMeter } from "../../../core/keys/usage-repository.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { Repeats } from "../../../core/repeats/repeats.ts";
import type { EventStreams } from "../protocol/event-stream.ts";
import type { Headers } from "../protocol/headers.ts";
import type { IsSecret } from "../protocol/keys-in-text.ts";
import type { LongAnswers } from "../protocol/long-answers.ts";
import type { ErrorClassifier } from "../protocol/problem-response.ts";
import type { ProxyWarning } from "./proxy-warning.ts";
import type { Log } from "./request-log.ts";
import type { RequestMeter } from "./request-meter.ts";
import type { RequestTracer } from "./request-tracer.ts";

/** What every request needs. */
export interface PipelineParts extends ErrorClassifier {
  readonly limiter: RateLimiter;
  readonly longAnswers: LongAnswers;
  /** The streams of events that are open. */
  readonly eventStreams: EventStreams;
  /** The queue of exports, within EXPORT_LIMITS. */
  readonly exports: LongAnswers;
  readonly usage: UsageMeter;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: RequestMeter;
  /** `null` if no traces are recorded. */
  readonly tracer: RequestTracer | null;
  readonly trustedProxyHops: number;
  /**
   * Checks a request for untrusted proxies. It is called for changes and for requests that are limited by address. For
   * reads, it would take too long.
   */
  readonly warnOfProxy: ProxyWarning;
  /** Records operations that callers were denied. */
  readonly denials: Pick<DenialQueue, "record">;
  /** Recognizes keys that were sent as a request id. */
  readonly isSecret: IsSecret;
  /** Headers that every answer also has. */
  readonly commonHeaders: Headers;
  /** Limits how long the service works on a request. */
  readonly deadlines: Deadlines;
  /** Runs changes that are sent again once. */
  readonly repeats: Repeats;
  /** `begun` is set when the service is asked to stop. From then on, each answer is the last one on its connection. */
  readonly stopping: { begun: boolean };
}

/** The time limit of one request. */
export interface Deadline {
  /** True if a part of the request's change was made. */
  readonly hasChanged: boolean;
  /** The caller, by the name under which requests are counted. It is empty until the caller is known. */
  caller: string;
  /** Waits until the rest of the request has arrived. This time does not count. */
  waitForClient<Value>(sent: MaybePromise<Value>): MaybePromise<Value>;
}

/** Limits how long the service works on each request. */
interface Deadlines {
  deadlineOf(request: Request): Deadline;
  /** Does the work of a request. It fails if the request's time is over. */
  run<Result>(deadline: Deadline, work: () => MaybePromise<Result>): MaybePromise<Result>;
  /** Does work that goes on after the request was answered. */
  withoutDeadline<Result>(work: () => Result): Result;
}
