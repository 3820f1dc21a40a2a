import { describe, expect, test } from "bun:test";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { type Case, testCases } from "../support/cases.ts";
import type { Reply } from "../support/client.ts";
import { ANSWERING } from "../support/engines.ts";
import {
  type Caller,
  type CreatedKey,
  create,
  keyBody,
  NORTH,
  NORTH_CAR,
  SOUTH,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs, STARTING_CLOCK } from "../support/service.ts";
import { type ServiceFixture, serviceFixture } from "../support/service-fixture.ts";

const DAY_SECONDS = 86_400;
const daysAgo = (days: number): string => STARTING_CLOCK.after(-days * DAY_SECONDS);

interface History {
  readonly meta: { readonly total: number; readonly next_cursor: string | null };
  readonly changes: readonly { readonly field: string; readonly old: unknown; readonly new: unknown }[];
  readonly first_price: number;
  readonly price_drops: number;
  readonly days_on_lot: number;
  readonly history_since: string;
}

const CASES: Case[] = [
  {
    name: "of a new one has no changes, its price as the first, and its creation as the start",
    send: `GET /api/vehicles/${NORTH_CAR}/history`,
    status: 200,
    has: { meta: { total: 0, next_cursor: null }, changes: [], first_price: 25_999.99, price_drops: 0, days_on_lot: 0 },
  },
  {
    name: "is refused for a field without a history",
    send: `GET /api/vehicles/1/history?field=year`,
    status: 400,
    faults: ["field"],
  },
  {
    name: "is refused for a forged cursor",
    send: `GET /api/vehicles/1/history?cursor=x`,
    status: 400,
    faults: ["cursor"],
  },
  ...(["history", "sale"] as const).map(
    (part): Case => ({
      name: `is refused for another dealer's ${part}`,
      send: `GET /api/vehicles/${NORTH_CAR}/${part}`,
      by: "south",
      status: 403,
      code: "not_your_dealer",
    }),
  ),
  {
    name: "has no sale for an unsold vehicle",
    send: `GET /api/vehicles/${NORTH_CAR}/sale`,
    status: 409,
    code: "not_sold",
  },
  {
    name: "refuses a change of an unsold vehicle's sale",
    send: `PUT /api/vehicles/${NORTH_CAR}/sale`,
    body: { note: "x" },
    status: 409,
    code: "not_sold",
  },
  ...(
    [
      [{ stage: "reserved" }, "stage"],
      [{ stage: "delivered" }, "stage"],
      [{ status: "sold", stage: "due_in" }, "stage"],
      [{ sold_at: daysAgo(1) }, "sold_at"],
      [{ status: "pending", sold_at: daysAgo(1) }, "sold_at"],
      [{ listed_at: daysAgo(-1.01) }, "listed_at"],
      [{ status: "sold", sold_at: daysAgo(3), listed_at: daysAgo(2) }, "listed_at"],
      [{ status: "sold", sold_at: daysAgo(3) }, "sold_at"],
      [{ listed_at: "2026-02-30T00:00:00Z" }, "listed_at"],
    ] as const
  ).map(
    ([body, fault]): Case => ({
      name: `refuses a contradictory change of ${JSON.stringify(Object.keys(body))}, and names ${fault}`,
      send: `PUT /api/vehicles/${NORTH_CAR}`,
      body,
      status: 400,
      faults: [fault],
    }),
  ),
  ...(
    [
      [{ stage: "reserved" }, "stage"],
      [{ sold_at: daysAgo(1) }, "sold_at"],
      [{ listed_at: daysAgo(-1.01) }, "listed_at"],
      [{ status: "sold", sold_at: daysAgo(3), listed_at: daysAgo(2) }, "listed_at"],
    ] as const
  ).map(
    ([fields, fault]): Case => ({
      name: `refuses a new vehicle with contradictory ${JSON.stringify(Object.keys(fields))}, and names ${fault}`,
      send: "POST /api/vehicles",
      body: vehicleBody(NORTH, fields),
      status: 400,
      faults: [fault],
    }),
  ),
  {
    name: "of one created as sold has the moment of the sale, the stage and the listing",
    send: "POST /api/vehicles",
    body: vehicleBody(NORTH, {
      status: "sold",
      stage: "wholesale",
      sold_at: "2026-01-03T00:00:00+01:00",
      listed_at: "2026-01-01T00:00:00Z",
    }),
    status: 201,
    has: { stage: "wholesale", sold_at: "2026-01-02T23:00:00.000Z", listed_at: "2026-01-01T00:00:00.000Z" },
  },
];

