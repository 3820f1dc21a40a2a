import type { Credential, Credentials, WhenRefused } from "../../core/keys/credentials.ts";
import type { StoredCredentials } from "./credentials.ts";

const CAPACITY = 10_000;
const POLL_MS = 500;
/** The counter unread for this long: the cache is not believed any more. */
const TRUST_MS = 1000;

/** Credentials kept in memory, and the timer that keeps them honest. */
export interface CredentialCache extends Credentials {
  /** How often a credential was in memory, and how often it had to be asked for. */
  readonly counts: { readonly hits: number; readonly misses: number };
  /** Forgets everything: called after each change this process makes. */
  clear(): void;
  /** Starts watching the counter; `report` hears of failures, which are tried again. */
  start(report: (error: unknown) => void): Promise<void>;
  stop(): void;
}

/**
 * A bounded cache in front of the stored credentials. It never serves what this process has changed; a change by
 * another process moves the version counter, which is polled. While the counter cannot be read, every request asks
 * the database itself.
 */
export const credentialCache = (stored: StoredCredentials): CredentialCache => {
  const kept = new Map<string, Credential>();
  const counts = { hits: 0, misses: 0 };
  let version: number | null = null;
  let seenAt = 0;
  // Grows with every clearing: an answer that was under way across one is used but not kept.
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
    // One that must be refused is not kept: it is answered in the time that an unknown one is.
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
