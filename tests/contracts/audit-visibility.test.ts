import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { OPERATOR, type Principal } from "../../core/access/principal.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import { storedNamesOf } from "../../core/audit/actions.ts";
import type { AuditFilter, AuditLog } from "../../core/audit/audit.ts";
import type { AuditEntry } from "../../core/audit/audit-entry.ts";
import type { KeyRecord } from "../../core/keys/key.ts";
import type { UserRecord } from "../../core/users/user.ts";
import { dealerKey, superAdminKey, userKey } from "../core/callers.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import { recording } from "../support/recording.ts";
import {
  dealerFields,
  keyFields,
  made,
  momentAfter,
  newSecret,
  userFields,
  vehicleFields,
} from "../support/records.ts";
import { storedImages } from "../support/stored-images.ts";
import { changeStoredUser } from "../support/user-changes.ts";

const WHOLE = { limit: 1000, offset: 0 };
const EVERYTHING = "everything" as const;

/** What identifies an actor in an entry; only the actor's own dealer may read it. */
const traces = (who: string) => ({
  name: `Trace of ${who}`,
  address: `trace-address-${who}`,
  requestId: `trace-request-${who}`,
});
const OVERSEER = superAdminKey({ keyId: 9001, ...traces("overseer") });
const OVERSEEING_USER = userKey("super_admin", null, {
  keyId: null,
  userId: 9002,
  via: "portal",
  ...traces("overseeing"),
});
const FREE_USER = userKey("user", null, { keyId: 9003, userId: 9004, ...traces("free") });
const COMMAND_LINE: Principal = { ...OPERATOR, ...traces("command") };
const OUTSIDERS = [OVERSEER, OVERSEEING_USER, FREE_USER, COMMAND_LINE];
const OUTSIDE = /Trace of (overs|free|comm)|trace-(address|request)-(overs|free|comm)|900[1234]/;

