/** A value or a promise of it: SQLite answers synchronously, PostgreSQL over a network. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Continues with a value, at once if it is there, otherwise when it arrives. Reads use it because `await` would delay
 * values that are already there.
 */
export const andThen = <Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> => (value instanceof Promise ? value.then(next) : next(value));
