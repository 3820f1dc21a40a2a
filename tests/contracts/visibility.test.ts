import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import type { KeyRecord } from "../../core/keys/key.ts";
import type { KeyRepository } from "../../core/keys/key-repository.ts";
import type { UserRecord } from "../../core/users/user.ts";
import type { UserRepository } from "../../core/users/user-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import { dealerFields, keyFields, MOMENT, made, newSecret, OPERATOR, userFields } from "../support/records.ts";
import { changeStoredUser } from "../support/user-changes.ts";

const PAGE = { limit: 100, offset: 0 };
const KEYS = ["none", "north", "south", "northUser", "southUser", "freeUser", "northAdmin"] as const;
const USERS = ["northUser", "northAdmin", "southUser", "freeUser"] as const;
type KeyName = (typeof KEYS)[number];
type UserName = (typeof USERS)[number];

interface Fixture {
  readonly north: number;
  readonly keys: Readonly<Record<KeyName, KeyRecord>>;
  readonly users: Readonly<Record<UserName, UserRecord>>;
}

/** What each kind of caller sees (interface 5.6); everything not listed must stay hidden. */
const VISIBILITIES: {
  name: string;
  visibility: (fixture: Fixture) => Visibility;
  keys: KeyName[];
  users: UserName[];
}[] = [
  {
    name: "a dealer",
    visibility: ({ north }) => ({ dealerId: north }),
    keys: ["north", "northUser", "northAdmin"],
    users: ["northUser", "northAdmin"],
  },
  {
    name: "a user of a dealer",
    visibility: ({ users }) => ({ userId: users.northUser.id }),
    keys: ["northUser"],
    users: ["northUser"],
  },
  {
    name: "an unbound user",
    visibility: ({ users }) => ({ userId: users.freeUser.id }),
    keys: ["freeUser"],
    users: ["freeUser"],
  },
  { name: "a super-admin", visibility: () => "everything", keys: [...KEYS], users: [...USERS] },
];

