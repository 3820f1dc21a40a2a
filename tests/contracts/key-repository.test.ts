import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type StoredCredentials, storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import { Failure } from "../../core/failure.ts";
import type { KeyRecord } from "../../core/keys/key.ts";
import { type KeyFilter, type KeyRepository, UNKNOWN_HOLDER } from "../../core/keys/key-repository.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
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
  words,
} from "../support/records.ts";
import { counts, denial } from "../support/usage.ts";

const NOBODY = 999_999;
const PAGE = { limit: 100, offset: 0 };
const EVERYTHING = "everything" as const;

for (const engine of ENGINES)
  describe(`the key repository on ${engine.name}`, () => {
    let db: TestDatabase;
    let keys: KeyRepository;
    let credentials: StoredCredentials;
    let changes = 0;
    let dealer: number;
    let user: number;

    beforeAll(async () => {
      db = await engine.open();
      keys = makeKeyRepository(db, () => changes++);
      credentials = storedCredentials(db);
      dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const users = makeUserRepository(db, () => {});
      user = made(await users.insert(userFields({ dealerId: dealer }), MOMENT, OPERATOR)).id;
    });
    afterAll(() => db.close());
    beforeEach(() => {
      changes = 0;
    });

    const insert = async (fields: Parameters<typeof keyFields>[0] = {}, secret = newSecret()): Promise<KeyRecord> =>
      made(await keys.insert({ key: keyFields(fields), secret, now: MOMENT, by: OPERATOR }));

    const KINDS = [
      { association: "none", ties: () => ({}) },
      { association: "dealer", ties: () => ({ dealerId: dealer }) },
      { association: "user", ties: () => ({ userId: user }) },
    ] as const;
    for (const { association, ties } of KINDS)
      test(`reads a key with association ${association} back as it was stored, without its secret`, async () => {
        const secret = newSecret();
        const fields = keyFields({
          description: "Žluť 🚗",
          appType: "mobile",
          appId: "a.b-c_9",
          rateLimit: 7,
          active: false,
          expiresAt: momentAfter(5),
          ...ties(),
        });
        const stored = made(await keys.insert({ key: fields, secret, now: MOMENT, by: OPERATOR }));
        expect(stored).toMatchObject({ ...fields, association });
        expect(stored).toMatchObject({
          keyStart: secret.start,
          lastUsedAt: null,
          createdAt: MOMENT,
          updatedAt: MOMENT,
        });
        expect(stored.holder !== null).toBe(association === "user");
        expect(await keys.find(stored.id, EVERYTHING)).toEqual(stored);
        const listed = (await keys.list({ visibility: EVERYTHING, filter: {}, page: PAGE })).items.find(
          ({ id }) => id === stored.id,
        );
        expect(listed).toEqual(stored);
        for (const text of [secret.key, secret.hash]) expect(JSON.stringify(stored)).not.toContain(text);
      });

    test("does not store a key for a missing dealer or user", async () => {
      const before = (await keys.list({ visibility: EVERYTHING, filter: {}, page: PAGE })).total;
      for (const ties of [{ dealerId: NOBODY }, { userId: NOBODY }])
        expect(await keys.insert({ key: keyFields(ties), secret: newSecret(), now: MOMENT, by: OPERATOR })).toBe(
          UNKNOWN_HOLDER,
        );
      expect((await keys.list({ visibility: EVERYTHING, filter: {}, page: PAGE })).total).toBe(before);
    });

    test("replaces a key's fields, including dealer and user, and leaves its secret", async () => {
      const secret = newSecret();
      let key = await insert({}, secret);
      for (const { association, ties } of [...KINDS, ...KINDS]) {
        const fields = keyFields({ name: `Now ${association}`, ...ties() });
        key = made(await changeStoredKey(keys, key, { does: "change", fields, now: momentAfter(1) }));
        expect(key).toMatchObject(fields);
        expect(await keys.find(key.id, EVERYTHING)).toEqual(key);
        expect((await credentials.find(secret.hash))?.principal.association).toBe(association);
      }
    });

    test("changes nothing in an update to a missing dealer or user", async () => {
      const key = await insert({ dealerId: dealer });
      for (const ties of [{ dealerId: NOBODY }, { userId: NOBODY }])
        expect(await changeStoredKey(keys, key, { does: "change", fields: keyFields(ties), now: momentAfter(1) })).toBe(
          UNKNOWN_HOLDER,
        );
      expect(await keys.find(key.id, EVERYTHING)).toEqual(key);
    });

    test("makes each of many concurrent changes of a key of what the one before it left", async () => {
      const { id } = await insert({ name: "Changed" });
      const context = { id, visibility: EVERYTHING, now: MOMENT, by: OPERATOR };
      await Promise.all(
        Array.from({ length: 50 }, () =>
          keys.change(context, (key) => ({ does: "change", fields: { ...key, rateLimit: (key.rateLimit ?? 0) + 1 } })),
        ),
      );
      expect((await keys.find(id, EVERYTHING))?.rateLimit).toBe(50);
    });

    test("changes nothing, records nothing and keeps the caches where the decision says so", async () => {
      const key = await insert();
      const [version, changesBefore] = [await credentials.version(), changes];
      const context = { id: key.id, visibility: EVERYTHING, now: momentAfter(1), by: OPERATOR };
      const refused = new Failure({ kind: "last-super-admin" });
      expect(await keys.change(context, () => refused)).toBe(refused);
      expect(await keys.change({ ...context, id: NOBODY }, () => ({ does: "remove" }))).toBeNull();
      expect([await credentials.version(), changes]).toEqual([version, changesBefore]);
      expect(await keys.change(context, () => null)).toEqual({ record: key, apiKey: null });
      expect(await keys.find(key.id, EVERYTHING)).toEqual(key);
      expect(await credentials.version()).toBe(version);
    });

    test("decides with the user that a change names, if its caller sees them", async () => {
      const { id } = await insert();
      const namedBy = async (one: number, visibility: Visibility): Promise<unknown> => {
        let found: unknown;
        const named = { id: one, visibility };
        await keys.change({ id, visibility: EVERYTHING, user: named, now: MOMENT, by: OPERATOR }, (_, holder) => {
          found = holder;
          return null;
        });
        return found;
      };
      expect(await namedBy(user, EVERYTHING)).toMatchObject({ id: user, dealerId: dealer, role: "user" });
      expect(await namedBy(user, { dealerId: dealer })).toMatchObject({ id: user });
      expect(await namedBy(user, { dealerId: dealer + 1 })).toBeNull();
      expect(await namedBy(NOBODY, EVERYTHING)).toBeNull();
    });

    test("ignores an old dealer link of a key with another association", async () => {
      const secret = newSecret();
      const lingering = { ...keyFields(), dealerId: dealer };
      const key = made(await keys.insert({ key: lingering, secret, now: MOMENT, by: OPERATOR }));
      expect(key).toMatchObject({ association: "none", dealerId: null });
      expect((await credentials.find(secret.hash))?.principal).toMatchObject({ association: "none", dealerId: null });
    });

    test("accepts the new secret after a rotation, the previous one until its end, and no older one", async () => {
      const [first, second, third] = [newSecret(), newSecret(), newSecret()];
      const key = await insert({}, first);
      const once = made(
        await changeStoredKey(keys, key, { does: "rotate", secret: second, previousEndsAt: momentAfter(500) }),
      );
      expect(once).toMatchObject({ id: key.id, keyStart: second.start });
      expect((await credentials.find(first.hash))?.endsAt).toBe(momentAfter(500));
      expect((await credentials.find(second.hash))?.endsAt).toBeNull();
      await changeStoredKey(keys, once, { does: "rotate", secret: third, previousEndsAt: momentAfter(900) });
      expect(await credentials.find(first.hash)).toBeNull();
      expect((await credentials.find(second.hash))?.endsAt).toBe(momentAfter(900));
      expect((await credentials.find(third.hash))?.principal.keyId).toBe(key.id);
    });

    test("removes a key's secrets, links and usage with the key", async () => {
      const secret = newSecret();
      const key = await insert({ dealerId: dealer }, secret);
      await makeUsageStore(db).add(
        "a process",
        {
          number: 1,
          hours: [{ keyId: key.id, hour: MOMENT, ...counts({ served: 1 }) }],
          uses: [{ keyId: key.id, at: MOMENT, address: null, user_agent: null }],
          denials: [{ keyId: key.id, at: MOMENT, ...denial() }],
          oldSecrets: [],
        },
        MOMENT,
      );
      expect(await changeStoredKey(keys, key, { does: "remove" })).toMatchObject({ id: key.id });
      expect(await keys.find(key.id, EVERYTHING)).toBeNull();
      expect(await credentials.find(secret.hash)).toBeNull();
      for (const table of ["dealer_keys", "key_secrets", "key_usage", "key_usage_hours", "key_denials"] as const) {
        const rows = await queryDatabase<{ key_id: number }>(db.url, `SELECT key_id FROM ${table}`);
        expect(rows.map(({ key_id }) => key_id)).not.toContain(key.id);
      }
    });

    test("increases the version of access with every change, and reports each to this process", async () => {
      const moves = async (change: () => Promise<unknown>): Promise<void> => {
        const [version, seenBefore] = [await credentials.version(), changes];
        await change();
        expect(await credentials.version()).toBeGreaterThan(version);
        expect(changes).toBeGreaterThan(seenBefore);
      };
      let key = await insert();
      await moves(() => insert());
      await moves(async () => {
        key = made(await changeStoredKey(keys, key, { does: "change", fields: keyFields({ active: false }) }));
      });
      await moves(async () => {
        key = made(await changeStoredKey(keys, key, { does: "rotate", secret: newSecret(), previousEndsAt: MOMENT }));
      });
      await moves(() => changeStoredKey(keys, key, { does: "remove" }));
    });

    describe("lists", () => {
      let ids: number[];
      beforeAll(async () => {
        ids = [];
        for (const fields of [
          { name: "Tag one", dealerId: dealer },
          { name: "Two", description: "about TAG", appType: "mobile" as const },
          { name: "Three", appId: "tag-3", userId: user },
          { name: "100% tag_\\", active: false },
        ])
          ids.push((await insert(fields)).id);
      });

      const CASES: { filter: () => KeyFilter; found: number[] }[] = [
        { filter: () => ({ search: words("tAg") }), found: [3, 2, 1, 0] },
        { filter: () => ({ search: words("tag"), dealerId: dealer }), found: [0] },
        { filter: () => ({ search: words("tag"), userId: user }), found: [2] },
        { filter: () => ({ search: words("tag"), appType: "mobile" }), found: [1] },
        { filter: () => ({ search: words("tag"), active: false }), found: [3] },
        { filter: () => ({ search: words("tag"), active: true }), found: [2, 1, 0] },
        { filter: () => ({ search: words("tag%") }), found: [] },
        { filter: () => ({ search: words("t%gone") }), found: [] },
        { filter: () => ({ search: words("tag_") }), found: [3] },
        { filter: () => ({ search: words("100%") }), found: [3] },
        { filter: () => ({ search: words("_\\") }), found: [3] },
        { filter: () => ({ search: words("00% ag") }), found: [3] },
      ];
      for (const { filter, found } of CASES)
        test(`find exactly the keys described, newest first: ${filter.toString().slice(6)}`, async () => {
          const listing = await keys.list({ visibility: EVERYTHING, filter: filter(), page: PAGE });
          expect(listing.items.map(({ id }) => id)).toEqual(found.map((index) => ids[index] as number));
          expect(listing.total).toBe(found.length);
        });

      test("are paged, and the total counts every match", async () => {
        const page = await keys.list({
          visibility: EVERYTHING,
          filter: { search: words("tag") },
          page: { limit: 2, offset: 1 },
        });
        expect(page.items.map(({ id }) => id)).toEqual([ids[2] as number, ids[1] as number]);
        expect(page.total).toBe(4);
      });
    });
  });
