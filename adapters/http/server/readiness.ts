import type { Clock } from "../../../core/clock.ts";
import { type Headers, JSON_ONLY, jsonResponse } from "../protocol/headers.ts";
import { problemBody } from "../protocol/problem.ts";
import { UNAVAILABLE } from "../protocol/problem-response.ts";

/** What readiness looks at. Only the database decides: without it nothing can be answered. */
export interface ReadinessParts {
  /** Fails while the database does not answer. */
  readonly database: () => Promise<void>;
  /** `degraded` while this instance counts requests without the others. */
  readonly limits: () => "ok" | "degraded";
  /** Of the room on the disk. */
  readonly disk: () => "ok" | "low" | "unknown";
}

/**
 * Anybody may ask: however many do, the database is asked once at a time. Nothing is kept for later: a database that is
 * lost is told of by the very next answer.
 */
const shared = (check: () => Promise<void>): (() => Promise<void>) => {
  let pending: Promise<void> | null = null;
  return () => {
    pending ??= check().finally(() => {
      pending = null;
    });
    return pending;
  };
};

/** Answers whether the service should get requests, and what of it works; nothing of where, or why not. */
export const readiness = (
  { database, limits, disk }: ReadinessParts,
  clock: Clock,
  report: (requestId: string, error: unknown) => void,
): ((headers: Headers) => Promise<Response>) => {
  const askDatabase = shared(database);
  return async (headers) => {
    const requestId = headers["x-request-id"] ?? "";
    try {
      await askDatabase();
    } catch (error) {
      report(requestId, error);
      const problem = JSON.parse(problemBody(UNAVAILABLE, clock.now(), requestId));
      const checks = { database: "unavailable", limits: limits(), disk: disk() };
      return jsonResponse(
        JSON.stringify({ ...problem, checks }),
        { status: UNAVAILABLE.status, headers: JSON_ONLY },
        { ...headers, "cache-control": "no-store", ...UNAVAILABLE.headers },
      );
    }
    return jsonResponse(
      JSON.stringify({ status: "ready", checks: { database: "ok", limits: limits(), disk: disk() } }),
      { status: 200, headers: JSON_ONLY },
      { ...headers, "cache-control": "no-store" },
    );
  };
};
