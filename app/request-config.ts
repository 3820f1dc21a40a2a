import type { Environment } from "./config-error.ts";
import { milliseconds } from "./config-values.ts";

/** How long the service works on one request after all of it has arrived, in milliseconds. */
export const requestTimeoutOf = (environment: Environment): number =>
  milliseconds(environment, "REQUEST_TIMEOUT_MS", 5000);
