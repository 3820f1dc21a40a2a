import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type StoredCredentials, storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { param, statement } from "../../adapters/sql/query/statement.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { DealerUpdate } from "../../core/dealers/dealer-repository.ts";
import type { KeyRecord } from "../../core/keys/key.ts";
import { EVERY_PERMISSION, permissionSet } from "../../core/permissions.ts";
import { ENGINES } from "../support/engines.ts";
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

const READ = permissionSet(["vehicles:read"]);

for (const engine of ENGINES)
  describe(`stored credentials on ${engine.name}`, () => {
    let db: SqlDatabase;
    let credentials: StoredCredentials;
    let north: number;

    beforeAll(async () => {
      db = await engine.open();
      credentials = storedCredentials(db);
      north = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => db.close());

    const newUser = async (fields: Parameters<typeof userFields>[0]) =>
      made(await makeUserRepository(db, () => {}).insert(userFields(fields), MOMENT, OPERATOR));

    const newKey = async (fields: Parameters<typeof keyFields>[0]): Promise<{ key: KeyRecord; hash: string }> => {
      const secret = newSecret();
      const repository = makeKeyRepository(db, () => {});
      return {
        key: made(await repository.insert({ key: keyFields(fields), secret, now: MOMENT, by: OPERATOR })),
        hash: secret.hash,
      };
    };

    test("a secret that belongs to no key authenticates nobody", async () => {
      expect(await credentials.find(newSecret().hash)).toBeNull();
      expect(await credentials.find("")).toBeNull();
    });

    test("a key without association is unbound and has its own permissions and limit", async () => {
      const { key, hash } = await newKey({ appType: "mobile", rateLimit: 9, ownPermissions: READ });
      expect(await credentials.find(hash)).toEqual({
        endsAt: null,
        principal: {
          keyId: key.id,
          name: key.name,
          via: "api",
          address: null,
          requestId: null,
          authorization: {
            presented: { secretHash: hash },
            association: "none",
            permissions: READ,
            dealerId: null,
            userId: null,
            role: null,
            rateLimit: 9,
          },
          appType: "mobile",
          association: "none",
          permissions: READ,
          dealerId: null,
          userId: null,
          role: null,
          rateLimit: 9,
        },
      });
    });

    for (const [appType, rateLimit] of [
      ["web", 100],
      ["desktop", 300],
      ["mobile", 200],
    ] as const)
      test(`a ${appType} key without a limit of its own may make ${rateLimit} requests a minute`, async () => {
        const { hash } = await newKey({ appType });
        expect((await credentials.find(hash))?.principal).toMatchObject({ appType, rateLimit });
      });

    test("a dealer's key is bound to its dealer", async () => {
      const { hash } = await newKey({ dealerId: north });
      expect((await credentials.find(hash))?.principal).toMatchObject({ association: "dealer", dealerId: north });
    });

    test("the keys of a dealer and its users have the dealer's limit, and only a change of it is one of access", async () => {
      const dealers = makeDealerRepository(db);
      const { id } = await dealers.insert(dealerFields({ rate_limit: 20 }), OPERATOR);
      const user = await newUser({ dealerId: id });
      const keys = [await newKey({ dealerId: id }), await newKey({ userId: user.id })];
      const limits = () =>
        Promise.all(keys.map(async ({ hash }) => (await credentials.find(hash))?.principal.dealerRateLimit));
      const change = async (changes: DealerUpdate) => {
        const before = await credentials.version();
        await dealers.update({ id, scope: null, changes, now: momentAfter(1000), versions: null, by: OPERATOR });
        return (await credentials.version()) > before;
      };
      expect(await limits()).toEqual([20, 20]);
      expect([await change({ rate_limit: 20 }), await change({ city: "Salem" })]).toEqual([false, false]);
      expect(await change({ rate_limit: 30 })).toBe(true);
      expect(await limits()).toEqual([30, 30]);
      expect(await change({ rate_limit: null })).toBe(true);
      expect(await limits()).toEqual([undefined, undefined]);
    });

    const HOLDERS = [
      { role: "user", tied: true },
      { role: "user", tied: false },
      { role: "dealer_admin", tied: true },
      { role: "super_admin", tied: false },
    ] as const;
    for (const { role, tied } of HOLDERS)
      test(`the key of a ${role} ${tied ? "of a dealer" : "without a dealer"} has its user's binding and permissions`, async () => {
        const dealerId = tied ? north : null;
        const user = await newUser({ role, dealerId, permissions: EVERY_PERMISSION });
        const { hash } = await newKey({ userId: user.id });
        expect((await credentials.find(hash))?.principal).toMatchObject({
          association: "user",
          userId: user.id,
          role,
          dealerId,
          permissions: EVERY_PERMISSION,
        });
      });

    test("a user's key has only its user's permissions, even if it has older ones of its own", async () => {
      const user = await newUser({ permissions: READ });
      const { hash } = await newKey({ userId: user.id, ownPermissions: EVERY_PERMISSION });
      expect((await credentials.find(hash))?.principal.permissions).toBe(READ);
    });

    test("a secret ends at the key's expiry or at the end of its grace, whichever is earlier", async () => {
      const { key, hash } = await newKey({ expiresAt: momentAfter(500) });
      expect((await credentials.find(hash))?.endsAt).toBe(momentAfter(500));
      const repository = makeKeyRepository(db, () => {});
      await changeStoredKey(repository, key, { does: "rotate", secret: newSecret(), previousEndsAt: momentAfter(200) });
      expect((await credentials.find(hash))?.endsAt).toBe(momentAfter(200));
    });

    describe("fail closed:", () => {
      test("a revoked key authenticates nobody", async () => {
        expect(await credentials.find((await newKey({ active: false })).hash)).toBeNull();
      });

      test("a dealer's key without its dealer authenticates nobody, and never a super-admin", async () => {
        const { key, hash } = await newKey({ dealerId: north, ownPermissions: EVERY_PERMISSION });
        const unlink = statement(() => db.deleteFrom("dealer_keys").where("key_id", "=", param("id")));
        await db.write(async (tx) => void (await tx.all(unlink, { id: key.id })));
        expect(await credentials.find(hash)).toBeNull();
      });

      test("a user's key without its user authenticates nobody, and never a super-admin", async () => {
        const user = await newUser({});
        const { key, hash } = await newKey({ userId: user.id, ownPermissions: EVERY_PERMISSION });
        const forget = statement(() => db.updateTable("api_keys").set({ user_id: null }).where("id", "=", param("id")));
        await db.write(async (tx) => void (await tx.all(forget, { id: key.id })));
        expect(await credentials.find(hash)).toBeNull();
      });

      test("the key of an inactive user authenticates nobody", async () => {
        const user = await newUser({ active: false });
        expect(await credentials.find((await newKey({ userId: user.id })).hash)).toBeNull();
      });

      test("the key of a dealer's admin without a dealer authenticates nobody", async () => {
        const user = await newUser({ role: "dealer_admin", dealerId: null });
        expect(await credentials.find((await newKey({ userId: user.id })).hash)).toBeNull();
      });
    });

    test("a refused secret of a known key authenticates nobody, and the same look-up identifies the key", async () => {
      const [working, revoked] = [await newKey({}), await newKey({ active: false })];
      const inactive = await newUser({ active: false });
      const ofInactive = await newKey({ userId: inactive.id });
      const refused: number[] = [];
      for (const { hash } of [working, revoked, ofInactive, { hash: newSecret().hash }])
        await credentials.find(hash, (keyId) => refused.push(keyId));
      expect(refused).toEqual([revoked.key.id, ofInactive.key.id]);
    });
  });
