import { openApiDocument } from "../docs/openapi.ts";
import { docsAssets } from "../docs/pages.ts";
import { accepts } from "../protocol/accept.ts";
import { type Headers, JSON_ONLY, jsonResponse } from "../protocol/headers.ts";
import { Problem } from "../protocol/problem.ts";
import { problemResponse } from "../protocol/problem-response.ts";
import { pathOf } from "../protocol/request-path.ts";
import type { Route } from "../protocol/route.ts";
import { staticJson } from "../protocol/static-json.ts";
import { type ReadinessParts, readiness } from "./health.ts";
import { type MetricsPage, metricsAnswer } from "./metrics.ts";
import type { OpenAnswer, OpenParts } from "./open-answers.ts";
import type { OpenLimit } from "./open-limits.ts";
import { type PortalFiles, portalPages } from "./portal-pages.ts";
import { logFailure } from "./request-log.ts";

export interface PageParts extends OpenParts {
  readonly version: string;
  readonly portalFiles: PortalFiles;
  readonly readiness: ReadinessParts;
  /** The pages of single capabilities. */
  readonly pages: readonly OpenPage[];
  /** The metrics at `/metrics`; `null` if they are not served here. */
  readonly metrics: MetricsPage | null;
}

/** A page that needs no key. */
export interface OpenPage {
  /** The pattern by which it is routed and logged. */
  readonly path: string;
  readonly answer: OpenAnswer;
  /** The limit by address; `null` if there is none. */
  readonly limit: OpenLimit | null;
}

const JSON_OK = { status: 200, headers: JSON_ONLY };

const STOPPING = new Problem("unavailable", "The service is stopping", { headers: { "retry-after": "1" } });

/** The answer for a path that does not exist. */
export const notFound = (headers: Headers, { clock }: Pick<OpenParts, "clock">): Response =>
  problemResponse(new Problem("not_found", "Path not found"), { headers, clock });

const documentPage = (routes: readonly Route[], version: string): OpenAnswer => {
  // The document is made at the first request. At the start, it would take a sixth of the start time.
  const respond = staticJson(() => JSON.stringify(openApiDocument(routes, version)));
  return ({ request }, headers) => respond(request, headers);
};

/** The page `/`: it leads people to the portal, and gives programs an index. */
const rootPage = (version: string): OpenAnswer => {
  const index = JSON.stringify({
    name: "Vehicle Inventory Service",
    version,
    links: {
      vehicles: "/api/vehicles",
      openapi: "/openapi.json",
      documentation: "/docs",
      portal: "/portal",
      health: "/health/ready",
    },
  });
  return ({ request }, plain) => {
    const headers = { ...plain, vary: "Accept" };
    return accepts(request.headers.get("accept"), ["text/html"])
      ? new Response(null, { status: 303, headers: { ...headers, location: "/portal" } })
      : jsonResponse(index, JSON_OK, headers);
  };
};

const readyPage = (parts: PageParts): OpenAnswer => {
  const { clock, log, stopping } = parts;
  const ready = readiness(parts.readiness, clock, (requestId, error) =>
    logFailure(log, { route: "/health/ready", requestId, error }),
  );
  return (_, headers) => (stopping.begun ? problemResponse(STOPPING, { headers, clock }) : ready(headers));
};

const ASSETS = "/portal/assets/";

const portalFilePages = (parts: PageParts): OpenPage[] => {
  const portal = portalPages(parts.portalFiles);
  const page: OpenAnswer = (_, headers) => portal.page("index.html", headers);
  const walk: OpenAnswer = (_, headers) => portal.page("walk.html", headers);
  const asset: OpenAnswer = async ({ request }, headers) =>
    (await portal.asset(request, pathOf(request.url).slice(ASSETS.length), headers)) ?? notFound(headers, parts);
  return [
    { path: "/portal", answer: page, limit: "page" },
    { path: "/portal/*", answer: page, limit: "page" },
    { path: "/portal/walk", answer: walk, limit: "page" },
    { path: "/portal/walk/*", answer: walk, limit: "page" },
    { path: "/portal/walk/worker.js", answer: (_, headers) => portal.worker(headers), limit: "page" },
    { path: `${ASSETS}*`, answer: asset, limit: "asset" },
  ];
};

/** All pages that need no key: documentation, health, metrics and the files of the portal. */
export const openPages = (routes: readonly Route[], parts: PageParts): OpenPage[] => [
  { path: "/", answer: rootPage(parts.version), limit: "documentation" },
  { path: "/openapi.json", answer: documentPage(routes, parts.version), limit: "documentation" },
  ...Object.entries(docsAssets((headers) => notFound(headers, parts))).map(
    ([path, asset]): OpenPage => ({
      path,
      answer: ({ request }, headers) => asset(headers, request),
      limit: "documentation",
    }),
  ),
  // Monitoring may ask for health as often as it likes. The metrics have their own limit.
  { path: "/health/live", answer: (_, headers) => jsonResponse('{"status":"ok"}', JSON_OK, headers), limit: null },
  { path: "/health/ready", answer: readyPage(parts), limit: null },
  ...(parts.metrics === null ? [] : [{ path: "/metrics", answer: metricsAnswer(parts.metrics, parts), limit: null }]),
  ...parts.pages,
  ...portalFilePages(parts),
];
