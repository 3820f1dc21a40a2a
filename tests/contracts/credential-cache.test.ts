import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { type CredentialCache, credentialCache } from "../../adapters/sql/access/credential-cache.ts";
import { storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { Credential } from "../../core/keys/credentials.ts";
import type { KeyFields, KeyRepository } from "../../core/keys/key-repository.ts";
import { permissionSet } from "../../core/permissions.ts";
import type { UserRecord } from "../../core/users/user.ts";
import type { UserFields, UserRepository } from "../../core/users/user-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import {
  dealerFields,
  keyFields,
  MOMENT,
  made,
  momentAfter,
  newSecret,
  OPERATOR,
  userFields,
} from "../support/records.ts";
import { changeStoredUser } from "../support/user-changes.ts";

setDefaultTimeout(300_000);

const EVERYTHING = "everything" as const;
const noFailure = (error: unknown): never => {
  throw error;
};

/** A key, and its user if it has one. */
interface Known {
  readonly id: number;
  readonly hash: string;
  readonly user: UserRecord;
}

interface Process {
  readonly db: SqlDatabase;
  readonly cache: CredentialCache;
  readonly keys: KeyRepository;
  readonly users: UserRepository;
}

for (const engine of ENGINES)
  describe(`the credential cache on ${engine.name}`, () => {
    let here: Process;
    let elsewhere: Process;
    let north: number;

    const start = async (url: string): Promise<Process> => {
      const db = await engine.open(url);
      const cache = credentialCache(storedCredentials(db));
      await cache.start(noFailure);
      return { db, cache, keys: makeKeyRepository(db, cache.clear), users: makeUserRepository(db, cache.clear) };
    };

    beforeAll(async () => {
      const url = await engine.migratedUrl();
      [here, elsewhere] = [await start(url), await start(url)];
      north = (await makeDealerRepository(here.db).insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(async () => {
      for (const { db, cache } of [here, elsewhere]) {
        cache.stop();
        await db.close();
      }
    });
    const changeKey =
      (fields: Partial<KeyFields>) =>
      async ({ keys }: Process, { id }: Known): Promise<void> => {
        const seen = made(await keys.find(id, EVERYTHING));
        made(
          await changeStoredKey(keys, seen, { does: "change", fields: { ...seen, ...fields }, now: momentAfter(1) }),
        );
      };
    const changeUser =
      (fields: Partial<UserFields>) =>
      async ({ users }: Process, { user }: Known): Promise<void> => {
        made(await changeStoredUser(users, user, { fields: { ...user, ...fields }, now: momentAfter(1) }));
      };

    type Key = "own" | "user's";
    const CHANGES: {
      name: string;
      key: Key;
      change: (by: Process, known: Known) => Promise<void>;
      shows: (credential: Credential | null) => boolean;
    }[] = [
      {
        name: "the revocation of a key",
        key: "own",
        change: changeKey({ active: false }),
        shows: (found) => found === null,
      },
      {
        name: "the removal of a key",
        key: "own",
        change: async ({ keys }, { id }) => {
          await changeStoredKey(keys, made(await keys.find(id, EVERYTHING)), { does: "remove" });
        },
        shows: (found) => found === null,
      },
      {
        name: "the rotation of a key",
        key: "own",
        change: async ({ keys }, { id }) => {
          const seen = made(await keys.find(id, EVERYTHING));
          made(
            await changeStoredKey(keys, seen, { does: "rotate", secret: newSecret(), previousEndsAt: momentAfter(5) }),
          );
        },
        shows: (found) => found?.endsAt === momentAfter(5),
      },
      {
        name: "the loss of a key's permissions",
        key: "own",
        change: changeKey({ ownPermissions: 0 }),
        shows: (found) => found?.principal.permissions === 0,
      },
      {
        name: "a key's lower limit",
        key: "own",
        change: changeKey({ rateLimit: 3 }),
        shows: (found) => found?.principal.rateLimit === 3,
      },
      {
        name: "a key's expiry",
        key: "own",
        change: changeKey({ expiresAt: momentAfter(7) }),
        shows: (found) => found?.endsAt === momentAfter(7),
      },
      {
        name: "the deactivation of a key's user",
        key: "user's",
        change: changeUser({ active: false }),
        shows: (found) => found === null,
      },
      {
        name: "a change of a user's permissions",
        key: "user's",
        change: changeUser({ permissions: permissionSet(["dealers:read"]) }),
        shows: (found) => found?.principal.permissions === permissionSet(["dealers:read"]),
      },
      {
        name: "a user's move out of the dealer",
        key: "user's",
        change: changeUser({ dealerId: null }),
        shows: (found) => found?.principal.dealerId === null,
      },
    ];

    const newKey = async (kind: Key): Promise<Known> => {
      const user = made(await here.users.insert(userFields({ dealerId: north }), MOMENT, OPERATOR));
      const secret = newSecret();
      const fields = keyFields(kind === "own" ? { dealerId: north } : { userId: user.id });
      const { id } = made(await here.keys.insert({ key: fields, secret, now: MOMENT, by: OPERATOR }));
      return { id, hash: secret.hash, user };
    };

    for (const { name, key, change, shows } of CHANGES)
      test(`shows ${name} at once in the process that does it`, async () => {
        const known = await newKey(key);
        expect(shows(await here.cache.find(known.hash))).toBe(false);
        await change(here, known);
        expect(await here.cache.find(known.hash)).toSatisfy(shows);
      });

    test("shows each of these changes in every other process as soon as it has read the counter", async () => {
      const known: Known[] = [];
      for (const { key } of CHANGES) known.push(await newKey(key));
      // All are created before the first look-up, since each creation empties the cache.
      for (const { hash } of known) made(await here.cache.find(hash));
      await Promise.all(
        CHANGES.map(async ({ change, shows }, index) => {
          const { hash } = known[index] as Known;
          await change(elsewhere, known[index] as Known);
          await eventually(() => here.cache.find(hash), shows);
        }),
      );
    });

    test("accepts a new key, or a new secret, at once in every process", async () => {
      const [first, second] = [newSecret(), newSecret()];
      for (const { cache } of [here, elsewhere]) expect(await cache.find(first.hash)).toBeNull();
      const key = made(await here.keys.insert({ key: keyFields(), secret: first, now: MOMENT, by: OPERATOR }));
      for (const { cache } of [here, elsewhere]) expect((await cache.find(first.hash))?.principal.keyId).toBe(key.id);
      await changeStoredKey(here.keys, key, { does: "rotate", secret: second, previousEndsAt: MOMENT });
      for (const { cache } of [here, elsewhere]) expect((await cache.find(second.hash))?.principal.keyId).toBe(key.id);
    });
  });
