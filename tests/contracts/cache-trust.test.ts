import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { type CredentialCache, credentialCache } from "../../adapters/sql/access/credential-cache.ts";
import type { StoredCredentials } from "../../adapters/sql/access/credentials.ts";
import type { Credential } from "../../core/keys/credentials.ts";
import { superAdminKey } from "../core/callers.ts";
import { eventually } from "../support/eventually.ts";

setDefaultTimeout(300_000);

const credentialNumber = (keyId: number): Credential => ({
  endsAt: null,
  principal: superAdminKey({ keyId }),
});

/** Stored credentials that count look-ups, and fail or hang on request. */
class Store implements StoredCredentials {
  asked = 0;
  counter = 1;
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
    if (this.failing) throw new Error("the database is away");
    return this.counter;
  }
}

interface Trusted {
  readonly store: Store;
  readonly cache: CredentialCache;
  readonly failures: unknown[];
  /** True if the cache answered without the store. */
  answersItself(hash?: string): Promise<boolean>;
}

/** A test with its own cache, concurrent with the others, since it mostly waits. */
const trustTest = (name: string, work: (on: Trusted) => Promise<void>): void =>
  test.concurrent(name, async () => {
    const store = new Store();
    const cache = credentialCache(store);
    const failures: unknown[] = [];
    await cache.start((error) => failures.push(error));
    const answersItself = async (hash = "known"): Promise<boolean> => {
      const before = store.asked;
      await cache.find(hash);
      return store.asked === before;
    };
    try {
      await work({ store, cache, failures, answersItself });
    } finally {
      cache.stop();
    }
  });

describe("the credential cache", () => {
  trustTest("answers a known credential without asking the database", async ({ answersItself }) => {
    expect(await answersItself()).toBe(false);
    for (let time = 0; time < 10; time++) expect(await answersItself()).toBe(true);
  });

  trustTest("answers nothing from memory after a change in this process", async ({ cache, answersItself }) => {
    await cache.find("known");
    cache.clear();
    expect(await answersItself()).toBe(false);
  });

  trustTest(
    "passes on an answer that was under way during a change, but does not keep it",
    async ({ store, cache }) => {
      let finish = (): void => {};
      store.pending = new Promise((resolve) => {
        finish = resolve;
      });
      const underWay = cache.find("known");
      cache.clear();
      store.keyId = 2;
      finish();
      expect((await underWay)?.principal.keyId).toBe(1);
      store.pending = null;
      expect((await cache.find("known"))?.principal.keyId).toBe(2);
    },
  );

  trustTest(
    "never keeps an unknown secret, which may belong to a key a moment later",
    async ({ store, answersItself }) => {
      store.find = async () => {
        store.asked++;
        return null;
      };
      for (let time = 0; time < 3; time++) expect(await answersItself("unknown")).toBe(false);
    },
  );

  trustTest(
    "answers nothing from memory while the counter was last read over a second ago, and recovers afterwards",
    async ({ store, cache, failures, answersItself }) => {
      await cache.find("known");
      expect(await answersItself()).toBe(true);
      store.failing = true;
      const asks = () => answersItself().then((itself) => !itself);
      await eventually(asks, Boolean);
      expect(await answersItself()).toBe(false);
      await eventually(() => failures.length > 0, Boolean);
      store.failing = false;
      await eventually(answersItself, Boolean);
    },
  );

  trustTest(
    "answers nothing from memory while reading the counter hangs for over a second",
    async ({ store, cache, answersItself }) => {
      await cache.find("known");
      store.version = () => new Promise(() => {});
      await eventually(() => answersItself().then((itself) => !itself), Boolean);
    },
  );

  trustTest("answers with the new credential within a second after the counter changes", async ({ store, cache }) => {
    await cache.find("known");
    store.counter++;
    store.keyId = 2;
    await eventually(
      () => cache.find("known"),
      (found) => found?.principal.keyId === 2,
    );
  });
});

describe("the memory of the credential cache", () => {
  test("is bounded: of twenty-five thousand credentials at most ten thousand stay, including the latest", async () => {
    const store = new Store();
    const cache = credentialCache(store);
    await cache.start(() => {});
    const known = async (number: number): Promise<boolean> => {
      // Let timers run now and then: the cache is not trusted while its version is not read.
      if (number % 500 === 0) await new Promise((resume) => setTimeout(resume, 0));
      const before = store.asked;
      await cache.find(`key ${number}`);
      return store.asked === before;
    };
    for (let number = 0; number < 25_000; number++) expect(await known(number)).toBe(false);
    let kept = 0;
    while (kept < 25_000 && (await known(24_999 - kept))) kept++;
    cache.stop();
    expect(kept).toBeGreaterThan(1000);
    expect(kept).toBeLessThanOrEqual(10_000);
  });
});
