import { FAILED_AUTHENTICATIONS, type RateLimiter } from "../../core/access/rate-limits.ts";
import type { Clock } from "../../core/clock.ts";
import { limitedAddress } from "./addresses.ts";
import { Problem } from "./problem.ts";
import { problemResponse } from "./problem-response.ts";
import type { Headers } from "./response-headers.ts";

/** The service's numbers, for those who hold the token. */
export interface MetricsPage {
  readonly mayRead: (authorization: string | null) => boolean;
  readonly text: () => string;
}

const INVALID = new Problem("api_key_invalid", "A bearer token that reads the metrics is needed", {
  "www-authenticate": "Bearer",
});

const TEXT = "text/plain; version=0.0.4; charset=utf-8";

interface Parts {
  readonly page: MetricsPage;
  readonly limiter: RateLimiter;
  readonly clock: Clock;
  readonly addressOf: (seen: { readonly request: Request }) => string;
}

/** Answers with the numbers; wrong tokens are counted with the failed authentications of their address. */
export const metricsAnswer =
  ({ page, limiter, clock, addressOf }: Parts) =>
  async (request: Request, headers: Headers): Promise<Response> => {
    if (page.mayRead(request.headers.get("authorization")))
      return new Response(page.text(), { headers: { ...headers, "content-type": TEXT, "cache-control": "no-store" } });
    const address = limitedAddress(addressOf({ request }));
    const { admitted, retrySeconds } = await limiter.take(`address:${address}`, FAILED_AUTHENTICATIONS);
    if (admitted) return problemResponse(INVALID, headers, clock);
    const late = { "retry-after": String(retrySeconds) };
    const problem = new Problem("rate_limit_exceeded", "Too many failed authentications from this address", late);
    return problemResponse(problem, headers, clock);
  };
