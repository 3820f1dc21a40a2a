import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { searchWords } from "../../adapters/sql/search/words.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import type { AuditFilter, AuditLog } from "../../core/audit/audit.ts";
import { ENGINES } from "../support/engines.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import { walkPages } from "../support/pages.ts";
import {
  actingKey,
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

const PAGE = { limit: 100, offset: 0 };
const EVERYTHING = "everything" as const;
const [FIRST_KEY, SECOND_KEY] = [7, 8];
const NOBODY = 999_999;
const ROBIN = {
  ...OPERATOR,
  userId: 3,
  name: "Robin Example",
  via: "portal",
  address: "192.0.2.7",
  requestId: "r-1",
} as const;

for (const engine of ENGINES)
  describe(`the audit log on ${engine.name}`, () => {
    let db: SqlDatabase;
    let log: AuditLog;
    let north: number;
    let south: number;
    let keyId: number;
    let userId: number;
    let vehicleId: number;
    const secrets = [newSecret(), newSecret()] as const;

    beforeAll(async () => {
      db = await engine.open();
      log = makeAuditLog(db);
      const keys = makeKeyRepository(db, () => {});
      const users = makeUserRepository(db, () => {});
      const dealers = makeDealerRepository(db);
      const vehicles = makeVehicleRepository(db);
      const images = storedImages(db);
      const byFirst = actingKey(FIRST_KEY);
      const bySecond = actingKey(SECOND_KEY);

      north = (await dealers.insert({ ...dealerFields(), created_at: momentAfter(-9) }, OPERATOR)).id;
      south = (await dealers.insert({ ...dealerFields(), created_at: momentAfter(-8) }, OPERATOR)).id;
      let key = made(
        await keys.insert({
          key: keyFields({ dealerId: north }),
          secret: secrets[0],
          now: momentAfter(0),
          by: byFirst,
        }),
      );
      keyId = key.id;
      const renamed = keyFields({ dealerId: north, name: "Renamed" });
      key = made(
        await changeStoredKey(keys, key, { does: "change", fields: renamed, now: momentAfter(1), by: byFirst }),
      );
      key = made(
        await changeStoredKey(keys, key, {
          does: "rotate",
          secret: secrets[1],
          previousEndsAt: momentAfter(2),
          now: momentAfter(2),
          by: byFirst,
        }),
      );
      await changeStoredKey(keys, key, { does: "remove", now: momentAfter(3), by: byFirst });
      const user = made(await users.insert(userFields({ dealerId: north }), momentAfter(4), bySecond));
      userId = user.id;
      await changeStoredUser(users, user, { fields: { ...user, active: false }, now: momentAfter(5) });
      await keys.insert({
        key: keyFields({ dealerId: south }),
        secret: newSecret(),
        now: momentAfter(6),
        by: bySecond,
      });
      vehicleId = made(
        await vehicles.insert(vehicleFields(south, { price: 100.5, created_at: momentAfter(10) }), ROBIN),
      ).id;
      await vehicles.update({
        id: vehicleId,
        scope: south,
        changes: { price: 99.99, trim: null, make: "Ford" },
        now: momentAfter(11),
        versions: null,
        by: ROBIN,
      });
      const first = made(
        await images.add({
          vehicleId,
          scope: null,
          draft: { image_url: "https://a.example.com/1" },
          now: momentAfter(12),
          by: ROBIN,
        }),
      ).image;
      const second = made(
        await images.add({
          vehicleId,
          scope: null,
          draft: { image_url: "https://a.example.com/2" },
          now: momentAfter(13),
          by: ROBIN,
        }),
      ).image;
      await images.reorder({
        vehicleId,
        scope: null,
        imageIds: [second.id, first.id],
        now: momentAfter(14),
        by: ROBIN,
      });
      await images.update({
        vehicleId,
        imageId: second.id,
        scope: null,
        changes: { is_primary: true },
        now: momentAfter(15),
        by: ROBIN,
      });
      await images.remove({ vehicleId, imageId: second.id, scope: null, now: momentAfter(16), by: ROBIN });
      await vehicles.remove({ id: vehicleId, scope: south, versions: null, now: momentAfter(17), by: ROBIN });
      await dealers.update({
        id: south,
        scope: null,
        changes: { hours: { monday: "9-5" }, city: "Salem" },
        now: momentAfter(18),
        versions: null,
        by: ROBIN,
      });
    });
    afterAll(() => db.close());

    const list = (visibility: Visibility, filter: AuditFilter = {}, page = PAGE) =>
      log.list({ visibility, filter, page, after: null });
    const one = async (filter: AuditFilter) => {
      const { items } = await list(EVERYTHING, filter);
      expect(items).toHaveLength(1);
      return items[0];
    };
    const actions = async (visibility: Visibility, filter: AuditFilter = {}): Promise<string[]> =>
      (await list(visibility, filter)).items.map(
        ({ action, at }) => `${action} ${Date.parse(at) - Date.parse(MOMENT)}`,
      );

    const SOUTH = [
      "dealer.changed 18",
      "vehicle.removed 17",
      "image.removed 16",
      "image.changed 15",
      "image.ordered 14",
      "image.added 13",
      "image.added 12",
      "vehicle.price_changed 11",
      "vehicle.created 10",
      "key.created 6",
      "dealer.created -8",
    ];
    const NORTH = [
      "user.deactivated 5",
      "user.created 4",
      "key.removed 3",
      "key.rotated 2",
      "key.changed 1",
      "key.created 0",
      "dealer.created -9",
    ];

    test("has every change exactly once, newest first, with its time", async () => {
      expect(await actions(EVERYTHING)).toEqual([
        ...SOUTH.slice(0, -2),
        SOUTH[9],
        ...NORTH.slice(0, -1),
        SOUTH[10],
        NORTH[6],
      ] as string[]);
    });

    test("states who made a change, through which channel, from which address and with which request", async () => {
      expect(await one({ action: "vehicle.removed" })).toMatchObject({
        actor: { type: "user", id: 3, name: "Robin Example" },
        via: "portal",
        address: "192.0.2.7",
        request_id: "r-1",
        resource: "vehicles",
        resource_id: vehicleId,
        dealer_id: south,
      });
      expect(await one({ action: "key.rotated" })).toMatchObject({ actor: { type: "key", id: FIRST_KEY }, via: "api" });
      expect(await one({ action: "user.changed" })).toMatchObject({
        actor: { type: "service", id: null, name: OPERATOR.name },
        address: null,
        request_id: null,
      });
    });

    test("has the changed fields before and after a change, and no others", async () => {
      expect(await one({ action: "vehicle.changed" })).toMatchObject({
        before: { price: 100.5, make: vehicleFields(south).make },
        after: { price: 99.99, make: "Ford" },
      });
      for (const filter of [
        { action: "vehicle.changed" },
        { action: "key.changed" },
        { action: "user.changed" },
      ] as const) {
        const entry = await one(filter);
        expect(Object.keys(entry?.before ?? {}).sort()).toEqual(Object.keys(entry?.after ?? {}).sort());
        expect(entry?.after).not.toContainKey("updated_at");
        expect(entry?.after).not.toContainKey("id");
      }
      expect(await one({ action: "key.changed" })).toMatchObject({ after: { name: "Renamed" } });
      expect((await one({ action: "user.changed" }))?.after).toEqual({ active: false });
      expect(await one({ action: "dealer.changed" })).toMatchObject({
        before: { hours: dealerFields().hours },
        after: { hours: { monday: "9-5" }, city: "Salem" },
      });
      expect(await one({ action: "image.changed" })).toMatchObject({
        before: { is_primary: false },
        after: { is_primary: true, vehicle_id: vehicleId },
      });
    });

    test("has the whole record when one is created or removed", async () => {
      const created = await one({ action: "vehicle.created" });
      expect(created).toMatchObject({ before: null, after: { dealer_id: south, price: 100.5 } });
      const removed = await one({ action: "vehicle.removed" });
      expect(removed).toMatchObject({
        after: null,
        before: { id: vehicleId, dealer_id: south, price: 99.99, trim: null },
      });
      expect(await one({ action: "key.removed" })).toMatchObject({
        after: null,
        before: { id: keyId, name: "Renamed" },
      });
      expect(await one({ action: "image.removed" })).toMatchObject({ after: null, before: { vehicle_id: vehicleId } });
    });

    test("never contains a secret or its hash", async () => {
      const everything = JSON.stringify(await list(EVERYTHING));
      expect(everything).toContain(secrets[1].start);
      for (const { key, hash } of secrets) {
        expect(everything).not.toContain(key);
        expect(everything).not.toContain(key.slice(-28));
        expect(everything).not.toContain(hash);
      }
    });

    test("has no entry of a change that did not happen", async () => {
      const { total } = await list(EVERYTHING);
      const vehicles = makeVehicleRepository(db);
      const dealers = makeDealerRepository(db);
      const mine = made(await vehicles.insert(vehicleFields(north), OPERATOR));
      await makeKeyRepository(db, () => {}).insert({
        key: keyFields({ dealerId: NOBODY }),
        secret: newSecret(),
        now: MOMENT,
        by: OPERATOR,
      });
      await makeUserRepository(db, () => {}).insert(userFields({ dealerId: NOBODY }), MOMENT, OPERATOR);
      await vehicles.insert(vehicleFields(NOBODY), OPERATOR);
      expect(
        await vehicles.update({
          id: mine.id,
          scope: south,
          changes: { year: 2001 },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(
        await vehicles.update({
          id: mine.id,
          scope: null,
          changes: { year: 2001 },
          now: MOMENT,
          versions: ["2001-01-01T00:00:00.000Z"],
          by: OPERATOR,
        }),
      ).toBeNull();
      await vehicles.update({
        id: mine.id,
        scope: null,
        changes: { dealer_id: NOBODY },
        now: MOMENT,
        versions: null,
        by: OPERATOR,
      });
      expect(await vehicles.remove({ id: mine.id, scope: south, versions: null, now: MOMENT, by: OPERATOR })).toBe(
        false,
      );
      expect(await vehicles.remove({ id: NOBODY, scope: null, versions: null, now: MOMENT, by: OPERATOR })).toBe(false);
      expect(
        await dealers.update({
          id: NOBODY,
          scope: null,
          changes: { city: "Salem" },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect(
        await dealers.update({
          id: north,
          scope: south,
          changes: { city: "Salem" },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        }),
      ).toBeNull();
      expect((await list(EVERYTHING)).total).toBe(total + 1);
      await vehicles.remove({ id: mine.id, scope: null, versions: null, now: MOMENT, by: OPERATOR });
    });

    test("cannot be altered or shortened, even with direct access to the database", async () => {
      const { total } = await list(EVERYTHING);
      for (const text of ["UPDATE audit_entries SET actor_name = 'Nobody'", "DELETE FROM audit_entries"])
        expect(db.write(async (tx) => tx.all({ text, bind: () => [] }, {}))).rejects.toThrow("append-only");
      expect((await list(EVERYTHING)).total).toBe(total);
    });

    test("shows a dealer only its own entries", async () => {
      expect(await actions({ dealerId: south })).toEqual(SOUTH);
      expect(await actions({ dealerId: north })).toEqual(expect.arrayContaining(NORTH));
      expect(await actions({ dealerId: north })).not.toEqual(expect.arrayContaining([SOUTH[0]]));
      expect((await list({ dealerId: south })).total).toBe(SOUTH.length);
    });

    test("shows a user only what that user did", async () => {
      expect(await actions({ userId: 3 })).toEqual(SOUTH.slice(0, 9));
      expect(await actions({ userId: 4 })).toEqual([]);
    });

    const FILTERS: readonly (readonly [string, () => AuditFilter, readonly string[]])[] = [
      ["action", () => ({ action: "key.created" }), ["key.created 6", "key.created 0"]],
      ["key", () => ({ keyId: SECOND_KEY }), ["key.created 6", "user.created 4"]],
      ["user", () => ({ userId: 3, resource: "vehicles" }), [SOUTH[1], SOUTH[7], SOUTH[8]] as string[]],
      ["record", () => ({ resource: "keys", resourceId: keyId }), NORTH.slice(2, 6)],
      ["channel", () => ({ via: "portal", action: "dealer.changed" }), ["dealer.changed 18"]],
      ["dealer", () => ({ dealerId: south, resource: "keys" }), ["key.created 6"]],
      ["a more specific action", () => ({ action: "vehicle.price_changed" }), [SOUTH[7]] as string[]],
      ["the action of all changes", () => ({ action: "vehicle.changed" }), [SOUTH[7]] as string[]],
      ["another more specific action", () => ({ action: "vehicle.moved" }), []],
      ["vehicle", () => ({ resource: "vehicles", resourceId: vehicleId }), SOUTH.slice(1, 9)],
      ["vehicle of a dealer", () => ({ resource: "vehicles", resourceId: vehicleId, dealerId: north }), []],
      ["time", () => ({ from: momentAfter(4), to: momentAfter(6) }), ["user.deactivated 5", "user.created 4"]],
    ];
    for (const [name, filter, expected] of FILTERS)
      test(`is filtered by ${name}, within the visible entries`, async () => {
        expect(await actions(EVERYTHING, filter())).toEqual([...expected]);
        expect((await list(EVERYTHING, filter())).total).toBe(expected.length);
        expect(await actions({ userId: NOBODY }, filter())).toEqual([]);
      });

    test("names the record of an entry as it was called at that time", async () => {
      const { year, make, model } = vehicleFields(south);
      const vehicle = `${year} ${make} ${model}`;
      const names = async (filter: AuditFilter) =>
        (await list(EVERYTHING, filter)).items.map(({ record_name }) => record_name);
      expect(await names({ resource: "vehicles", resourceId: vehicleId })).toEqual([
        `${year} Ford ${model}`,
        ...Array(5).fill(`${year} Ford ${model}`),
        vehicle,
        vehicle,
      ]);
      expect(await names({ resource: "keys", resourceId: keyId })).toEqual([
        "Renamed",
        "Renamed",
        keyFields().name,
        keyFields().name,
      ]);
      expect(await names({ action: "user.deactivated" })).toEqual([userFields().name]);
      expect(await names({ action: "dealer.changed" })).toEqual([dealerFields().name]);
    });

    describe("searched by a person's name", () => {
      const MOMENTS = `'${MOMENT}', '${MOMENT}'`;
      beforeAll(async () => {
        const text = `INSERT INTO users (id, name, email, email_folded, role, permissions, active, created_at, updated_at)
          VALUES (3, 'Robin O''Neil Example', 'x', 'x', 'super_admin', 0, 1, ${MOMENTS})`;
        await db.write(async (tx) => tx.all({ text, bind: () => [] }, {}));
        await searchWords(db).fill();
      });

      for (const [words, found] of [
        ["rob", true],
        ["ROBIN exa", true],
        ["o'neil ex", true],
        ["obin", false],
        ["robin kim", false],
      ] as const)
        test(`${words} ${found ? "finds" : "does not find"} the person's entries`, async () => {
          const all = await actions(EVERYTHING, { userId: 3 });
          expect(all).not.toEqual([]);
          expect(await actions(EVERYTHING, { person: words })).toEqual(found ? all : []);
        });

      test("finds no entry whose actor is hidden from the reading dealer", async () => {
        expect(await actions({ dealerId: south }, { person: "robin" })).toEqual([]);
      });
    });

    test("shows entries of earlier versions under today's action names, and finds them by old and new names", async () => {
      const entry = (action: string, fields: string) =>
        `INSERT INTO audit_entries (created_at, actor_name, via, action, resource, resource_id, before, after)
          VALUES ('${momentAfter(-100)}', 'Robin', 'portal', '${action}', ${fields})`;
      for (const text of [
        entry("user.signed-in", "'users', 90, NULL, NULL"),
        entry("key.changed", `'keys', 91, '{"name":"Site","active":true}', '{"name":"Site","active":false}'`),
        entry("image.removed", `'images', 92, '{"vehicle_id":93}', NULL`),
      ])
        await db.write(async (tx) => tx.all({ text, bind: () => [] }, {}));
      expect(await one({ resource: "users", resourceId: 90 })).toMatchObject({ action: "session.started" });
      for (const action of ["user.signed-in", "session.started"] as const)
        expect(await one({ action })).toMatchObject({ resource_id: 90, record_name: null });
      expect(await one({ action: "key.changed", resourceId: 91 })).toMatchObject({ record_name: "Site" });
      expect(await one({ resource: "vehicles", resourceId: 93 })).toMatchObject({
        resource: "images",
        resource_id: 92,
      });
    });

    test("is paged by offset and by position, and the total counts every entry", async () => {
      const page = await list({ dealerId: south }, {}, { limit: 2, offset: 1 });
      expect(page.items.map(({ action }) => action)).toEqual(["vehicle.removed", "image.removed"]);
      expect(page.total).toBe(SOUTH.length);
      const whole = (await list({ dealerId: south })).items;
      type Position = Parameters<AuditLog["list"]>[0]["after"];
      const walked = await walkPages({ behind: null as Position }, SOUTH.length / 3 + 1, async ({ behind }) => {
        const next = await log.list({
          visibility: { dealerId: south },
          filter: {},
          page: { limit: 3, offset: 0 },
          after: behind,
        });
        expect(next.total).toBe(SOUTH.length);
        const last = next.items.at(-1);
        return { items: next.items, next: last === undefined ? null : { behind: last } };
      });
      expect(walked).toEqual([...whole]);
    });

    test("says that a dealer was deactivated or activated, and has nothing of the others", async () => {
      for (const active of [0, 1] as const)
        await makeDealerRepository(db).update({
          ...{ id: south, scope: null, changes: { active }, now: momentAfter(20 + active), versions: null, by: ROBIN },
        });
      const about = { resource: "dealers", resource_id: south, dealer_id: south, record_name: dealerFields().name };
      const { items } = await list(EVERYTHING, { from: momentAfter(20) });
      expect(items).toHaveLength(2);
      expect(items).toMatchObject([
        { ...about, action: "dealer.activated", before: { active: 0 }, after: { active: 1 } },
        { ...about, action: "dealer.deactivated", before: { active: 1 }, after: { active: 0 } },
      ]);
    });

    test("leaves out what a vehicle was sold for, if the reader may not know", async () => {
      const sold = vehicleFields(south, { status: "sold", created_at: momentAfter(29) });
      const { id, updated_at } = made(await makeVehicleRepository(db).insert(sold, ROBIN)).parse();
      const sale = { vehicleId: id, scope: south, version: updated_at, changes: { sold_price: 90 } };
      expect(await makeSaleRepository(db).change({ ...sale, now: momentAfter(30), by: ROBIN })).not.toBeNull();
      const filter = { resource: "vehicles", resourceId: id } as const;
      expect(await actions(EVERYTHING, filter)).toEqual(["vehicle.sale_changed 30", "vehicle.created 29"]);
      expect(await actions(EVERYTHING, { ...filter, hidesSales: true })).toEqual(["vehicle.created 29"]);
    });

    test("attributes a user created by a key to that key, never to the new user", async () => {
      expect(await one({ action: "user.created" })).toMatchObject({ resource_id: userId, actor: { id: SECOND_KEY } });
    });
  });
