import type { Clock, Timestamp } from "../../core/clock.ts";
import type { Credential, Credentials } from "../../core/keys/credentials.ts";
import type { StoredCredentials } from "./credentials.ts";

const CAPACITY = 10_000;
const POLL_MS = 500;
/** The counter unread for this long: the cache is not believed any more. */
const TRUST_MS = 1000;
const SAVE_USES_MS = 10_000;
const USE_INTERVAL_MS = 60_000;

/** Credentials kept in memory, and the two timers that keep them honest. */
export interface CredentialCache extends Credentials {
  /** Forgets everything: called after each change this process makes. */
  clear(): void;
  /** Starts watching the counter and saving uses; `report` hears of failures, which are tried again. */
  start(report: (error: unknown) => void): Promise<void>;
  /** Stops the timers and saves the uses that are still unwritten. */
  stop(): Promise<void>;
}

/**
 * A bounded cache in front of the stored credentials. It never serves what this process has changed; a change by
 * another process moves the version counter, which is polled. While the counter cannot be read, every request asks
 * the database itself.
 */
export const credentialCache = (stored: StoredCredentials, clock: Clock): CredentialCache => {
  const kept = new Map<string, Credential>();
  const lastSaved = new Map<number, number>();
  let unsaved = new Map<number, Timestamp>();
  let version: number | null = null;
  let seenAt = 0;
  // Grows with every clearing: an answer that was under way across one is used but not kept.
  let generation = 0;
  let timers: Timer[] = [];
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

  const saveUses = async (): Promise<void> => {
    if (unsaved.size === 0) return;
    const uses = unsaved;
    unsaved = new Map();
    try {
      await stored.saveUses(uses);
    } catch (error) {
      // Kept for the next time, unless there is a later use by then.
      unsaved = new Map([...uses, ...unsaved]);
      report(error);
    }
  };

  const ask = async (hash: string): Promise<Credential | null> => {
    const asked = generation;
    const credential = await stored.find(hash);
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
    find: (hash) => remembered(hash) ?? ask(hash),
    isKnown: (hash) => remembered(hash) !== undefined,
    used(keyId) {
      const now = clock.nowMs();
      const last = lastSaved.get(keyId);
      if (last !== undefined && now - last < USE_INTERVAL_MS) return;
      if (lastSaved.size >= CAPACITY) lastSaved.clear();
      lastSaved.set(keyId, now);
      unsaved.set(keyId, clock.now());
    },
    clear,
    async start(onFailure) {
      report = onFailure;
      timers = [setInterval(() => void poll(), POLL_MS), setInterval(() => void saveUses(), SAVE_USES_MS)];
      for (const timer of timers) timer.unref();
      await poll();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await saveUses();
    },
  };
};
