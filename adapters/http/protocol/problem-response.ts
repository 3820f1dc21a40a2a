import type { Clock } from "../../../core/clock.ts";
import { type Headers, JSON_ONLY, jsonResponse, type SharedHeaders } from "./headers.ts";
import { Problem, problemBody, type RefusedRights } from "./problem.ts";
import { withCode } from "./response-facts.ts";

/** The answer if the database cannot be reached. */
export const UNAVAILABLE = new Problem("unavailable", "The database is out of reach; try again shortly", {
  headers: { "retry-after": "1" },
});
const OUTCOME_UNKNOWN = new Problem(
  "outcome_unknown",
  "The database did not confirm the change: it may or may not have been made; read the record before trying again",
  { headers: { "retry-after": "1" } },
);
const INTERNAL_ERROR = new Problem(
  "internal_error",
  "An internal error occurred; the log has it under this request id",
);

/** Tells failures of the database from defects of the program. */
export interface ErrorClassifier {
  /** True if the error means that the database cannot be reached. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** True if the error leaves open whether a change was made. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
}

/**
 * The answer to an unexpected error. It reveals nothing internal. With `mayHaveChanged`, it says that a change may have
 * been made.
 */
export const problemOfError = (
  error: unknown,
  parts: ErrorClassifier,
  mayHaveChanged = parts.isOutcomeUnknown(error),
): Problem => {
  if (!parts.isUnavailable(error)) return INTERNAL_ERROR;
  return mayHaveChanged ? OUTCOME_UNKNOWN : UNAVAILABLE;
};

/** The response for a problem, with the headers that were set so far. */
export const problemResponse = (
  problem: Problem,
  {
    headers,
    clock,
    shared = JSON_ONLY,
    rights,
  }: {
    readonly headers: Headers;
    readonly clock: Clock;
    readonly shared?: SharedHeaders;
    readonly rights?: RefusedRights | undefined;
  },
): Response =>
  withCode(
    jsonResponse(
      problemBody(problem, { timestamp: clock.now(), requestId: headers["x-request-id"] ?? "", rights }),
      { status: problem.status, headers: shared },
      { ...headers, "cache-control": "no-store", ...problem.headers },
    ),
    problem.code,
  );

/** Tells the client to send its next request on another connection, as this one is about to close. */
export const closeConnection = (response: Response): void => response.headers.set("connection", "close");
