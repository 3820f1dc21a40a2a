import type { Credential, Credentials, WhenRefused } from "../../../core/keys/credentials.ts";
import type { MaybePromise } from "../../../core/maybe-promise.ts";
import type { StoredCredentials } from "./credentials.ts";

const CAPACITY = 10_000;
const POLL_MS = 500;
/** How long the cache is trusted without reading the counter. */
const TRUST_MS = 1000;

/** Cached credentials, and the timer that invalidates them. */
export interface CredentialCache extends Credentials {
  /** The number of look-ups that were answered from the cache, and of those that were answered by the database. */
  readonly counts: { readonly hits: number; readonly misses: number };
  /** A number that is different after each change of anybody's rights that is known here. */
  readonly generation: number;
  /** Empties the cache; called after each change that this process makes. */
  clear(): void;
  /** Caches a value from the database in the same way as credentials: it is read again after each counted change. */
  cacheValue<Value>(read: () => Promise<Value>): () => MaybePromise<Value>;
  /** Starts polling the counter; `report` receives failures, which are retried. */
  start(report: (error: unknown) => void): Promise<void>;
  stop(): void;
}

/**
 * A bounded cache of credentials. It never returns anything that this process has changed since. A change by another
 * process increments a counter, which is polled. While the counter cannot be read, every request asks the database.
 */
export const credentialCache = (stored: StoredCredentials): CredentialCache => {
  const cached = new Map<string, Credential>();
  const counts = { hits: 0, misses: 0 };
  let version: number | null = null;
  let versionReadAt = 0;
  // It is incremented by every `clear`. The result of a look-up that overlaps with a `clear` is used, but not cached.
  let generation = 0;
  let timer: Timer | undefined;
  let report: (error: unknown) => void = () => {};

  const clear = (): void => {
    cached.clear();
    generation++;
  };

  const poll = async (): Promise<void> => {
    const askedAt = performance.now();
    try {
      const current = await stored.version();
      if (current !== version) clear();
      version = current;
      versionReadAt = askedAt;
    } catch (error) {
      report(error);
    }
  };

  const load = async (hash: string, refused?: WhenRefused): Promise<Credential | null> => {
    const generationAtStart = generation;
    const credential = await stored.find(hash, refused);
    if (credential !== null && generationAtStart === generation) {
      const oldest = cached.size >= CAPACITY ? cached.keys().next().value : undefined;
      if (oldest !== undefined) cached.delete(oldest);
      cached.set(hash, credential);
    }
    return credential;
  };

  const isTrusted = (): boolean => performance.now() - versionReadAt < TRUST_MS;

  const cachedCredential = (hash: string): Credential | undefined => (isTrusted() ? cached.get(hash) : undefined);

  return {
    // A refused credential is not cached: it must take as long as an unknown one.
    find(hash, refused) {
      const known = cachedCredential(hash);
      if (known === undefined) {
        counts.misses++;
        return load(hash, refused);
      }
      counts.hits++;
      return known;
    },
    counts,
    get generation() {
      return generation;
    },
    isKnown: (hash) => cachedCredential(hash) !== undefined,
    clear,
    cacheValue<Value>(read: () => Promise<Value>) {
      let known: { readonly value: Value; readonly of: number } | null = null;
      return () => {
        if (known !== null && known.of === generation && isTrusted()) return known.value;
        const generationAtStart = generation;
        return read().then((value) => {
          known = { value, of: generationAtStart };
          return value;
        });
      };
    },
    async start(onFailure) {
      report = onFailure;
      timer = setInterval(() => void poll(), POLL_MS);
      timer.unref();
      await poll();
    },
    stop: () => clearInterval(timer),
  };
};
