import type { Headers } from "./headers.ts";

const YEAR_SECONDS = 365 * 24 * 60 * 60;

/**
 * The header that makes browsers use TLS for a year. If the public address uses TLS, every answer has it. It does not
 * include subdomains, as these may not belong to the service.
 */
export const strictTransport = (publicUrl: string | null): Headers =>
  publicUrl?.startsWith("https:") ? { "strict-transport-security": `max-age=${YEAR_SECONDS}` } : {};
