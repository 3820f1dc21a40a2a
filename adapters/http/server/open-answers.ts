import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";
import { limitedAddress } from "../protocol/addresses.ts";
import { apiHeaders, baseHeaders, type Headers, type Origins } from "../protocol/headers.ts";
import type { Problem } from "../protocol/problem.ts";
import { problemOfError, problemResponse } from "../protocol/problem-response.ts";
import { pathOf } from "../protocol/request-path.ts";
import { portalHeaders } from "./entry-point.ts";
import { Exchange, type Incoming } from "./exchange.ts";
import { requestFinisher } from "./finish.ts";
import type { OpenLimit, OpenLimits } from "./open-limits.ts";
import type { PipelineParts } from "./parts.ts";
import { logFailure } from "./request-log.ts";
import { beginTrace } from "./request-tracer.ts";

/** Answers one request. */
export type Handler = (incoming: Incoming) => unknown;

/** Makes an answer with these headers. The client needs no key. */
export type OpenAnswer = (exchange: Exchange, headers: Headers) => MaybePromise<Response>;

export interface OpenParts extends PipelineParts {
  /** The origins whose pages may call the API. */
  readonly origins: Origins;
  /** How often an address may send requests without a key. */
  readonly openLimits: OpenLimits;
}

/** True for paths of the portal. Their answers are never cached, and pages of other sites cannot read them. */
export const isPortal = (path: string): boolean => path.startsWith("/portal/");

/** True for paths that pages of other origins may read: those of the API, and its document. */
const isShared = (path: string): boolean => path.startsWith("/api/") || path === "/openapi.json";

/** The headers of an answer to a client without a key. */
const headersFor = ({ requestId, request }: Exchange, path: string, { origins, commonHeaders }: OpenParts): Headers => {
  if (isPortal(path)) return { ...portalHeaders(requestId), ...commonHeaders };
  return isShared(path)
    ? { ...apiHeaders(requestId, origins, request.headers.get("origin")), ...commonHeaders }
    : { ...baseHeaders(requestId), ...commonHeaders };
};

/**
 * Answers requests that need no key, for a path (its pattern, or `unknown`). They are logged like all requests. If an
 * answer is expensive, they are limited by address.
 */
export const openHandlers =
  (parts: OpenParts) =>
  (pattern: string, answer: OpenAnswer, limit: OpenLimit | null = null): Handler => {
    const finish = requestFinisher(parts, pattern);
    const refusal = (exchange: Exchange): MaybePromise<Problem | null> => {
      if (limit === null) return null;
      parts.warnOfProxy(exchange.request);
      return parts.openLimits.take(limit, limitedAddress(exchange.address));
    };
    const respond = (exchange: Exchange): MaybePromise<Response> => {
      const headers = headersFor(exchange, pattern === "unknown" ? pathOf(exchange.request.url) : pattern, parts);
      // Otherwise the router would send the error's own message to the client.
      const failed = (error: unknown): Response => {
        logFailure(parts.log, { route: pattern, requestId: exchange.requestId, error });
        return finish(exchange, problemResponse(problemOfError(error, parts), { headers, clock: parts.clock }));
      };
      try {
        const response = andThen(refusal(exchange), (refused) =>
          refused === null ? answer(exchange, headers) : problemResponse(refused, { headers, clock: parts.clock }),
        );
        // An answer that is there is given at once: photos are the busiest of all.
        if (!(response instanceof Promise)) return finish(exchange, response);
        return response.then((made) => finish(exchange, made)).catch(failed);
      } catch (error) {
        return failed(error);
      }
    };
    return (incoming) => {
      parts.meter.begin();
      const exchange = new Exchange(incoming, parts);
      if (parts.tracer === null) return respond(exchange);
      exchange.trace = beginTrace(parts.tracer, incoming.request, pattern);
      return exchange.trace === null ? respond(exchange) : exchange.trace.run(() => respond(exchange));
    };
  };
