import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Timestamp } from "../../core/clock.ts";
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
  vehicleFields,
} from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";
import { changeStoredUser } from "../support/user-changes.ts";

setDefaultTimeout(300_000);

/** An existing record: each call changes it at `now` and returns its updated_at. */
type Change = (now: Timestamp) => Promise<Timestamp>;

const RECORDS: { name: string; create: (db: SqlDatabase) => Promise<Change> }[] = [
  {
    name: "a vehicle",
    async create(db) {
      const dealer = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const vehicles = makeVehicleRepository(db);
      const { id } = made(await vehicles.insert(vehicleFields(dealer.id), OPERATOR));
      return async (now) =>
        made(await vehicles.update({ id, scope: null, changes: { mileage: 1 }, now, versions: null, by: OPERATOR }))
          .updated_at;
    },
  },
  {
    name: "a vehicle whose image changes",
    async create(db) {
      const dealer = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const vehicles = makeVehicleRepository(db);
      const images = storedImages(db);
      const { id: vehicleId } = made(await vehicles.insert(vehicleFields(dealer.id), OPERATOR));
      const change = { vehicleId, scope: null, by: OPERATOR };
      let place = 0;
      return async (now) => {
        await images.add({ ...change, draft: { image_url: "https://a.example/1", display_order: ++place }, now });
        return made(await vehicles.find(vehicleId, null)).updated_at;
      };
    },
  },
  {
    name: "a dealer",
    async create(db) {
      const dealers = makeDealerRepository(db);
      const { id } = await dealers.insert(dealerFields(), OPERATOR);
      return async (now) =>
        made(await dealers.update({ id, scope: null, changes: { city: "Salem" }, now, versions: null, by: OPERATOR }))
          .updated_at;
    },
  },
  {
    name: "a user",
    async create(db) {
      const users = makeUserRepository(db, () => {});
      let user = made(await users.insert(userFields(), MOMENT, OPERATOR));
      return async (now) => {
        user = made(await changeStoredUser(users, user, { fields: user, now }));
        return user.updatedAt;
      };
    },
  },
  {
    name: "a key",
    async create(db) {
      const keys = makeKeyRepository(db, () => {});
      let key = made(await keys.insert({ key: keyFields(), secret: newSecret(), now: MOMENT, by: OPERATOR }));
      return async (now) => {
        key = made(await changeStoredKey(keys, key, { does: "change", fields: key, now }));
        return key.updatedAt;
      };
    },
  },
  {
    name: "a key that is rotated",
    async create(db) {
      const keys = makeKeyRepository(db, () => {});
      let key = made(await keys.insert({ key: keyFields(), secret: newSecret(), now: MOMENT, by: OPERATOR }));
      return async (now) => {
        key = made(await changeStoredKey(keys, key, { does: "rotate", secret: newSecret(), previousEndsAt: now, now }));
        return key.updatedAt;
      };
    },
  },
];

for (const engine of ENGINES)
  describe(`updated_at on ${engine.name}`, () => {
    let db: SqlDatabase;

    beforeAll(async () => {
      db = await engine.open();
    });
    afterAll(() => db.close());

    for (const { name, create } of RECORDS) {
      test(`of ${name} is the moment of the change when the clock moves on`, async () => {
        const change = await create(db);
        expect(await change(momentAfter(1))).toBe(momentAfter(1));
        expect(await change(momentAfter(86_400_000))).toBe(momentAfter(86_400_000));
      });

      test(`of ${name} grows by a millisecond when the clock stands still or goes back`, async () => {
        const change = await create(db);
        const moments = [];
        for (const now of [MOMENT, MOMENT, momentAfter(-3_600_000), momentAfter(1), momentAfter(900)])
          moments.push(await change(now));
        expect(moments).toEqual([1, 2, 3, 4, 900].map(momentAfter));
      });

      test(`of ${name} carries over seconds, days and years`, async () => {
        const change = await create(db);
        for (const [now, next] of [
          ["2027-01-31T23:59:59.999Z", "2027-02-01T00:00:00.000Z"],
          ["2028-02-28T23:59:59.999Z", "2028-02-29T00:00:00.000Z"],
          ["2029-12-31T23:59:59.999Z", "2030-01-01T00:00:00.000Z"],
        ] as const) {
          expect(await change(now)).toBe(now);
          expect(await change(now)).toBe(next);
        }
      });
    }

    test("of a vehicle is never the same twice, even after concurrent changes", async () => {
      const change = await (RECORDS[0]?.create(db) ?? Promise.reject());
      const moments = await Promise.all(Array.from({ length: 200 }, () => change(MOMENT)));
      expect(new Set(moments).size).toBe(200);
      expect(moments.sort().at(-1)).toBe(momentAfter(200));
    });
  });
