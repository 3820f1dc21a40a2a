import type { Headers } from "./headers.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The header that tells browsers to use TLS for a year, on every answer if the public address uses TLS. It does not
 * cover subdomains, which may not belong to the service.
 */
export const strictTransport = (publicUrl: string | null): Headers =>
  publicUrl?.startsWith("https:") ? { "strict-transport-security": `max-age=${YEAR_SECONDS}` } : {};
