import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { EVERY_PERMISSION } from "../../core/permissions.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { EMAIL_TAKEN, NO_SUCH_DEALER, type UserFilter, type UserRepository } from "../../core/users/user-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, userFields } from "../support/records.ts";

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
      const updated = made(
        await users.update({ seen, visibility: EVERYTHING, fields, now: momentAfter(9), by: OPERATOR }),
      );
      expect(updated).toEqual({ ...seen, ...fields, updatedAt: momentAfter(9) });
      expect(await users.find(seen.id, EVERYTHING)).toEqual(updated);
    });

    test("does not update a user that has changed since it was read", async () => {
      const seen = await insert();
      const present = made(
        await users.update({
          seen,
          visibility: EVERYTHING,
          fields: userFields({ name: "Newer" }),
          now: MOMENT,
          by: OPERATOR,
        }),
      );
      expect(
        await users.update({
          seen,
          visibility: EVERYTHING,
          fields: userFields({ name: "Lost" }),
          now: MOMENT,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(await users.find(seen.id, EVERYTHING)).toEqual(present);
    });

    test("allows each email once, without regard to case, in creation and change", async () => {
      const one = await insert({ email: "Ünique@Example.com" });
      const other = await insert();
      const taken = userFields({ email: "üNIQUE@example.COM" });
      expect(await users.insert(taken, MOMENT, OPERATOR)).toBe(EMAIL_TAKEN);
      expect(
        await users.update({ seen: other, visibility: EVERYTHING, fields: taken, now: MOMENT, by: OPERATOR }),
      ).toBe(EMAIL_TAKEN);
      expect(await users.find(other.id, EVERYTHING)).toEqual(other);
      expect(
        made(await users.update({ seen: one, visibility: EVERYTHING, fields: taken, now: MOMENT, by: OPERATOR })).email,
      ).toBe("üNIQUE@example.COM");
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
      expect(await users.update({ seen, visibility: EVERYTHING, fields, now: MOMENT, by: OPERATOR })).toBe(
        NO_SUCH_DEALER,
      );
      expect(await users.find(seen.id, EVERYTHING)).toEqual(seen);
    });

    test("increases the version of access with every change, and reports each to this process", async () => {
      const credentials = storedCredentials(db);
      changes = 0;
      const start = await credentials.version();
      const user = await insert();
      const middle = await credentials.version();
      await users.update({
        seen: user,
        visibility: EVERYTHING,
        fields: userFields({ active: false }),
        now: momentAfter(1),
        by: OPERATOR,
      });
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
