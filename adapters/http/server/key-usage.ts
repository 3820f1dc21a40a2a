import { looksLikeKey } from "../../../core/keys/key-like.ts";
import type { UsageMeter, UsageOutcome } from "../../../core/keys/usage-repository.ts";
import type { ErrorCode } from "../protocol/problem.ts";

/** What the usage of a key records about an answered request. */
export interface AnsweredRequest {
  readonly request: Request;
  /** The admitted caller; `null` if there is none. */
  readonly caller: { readonly keyId: number | null; readonly oldSecret?: string } | null;
  /**
   * The refused key, if it was refused because it or its secret no longer works. Its id is `null` if no key has the
   * secret.
   */
  readonly refused: { readonly keyId: number | null } | null;
  /** The client's address. */
  readonly address: string;
}

const outcomeOf = (status: number): UsageOutcome => {
  if (status < 400) return "served";
  if (status >= 500) return "failed";
  if (status === 403) return "denied";
  return status === 429 ? "limited" : "served";
};

/** The client's user agent, unless it contains the key. */
const userAgentOf = ({ headers }: Request): string | null => {
  const userAgent = headers.get("user-agent");
  const key = headers.get("x-api-key");
  if (userAgent === null) return null;
  return looksLikeKey(userAgent) || (key !== null && userAgent.includes(key)) ? "withheld" : userAgent;
};

/**
 * Counts the answers of a route, which is given as its pattern, with the error code if there is one. Requests without a
 * known key are not counted.
 */
export const usageCounter =
  (meter: UsageMeter, route: string) =>
  (seen: AnsweredRequest, status: number, code: ErrorCode | null): void => {
    const { request, caller, refused } = seen;
    const counted = caller === null ? (refused?.keyId ?? null) : caller.keyId;
    if (counted === null) return;
    const outcome = caller === null ? "unauthorized" : outcomeOf(status);
    const recordsClient = meter.count(counted, outcome);
    if (caller?.oldSecret !== undefined) meter.countOldSecret(caller.oldSecret);
    if (recordsClient) meter.recordClient(counted, seen.address, userAgentOf(request));
    if (code !== null && (outcome === "denied" || outcome === "unauthorized"))
      meter.deny(counted, { status, code, method: request.method, route, address: seen.address });
  };
