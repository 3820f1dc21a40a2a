import { ConnectionLost, InventoryError, TimedOut } from "./errors.ts";

/** Waits, unless the signal ends it: then it throws the signal's reason. */
export const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((done, fail) => {
    signal?.throwIfAborted();
    const abort = (): void => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      done();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });

/** When a try ends. */
export interface TryLimits {
  /** In milliseconds; infinite for none. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** True if the signal also ends what was returned, such as a file that is still being read. */
  readonly lasts?: boolean;
}

/** The longest time that a timer can wait. */
const LONGEST = 2 ** 31 - 1;

/**
 * Does something that ends with the time or the signal. Throws the signal's reason, `TimedOut`, what the service
 * refused, or `ConnectionLost` for everything else that goes wrong on the way.
 */
export const within = async <Data>(
  { timeout, signal, lasts = false }: TryLimits,
  work: (signal: AbortSignal) => Promise<Data>,
): Promise<Data> => {
  signal?.throwIfAborted();
  const controller = new AbortController();
  const abort = (): void => controller.abort(signal?.reason);
  signal?.addEventListener("abort", abort, { once: true });
  let isOver = false;
  const timer = setTimeout(
    () => {
      isOver = true;
      controller.abort();
    },
    Math.min(timeout, LONGEST),
  );
  let isDone = false;
  try {
    const data = await work(controller.signal);
    isDone = true;
    return data;
  } catch (cause) {
    signal?.throwIfAborted();
    if (cause instanceof InventoryError) throw cause;
    throw isOver
      ? new TimedOut(`No answer within ${Math.round(timeout)} ms`, { cause })
      : new ConnectionLost(`No answer: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    clearTimeout(timer);
    if (!(isDone && lasts)) signal?.removeEventListener("abort", abort);
  }
};
