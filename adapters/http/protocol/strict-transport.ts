import type { Headers } from "./headers.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * What every answer carries where browsers reach the service over TLS: they are to come by it for a year, whatever a
 * link says. Nothing is said of other hosts under the same domain, which are not the service's.
 */
export const strictTransport = (publicUrl: string | null): Headers =>
  publicUrl?.startsWith("https:") ? { "strict-transport-security": `max-age=${YEAR_SECONDS}` } : {};
