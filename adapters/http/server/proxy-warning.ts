import type { Log } from "./request-log.ts";

/** Checks a request's X-Forwarded-For. */
export type ProxyWarning = (request: Request) => void;

/**
 * Logs once if requests come through a proxy although none is trusted. All clients then have the proxy's address, so
 * that limits by address apply to all of them together.
 */
export const proxyWarning = ({ events }: Pick<Log, "events">, trustedProxyHops: number): ProxyWarning => {
  let hasWarned = trustedProxyHops > 0;
  return (request) => {
    if (hasWarned || !request.headers.has("x-forwarded-for")) return;
    hasWarned = true;
    events.warn(
      "requests carry X-Forwarded-For, but TRUSTED_PROXY_HOPS is 0: if they come through a proxy, all clients share its address and limits; set TRUSTED_PROXY_HOPS to the number of proxies in front",
    );
  };
};
