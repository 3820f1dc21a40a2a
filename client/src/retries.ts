import { Conflict, ConnectionLost, type InventoryError, RateLimited, TimedOut, Unavailable } from "./errors.ts";

const FIRST_WAIT = 250;
const LONGEST_WAIT = 30_000;

/** True if the same request may succeed later. A change is safe to send again, as it has an `Idempotency-Key`. */
const mayPass = (error: unknown): error is InventoryError =>
  error instanceof ConnectionLost ||
  error instanceof TimedOut ||
  error instanceof RateLimited ||
  error instanceof Unavailable ||
  (error instanceof Conflict && error.code === "idempotency_in_progress");

/**
 * How long to wait after this failed try, in milliseconds; `null` if no try can help. Waits double, and are drawn from
 * the upper half, so that many clients do not come back at once. The service's `Retry-After` is the least.
 */
export const waitAfter = (error: unknown, attempt: number, chance: number = Math.random()): number | null => {
  if (!mayPass(error)) return null;
  const backoff = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1)) * (1 - chance / 2);
  const asked = (error.retryAfter ?? 0) * 1000;
  return Math.max(backoff, asked + backoff * chance * Number(asked > 0));
};

/** A new name for a change. */
export const newIdempotencyKey = (): string =>
  // Pages without https have no `randomUUID`.
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
