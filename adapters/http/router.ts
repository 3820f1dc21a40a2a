import { type Context, Elysia } from "elysia";
import type { Later } from "../../core/later.ts";
import { addressOfRequest, limitedAddress } from "./addresses.ts";
import { codeOf } from "./answer-facts.ts";
import { docsAssets } from "./docs.ts";
import { type Door, portalHeaders } from "./door.ts";
import { type MetricsPage, metricsAnswer } from "./metrics.ts";
import type { OpenLimit, OpenLimits } from "./open-limits.ts";
import { openApiDocument } from "./openapi.ts";
import { type Incoming, type PipelineParts, pipelineOf } from "./pipeline.ts";
import { type PortalFiles, portalPages } from "./portal/pages.ts";
import { Problem } from "./problem.ts";
import { problemResponse, sayGoodbye, unexpected } from "./problem-response.ts";
import { type ReadinessParts, readiness } from "./readiness.ts";
import { requestIdOf } from "./request-id.ts";
import { accessLog, logFailure } from "./request-log.ts";
import { pathOf } from "./request-path.ts";
import {
  apiHeaders,
  type Headers,
  jsonResponse,
  type Origins,
  plainHeadersOf,
  preflightHeaders,
} from "./response-headers.ts";
import type { Method, Route } from "./route.ts";

export interface HttpParts extends PipelineParts {
  /** The ways in, each with the routes behind it; the first is the API, which is documented. */
  readonly ways: readonly [Way, ...Way[]];
  /** What answers besides the routes; each endpoint decides for itself who is let in. */
  readonly endpoints: readonly Endpoint[];
  /** Whose pages may call the API. */
  readonly origins: Origins;
  readonly version: string;
  readonly portalFiles: PortalFiles;
  /** What an address may ask for without a key. */
  readonly openLimits: OpenLimits;
  readonly readiness: ReadinessParts;
  /** The service's numbers at `/metrics`; `null` when they are not open here. */
  readonly metrics: MetricsPage | null;
}

/** A way in, and what is behind it. */
interface Way {
  readonly door: Door;
  readonly routes: readonly Route[];
}