for (const engine of ENGINES)
  describe(`the audit log that a dealer sees on ${engine.name}`, () => {
    let db: SqlDatabase;
    let log: AuditLog;
    let dealers: readonly [number, number, number];
    let stores: ReturnType<typeof storesOf>;
    let moments = 0;

    const storesOf = (from: SqlDatabase) => ({
      keys: makeKeyRepository(from, () => {}),
      users: makeUserRepository(from, () => {}),
      vehicles: makeVehicleRepository(from),
      images: storedImages(from),
    });
    const now = (): string => momentAfter(++moments);

    beforeAll(async () => {
      db = await engine.open();
      log = makeAuditLog(db);
      stores = storesOf(db);
      const repository = makeDealerRepository(db);
      // Unique ids, so that a text can be searched for one of them.
      const add = async () => (await repository.insert({ ...dealerFields(), created_at: now() }, OPERATOR)).id;
      for (let number = 0; number < 70; number++) await add();
      dealers = [await add(), await add(), await add()];
    });
    afterAll(() => db.close());

    const seen = async (visibility: Visibility, filter: AuditFilter = {}): Promise<readonly AuditEntry[]> =>
      (await log.list({ visibility, filter, page: WHOLE, after: null })).items;

    /** An actor of a dealer, whom that dealer's readers may identify. */
    const agentOf = (dealerId: number): Principal =>
      dealerKey(dealerId, { keyId: 5000 + dealerId, ...traces(`agent-of-${dealerId}`) });

    test("shows a vehicle's move to both dealers, and to each only its own time with the vehicle", async () => {
      const [north, south] = dealers;
      const { id } = made(await stores.vehicles.insert(vehicleFields(north, { title: "Old life" }), agentOf(north)));
      const changes = { dealer_id: south, price: 12_345, title: "New life" };
      await stores.vehicles.update({ id, scope: null, changes, now: now(), versions: null, by: OVERSEER });
      await stores.vehicles.update({
        id,
        scope: south,
        changes: { title: "Later life" },
        now: now(),
        versions: null,
        by: agentOf(south),
      });
      const filter = { resource: "vehicles", resourceId: id } as const;

      const [left, ...before] = await seen({ dealerId: north }, filter);
      expect(left).toMatchObject({ action: "vehicle.moved", dealer_id: north });
      expect(left?.before).toEqual({ dealer_id: north });
      expect(left?.after).toEqual({ dealer_id: null });
      expect(before.map(({ action }) => action)).toEqual(["vehicle.created"]);
      const north_text = JSON.stringify(await seen({ dealerId: north }));
      for (const word of ["New life", "Later life", "12345", `agent-of-${south}`])
        expect(north_text).not.toInclude(word);

      const [later, arrived, ...earlier] = await seen({ dealerId: south }, filter);
      expect(later?.after).toEqual({ title: "Later life" });
      expect(arrived).toMatchObject({ action: "vehicle.moved", dealer_id: south });
      expect(arrived?.before).toEqual({ dealer_id: null });
      expect(arrived?.after).toEqual({ dealer_id: south, price: 12_345, title: "New life" });
      expect(earlier).toEqual([]);
      const south_text = JSON.stringify(await seen({ dealerId: south }));
      for (const word of ["Old life", `agent-of-${north}`]) expect(south_text).not.toInclude(word);

      const [, move] = await seen(EVERYTHING, filter);
      expect(move).toMatchObject({
        actor: { type: "key", id: OVERSEER.keyId, name: OVERSEER.name },
        address: OVERSEER.address,
        request_id: OVERSEER.requestId,
        dealer_id: north,
        before: { dealer_id: north, title: "Old life" },
        after: changes,
      });
      expect(await seen({ dealerId: dealers[2] }, filter)).toEqual([]);
    });

    test("shows that a key left the dealer, and nothing of what the key may do afterwards", async () => {
      const [north] = dealers;
      const key = made(
        await stores.keys.insert({
          key: keyFields({ dealerId: north }),
          secret: newSecret(),
          now: now(),
          by: agentOf(north),
        }),
      );
      const freed = keyFields({ name: "Free now" });
      made(await changeStoredKey(stores.keys, key, { does: "change", fields: freed, now: now(), by: OVERSEER }));
      const [left] = await seen({ dealerId: north }, { resource: "keys", resourceId: key.id });
      expect([left?.before, left?.after]).toEqual([{ dealer_id: north }, { dealer_id: null }]);
    });

    test("does not find a user who left the dealer by the name that another dealer gave", async () => {
      const [north, south] = dealers;
      const fields = userFields({ name: "Robin Past", dealerId: north });
      const user = made(await stores.users.insert(fields, now(), OVERSEER));
      const vehicle = vehicleFields(north, { title: "Made by Robin" });
      await stores.vehicles.insert(vehicle, userKey("user", north, { userId: user.id }));
      const titles = async (visibility: Visibility, person: string) =>
        (await seen(visibility, { person, resource: "vehicles" })).map(({ after }) => after?.title);
      expect(await titles({ dealerId: north }, "robin past")).toEqual(["Made by Robin"]);
      const moved = { ...user, name: "Robin Present", dealerId: south };
      made(await changeStoredUser(stores.users, user, { fields: moved, now: now(), by: OVERSEER }));
      for (const person of ["present", "robin"]) expect(await titles({ dealerId: north }, person)).toEqual([]);
      expect(await titles(EVERYTHING, "robin present")).toEqual(["Made by Robin"]);
    });

    test("knows whose an actor is now if it was not recorded then, and of no super-admin that it is a dealer's", async () => {
      const [north, south] = dealers;
      const userAt = async (dealerId: number, role: "user" | "super_admin" = "user") =>
        made(await stores.users.insert(userFields({ dealerId, role }), now(), OVERSEER)).id;
      const keyAt = async (dealerId: number) => {
        const key = keyFields({ dealerId });
        return made(await stores.keys.insert({ key, secret: newSecret(), now: now(), by: OVERSEER })).id;
      };
      const [kim, site] = [{ userId: await userAt(north) }, { keyId: await keyAt(north) }];
      const others = [
        { userId: await userAt(south) },
        { userId: await userAt(north, "super_admin") },
        { keyId: await keyAt(south) },
        { keyId: 9_000_000 },
      ];
      const { id } = made(await stores.vehicles.insert(vehicleFields(north), OVERSEER));
      const actors: readonly { keyId?: number; userId?: number }[] = [kim, site, ...others];
      for (const { keyId = "NULL", userId = "NULL" } of actors) {
        const text = `INSERT INTO audit_entries (created_at, actor_key_id, actor_user_id, actor_name, via, action,
            resource, resource_id, dealer_id, address)
          VALUES ('${now()}', ${keyId}, ${userId}, 'Somebody', 'api', 'vehicle.changed',
            'vehicles', ${id}, ${north}, '192.0.2.1')`;
        await db.write(async (tx) => tx.all({ text, bind: () => [] }, {}));
      }
      const shown = async (actor: AuditFilter) => {
        const filter = { action: "vehicle.changed", resource: "vehicles", resourceId: id, ...actor } as const;
        return (await seen({ dealerId: north }, filter)).map((entry) => [entry.actor.id, entry.address]);
      };
      const own = [
        [site.keyId, "192.0.2.1"],
        [kim.userId, "192.0.2.1"],
      ];
      expect(await shown({})).toEqual([...others.map(() => [null, null]), ...own]);
      expect([await shown(site), await shown(kim)]).toEqual([[own[0]], [own[1]]] as (number | string)[][][]);
      for (const other of others) expect(await shown(other)).toEqual([]);
    });

    for (const outsider of OUTSIDERS)
      test(`shows an actor from outside the dealer as an operator without an address (${outsider.name})`, async () => {
        const [, south] = dealers;
        const { id } = made(await stores.vehicles.insert(vehicleFields(south), outsider));
        const [entry] = await seen({ dealerId: south }, { resource: "vehicles", resourceId: id });
        expect(entry).toMatchObject({
          actor: { type: "operator", id: null, name: "Operator" },
          address: null,
          request_id: null,
        });
        expect(JSON.stringify(entry)).not.toMatch(OUTSIDE);
        const own = made(await stores.vehicles.insert(vehicleFields(south), agentOf(south)));
        const [open] = await seen({ dealerId: south }, { resource: "vehicles", resourceId: own.id });
        expect(open).toMatchObject({ actor: { type: "key" }, address: agentOf(south).address });
      });

    if (engine.name === "SQLite")
      test("reads one page of a dealer in order, without sorting all of the dealer's entries", async () => {
        const watched = recording(db);
        await makeAuditLog(watched.db).list({
          visibility: { dealerId: dealers[0] },
          filter: {},
          page: { limit: 20, offset: 0 },
          after: null,
        });
        const plan = (
          await watched
            .ran()
            .find(({ text }) => text.includes("ORDER BY"))
            ?.plan()
        )?.join("\n");
        expect(plan).toContain("audit_of_dealer");
        expect(plan).toContain("audit_arrivals");
        expect(plan).not.toContain("TEMP B-TREE");
      });

    describe("after any moves by any callers", () => {
      /** A text that identifies a record's time at a dealer, in any answer. */
      const markOf = (dealerId: number | null): string => `Life with ${dealerId ?? "nobody"}`;
      const STEP = fc.record({
        what: fc.constantFrom("vehicle", "user", "key", "image", "users-key"),
        to: fc.nat(3),
        outsider: fc.nat(OUTSIDERS.length - 1),
        byAgent: fc.boolean(),
      });

      interface Moved {
        dealerId: number | null;
      }
      const perform = async (
        record: Moved & {
          vehicle: number;
          user: UserRecord;
          key: KeyRecord;
          usersKey: KeyRecord;
          holders: UserRecord[];
        },
        dealerOf: { vehicle: number; user: number | null; key: number | null; usersKey: number | null },
        step: typeof STEP extends fc.Arbitrary<infer Step> ? Step : never,
      ): Promise<void> => {
        const target = [...dealers, null][step.to] ?? null;
        const by = (home: number | null): Principal =>
          step.byAgent && home !== null && home === target ? agentOf(home) : (OUTSIDERS[step.outsider] ?? OVERSEER);
        if (step.what === "vehicle" && target !== null) {
          const changes = { dealer_id: target, title: markOf(target) };
          await stores.vehicles.update({
            id: record.vehicle,
            scope: null,
            changes,
            now: now(),
            versions: null,
            by: by(dealerOf.vehicle),
          });
          dealerOf.vehicle = target;
        }
        if (step.what === "image") {
          const image_url = `https://images.example.com/${encodeURI(markOf(dealerOf.vehicle))}`;
          await stores.images.add({
            vehicleId: record.vehicle,
            scope: null,
            draft: { image_url },
            now: now(),
            by: by(dealerOf.vehicle),
          });
        }
        if (step.what === "user") {
          const fields = { ...record.user, dealerId: target, name: markOf(target) };
          record.user = made(
            await changeStoredUser(stores.users, record.user, { fields, now: now(), by: by(dealerOf.user) }),
          );
          dealerOf.user = target;
        }
        if (step.what === "key") {
          const fields = keyFields({ dealerId: target, name: markOf(target) });
          record.key = made(
            await changeStoredKey(stores.keys, record.key, {
              does: "change",
              fields,
              now: now(),
              by: by(dealerOf.key),
            }),
          );
          dealerOf.key = target;
        }
        if (step.what === "users-key") {
          const holder = record.holders[step.to];
          const fields = keyFields({ userId: holder?.id ?? null, name: markOf(holder?.dealerId ?? null) });
          record.usersKey = made(
            await changeStoredKey(stores.keys, record.usersKey, {
              does: "change",
              fields,
              now: now(),
              by: by(dealerOf.usersKey),
            }),
          );
          dealerOf.usersKey = holder?.dealerId ?? null;
        }
      };

      /** Whether a visible entry matches a filter. */
      const matches = (entry: AuditEntry, filter: AuditFilter): boolean =>
        (filter.keyId === undefined || (entry.actor.type === "key" && entry.actor.id === filter.keyId)) &&
        (filter.userId === undefined || (entry.actor.type === "user" && entry.actor.id === filter.userId)) &&
        (filter.via === undefined || entry.via === filter.via) &&
        (filter.resource === undefined || entry.resource === filter.resource) &&
        (filter.dealerId === undefined || entry.dealer_id === filter.dealerId) &&
        (filter.action === undefined || storedNamesOf(filter.action).includes(entry.action));

      test("shows nothing of other dealers or outsiders through any filter, and counts only visible entries", async () => {
        await fc.assert(
          fc.asyncProperty(fc.array(STEP, { minLength: 30, maxLength: 60 }), async (steps) => {
            const [north] = dealers;
            const agent = agentOf(north);
            const start = { dealerId: north, name: markOf(north) };
            const holders = [];
            for (const dealerId of [...dealers, null])
              holders.push(
                made(await stores.users.insert(userFields({ dealerId, name: markOf(dealerId) }), now(), OVERSEER)),
              );
            const vehicle = made(
              await stores.vehicles.insert(vehicleFields(north, { title: markOf(north), created_at: now() }), agent),
            ).id;
            const record = {
              dealerId: north,
              vehicle,
              holders,
              user: made(await stores.users.insert(userFields(start), now(), agent)),
              key: made(
                await stores.keys.insert({ key: keyFields(start), secret: newSecret(), now: now(), by: agent }),
              ),
              usersKey: made(
                await stores.keys.insert({
                  key: keyFields({ userId: holders[0]?.id ?? null, name: markOf(north) }),
                  secret: newSecret(),
                  now: now(),
                  by: agent,
                }),
              ),
            };
            const dealerOf: Parameters<typeof perform>[1] = {
              vehicle: north,
              user: north,
              key: north,
              usersKey: north,
            };
            for (const step of steps) await perform(record, dealerOf, step);

            for (const reader of dealers) {
              const entries = await seen({ dealerId: reader });
              const text = JSON.stringify(entries);
              expect(text).not.toMatch(OUTSIDE);
              for (const other of [...dealers, null].filter((dealer) => dealer !== reader)) {
                expect(text).not.toInclude(markOf(other));
                expect(text).not.toInclude(encodeURI(markOf(other)));
                if (other === null) continue;
                expect(text).not.toInclude(`agent-of-${other}`);
                expect(text).not.toMatch(new RegExp(`dealer_id":${other}\\b`));
              }
              const FILTERS: AuditFilter[] = [
                ...[...OUTSIDERS, ...dealers.map(agentOf)].flatMap(({ keyId, userId }) => [
                  ...(keyId === null ? [] : [{ keyId }]),
                  ...(userId === null ? [] : [{ userId }]),
                ]),
                ...dealers.map((dealerId) => ({ dealerId })),
                { via: "portal" },
                { via: "command", resource: "keys" },
                { action: "vehicle.changed" },
                { action: "vehicle.moved" },
                { action: "key.rebound" },
                { resource: "users", dealerId: reader },
              ];
              for (const filter of FILTERS) {
                const page = await log.list({ visibility: { dealerId: reader }, filter, page: WHOLE, after: null });
                const expected = entries.filter((entry) => matches(entry, filter));
                expect(page.items).toEqual(expected);
                expect(page.total).toBe(expected.length);
              }
            }
          }),
          { numRuns: inGate(2, 5), endOnFailure: true },
        );
      });
    });
  });
