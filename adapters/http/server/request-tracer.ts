import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { type SentTrace, sentTraceOf } from "../protocol/trace-id.ts";

/** One request that is followed. */
export interface RequestTrace {
  /** 32 hexadecimal digits; the log has them, too. */
  readonly traceId: string;
  /** Does the work of the request. What it waits for belongs to the trace. */
  run<Result>(work: () => Result): Result;
  /** The request was answered. `code` is the error's code. */
  end(answered: { readonly status: number; readonly code: string | null; readonly requestId: string }): void;
}

/** Follows requests through the service, for whoever collects traces. */
export interface RequestTracer {
  /** Begins to follow a request of a route, given as its pattern; `null` if this one is not recorded. */
  begin(request: {
    readonly method: string;
    readonly route: string;
    readonly sent: SentTrace | null;
  }): RequestTrace | null;
  /** Does the work of a use case, which is named by its operation, as a step of the request that is under way. */
  useCase<Result>(operation: string, work: () => MaybePromise<Result>): MaybePromise<Result>;
}

/** Begins to follow a request; `null` if it is not recorded. */
export const beginTrace = (
  tracer: RequestTracer,
  { method, headers }: Pick<Request, "method" | "headers">,
  route: string,
): RequestTrace | null => tracer.begin({ method, route, sent: sentTraceOf(headers.get("traceparent")) });
