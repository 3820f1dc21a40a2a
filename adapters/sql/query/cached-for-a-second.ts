import { andThen, type MaybePromise } from "../../../core/maybe-promise.ts";

const CACHE_MS = 1000;
const MAX_CACHED = 10_000;

/** The same function, which remembers each result for a second. It is for what may be slightly out of date. */
export const cachedForASecond = <Key extends string | number | null, Value>(
  read: (key: Key) => MaybePromise<Value>,
): ((key: Key) => MaybePromise<Value>) => {
  const cache = new Map<Key, { readonly value: Value; readonly since: number }>();
  return (key) => {
    const now = performance.now();
    const cached = cache.get(key);
    if (cached !== undefined && now - cached.since < CACHE_MS) return cached.value;
    return andThen(read(key), (value) => {
      if (cache.size >= MAX_CACHED) cache.clear();
      cache.set(key, { value, since: now });
      return value;
    });
  };
};
