import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { Failure } from "../../core/failure.ts";
import { principalOfUser, type UserRecord } from "../../core/users/user.ts";
import { causeOf, newUserBody, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { accountsOn, coreOn } from "../support/core.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice } from "../support/engines.ts";

const ROUNDS = inGate(8, 20);
const LAST = { kind: "last-super-admin" } as const;

/** The use cases of one instance that change users. */
const instanceOn = (db: SqlDatabase) => {
  const clock = fakeClock();
  const core = coreOn(db, clock);
  return { users: core.users, leaving: accountsOn(core, { db, clock }).leaving };
};
type Instance = ReturnType<typeof instanceOn>;

/** Every way in which a user stops being an active super-admin. */
const DEPARTURES = {
  deactivated: ({ users }: Instance, id: number, by = OPERATOR) => users.deactivate(by, id),
  "changed to inactive": ({ users }: Instance, id: number, by = OPERATOR) => users.update(by, id, { active: false }),
  demoted: ({ users }: Instance, id: number, by = OPERATOR) => users.update(by, id, { role: "user" }),
  "made to leave": ({ leaving }: Instance, id: number, by = OPERATOR) => leaving.leave(by, id, { keys: "revoke" }),
};

for (const engine of ENGINES)
  describe(`the last active super-admin on ${engine.name}`, () => {
    let databases: [SqlDatabase, SqlDatabase];
    let one: Instance;
    let other: Instance;
    beforeAll(async () => {
      databases = await openTwice(engine);
      one = instanceOn(databases[0]);
      other = instanceOn(databases[1]);
    });
    afterAll(async () => {
      for (const db of databases) await db.close();
    });

    let people = 0;
    const make = async (fields: Readonly<Record<string, unknown>> = { role: "super_admin" }): Promise<UserRecord> =>
      succeeded(await one.users.create(OPERATOR, newUserBody(`person${++people}@example.com`, fields)));
    const actives = async (): Promise<number[]> =>
      succeeded(await one.users.list(OPERATOR, { role: "super_admin", active: true })).items.map(({ id }) => id);
    /** Leaves only `wanted` as active super-admins. */
    const only = async (...wanted: readonly UserRecord[]): Promise<void> => {
      for (const id of await actives())
        if (!wanted.some((user) => user.id === id)) succeeded(await one.users.deactivate(OPERATOR, id));
    };

    for (const [change, leave] of Object.entries(DEPARTURES)) {
      test(`cannot be ${change} by anybody, while another one can`, async () => {
        const [last, next] = [await make(), await make()];
        await only(last, next);
        expect(causeOf(await leave(one, next.id))).toBeNull();
        const seen = succeeded(await one.users.get(OPERATOR, last.id));
        // Without an authorization: there is no session here to look up again.
        const themselves = { ...(principalOfUser(seen, 0) ?? OPERATOR), authorization: null, provedRecently: true };
        for (const by of [OPERATOR, themselves]) expect(causeOf(await leave(one, last.id, by))).toEqual(LAST);
        expect(succeeded(await one.users.get(OPERATOR, last.id))).toEqual(seen);
        expect(await actives()).toEqual([last.id]);
      });

      test(`stays if two are ${change} at once in two instances: exactly one succeeds`, async () => {
        for (let round = 0; round < ROUNDS; round++) {
          const [left, right] = [await make(), await make()];
          await only(left, right);
          const outcomes = await Promise.all([leave(one, left.id), leave(other, right.id)]);
          expect(outcomes.filter((outcome) => !(outcome instanceof Failure))).toHaveLength(1);
          expect(outcomes.map(causeOf).filter((cause) => cause !== null)).toEqual([LAST]);
          expect(await actives()).toHaveLength(1);
        }
      });
    }

    test("can get another name and address; an inactive super-admin can lose the role", async () => {
      const [last, gone] = [await make(), await make({ role: "super_admin", active: false })];
      await only(last);
      expect(succeeded(await one.users.update(OPERATOR, last.id, { name: "Renamed" })).name).toBe("Renamed");
      expect(succeeded(await one.users.deactivate(OPERATOR, gone.id)).active).toBe(false);
      expect(succeeded(await one.users.update(OPERATOR, gone.id, { role: "user" })).role).toBe("user");
    });

    test("stays unchanged after a refused change, with its keys, and the audit log has no entry of it", async () => {
      const last = await make();
      await only(last);
      const entries = async () => {
        const { audit } = coreOn(databases[0], fakeClock());
        const page = succeeded(await audit.list(OPERATOR, { resource: "users", id: last.id }));
        return page.items.length;
      };
      const before = await entries();
      for (const leave of Object.values(DEPARTURES)) expect(causeOf(await leave(one, last.id))).toEqual(LAST);
      expect(await entries()).toBe(before);
    });
  });
