import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeOffboardingRepository } from "../../adapters/sql/users/offboarding.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { ENGINES } from "../support/engines.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import { keyFields, MOMENT, made, momentAfter, newSecret, OPERATOR, userFields } from "../support/records.ts";

for (const engine of ENGINES)
  describe(`offboarding a user on ${engine.name}`, () => {
    let db: SqlDatabase;
    beforeAll(async () => {
      db = await engine.open();
    });
    afterAll(() => db.close());

    const users = () => makeUserRepository(db, () => {});
    const keys = () => makeKeyRepository(db, () => {});
    const seenByAll = { visibility: "everything", now: momentAfter(5), by: OPERATOR } as const;

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
    type People = Awaited<ReturnType<typeof people>>;

    const MEANWHILE: Readonly<Record<string, (seen: People) => Promise<unknown>>> = {
      "the user was changed": ({ user }) =>
        users().update({ ...seenByAll, seen: user, fields: { ...user, name: "Renamed" } }),
      "the key was changed": ({ key }) =>
        changeStoredKey(keys(), key, { ...seenByAll, does: "change", fields: { ...key, name: "Renamed" } }),
      "the new owner was changed": ({ newOwner }) =>
        users().update({ ...seenByAll, seen: newOwner, fields: { ...newOwner, name: "Renamed" } }),
      "the new owner was deactivated": ({ newOwner }) =>
        users().update({ ...seenByAll, seen: newOwner, fields: { ...newOwner, active: false } }),
    };
    for (const [name, meanwhile] of Object.entries(MEANWHILE))
      test(`changes nothing if ${name} after it was read`, async () => {
        const seen = await people();
        made(await meanwhile(seen));
        const { user, newOwner, key } = seen;
        const going = { user, keys: [key], newOwner, rank: "super_admin" as const };
        expect(await makeOffboardingRepository(db, () => {}).offboard(going, momentAfter(9), OPERATOR)).toBeNull();
        expect((await users().find(user.id, "everything"))?.active).toBe(true);
        expect((await keys().find(key.id, "everything"))?.userId).toBe(user.id);
      });
  });
