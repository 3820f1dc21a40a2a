import type { Logger } from "pino";
import { admit } from "../../core/access/decide.ts";
import type { RateLimiter } from "../../core/access/rate-limits.ts";
import type { Clock } from "../../core/clock.ts";
import { Failure } from "../../core/failure.ts";
import { clientAddress } from "./addresses.ts";
import type { Authentication } from "./authentication.ts";
import { readJson } from "./body.ts";
import { parameterReader } from "./parameters.ts";
import { invalidInput, Problem, problemBody, problemOf } from "./problem.ts";
import { requestIdOf } from "./request-id.ts";
import { logAccess, logFailure } from "./request-log.ts";
import { pathOf } from "./request-path.ts";
import { addRateLimit, apiHeaders, type Headers, type Origins } from "./response-headers.ts";
import type { Answer, Route } from "./route.ts";
import { isNamedBy, tagOf, versionsOf } from "./versions.ts";

/** What every route's pipeline shares. */
export interface PipelineParts {
  readonly authentication: Authentication;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly log: Logger;
  readonly origins: Origins;
  readonly trustedProxyHops: number;
  /** True for errors that mean a database out of reach. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** True for those of them that leave it open whether a change was made. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
  /** Set once the service was told to stop. Each answer is then the last one on its connection. */
  readonly stopping: { begun: boolean };
}

/** A request as the router hands it over. */
export interface Incoming {
  readonly request: Request;
  readonly params: Readonly<Record<string, string>>;
  readonly peer: () => string | null;
}

/** The answer while the database is out of reach. */
export const UNAVAILABLE = new Problem("unavailable", "The database is out of reach; try again shortly", {
  "retry-after": "1",
});
const OUTCOME_UNKNOWN = new Problem(
  "outcome_unknown",
  "The database did not confirm the change: it may or may not have been made; read the record before trying again",
  { "retry-after": "1" },
);
const DEFECT = new Problem("internal_error", "An internal error occurred; the log has it under this request id");
const EMPTY_SEARCH = new URLSearchParams();

const searchOf = (url: string): URLSearchParams => {
  const start = url.indexOf("?");
  return start === -1 ? EMPTY_SEARCH : new URLSearchParams(url.slice(start));
};

/** The answer to an error nobody expected: nothing of the inside. */
export const unexpected = (
  error: unknown,
  parts: Pick<PipelineParts, "isUnavailable" | "isOutcomeUnknown">,
): Problem => {
  if (!parts.isUnavailable(error)) return DEFECT;
  return parts.isOutcomeUnknown(error) ? OUTCOME_UNKNOWN : UNAVAILABLE;
};

/** Turns a problem into its response, on top of the headers gathered so far. */
export const problemResponse = (problem: Problem, headers: Headers, clock: Clock): Response =>
  new Response(problemBody(problem, clock.now(), headers["x-request-id"] ?? ""), {
    status: problem.status,
    headers: { ...headers, "cache-control": "no-store", ...problem.headers },
  });

/** Tells the client to send its next request elsewhere, and not into a connection that is about to close. */
export const sayGoodbye = (response: Response): void => response.headers.set("connection", "close");

const success = (route: Route, request: Request, answer: Answer, headers: Headers): Response => {
  Object.assign(headers, answer.headers);
  if (answer.version !== undefined) {
    const tag = tagOf(answer.version.id, answer.version.updated_at);
    headers.etag = tag;
    const known = route.method === "GET" ? request.headers.get("if-none-match") : null;
    if (known !== null && isNamedBy(known, tag)) {
      delete headers["content-type"];
      return new Response(null, { status: 304, headers });
    }
  }
  return new Response(JSON.stringify(answer.body), { status: answer.status, headers });
};

/**
 * One route's way from request to response, everything that can be prepared done once. The order of checks is the
 * contract's: authentication 401, app type 400, rate limit 429, permission 403, input 400, 413 or 415, then the use
 * case, which decides existence 404 and binding 403.
 */
export const pipelineOf = (route: Route, parts: PipelineParts): ((incoming: Incoming) => Promise<Response>) => {
  const { authentication, limiter, clock, log, origins, trustedProxyHops, stopping } = parts;
  const readParams = parameterReader(route.params);
  const readQuery = parameterReader(route.query);
  const hasQuery = Object.keys(route.query.properties).length > 0;
  const isVersioned = route.traits?.includes("versioned") ?? false;

  /** Runs the checks and the use case; adds what it learns to the headers, and the caller's key id to `caller`. */
  const outcome = async (
    { request, params, peer }: Incoming,
    headers: Headers,
    caller: { keyId: number | null },
  ): Promise<Answer | Failure | Problem> => {
    const sent = request.headers;
    const principal = await authentication.identify(sent.get("x-api-key"), () =>
      clientAddress(peer(), sent.get("x-forwarded-for"), trustedProxyHops),
    );
    if (principal instanceof Problem) return principal;
    caller.keyId = principal.keyId;
    const mismatch = authentication.checkAppType(principal, sent.get("x-app-type"));
    const taken = limiter.take(`key:${principal.keyId}`, principal.rateLimit);
    const admission = taken instanceof Promise ? await taken : taken;
    addRateLimit(headers, principal, admission);
    if (mismatch !== null) return mismatch;
    if (!admission.admitted)
      return new Problem("rate_limit_exceeded", `The API key's ${principal.rateLimit} requests a minute are used up`, {
        "retry-after": String(admission.retrySeconds),
      });
    const refused = admit(principal, route.operation);
    if (refused !== null) return refused;

    const path = readParams((name) => (params[name] === undefined ? [] : [params[name]]));
    const search = hasQuery ? searchOf(request.url) : EMPTY_SEARCH;
    const query = readQuery((name) => search.getAll(name));
    const issues = [...(path.issues ?? []), ...(query.issues ?? [])];
    if (path.issues !== null || query.issues !== null) return invalidInput(issues);
    const body = route.body === undefined ? undefined : await readJson(request, route.body.optional ?? false);
    if (body instanceof Problem) return body;
    return route.handle({
      principal,
      params: path.values,
      query: query.values,
      body,
      search,
      url: { path: pathOf(request.url) },
      versions: isVersioned ? versionsOf(Number(params.id), sent.get("if-match")) : null,
    });
  };

  return async (incoming) => {
    const startedAt = performance.now();
    const { request } = incoming;
    const requestId = requestIdOf(request.headers.get("x-request-id"));
    const headers = apiHeaders(requestId, origins, request.headers.get("origin"));
    const caller: { keyId: number | null } = { keyId: null };
    let response: Response;
    try {
      const result = await outcome(incoming, headers, caller);
      response =
        result instanceof Failure
          ? problemResponse(problemOf(result), headers, clock)
          : result instanceof Problem
            ? problemResponse(result, headers, clock)
            : success(route, request, result, headers);
    } catch (error) {
      logFailure(log, route.path, requestId, error);
      response = problemResponse(unexpected(error, parts), headers, clock);
    }
    if (stopping.begun) sayGoodbye(response);
    logAccess(log, {
      method: request.method,
      route: route.path,
      status: response.status,
      startedAt,
      keyId: caller.keyId,
      requestId,
    });
    return response;
  };
};
