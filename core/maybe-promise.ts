/** A value that may still be on its way: one engine answers at once, another over a network. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Continues with a value: synchronously if it is there, otherwise when it arrives. Reads are written with it, because
 * `await` would delay an answer that is already there.
 */
export const andThen = <Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(next) : next(value));