for (const engine of ENGINES)
  describe(`visibility on ${engine.name}`, () => {
    let db: SqlDatabase;
    let keys: KeyRepository;
    let users: UserRepository;
    let fixture: Fixture;

    const arrange = async (): Promise<Fixture> => {
      const dealers = makeDealerRepository(db);
      const north = (await dealers.insert(dealerFields(), OPERATOR)).id;
      const south = (await dealers.insert(dealerFields(), OPERATOR)).id;
      const user = async (fields: Parameters<typeof userFields>[0]) =>
        made(await users.insert(userFields(fields), MOMENT, OPERATOR));
      const key = async (fields: Parameters<typeof keyFields>[0]) =>
        made(await keys.insert({ key: keyFields(fields), secret: newSecret(), now: MOMENT, by: OPERATOR }));
      const people = {
        northUser: await user({ dealerId: north }),
        northAdmin: await user({ dealerId: north, role: "dealer_admin" }),
        southUser: await user({ dealerId: south }),
        freeUser: await user({}),
      };
      return {
        north,
        users: people,
        keys: {
          none: await key({}),
          north: await key({ dealerId: north }),
          south: await key({ dealerId: south }),
          northUser: await key({ userId: people.northUser.id }),
          southUser: await key({ userId: people.southUser.id }),
          freeUser: await key({ userId: people.freeUser.id }),
          northAdmin: await key({ userId: people.northAdmin.id }),
        },
      };
    };

    beforeAll(async () => {
      db = await engine.open();
      keys = makeKeyRepository(db, () => {});
      users = makeUserRepository(db, () => {});
      fixture = await arrange();
    });
    afterAll(() => db.close());

    // This runs before the tests that add more records.
    for (const { name, visibility: visibilityIn, keys: seenKeys, users: seenUsers } of VISIBILITIES)
      test(`lets ${name} list exactly the visible keys and users`, async () => {
        const keysListed = await keys.list({ visibility: visibilityIn(fixture), filter: {}, page: PAGE });
        expect(keysListed.items.map(({ id }) => id).sort()).toEqual(seenKeys.map((key) => fixture.keys[key].id).sort());
        expect(keysListed.total).toBe(seenKeys.length);
        const usersListed = await users.list({ visibility: visibilityIn(fixture), filter: {}, page: PAGE });
        expect(usersListed.items.map(({ id }) => id).sort()).toEqual(
          seenUsers.map((user) => fixture.users[user].id).sort(),
        );
        expect(usersListed.total).toBe(seenUsers.length);
      });

    for (const { name, visibility: visibilityIn, keys: seenKeys, users: seenUsers } of VISIBILITIES) {
      for (const key of KEYS) {
        const seen = seenKeys.includes(key);
        test(`${seen ? "lets" : "does not let"} ${name} read, change, rotate and remove the key ${key}`, async () => {
          const fresh = await arrange();
          const visibility = visibilityIn(fresh);
          const record = fresh.keys[key];
          const { id } = record;
          const { association: _, ...fields } = record;
          expect((await keys.find(id, visibility)) !== null).toBe(seen);
          const changed = await changeStoredKey(keys, record, {
            does: "change",
            visibility,
            fields: keyFields({ ...fields, name: "Changed" }),
          });
          expect(changed !== null).toBe(seen);
          const present = made(await keys.find(id, "everything"));
          expect(present.name === "Changed").toBe(seen);
          const rotated = await changeStoredKey(keys, present, {
            does: "rotate",
            visibility,
            secret: newSecret(),
            previousEndsAt: MOMENT,
          });
          expect(rotated !== null).toBe(seen);
          const last = made(await keys.find(id, "everything"));
          expect((await changeStoredKey(keys, last, { does: "remove", visibility })) !== null).toBe(seen);
          expect((await keys.find(id, "everything")) === null).toBe(seen);
        });
      }

      for (const user of USERS) {
        const seen = seenUsers.includes(user);
        test(`${seen ? "lets" : "does not let"} ${name} read and change the user ${user}`, async () => {
          const fresh = await arrange();
          const record = fresh.users[user];
          expect((await users.find(record.id, visibilityIn(fresh))) !== null).toBe(seen);
          const changed = await changeStoredUser(users, record, {
            visibility: visibilityIn(fresh),
            fields: { ...record, name: "Changed" },
          });
          expect(changed !== null).toBe(seen);
          expect((await users.find(record.id, "everything"))?.name === "Changed").toBe(seen);
        });
      }
    }

    test("is narrowed by a filter and never widened", async () => {
      const visibility = { dealerId: fixture.north };
      expect((await keys.list({ visibility, filter: { userId: fixture.users.southUser.id }, page: PAGE })).total).toBe(
        0,
      );
      expect(
        (
          await keys.list({
            visibility: { userId: fixture.users.northUser.id },
            filter: { dealerId: fixture.north },
            page: PAGE,
          })
        ).total,
      ).toBe(0);
      const foreign = fixture.users.southUser.dealerId ?? 0;
      expect((await keys.list({ visibility, filter: { dealerId: foreign }, page: PAGE })).items).toEqual([]);
      expect((await users.list({ visibility, filter: { dealerId: foreign }, page: PAGE })).items).toEqual([]);
      expect(
        (
          await users.list({
            visibility: { userId: fixture.users.freeUser.id },
            filter: { dealerId: fixture.north },
            page: PAGE,
          })
        ).total,
      ).toBe(0);
    });

    test("of a dealer excludes a super-admin's key, even if it is still linked to the dealer's user", async () => {
      const { north, users: people } = await arrange();
      const lingering = { ...keyFields(), userId: people.northUser.id };
      const { id } = made(await keys.insert({ key: lingering, secret: newSecret(), now: MOMENT, by: OPERATOR }));
      expect(await keys.find(id, { dealerId: north })).toBeNull();
    });

    test("of a dealer excludes a key that left the dealer, alone or with its user", async () => {
      const { north, keys: there, users: people } = await arrange();
      const visibility = { dealerId: north };
      await changeStoredKey(keys, there.north, { does: "change", fields: keyFields({ userId: people.freeUser.id }) });
      expect(await keys.find(there.north.id, visibility)).toBeNull();
      await changeStoredUser(users, people.northUser, { fields: { ...people.northUser, dealerId: null } });
      expect(await keys.find(there.northUser.id, visibility)).toBeNull();
      expect((await keys.list({ visibility, filter: {}, page: PAGE })).items.map(({ id }) => id)).toEqual([
        there.northAdmin.id,
      ]);
    });
  });
