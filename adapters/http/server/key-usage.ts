import { looksLikeKey } from "../../../core/keys/key-like.ts";
import type { UsageMeter, UsageOutcome } from "../../../core/keys/usage-repository.ts";
import type { ErrorCode } from "../protocol/problem.ts";

/** What of an answered request its key's usage is made of. */
export interface Answered {
  readonly request: Request;
  /** Who was let in, if anybody was. */
  readonly caller: { readonly keyId: number | null } | null;
  /** The key that was refused because it, or the secret sent, works no more; `null` for a secret of none. */
  readonly refused: { readonly keyId: number | null } | null;
  /** The client's. */
  readonly address: string;
}

const outcomeOf = (status: number): UsageOutcome => {
  if (status < 400) return "served";
  if (status >= 500) return "failed";
  if (status === 403) return "denied";
  return status === 429 ? "limited" : "served";
};

/** The client's name of itself, unless it says the key there, too. */
const userAgentOf = ({ headers }: Request): string | null => {
  const userAgent = headers.get("user-agent");
  const key = headers.get("x-api-key");
  if (userAgent === null) return null;
  return looksLikeKey(userAgent) || (key !== null && userAgent.includes(key)) ? "withheld" : userAgent;
};

/**
 * Counts what was answered on one route, given as its pattern, with the code of the error, if it was one. Requests
 * without a known key are nobody's.
 */
export const usageCounting =
  (meter: UsageMeter, route: string) =>
  (seen: Answered, status: number, code: ErrorCode | null): void => {
    const { request, caller, refused } = seen;
    const counted = caller === null ? (refused?.keyId ?? null) : caller.keyId;
    if (counted === null) return;
    const outcome = caller === null ? "unauthorized" : outcomeOf(status);
    const recordsClient = meter.count(counted, outcome);
    if (recordsClient) meter.noteClient(counted, seen.address, userAgentOf(request));
    if (code !== null && (outcome === "denied" || outcome === "unauthorized"))
      meter.deny(counted, { status, code, method: request.method, route, address: seen.address });
  };
