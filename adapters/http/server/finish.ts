import { closeConnection } from "../protocol/problem-response.ts";
import { codeOf } from "../protocol/response-facts.ts";
import type { Exchange } from "./exchange.ts";
import { usageCounter } from "./key-usage.ts";
import type { PipelineParts } from "./parts.ts";
import { accessLog } from "./request-log.ts";

const NOT_ALLOWED = 405;

/**
 * Ends every request for one path: it writes a line to the log, and counts the request for the metrics and for the
 * key's usage. The path is logged as its pattern (or `unknown`), never as it was sent, as it may contain a secret.
 */
export const requestFinisher = (
  parts: PipelineParts,
  pattern: string,
): ((exchange: Exchange, response: Response) => Response) => {
  const logAccess = accessLog(parts, pattern);
  const countUnmatched = parts.meter.of("unmatched");
  const countMatched = pattern === "unknown" ? countUnmatched : parts.meter.of(pattern);
  const countUsage = usageCounter(parts.usage, pattern);
  return (exchange, response) => {
    if (parts.stopping.begun) closeConnection(response);
    const ms = performance.now() - exchange.startedAt;
    const code = codeOf(response);
    logAccess(exchange, response, ms);
    const count = response.status === NOT_ALLOWED ? countUnmatched : countMatched;
    count(exchange.request.method, response.status, ms / 1000);
    exchange.trace?.end({ status: response.status, code, requestId: exchange.requestId });
    if (code !== null) parts.meter.refused(response.status, code);
    countUsage(exchange, response.status, code);
    return response;
  };
};
