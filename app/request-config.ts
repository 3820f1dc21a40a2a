import { ConfigError, type Environment } from "./config-error.ts";
import { milliseconds, wholeNumber } from "./config-values.ts";

const MAX_STARTUP_SECONDS = 3600;

/** How long the service works on one request after all of it has arrived, in milliseconds. */
export const requestTimeoutOf = (environment: Environment): number =>
  milliseconds(environment, "REQUEST_TIMEOUT_MS", 5000);

/** How long the start waits for PostgreSQL to answer, in milliseconds. The variable is in seconds. */
export const startupTimeoutOf = ({ STARTUP_TIMEOUT: text = "30" }: Environment): number => {
  const seconds = wholeNumber(text, MAX_STARTUP_SECONDS);
  if (seconds === null)
    throw new ConfigError(
      "STARTUP_TIMEOUT",
      `must be a whole number of seconds from 0 to ${MAX_STARTUP_SECONDS}`,
      "30",
    );
  return seconds * 1000;
};

const MAX_IDEMPOTENCY_HOURS = 168;

/** How many hours the answers to requests with an Idempotency-Key are kept. */
export const idempotencyHoursOf = ({ IDEMPOTENCY_HOURS: text = "24" }: Environment): number => {
  const hours = wholeNumber(text, MAX_IDEMPOTENCY_HOURS);
  if (hours === null || hours === 0)
    throw new ConfigError(
      "IDEMPOTENCY_HOURS",
      `must be a whole number of hours from 1 to ${MAX_IDEMPOTENCY_HOURS}`,
      "24",
    );
  return hours;
};