/** A path and method with its whole way from request to response. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly respond: (incoming: Incoming) => Later<Response>;
}

const STOPPING = new Problem("unavailable", "The service is stopping", { "retry-after": "1" });

const NOT_ALLOWED = 405;

type Handle = (incoming: Incoming) => unknown;

const isPortal = (path: string): boolean => path.startsWith("/portal/");

const allowed = (methods: Iterable<Method>): string => {
  const known = new Set<string>(methods);
  if (known.has("GET")) known.add("HEAD");
  return [...known, "OPTIONS"].sort().join(", ");
};

/** Everything that answers, by path and method. A path known by another method is 405, any other 404. */
export const makeApp = (parts: HttpParts) => {
  const { clock, log, origins, everyAnswers } = parts;
  // One router, Elysia's own, so that every path is matched by the same rules; nothing of a request is parsed for us.
  const app = new Elysia({
    systemRouter: false,
    strictPath: true,
    normalize: false,
    handler: { standardHostname: false },
  });

  const peerOf = (request: Request): string | null => app.server?.requestIP(request)?.address ?? null;
  const addressOf = ({ request }: { readonly request: Request }): string =>
    addressOfRequest(request, peerOf, parts.trustedProxyHops);

  /** Headers of an answer without a key; only the API's own paths are open to pages of other origins. */
  const plainHeaders = (request: Request, path: string): Headers => {
    const requestId = requestIdOf(request.headers.get("x-request-id"), parts.isSecret);
    if (isPortal(path)) return { ...portalHeaders(requestId), ...everyAnswers };
    return path.startsWith("/api/")
      ? { ...apiHeaders(requestId, origins, request.headers.get("origin")), ...everyAnswers }
      : { ...plainHeadersOf(requestId), ...everyAnswers };
  };

  const exceeded = async (request: Request, limit: OpenLimit): Promise<Problem | null> => {
    parts.noticeForwarded(request);
    return parts.openLimits.take(limit, limitedAddress(addressOf({ request })));
  };

  /** Answers without a key: logged like every request, and limited by address where an answer costs something. */
  const unauthenticated = (
    route: string,
    answer: (request: Request, headers: Headers) => Response | Promise<Response>,
    limit: OpenLimit | null = null,
  ): Handle => {
    const logAccess = accessLog(parts, route, addressOf);
    const countUnmatched = parts.meter.of("unmatched");
    const countMatched = route === "unknown" ? countUnmatched : parts.meter.of(route);
    const answered = async (request: Request, headers: Headers): Promise<Response> => {
      try {
        const problem = limit === null ? null : await exceeded(request, limit);
        return problem === null ? await answer(request, headers) : problemResponse(problem, headers, clock);
      } catch (error) {
        // Left to the router, the error's own words would go to the client.
        logFailure(log, route, headers["x-request-id"] ?? "", error);
        return problemResponse(unexpected(error, parts), headers, clock);
      }
    };
    return async ({ request }) => {
      const startedAt = performance.now();
      parts.meter.begin();
      const headers = plainHeaders(request, route === "unknown" ? pathOf(request.url) : route);
      const response = await answered(request, headers);
      if (parts.stopping.begun) sayGoodbye(response);
      const requestId = headers["x-request-id"] ?? "";
      logAccess({ request, startedAt, requestId, caller: null, refusedKeyId: null }, response);
      const count = response.status === NOT_ALLOWED ? countUnmatched : countMatched;
      count(request.method, response.status, codeOf(response), (performance.now() - startedAt) / 1000);
      return response;
    };
  };

  const on = (method: string, path: string, handle: Handle): void => {
    // A path without parameters comes with none at all, whatever the type says.
    const respond = ({ request, params }: Pick<Context, "request" | "params">) =>
      handle({ request, params: params ?? {}, peerOf });
    // Elysia reads a handler's text: to learn what of a request to prepare, which here is nothing, and whether it may
    // have to wait, as it guesses of any that calls something; then every request waits, 1.2 µs. A bound one has no text.
    app.route(method, path, respond.bind(null));
  };

  const pathNotFound = (headers: Headers): Response =>
    problemResponse(new Problem("not_found", "Path not found"), headers, clock);
  const notFound = unauthenticated("unknown", (_, headers) => pathNotFound(headers));

  const endpoints = parts.ways.flatMap(({ door, routes }) =>
    routes.map(
      (route): Endpoint => ({
        method: route.method,
        path: door.prefix + route.path,
        respond: pipelineOf(route, door, parts),
      }),
    ),
  );
  for (const [path, sharing] of Map.groupBy([...endpoints, ...parts.endpoints], (endpoint) => endpoint.path)) {
    const methods = allowed(sharing.map(({ method }) => method));
    for (const { method, respond } of sharing) {
      on(method, path, respond);
      if (method === "GET") on("HEAD", path, respond);
    }
    const known = isPortal(path) ? { allow: methods } : preflightHeaders(methods);
    on(
      "OPTIONS",
      path,
      unauthenticated(path, (_, headers) => new Response(null, { status: 204, headers: { ...headers, ...known } })),
    );
    on("ALL", path, methodNotAllowed(path, methods));
  }

  function methodNotAllowed(path: string, methods: string): Handle {
    return unauthenticated(path, ({ method }, headers) =>
      problemResponse(
        new Problem("method_not_allowed", `${method} is not known here; ${methods} are`, { allow: methods }),
        headers,
        clock,
      ),
    );
  }

  function metricsPage(page: MetricsPage) {
    const answer = metricsAnswer({ page, limiter: parts.limiter, clock, addressOf });
    return (headers: Headers, request: Request) => answer(request, headers);
  }

  const ready = readiness(parts.readiness, clock, (requestId, error) =>
    logFailure(log, "/health/ready", requestId, error),
  );
  let document: string | null = null;
  const open: Readonly<Record<string, (headers: Headers, request: Request) => Response | Promise<Response>>> = {
    "/openapi.json": (headers) => {
      // Not at the start, which it would make longer by a sixth.
      document ??= JSON.stringify(openApiDocument(parts.ways[0].routes, parts.version));
      return jsonResponse(document, 200, headers);
    },
    "/health/live": (headers) => jsonResponse('{"status":"ok"}', 200, headers),
    "/health/ready": (headers) => (parts.stopping.begun ? problemResponse(STOPPING, headers, clock) : ready(headers)),
    ...docsAssets(),
    ...(parts.metrics !== null && { "/metrics": metricsPage(parts.metrics) }),
  };
  for (const [path, answer] of Object.entries(open)) {
    // Whoever watches over the service asks for its health as often as it likes; its numbers have a limit of their own.
    const limit = path.startsWith("/health/") || path === "/metrics" ? null : "documentation";
    const handle = unauthenticated(path, (request, headers) => answer(headers, request), limit);
    on("GET", path, handle);
    on("HEAD", path, handle);
    on("ALL", path, methodNotAllowed(path, "GET, HEAD"));
  }

  const portal = portalPages(parts.portalFiles);
  const portalPage = unauthenticated("/portal/*", (_, headers) => portal.page(headers), "page");
  const portalAsset = unauthenticated(
    "/portal/assets/*",
    async (request, headers) => {
      const name = pathOf(request.url).slice("/portal/assets/".length);
      return (await portal.asset(request, name, headers)) ?? pathNotFound(headers);
    },
    "asset",
  );
  for (const [path, handle] of [
    ["/portal", portalPage],
    ["/portal/*", portalPage],
    ["/portal/assets/*", portalAsset],
  ] as const) {
    on("GET", path, handle);
    on("HEAD", path, handle);
    on("ALL", path, methodNotAllowed(path, "GET, HEAD"));
  }
  for (const method of ["GET", "HEAD", "ALL"]) on(method, "/portal/api/*", notFound);
  on("ALL", "/", notFound);
  on("ALL", "/*", notFound);
  app.onError(({ request, error, code }) => {
    if (code === "NOT_FOUND") return notFound({ request, params: {}, peerOf }) as Promise<Response>;
    const requestId = requestIdOf(request.headers.get("x-request-id"), parts.isSecret);
    const headers = { ...plainHeadersOf(requestId), ...everyAnswers };
    logFailure(log, "unknown", headers["x-request-id"] ?? "", error);
    return problemResponse(unexpected(error, parts), headers, clock);
  });
  return app;
};
