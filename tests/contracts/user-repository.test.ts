import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { Failure } from "../../core/failure.ts";
import { EVERY_PERMISSION } from "../../core/permissions.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { EMAIL_TAKEN, NO_SUCH_DEALER, type UserFilter, type UserRepository } from "../../core/users/user-repository.ts";
import { ENGINES } from "../support/engines.ts";
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

const NOBODY = 999_999;
const PAGE = { limit: 100, offset: 0 };
const EVERYTHING = "everything" as const;

for (const engine of ENGINES)
  describe(`the user repository on ${engine.name}`, () => {
    let db: SqlDatabase;
    let users: UserRepository;
    let changes = 0;
    let dealer: number;

    beforeAll(async () => {
      db = await engine.open();
      users = makeUserRepository(db, () => changes++);
      dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => db.close());

    const insert = async (fields: Parameters<typeof userFields>[0] = {}): Promise<UserRecord> =>
      made(await users.insert(userFields(fields), MOMENT, OPERATOR));

    test("reads every field back as it was stored", async () => {
      const fields = userFields({
        name: "Zoë «Z» 🚗",
        email: "Zoë.Example@Example.com",
        role: "dealer_admin",
        dealerId: dealer,
        permissions: EVERY_PERMISSION,
        active: false,
      });
      const stored = made(await users.insert(fields, MOMENT, OPERATOR));
      expect(stored).toEqual({ id: stored.id, ...fields, invited: false, createdAt: MOMENT, updatedAt: MOMENT });
      expect(await users.find(stored.id, EVERYTHING)).toEqual(stored);
      expect(await users.find(NOBODY, EVERYTHING)).toBeNull();
    });

    test("replaces the fields and updated_at, and nothing else", async () => {
      const seen = await insert();
      const fields = userFields({ name: "Kim Example", role: "dealer_admin", dealerId: dealer, active: false });
      const updated = made(await changeStoredUser(users, seen, { fields, now: momentAfter(9) }));
      expect(updated).toEqual({ ...seen, ...fields, updatedAt: momentAfter(9) });
      expect(await users.find(seen.id, EVERYTHING)).toEqual(updated);
    });

    test("makes each of many concurrent changes of a user of what the one before it left", async () => {
      const { id } = await insert({ name: "Kim" });
      const context = { id, visibility: EVERYTHING, withKeys: false, now: MOMENT, by: OPERATOR };
      const append = (user: UserRecord) => ({ fields: { ...user, name: `${user.name}.` }, rotations: null });
      await Promise.all(Array.from({ length: 20 }, () => users.change(context, append)));
      expect((await users.find(id, EVERYTHING))?.name).toBe(`Kim${".".repeat(20)}`);
    });

    test("changes nothing and keeps the caches where the decision refuses, and decides with all keys where asked", async () => {
      const [user, other] = [await insert(), await insert()];
      const keys = makeKeyRepository(db, () => {});
      const ofUser = async (active: boolean, userId = user.id) =>
        made(
          await keys.insert({
            key: { ...keyFields({ active }), association: "user", userId },
            secret: newSecret(),
            now: MOMENT,
            by: OPERATOR,
          }),
        );
      const held = [await ofUser(true), await ofUser(false)].toReversed();
      await ofUser(true, other.id);
      changes = 0;
      const context = { id: user.id, visibility: EVERYTHING, withKeys: true, now: momentAfter(1), by: OPERATOR };
      const refused = new Failure({ kind: "last-super-admin" });
      const seen: unknown[] = [];
      const refuse = (...present: readonly unknown[]) => {
        seen.push(present);
        return refused;
      };
      expect(await users.change(context, refuse)).toBe(refused);
      expect(await users.change({ ...context, withKeys: false }, refuse)).toBe(refused);
      expect(await users.change({ ...context, id: NOBODY }, refuse)).toBeNull();
      expect(seen).toEqual([
        [user, held],
        [user, []],
      ]);
      expect(changes).toBe(0);
      expect(await users.find(user.id, EVERYTHING)).toEqual(user);
    });

    test("allows each email once, without regard to case, in creation and change", async () => {
      const one = await insert({ email: "Ünique@Example.com" });
      const other = await insert();
      const taken = userFields({ email: "üNIQUE@example.COM" });
      expect(await users.insert(taken, MOMENT, OPERATOR)).toBe(EMAIL_TAKEN);
      expect(await changeStoredUser(users, other, { fields: taken })).toBe(EMAIL_TAKEN);
      expect(await users.find(other.id, EVERYTHING)).toEqual(other);
      expect(made(await changeStoredUser(users, one, { fields: taken })).email).toBe("üNIQUE@example.COM");
    });

    test("stores exactly one of many users with the same email at once", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, () =>
          users.insert(userFields({ email: "everybody@example.com" }), MOMENT, OPERATOR),
        ),
      );
      expect(outcomes.filter((outcome) => outcome !== EMAIL_TAKEN)).toHaveLength(1);
    });

    test("neither creates nor moves a user to a missing dealer", async () => {
      const seen = await insert();
      const fields = userFields({ dealerId: NOBODY });
      expect(await users.insert(fields, MOMENT, OPERATOR)).toBe(NO_SUCH_DEALER);
      expect(await changeStoredUser(users, seen, { fields })).toBe(NO_SUCH_DEALER);
      expect(await users.find(seen.id, EVERYTHING)).toEqual(seen);
    });

    test("increases the version of access with every change, and reports each to this process", async () => {
      const credentials = storedCredentials(db);
      changes = 0;
      const start = await credentials.version();
      const user = await insert();
      const middle = await credentials.version();
      await changeStoredUser(users, user, { fields: userFields({ active: false }), now: momentAfter(1) });
      const end = await credentials.version();
      expect([middle > start, end > middle, changes]).toEqual([true, true, 2]);
    });

    describe("lists", () => {
      let ids: number[];
      let place: number;
      beforeAll(async () => {
        place = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
        ids = [];
        for (const fields of [
          { role: "dealer_admin", dealerId: place },
          { role: "user", dealerId: place },
          { role: "user", dealerId: place, active: false },
        ] as const)
          ids.push((await insert(fields)).id);
      });

      const CASES: { filter: UserFilter; found: number[] }[] = [
        { filter: {}, found: [2, 1, 0] },
        { filter: { role: "user" }, found: [2, 1] },
        { filter: { active: true }, found: [1, 0] },
        { filter: { role: "user", active: false }, found: [2] },
        { filter: { role: "super_admin" }, found: [] },
      ];
      for (const { filter, found } of CASES)
        test(`find exactly the users described, newest first: ${JSON.stringify(filter)}`, async () => {
          const listing = await users.list({
            visibility: EVERYTHING,
            filter: { ...filter, dealerId: place },
            page: PAGE,
          });
          expect(listing.items.map(({ id }) => id)).toEqual(found.map((index) => ids[index] as number));
          expect(listing.total).toBe(found.length);
        });

      test("are paged, and the total counts every match", async () => {
        const page = await users.list({
          visibility: EVERYTHING,
          filter: { dealerId: place },
          page: { limit: 1, offset: 1 },
        });
        expect(page.items.map(({ id }) => id)).toEqual([ids[1] as number]);
        expect(page.total).toBe(3);
      });
    });
  });
