import { type Context, Elysia } from "elysia";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import { baseHeaders, type Headers, preflightHeaders } from "../protocol/headers.ts";
import { Problem } from "../protocol/problem.ts";
import { problemOfError, problemResponse } from "../protocol/problem-response.ts";
import { requestIdOf } from "../protocol/request-id.ts";
import { pathOf } from "../protocol/request-path.ts";
import type { Method, Route } from "../protocol/route.ts";
import type { EntryPoint } from "./entry-point.ts";
import type { Incoming } from "./exchange.ts";
import { type Handler, isPortal, openHandlers } from "./open-answers.ts";
import { notFound, openPages, type PageParts } from "./open-pages.ts";
import { pipelineOf } from "./pipeline.ts";
import { logFailure } from "./request-log.ts";

export interface HttpParts extends PageParts {
  /** The entry points with their routes. The first one is the API, which is documented. */
  readonly mounts: readonly [Mount, ...Mount[]];
  /** Endpoints that are not routes. Each decides for itself whom it admits. */
  readonly endpoints: readonly Endpoint[];
}

/** An entry point and its routes. */
interface Mount {
  readonly entryPoint: EntryPoint;
  readonly routes: readonly Route[];
}

/** A path and a method, with the whole pipeline from request to response. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly respond: (incoming: Incoming) => MaybePromise<Response>;
}

const allowed = (methods: Iterable<Method>): string => {
  const known = new Set<string>(methods);
  if (known.has("GET")) known.add("HEAD");
  return [...known, "OPTIONS"].sort().join(", ");
};

/** The answer to a preflight request for an unknown path. Without it, browsers would hide the 404 that follows. */
const { allow: _, ...UNKNOWN_PREFLIGHT } = preflightHeaders("DELETE, GET, HEAD, POST, PUT");

const isPreflight = ({ method, url, headers }: Request): boolean =>
  method === "OPTIONS" && pathOf(url).startsWith("/api/") && headers.has("access-control-request-method");

const noContent = (headers: Headers): Response => new Response(null, { status: 204, headers });

/**
 * All paths and methods that the service answers. A known path with another method gets a 405, and any other path a
 * 404.
 */
export const makeApp = (parts: HttpParts) => {
  const { clock, log, mounts } = parts;
  // Only Elysia's own router matches paths, so that the same rules apply to all of them. Elysia does not parse any
  // request.
  const app = new Elysia({
    systemRouter: false,
    strictPath: true,
    normalize: false,
    handler: { standardHostname: false },
  });
  const originalRequests = new WeakMap<Request, Request>();
  const peerOf = (request: Request): string | null =>
    app.server?.requestIP(originalRequests.get(request) ?? request)?.address ?? null;
  const waitFor = (request: Request, seconds: number): void =>
    app.server?.timeout(originalRequests.get(request) ?? request, seconds);
  const withAbsoluteUrl = (request: Request): Request => {
    const made = new Request(`http://localhost${request.url}`, request);
    originalRequests.set(made, request);
    return made;
  };
  // If a client names no valid host, the runtime passes only the path, and the router would cut off its beginning.
  app.wrap((handle, request) => (request.url.startsWith("/") ? () => handle(withAbsoluteUrl(request)) : handle));
  const unauthenticated = openHandlers(parts);

  const register = (method: string, path: string, handle: Handler): void => {
    // For a path without parameters, Elysia passes no `params`, although its type says so.
    const respond = ({ request, params }: Pick<Context, "request" | "params">) =>
      handle({ request, params: params ?? {}, peerOf, waitFor });
    // Elysia reads the source text of a handler to decide what to prepare, and whether to await it. A handler that
    // calls anything would always be awaited, which is slower. A bound function has no source text.
    app.route(method, path, respond.bind(null));
  };

  const refuseOtherMethods = (path: string, methods: string): void =>
    register(
      "ALL",
      path,
      unauthenticated(path, ({ request }, headers) =>
        problemResponse(
          new Problem("method_not_allowed", `${request.method} is not known here; ${methods} are`, {
            headers: { allow: methods },
          }),
          { headers, clock },
        ),
      ),
    );

  const endpoints = mounts.flatMap(({ entryPoint, routes }) =>
    routes.map(
      (route): Endpoint => ({
        method: route.method,
        path: entryPoint.prefix + route.path,
        respond: pipelineOf(route, { entryPoint, routes }, parts),
      }),
    ),
  );
  for (const [path, atSamePath] of Map.groupBy([...endpoints, ...parts.endpoints], (endpoint) => endpoint.path)) {
    const methods = allowed(atSamePath.map(({ method }) => method));
    for (const { method, respond } of atSamePath) {
      register(method, path, respond);
      if (method === "GET") register("HEAD", path, respond);
    }
    const known = isPortal(path) ? { allow: methods } : preflightHeaders(methods);
    register(
      "OPTIONS",
      path,
      unauthenticated(path, (_, headers) => noContent({ ...headers, ...known })),
    );
    refuseOtherMethods(path, methods);
  }

  for (const { path, answer, limit } of openPages(mounts[0].routes, parts)) {
    const handle = unauthenticated(path, answer, limit);
    register("GET", path, handle);
    register("HEAD", path, handle);
    refuseOtherMethods(path, "GET, HEAD");
  }

  const unknown = unauthenticated("unknown", ({ request }, headers) =>
    isPreflight(request) ? noContent({ ...headers, ...UNKNOWN_PREFLIGHT }) : notFound(headers, parts),
  );
  for (const method of ["GET", "HEAD", "ALL"]) register(method, "/portal/api/*", unknown);
  register("ALL", "/*", unknown);
  app.onError(({ request, error, code }) => {
    if (code === "NOT_FOUND") return unknown({ request, params: {}, peerOf }) as Promise<Response>;
    const requestId = requestIdOf(request, parts.isSecret);
    logFailure(log, { route: "unknown", requestId, error });
    const headers = { ...baseHeaders(requestId), ...parts.commonHeaders };
    return problemResponse(problemOfError(error, parts), { headers, clock });
  });
  return app;
};
