import { FAILED_AUTHENTICATIONS } from "../../../core/access/rate-limits.ts";
import { limitedAddress } from "../protocol/addresses.ts";
import { Problem } from "../protocol/problem.ts";
import { problemResponse } from "../protocol/problem-response.ts";
import type { OpenAnswer } from "./open-answers.ts";
import type { PipelineParts } from "./parts.ts";

/** The service's metrics, for clients with the token. */
export interface MetricsPage {
  readonly mayRead: (authorization: string | null) => boolean;
  readonly text: () => string;
}

const INVALID = new Problem("api_key_invalid", "A bearer token that reads the metrics is needed", {
  headers: { "www-authenticate": "Bearer" },
});

const TEXT = "text/plain; version=0.0.4; charset=utf-8";

/** Answers with the metrics. A wrong token counts as a failed authentication of the client's address. */
export const metricsAnswer =
  (page: MetricsPage, { limiter, clock }: Pick<PipelineParts, "limiter" | "clock">): OpenAnswer =>
  async ({ request, address }, headers) => {
    if (page.mayRead(request.headers.get("authorization")))
      return new Response(page.text(), { headers: { ...headers, "content-type": TEXT, "cache-control": "no-store" } });
    const { admitted, retrySeconds } = await limiter.take(`address:${limitedAddress(address)}`, FAILED_AUTHENTICATIONS);
    if (admitted) return problemResponse(INVALID, { headers, clock });
    const late = { "retry-after": String(retrySeconds) };
    const problem = new Problem("rate_limit_exceeded", "Too many failed authentications from this address", {
      headers: late,
    });
    return problemResponse(problem, { headers, clock });
  };
