import type { Credential, Credentials, WhenRefused } from "../../../core/keys/credentials.ts";
import type { StoredCredentials } from "./credentials.ts";

const CAPACITY = 10_000;
const POLL_MS = 500;
/** How long the cache is trusted without reading the counter. */
const TRUST_MS = 1000;

/** Cached credentials, and the timer that invalidates them. */
export interface CredentialCache extends Credentials {
  /** How many look-ups the cache answered, and how many the database. */
  readonly counts: { readonly hits: number; readonly misses: number };
  /** Empties the cache; called after each change that this process makes. */
  clear(): void;
  /** Starts polling the counter; `report` receives failures, which are retried. */
  start(report: (error: unknown) => void): Promise<void>;
  stop(): void;
}

/**
 * A bounded cache of credentials. It never returns what this process has changed; a change by another process
 * increments a counter, which is polled. While the counter cannot be read, every request asks the database.
 */
export const credentialCache = (stored: StoredCredentials): CredentialCache => {
  const kept = new Map<string, Credential>();
  const counts = { hits: 0, misses: 0 };
  let version: number | null = null;
  let seenAt = 0;
  // Incremented by every clearing: an answer that was in progress meanwhile is used but not cached.
  let generation = 0;
  let timer: Timer | undefined;
  let report: (error: unknown) => void = () => {};

  const clear = (): void => {
    kept.clear();
    generation++;
  };

  const poll = async (): Promise<void> => {
    const askedAt = performance.now();
    try {
      const current = await stored.version();
      if (current !== version) clear();
      version = current;
      seenAt = askedAt;
    } catch (error) {
      report(error);
    }
  };

  const ask = async (hash: string, refused?: WhenRefused): Promise<Credential | null> => {
    const asked = generation;
    const credential = await stored.find(hash, refused);
    if (credential !== null && asked === generation) {
      const oldest = kept.size >= CAPACITY ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(hash, credential);
    }
    return credential;
  };

  const remembered = (hash: string): Credential | undefined =>
    performance.now() - seenAt < TRUST_MS ? kept.get(hash) : undefined;

  return {
    // A refused credential is not cached: it must take as long as an unknown one.
    find(hash, refused) {
      const known = remembered(hash);
      if (known === undefined) {
        counts.misses++;
        return ask(hash, refused);
      }
      counts.hits++;
      return known;
    },
    counts,
    isKnown: (hash) => remembered(hash) !== undefined,
    clear,
    async start(onFailure) {
      report = onFailure;
      timer = setInterval(() => void poll(), POLL_MS);
      timer.unref();
      await poll();
    },
    stop: () => clearInterval(timer),
  };
};
