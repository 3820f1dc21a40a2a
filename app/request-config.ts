import type { Environment } from "./config-error.ts";
import { milliseconds } from "./config-values.ts";

/** How long the service works for one request, from when all of it has arrived. */
export const requestTimeoutOf = (environment: Environment): number =>
  milliseconds(environment, "REQUEST_TIMEOUT_MS", 5000);
