import type { Clock } from "../../../core/clock.ts";
import { type Headers, JSON_ONLY, jsonResponse, type SharedHeaders } from "./headers.ts";
import { Problem, problemBody } from "./problem.ts";
import { withCode } from "./response-facts.ts";

/** The answer while the database cannot be reached. */
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

/** Tells database failures from defects. */
export interface ErrorClassifier {
  /** True for errors that mean the database cannot be reached. */
  readonly isUnavailable: (error: unknown) => boolean;
  /** True for those that leave open whether a change was made. */
  readonly isOutcomeUnknown: (error: unknown) => boolean;
}

/** The answer to an unexpected error. It reveals nothing internal. `mayHaveChanged`: a change may have been made. */
export const problemOfError = (
  error: unknown,
  parts: ErrorClassifier,
  mayHaveChanged = parts.isOutcomeUnknown(error),
): Problem => {
  if (!parts.isUnavailable(error)) return INTERNAL_ERROR;
  return mayHaveChanged ? OUTCOME_UNKNOWN : UNAVAILABLE;
};

/** Turns a problem into its response, in addition to the headers set so far. */
export const problemResponse = (
  problem: Problem,
  {
    headers,
    clock,
    shared = JSON_ONLY,
  }: { readonly headers: Headers; readonly clock: Clock; readonly shared?: SharedHeaders },
): Response =>
  withCode(
    jsonResponse(
      problemBody(problem, clock.now(), headers["x-request-id"] ?? ""),
      { status: problem.status, headers: shared },
      { ...headers, "cache-control": "no-store", ...problem.headers },
    ),
    problem.code,
  );

/** Tells the client to send its next request on another connection, as this one is about to close. */
export const closeConnection = (response: Response): void => response.headers.set("connection", "close");
