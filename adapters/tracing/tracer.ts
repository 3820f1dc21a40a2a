import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { MaybePromise } from "../../core/maybe-promise.ts";
import type { Sampler } from "./sampling.ts";

/** A step of a request that is under way: steps within it are its children. */
export interface Step {
  /** Does work as a step of its own below this one. The step ends with the work, and fails if the work does. */
  within<Result>(made: StepFacts, work: (step: Step) => Result): Result;
}

/** What a step is. */
interface StepFacts {
  readonly name: string;
  /** True for a request to the database. */
  readonly isOfDatabase?: boolean;
  readonly attributes?: Attributes;
}

/** What monitoring asks for every few seconds. */
const NOT_FOLLOWED: ReadonlySet<string> = new Set(["/health/live", "/health/ready", "/metrics"]);
const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const FIRST_FAILURE = 500;

const failed = (span: Span, error: unknown): void => {
  // The message may name what a client sent. The log has it.
  span.setAttribute("error.type", error instanceof Error ? error.name : "unknown");
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

const stepIn = (tracer: Tracer, context: Context): Step => ({
  within({ name, isOfDatabase = false, attributes = {} }, work) {
    const span = tracer.startSpan(
      name,
      { kind: isOfDatabase ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes },
      context,
    );
    try {
      const result = work(stepIn(tracer, trace.setSpan(context, span)));
      if (result instanceof Promise)
        result.then(
          () => span.end(),
          (error) => failed(span, error),
        );
      else span.end();
      return result;
    } catch (error) {
      failed(span, error);
      throw error;
    }
  },
});

/** The step that is under way, and its request. */
interface Present {
  readonly step: Step;
  readonly request: { readonly isAnswered: boolean };
}

/**
 * Follows the requests that the sampler picks: the request itself, its use case, and each statement of the database.
 * Addresses, values and bodies are never recorded, because clients put secrets there. What is not picked costs one
 * decision.
 */
export const makeTracer = (tracer: Tracer, sampler: Sampler) => {
  const present = new AsyncLocalStorage<Present>();
  /** What requests have begun for all, such as timers, goes on when they are answered, and is no step of theirs. */
  const current = (): Present | null => {
    const store = present.getStore();
    return store === undefined || store.request.isAnswered ? null : store;
  };
  return {
    /** The step that is under way; `null` if the request is not recorded or was answered, or outside of requests. */
    current: (): Step | null => current()?.step ?? null,

    begin({
      method: sentMethod,
      route,
      sent,
    }: {
      readonly method: string;
      readonly route: string;
      readonly sent: { readonly traceId: string; readonly spanId: string; readonly isSampled: boolean } | null;
    }) {
      if (!sampler(sent) || NOT_FOLLOWED.has(route)) return null;
      const method = METHODS.has(sentMethod) ? sentMethod : "_OTHER";
      const parent =
        sent === null
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, {
              traceId: sent.traceId,
              spanId: sent.spanId,
              traceFlags: TraceFlags.SAMPLED,
              isRemote: true,
            });
      const span = tracer.startSpan(
        `${method === "_OTHER" ? "HTTP" : method} ${route}`,
        {
          kind: SpanKind.SERVER,
          attributes: { "http.request.method": method, "http.route": route, "url.scheme": "http" },
        },
        parent,
      );
      const step = stepIn(tracer, trace.setSpan(parent, span));
      const request = { isAnswered: false };
      return {
        traceId: span.spanContext().traceId,
        run: <Result>(work: () => Result): Result => present.run({ step, request }, work),
        end({
          status,
          code,
          requestId,
        }: {
          readonly status: number;
          readonly code: string | null;
          readonly requestId: string;
        }) {
          request.isAnswered = true;
          span.setAttributes({ "http.response.status_code": status, "inventory.request_id": requestId });
          if (code !== null) span.setAttribute("error.type", code);
          if (status >= FIRST_FAILURE) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },

    useCase<Result>(operation: string, work: () => MaybePromise<Result>): MaybePromise<Result> {
      const now = current();
      if (now === null) return work();
      return now.step.within({ name: operation }, (step) => present.run({ ...now, step }, work));
    },
  };
};
