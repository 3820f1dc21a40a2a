import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { type CredentialCache, credentialCache } from "../../adapters/sql/access/credential-cache.ts";
import type { StoredCredentials } from "../../adapters/sql/access/credentials.ts";
import type { Credential } from "../../core/keys/credentials.ts";
import { superAdminKey } from "../core/callers.ts";

/** Each process reads the counter this often. */
const POLL_MS = 500;
/** The cache is trusted for this long after the counter was last read. */
const TRUST_MS = 1000;

const credentialNumber = (keyId: number): Credential => ({
  endsAt: null,
  principal: superAdminKey({ keyId }),
});

/** Stored credentials that count look-ups, and fail or hang on request. */
class Store implements StoredCredentials {
  asked = 0;
  counter = 1;
  /** Holds the counter back until it resolves. */
  reading: Promise<void> | null = null;
  failing = false;
  /** Holds answers back until it resolves. */
  pending: Promise<void> | null = null;
  keyId = 1;

  async find(): Promise<Credential | null> {
    this.asked++;
    const found = credentialNumber(this.keyId);
    await this.pending;
    return found;
  }
  async version(): Promise<number> {
    const read = this.counter;
    if (this.failing) throw new Error("the database is away");
    await this.reading;
    return read;
  }
}

let store: Store;
let cache: CredentialCache;
let failures: unknown[];

/** Lets the answers of the store, which are there at once, be taken up. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await null;
};

const pass = async (ms: number): Promise<void> => {
  jest.advanceTimersByTime(ms);
  await settled();
};

/** True if the cache answered without the store. */
const answersItself = async (hash = "known"): Promise<boolean> => {
  const before = store.asked;
  await cache.find(hash);
  return store.asked === before;
};

beforeEach(async () => {
  jest.useFakeTimers();
  store = new Store();
  cache = credentialCache(store);
  failures = [];
  await cache.start((error) => failures.push(error));
});
afterEach(() => {
  cache.stop();
  jest.useRealTimers();
});

describe("the credential cache", () => {
  test("answers a known credential without asking the database", async () => {
    expect(await answersItself()).toBe(false);
    for (let time = 0; time < 10; time++) expect(await answersItself()).toBe(true);
  });

  test("answers nothing from memory after a change in this process", async () => {
    await cache.find("known");
    cache.clear();
    expect(await answersItself()).toBe(false);
  });

  test("passes on an answer that was under way during a change, but does not keep it", async () => {
    const held = Promise.withResolvers<void>();
    store.pending = held.promise;
    const underWay = cache.find("known");
    cache.clear();
    store.keyId = 2;
    held.resolve();
    expect((await underWay)?.principal.keyId).toBe(1);
    store.pending = null;
    expect((await cache.find("known"))?.principal.keyId).toBe(2);
  });

  test("never keeps an unknown secret, which may belong to a key a moment later", async () => {
    store.find = async () => {
      store.asked++;
      return null;
    };
    for (let time = 0; time < 3; time++) expect(await answersItself("unknown")).toBe(false);
  });

  test("refuses a key that another process has revoked half a second later at the latest", async () => {
    await cache.find("known");
    // Just after the counter was read.
    await pass(POLL_MS);
    store.counter++;
    store.find = async () => null;
    await pass(POLL_MS - 1);
    expect(await cache.find("known")).not.toBeNull();
    await pass(1);
    expect(await cache.find("known")).toBeNull();
  });

  test("reads the counter every half second for as long as it runs, and keeps what has not changed", async () => {
    await cache.find("known");
    for (let time = 0; time < 10; time++) {
      await pass(POLL_MS);
      expect(await answersItself()).toBe(true);
    }
    store.counter++;
    await pass(POLL_MS);
    expect(await answersItself()).toBe(false);
  });

  test("answers nothing from memory once the counter was last read a second ago, and recovers afterwards", async () => {
    await cache.find("known");
    store.failing = true;
    await pass(TRUST_MS - 1);
    expect(await answersItself()).toBe(true);
    await pass(1);
    for (let time = 0; time < 3; time++) expect(await answersItself()).toBe(false);
    expect(failures).toHaveLength(2);
    store.failing = false;
    await pass(POLL_MS);
    expect(await answersItself()).toBe(true);
  });

  test("answers nothing from memory a second after reading the counter began to hang", async () => {
    await cache.find("known");
    store.version = () => new Promise(() => {});
    await pass(TRUST_MS - 1);
    expect(await answersItself()).toBe(true);
    await pass(1);
    expect(await answersItself()).toBe(false);
  });

  test("is trusted from when it asked for the counter, not from when the answer came", async () => {
    await cache.find("known");
    await pass(POLL_MS - 1);
    const held = Promise.withResolvers<void>();
    store.reading = held.promise;
    await pass(1);
    store.version = () => new Promise(() => {});
    await pass(TRUST_MS - 1);
    held.resolve();
    await settled();
    expect(await answersItself()).toBe(true);
    await pass(1);
    expect(await answersItself()).toBe(false);
  });

  test("keeps other values for as long as credentials", async () => {
    let reads = 0;
    const value = cache.cacheValue(async () => ++reads);
    expect([await value(), await value()]).toEqual([1, 1]);
    store.counter++;
    await pass(POLL_MS);
    expect([await value(), await value()]).toEqual([2, 2]);
    store.failing = true;
    await pass(TRUST_MS);
    expect([await value(), await value()]).toEqual([3, 4]);
  });
});

describe("the memory of the credential cache", () => {
  test("is bounded: of twenty-five thousand credentials at most ten thousand stay, including the latest", async () => {
    const known = (number: number): Promise<boolean> => answersItself(`key ${number}`);
    for (let number = 0; number < 25_000; number++) expect(await known(number)).toBe(false);
    let kept = 0;
    while (kept < 25_000 && (await known(24_999 - kept))) kept++;
    expect(kept).toBeGreaterThan(1000);
    expect(kept).toBeLessThanOrEqual(10_000);
  });
});