const historyFixture = (fixture: ServiceFixture) => {
  const put = async (id: number, body: object, by: Caller = "super-admin"): Promise<Vehicle> => {
    const reply = await fixture.as<Vehicle>(by, { method: "PUT", path: `/api/vehicles/${id}`, body });
    expect([reply.status, reply.text]).toEqual([200, reply.text]);
    return reply.body;
  };
  return {
    put,
    add: (fields: object = {}) =>
      create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(NORTH, { price: 100, ...fields })),
    historyOf: (id: number, by: Caller = "super-admin", query = "") =>
      fixture.as<History>(by, { method: "GET", path: `/api/vehicles/${id}/history${query}` }),
    sale: (id: number, body?: object, by: Caller = "super-admin"): Promise<Reply> =>
      fixture.as(by, {
        method: body === undefined ? "GET" : "PUT",
        path: `/api/vehicles/${id}/sale`,
        ...(body !== undefined && { body }),
      }),
  };
};

for (const engine of ANSWERING)
  describe(`a vehicle's history on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const { put, add, historyOf, sale } = historyFixture(fixture);
    testCases(fixture, CASES);

    test("has the changes newest first, with their authors, the first price and the number of price drops", async () => {
      const { id, created_at } = await add({ listed_at: daysAgo(10.5) });
      await put(id, { price: 90.5 }, "north");
      await put(id, { price: 95, mileage: 7 });
      await put(id, { price: 80, status: "pending", stage: "deposit" });
      const { body } = await historyOf(id);
      expect(body.changes.map(({ field, old, new: now }) => [field, old, now])).toEqual([
        ["status", "available", "pending"],
        ["stage", null, "deposit"],
        ["price", 95, 80],
        ["price", 90.5, 95],
        ["mileage", null, 7],
        ["price", 100, 90.5],
      ]);
      expect(body.changes.at(-1)).toMatchObject({
        by: { type: "key", id: fixture.records.keys.north.id },
        via: "api",
        at: expect.any(String),
      });
      expect(body).toMatchObject({ first_price: 100, price_drops: 2, days_on_lot: 10, history_since: created_at });
      expect(body.meta.total).toBe(6);
    });

    test("is read in pages and by field, and each page but the last links to the next", async () => {
      const { id } = await add();
      for (let price = 1; price <= 7; price++) await put(id, { price, mileage: price });
      const whole = (await historyOf(id, "super-admin", "?field=price")).body.changes;
      expect(whole.map(({ field, new: now }) => [field, now])).toEqual(
        [7, 6, 5, 4, 3, 2, 1].map((price) => ["price", price]),
      );
      const seen: unknown[] = [];
      let query = "?field=price&limit=3";
      for (let pages = 1; pages <= 3; pages++) {
        const reply = await historyOf(id, "super-admin", query);
        seen.push(...reply.body.changes);
        const { next_cursor, total } = reply.body.meta;
        expect([total, reply.headers.get("x-total-count"), next_cursor === null]).toEqual([
          6 + pages,
          String(6 + pages),
          pages === 3,
        ]);
        expect(reply.headers.get("link")?.includes('rel="next"')).toBe(pages < 3);
        // Changes between two pages do not shift the pages.
        await put(id, { price: 100 + pages });
        query = `?field=price&limit=3&cursor=${next_cursor}`;
      }
      expect(seen).toEqual([...whole]);
      expect((await historyOf(id, "super-admin", "?field=price&limit=2&offset=8")).body.changes).toEqual(
        whole.slice(5),
      );
    });

    test("has cursors that are valid only for one vehicle, field and reader", async () => {
      const [one, other] = [await add(), await add()];
      for (const { id } of [one, other]) for (const price of [1, 2]) await put(id, { price });
      const { next_cursor: cursor } = (await historyOf(one.id, "super-admin", "?limit=1")).body.meta;
      for (const [id, by, query] of [
        [other.id, "super-admin", ""],
        [one.id, "super-admin", "&field=price"],
        [one.id, "north", ""],
      ] as const)
        expect((await historyOf(id, by, `?cursor=${cursor}${query}`)).status).toBe(400);
    });

    test("shows a bound caller no other dealer, nothing of another's time, and no author from outside", async () => {
      const { id } = await add();
      await put(id, { price: 90 }, "north");
      const moved = await put(id, { dealer_id: SOUTH, price: 70, mileage: 4 });
      await put(id, { price: 60, status: "pending", stage: "deposit" }, "south");
      const south = (await historyOf(id, "south")).body;
      expect(south.changes).toEqual([
        expect.objectContaining({ field: "status", old: "available", new: "pending" }),
        expect.objectContaining({ field: "stage", old: null, new: "deposit" }),
        expect.objectContaining({ field: "price", old: 70, new: 60 }),
        {
          at: moved.updated_at,
          field: "dealer_id",
          old: null,
          new: SOUTH,
          by: { type: "operator", id: null, name: "Operator" },
          via: "api",
          change_id: null,
          reverts: null,
          reverted_by: null,
        },
      ]);
      expect(south).toMatchObject({
        first_price: 70,
        price_drops: 1,
        days_on_lot: 0,
        history_since: moved.updated_at,
        meta: { total: 4 },
      });
      expect((await historyOf(id, "north")).status).toBe(403);

      await put(id, { dealer_id: NORTH });
      const back = (await historyOf(id, "north")).body;
      expect(back.changes.map(({ field, old, new: now }) => [field, old, now])).toEqual([
        ["dealer_id", null, NORTH],
        ["dealer_id", NORTH, null],
        ["price", 100, 90],
      ]);
      expect(back).toMatchObject({ first_price: 60, price_drops: 0, meta: { total: 3 } });
      expect((await historyOf(id)).body.meta.total).toBe(8);
    });

    test("starts anew with a move, without the former price and the sale", async () => {
      const { id } = await add({ listed_at: daysAgo(30) });
      await put(id, { price: 90 });
      await put(id, { status: "sold" });
      expect((await sale(id, { sold_price: 88, note: "Cash" })).body).toMatchObject({ sold_price: 88, note: "Cash" });
      const moved = await put(id, { dealer_id: SOUTH });
      expect(moved).toMatchObject({
        previous_price: null,
        price_changed_at: null,
        listed_at: moved.updated_at,
        sold_at: moved.updated_at,
      });
      const theirs = await sale(id, undefined, "south");
      expect(theirs.body).toEqual({ sold_price: null, sold_at: moved.updated_at, note: null });
      const named = await put(id, { dealer_id: NORTH, listed_at: daysAgo(5), sold_at: daysAgo(1) });
      expect([named.listed_at, named.sold_at].map((at) => Date.parse(at ?? "") < Date.parse(named.updated_at))).toEqual(
        [true, true],
      );
    });

    test("is unchanged when an answer is sent back, sold or not", async () => {
      for (const fields of [{ stage: "in_prep" }, { status: "sold", stage: "delivered", sold_at: daysAgo(-2) }]) {
        const { id } = await add({ ...fields, listed_at: daysAgo(3) });
        const present = await put(id, { price: 99 });
        const { updated_at, ...same } = await put(id, present);
        expect({ ...same, updated_at: present.updated_at }).toEqual(present);
        expect(updated_at > present.updated_at).toBe(true);
      }
    });

    test("has the current moment for a sale marked on a former answer, and the creation for a listed_at of null", async () => {
      const present = await add({ listed_at: daysAgo(3), stage: "in_prep" });
      const sold = await put(present.id, { ...present, status: "sold", stage: null, listed_at: null });
      expect(sold).toMatchObject({ sold_at: sold.updated_at, listed_at: present.created_at, stage: null });
      expect((await put(present.id, { status: "pending", sold_at: null })).sold_at).toBeNull();
    });

    test("has no price of a sale until somebody enters one, and none again once it is taken back", async () => {
      const { id } = await add({ listed_at: daysAgo(9) });
      const { sold_at } = await put(id, { status: "sold", price: 95 });
      expect((await sale(id)).body).toEqual({ sold_price: null, sold_at, note: null });
      await put(id, { price: 10 });
      expect((await sale(id)).body).toEqual({ sold_price: null, sold_at, note: null });
      const other = daysAgo(2);
      expect((await sale(id, { sold_price: 94.5, sold_at: other, note: "Two\nkeys" }, "north")).body).toEqual({
        sold_price: 94.5,
        sold_at: other,
        note: "Two\nkeys",
      });
      expect((await fixture.api<Vehicle>("GET", `/api/vehicles/${id}`)).body.sold_at).toBe(other);
      expect((await sale(id, { sold_at: null, sold_price: null })).body).toEqual({
        sold_price: null,
        sold_at: other,
        note: "Two\nkeys",
      });
      expect((await historyOf(id)).body.days_on_lot).toBe(7);
      await put(id, { status: "available" });
      await put(id, { status: "sold" });
      expect((await sale(id)).body).toMatchObject({ sold_price: null, note: null });
    });

    test("names what is wrong with a sale", async () => {
      const { id } = await add({ listed_at: daysAgo(2), status: "sold" });
      for (const [body, fault] of [
        [{}, ""],
        [{ sold_price: -1 }, "sold_price"],
        [{ sold_price: 1.001 }, "sold_price"],
        [{ sold_price: "1" }, "sold_price"],
        [{ note: "x".repeat(1001) }, "note"],
        [{ sold_at: daysAgo(3) }, "sold_at"],
        [{ sold_at: "yesterday at noon" }, "sold_at"],
        [{ buyer: "Kim" }, "buyer"],
      ] as const) {
        const reply = await sale(id, body);
        expect([reply.status, (reply.body as { details: { path: string }[] }).details.map(({ path }) => path)]).toEqual(
          [400, [fault]],
        );
      }
      expect((await sale(id, { note: "x".repeat(1000) })).status).toBe(200);
    });

    test("shows sale prices only to callers who may change vehicles, also in the audit log", async () => {
      const { id } = await add({ status: "sold" });
      await sale(id, { sold_price: 4321.5, note: "Secret handshake" });
      const keyWith = (...permissions: string[]) =>
        create<CreatedKey>(fixture.api, "/api/keys", keyBody({ dealer_id: NORTH, permissions: pairs(...permissions) }));
      const reader = await keyWith("vehicles:read", "audit:read");
      const writer = await keyWith("vehicles:read", "vehicles:write", "audit:read");
      for (const [key, sees] of [
        [reader, false],
        [writer, true],
      ] as const) {
        const get = (path: string) => fixture.api<{ action: string }[]>("GET", path, { key: key.api_key });
        expect((await get(`/api/vehicles/${id}/sale`)).status).toBe(sees ? 200 : 403);
        for (const path of [
          `/api/audit?resource=vehicles&id=${id}`,
          "/api/audit?action=vehicle.sale_changed",
          "/api/audit?limit=1000",
        ]) {
          const log = await get(path);
          expect([path, log.text.includes("4321.5"), log.text.includes("sale_changed")]).toEqual([path, sees, sees]);
          expect(Number(log.headers.get("x-total-count"))).toBe(log.body.length);
        }
        expect((await get("/api/audit/export")).text.includes("4321.5")).toBe(sees);
        for (const path of ["/api/vehicles?limit=1000", `/api/vehicles/${id}`, `/api/vehicles/${id}/history`])
          expect((await get(path)).text).not.toContain("4321.5");
      }
      const [entry] = (await fixture.api<readonly object[]>("GET", "/api/audit?action=vehicle.sale_changed")).body;
      expect(entry).toMatchObject({
        before: { sold_price: null, note: null },
        after: { sold_price: 4321.5, note: "Secret handshake" },
        record_name: "2024 Toyota Camry",
        dealer_id: NORTH,
      });
    });
  });
