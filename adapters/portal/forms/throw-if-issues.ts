import type { Issue } from "../../../core/issues.ts";
import { ApiError } from "../api/client.ts";

/** Throws before anything is sent if there are issues; the form shows each issue at its field. */
export const throwIfIssues = (issues: readonly Issue[]): void => {
  if (issues.length > 0)
    throw new ApiError({ status: 400, code: "not_sent", sentence: "Look at what you have typed.", details: issues });
};
