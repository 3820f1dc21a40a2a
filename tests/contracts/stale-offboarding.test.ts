import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeOffboardingRepository } from "../../adapters/sql/users/offboarding.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { userLeft } from "../../core/users/offboarding.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { superAdminKey } from "../core/callers.ts";
import { causeOf } from "../core/use-cases.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import { keyFields, MOMENT, made, momentAfter, newSecret, OPERATOR, userFields } from "../support/records.ts";
import { changeStoredUser } from "../support/user-changes.ts";

for (const engine of ENGINES)
  describe(`offboarding a user on ${engine.name}`, () => {
    let db: SqlDatabase;
    /** Another instance's connection to the same database. */
    let elsewhere: SqlDatabase;
    beforeAll(async () => {
      [db, elsewhere] = await openTwice(engine);
    });
    afterAll(() => Promise.all([db.close(), elsewhere.close()]));

    const users = () => makeUserRepository(db, () => {});
    const keys = () => makeKeyRepository(db, () => {});

    /** A user with a key, and another user who could get it. */
    const people = async () => {
      const [user, newOwner] = [
        made(await users().insert(userFields({}), MOMENT, OPERATOR)),
        made(await users().insert(userFields({}), MOMENT, OPERATOR)),
      ];
      const key = { ...keyFields(), dealerId: null, userId: user.id, association: "user" as const };
      return {
        user,
        newOwner,
        key: made(await keys().insert({ key, secret: newSecret(), now: MOMENT, by: OPERATOR })),
      };
    };
    const leave = (user: UserRecord, newOwner: UserRecord, instance: SqlDatabase = db) => {
      const wanted = { newOwnerId: newOwner.id, now: momentAfter(9) };
      const context = { ...wanted, id: user.id, visibility: "everything", by: OPERATOR } as const;
      return makeOffboardingRepository(instance, () => {}).offboard(context, (present) =>
        userLeft(superAdminKey(), wanted, present),
      );
    };

    test("decides on the user, the keys and the new owner as they are by then", async () => {
      const [{ user, newOwner, key }, bystanders] = [await people(), await people()];
      const rename = { fields: { ...user, name: "Renamed" }, now: momentAfter(5) };
      made(await changeStoredUser(users(), user, rename));
      const fields = { ...key, name: "Renamed" };
      made(await changeStoredKey(keys(), key, { does: "change", fields, now: momentAfter(5) }));
      made(await changeStoredUser(users(), newOwner, { fields: { ...newOwner, active: false }, now: momentAfter(5) }));
      expect(causeOf(await leave(user, newOwner))?.kind).toBe("invalid");
      expect((await users().find(user.id, "everything"))?.active).toBe(true);
      expect((await keys().find(key.id, "everything"))?.userId).toBe(user.id);

      made(await changeStoredUser(users(), newOwner, { fields: newOwner, now: momentAfter(6) }));
      expect(await leave(user, newOwner)).toMatchObject({
        user: { name: "Renamed" },
        keys: [{ name: "Renamed" }],
        newOwner: { updatedAt: momentAfter(6) },
      });
      expect(await users().find(user.id, "everything")).toMatchObject({ name: "Renamed", active: false });
      expect(await keys().find(key.id, "everything")).toMatchObject({ name: "Renamed", userId: newOwner.id });
      for (const { id } of [newOwner, bystanders.user, bystanders.newOwner])
        expect((await users().find(id, "everything"))?.active).toBe(true);
      expect(await keys().find(bystanders.key.id, "everything")).toEqual(bystanders.key);
    });

    test("of two users who leave their keys to each other lets one go", async () => {
      const { user, newOwner } = await people();
      const outcomes = await Promise.all([leave(user, newOwner), leave(newOwner, user, elsewhere)]);
      expect(outcomes.map((outcome) => causeOf(outcome)?.kind ?? "left").sort()).toEqual(["invalid", "left"]);
    });
  });
