import type { Clock } from "../../core/clock.ts";
import { problemResponse } from "./pipeline.ts";
import { Problem } from "./problem.ts";
import { requestIdOf } from "./request-id.ts";
import { pathOf } from "./request-path.ts";
import { plainHeadersOf } from "./response-headers.ts";

type Fetch = (request: Request) => Response | Promise<Response>;

const STOPPING = new Problem("unavailable", "The service is stopping", { "retry-after": "1" });

/**
 * What answers once the service was told to stop: everything as before, except that it is not ready any more, and that
 * each answer is the last one on its connection, so that no client sends a request into a connection that is closing.
 */
export const lastAnswers =
  (fetch: Fetch, clock: Clock): Fetch =>
  async (request) => {
    const response =
      pathOf(request.url) === "/health/ready"
        ? problemResponse(STOPPING, plainHeadersOf(requestIdOf(request.headers.get("x-request-id"))), clock)
        : await fetch(request);
    response.headers.set("connection", "close");
    return response;
  };
