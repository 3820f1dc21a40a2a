import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUsageRepository } from "../../adapters/sql/usage/repository.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeBulk } from "../../adapters/sql/vehicles/bulk.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { hourOf } from "../../core/clock.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
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
import { counts, denial, wholeHistoryOf } from "../support/usage.ts";
import { changeStoredUser } from "../support/user-changes.ts";

setDefaultTimeout(300_000);

const CHANGES = inGate(60, 200);
const MOVES = inGate(60, 200);
const BULKS = inGate(4, 10);
const ROUNDS = inGate(5, 10);
const RENAMES = inGate(6, 20);

for (const engine of ENGINES)
  describe(`concurrent changes through two instances on ${engine.name}`, () => {
    let db: SqlDatabase;
    /** Another instance's connection to the same database. */
    let elsewhere: SqlDatabase;

    beforeAll(async () => {
      [db, elsewhere] = await openTwice(engine);
    });
    afterAll(() => Promise.all([db.close(), elsewhere.close()]));

    /** Two dealers, and vehicles of the first. */
    const twoDealers = async (count: number) => {
      const [dealers, vehicles] = [makeDealerRepository(db), makeVehicleRepository(db)];
      const north = (await dealers.insert(dealerFields(), OPERATOR)).id;
      const south = (await dealers.insert(dealerFields(), OPERATOR)).id;
      const insert = async (dealer: number) => made(await vehicles.insert(vehicleFields(dealer), OPERATOR)).id;
      const ids = await Promise.all(Array.from({ length: count }, (_, index) => insert(index % 2 ? north : south)));
      return { north, south, ids };
    };

    const countsOf = async (dealer: number): Promise<number> =>
      made(await makeDealerRepository(db).inventory(dealer, null)).byStatus.available.vehicles;

    test("move all vehicles that change dealers in both directions at once", async () => {
      const { north, south, ids } = await twoDealers(MOVES * 2);
      const move = (id: number, index: number) => {
        const vehicles = makeVehicleRepository(index % 3 ? db : elsewhere);
        return vehicles.update({
          id,
          scope: null,
          changes: { dealer_id: index % 2 ? south : north },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        });
      };
      await Promise.all(ids.map(move));
      expect([await countsOf(north), await countsOf(south)]).toEqual([MOVES, MOVES]);
    });

    test("of one vehicle leave audit entries of which each starts where the previous one ended", async () => {
      const { ids } = await twoDealers(1);
      const vehicle = made(ids[0] ?? null);
      const update = async (price: number) => {
        const vehicles = makeVehicleRepository(price % 2 ? db : elsewhere);
        return made(
          await vehicles.update({
            id: vehicle,
            scope: null,
            changes: { price },
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          }),
        );
      };
      const first = made(await makeVehicleRepository(db).find(vehicle, null)).parse();
      const answers = await Promise.all(Array.from({ length: CHANGES }, (_, index) => update(index + 1)));
      const last = made(await makeVehicleRepository(db).find(vehicle, null)).parse();

      const about = { resource: "vehicles", resourceId: vehicle, action: "vehicle.changed" } as const;
      const { items } = await makeAuditLog(db).list({
        visibility: "everything",
        filter: about,
        page: { limit: 500, offset: 0 },
        after: null,
      });
      const entries = items.toSorted((one, other) => one.id - other.id);
      const became = entries.map(({ after }) => after?.price);
      expect(entries.map(({ before }) => before?.price)).toEqual([first.price, ...became.slice(0, -1)]);
      expect(became.at(-1)).toBe(last.price);
      expect(new Set(became).size).toBe(CHANGES);
      // No version was answered twice.
      expect(new Set(answers.map(({ updated_at }) => updated_at)).size).toBe(CHANGES);
    });

    test("of a dealer, its name and its vehicles all succeed", async () => {
      const dealerChanges = (place: number) =>
        place % 8 === 0 ? { name: `Harbor Motors ${place}` } : { address: `${place} Main Street` };
      const { south, ids } = await twoDealers(2);
      const vehicle = made(ids[0] ?? null);
      const change = (place: number): Promise<unknown> => {
        const on = place % 3 === 0 ? elsewhere : db;
        const as = { scope: null, now: MOMENT, versions: null, by: OPERATOR };
        if (place % 2 === 0)
          return makeDealerRepository(on).update({ ...as, id: south, changes: dealerChanges(place) });
        const vehicles = makeVehicleRepository(on);
        return place % 4 === 1
          ? vehicles.insert(vehicleFields(south), OPERATOR)
          : vehicles.update({ ...as, id: vehicle, changes: { price: place } });
      };
      const changed = await Promise.all(Array.from({ length: CHANGES }, (_, place) => change(place)));
      expect(changed.filter((one) => one === null)).toEqual([]);
    });

    test("move all vehicles between two dealers and add all new ones to both", async () => {
      const { north, south, ids } = await twoDealers(MOVES);
      const vehicles = makeVehicleRepository(db);
      const move = async (id: number, index: number) => {
        for (const dealer of index % 2 ? [south, north] : [north, south])
          await vehicles.update({
            id,
            scope: null,
            changes: { dealer_id: dealer },
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          });
      };
      const bulk = makeBulk(elsewhere, systemClock, OPERATOR);
      const add = async (index: number) => {
        const order = index % 2 ? [north, south] : [south, north];
        const pair = order.map((dealer) => ({ fields: vehicleFields(dealer), images: [] }));
        for (let round = 0; round < ROUNDS; round++) await bulk.addVehicles(pair);
      };
      await Promise.all([...ids.map(move), ...Array.from({ length: BULKS }, (_, index) => add(index))]);
      expect((await countsOf(north)) + (await countsOf(south))).toBe(MOVES + BULKS * ROUNDS * 2);
    });

    test("of keys, dealers' names and users' names all succeed, and each key is found by its dealer's current name", async () => {
      const { north, south } = await twoDealers(0);
      const ofUser = userFields({ dealerId: south });
      const user = made(await makeUserRepository(db, () => {}).insert(ofUser, MOMENT, OPERATOR)).id;
      const owners = [
        { association: "dealer", dealerId: north, userId: null },
        { association: "dealer", dealerId: south, userId: null },
        { association: "user", dealerId: null, userId: user },
      ] as const;
      const instances = [db, elsewhere].map((on) => ({
        dealers: makeDealerRepository(on),
        keys: makeKeyRepository(on, () => {}),
      }));
      const rename = async (which: number) => {
        const id = which % 2 ? north : south;
        for (let round = 0; round < RENAMES; round++) {
          const changes = { name: `${which % 2 ? "Northern" : "Southern"} ${which} ${round}` };
          await made(instances[which % 2] ?? null).dealers.update({
            id,
            scope: null,
            changes,
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          });
        }
      };
      const renameUser = async (which: number) => {
        const users = makeUserRepository(which % 2 ? db : elsewhere, () => {});
        for (let round = 0; round < RENAMES; round++) {
          const seen = made(await users.find(user, "everything"));
          // Of several writers who read the same version, one succeeds.
          await changeStoredUser(users, seen, { fields: { ...seen, name: `Western ${which} ${round}` } });
        }
      };
      const give = async (which: number) => {
        const { keys } = made(instances[which % 2] ?? null);
        const fields = keyFields({ name: "Passed on", dealerId: north });
        let seen = made(await keys.insert({ key: fields, secret: newSecret(), now: MOMENT, by: OPERATOR }));
        for (let round = 1; round < RENAMES; round++) {
          const after = { ...seen, ...made(owners[(which + round) % owners.length] ?? null) };
          seen = made(await changeStoredKey(keys, seen, { does: "change", fields: after }));
        }
        return seen;
      };
      const places = Array.from({ length: 6 }, (_, place) => place);
      const [given] = await Promise.all([
        Promise.all(places.map(give)),
        Promise.all(places.map(rename)),
        Promise.all(places.map(renameUser)),
      ]);
      for (const [name, dealer] of [
        ["northern", north],
        ["southern", south],
      ] as const) {
        const search = { q: `passed ${name}`, inDealerNames: true, inUserNames: true };
        const { items } = await makeKeyRepository(db, () => {}).list({
          visibility: "everything",
          filter: { search },
          page: { limit: 100, offset: 0 },
        });
        const held = given.filter(({ dealerId }) => dealerId === dealer);
        expect(items.map(({ id }) => id).sort()).toEqual(held.map(({ id }) => id).sort());
      }
    });

    test("of the usage of the same keys add up", async () => {
      const keys = makeKeyRepository(db, () => {});
      const ids: number[] = [];
      for (let count = 0; count < 30; count++)
        ids.push(made(await keys.insert({ key: keyFields(), secret: newSecret(), now: MOMENT, by: OPERATOR })).id);
      const at = momentAfter(1000);
      const hour = hourOf(at);
      const write = async (writer: string, on: SqlDatabase, order: readonly number[]) => {
        for (let round = 0; round < ROUNDS; round++)
          await makeUsageStore(on).add(
            writer,
            {
              number: round + 1,
              hours: order.map((keyId) => ({ keyId, hour, ...counts({ served: 1, denied: 2 }) })),
              uses: order.map((keyId) => ({ keyId, at, address: "198.51.100.1", user_agent: null })),
              denials: order.map((keyId) => ({ keyId, at, ...denial() })),
              oldSecrets: [],
            },
            at,
          );
      };
      await Promise.all([write("here", db, ids), write("elsewhere", elsewhere, ids.toReversed())]);
      for (const id of ids) {
        const usage = await makeUsageRepository(db).of(wholeHistoryOf(id), { first: hour, last: hour });
        expect(usage.hours).toEqual([{ hour, ...counts({ served: 2 * ROUNDS, denied: 4 * ROUNDS }) }]);
        expect(usage.lastUse?.at).toBe(at);
        expect(usage.denials).toHaveLength(Math.min(2 * ROUNDS, 20));
      }
    });
  });
