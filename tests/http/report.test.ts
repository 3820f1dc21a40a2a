import { describe, expect, test } from "bun:test";
import type { OverallReport, Report } from "../../core/report/reports.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import {
  type CreatedKey,
  create,
  dealerBody,
  keyBody,
  NORTH,
  NOTHING,
  SOUTH,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const NOTHING_HAPPENED = {
  added: 0,
  sold: 0,
  sold_value: 0,
  average_days_to_sell: null,
  average_discount: null,
  price_drops: 0,
};
const SPRING = "?from=2024-01-01&to=2024-03-31";

const INVALID: readonly (readonly [query: string, path: string, words: string])[] = [
  ["?from=2024-02-01&to=2024-01-31", "from", "must not be after `to`, which is 2024-01-31"],
  ["?from=2023-01-01&to=2024-02-05", "from", "at most 400 days"],
  ["?from=2024-02-30&to=2024-03-01", "from", "must be a date of the calendar"],
  ["?from=2024-01-01&to=2024-13-01", "to", "must be a date of the calendar"],
  ["?from=yesterday", "from", "must be a date of the calendar"],
  ["?to=2024-01-01T00:00:00Z", "to", "must be a date of the calendar"],
  ["?from=24-1-1", "from", "must be a date of the calendar"],
  ["?to=", "to", "must be a date of the calendar"],
];

for (const engine of ANSWERING)
  describe(`reports on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newDealer = async (name = "Harbor Motors"): Promise<number> =>
      (await create(fixture.api, "/api/dealers", dealerBody({ name }))).id;
    const newKey = async (permissions: readonly string[], dealer?: number): Promise<string> => {
      const of = dealer === undefined ? {} : { dealer_id: dealer };
      const body = keyBody({ permissions: pairs(...permissions), ...of });
      return (await create<CreatedKey>(fixture.api, "/api/keys", body)).api_key;
    };
    const add = (dealer: number, fields: object) =>
      create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, fields));
    const change = async ({ id }: Vehicle, fields: object) =>
      expectReply(await fixture.api("PUT", `/api/vehicles/${id}`, { body: fields }), { status: 200 });
    const ofDealer = async (dealer: number, query: string, key?: string) =>
      (await fixture.api<Report>("GET", `/api/dealers/${dealer}/report${query}`, key === undefined ? {} : { key }))
        .body;
    const overall = async (query: string, key?: string) =>
      (await fixture.api<OverallReport>("GET", `/api/report${query}`, key === undefined ? {} : { key })).body;

    /** A dealer that added two vehicles in January and sold them in February. */
    const sellingDealer = async (name?: string): Promise<number> => {
      const dealer = await newDealer(name);
      const first = await add(dealer, { price: 20_000, listed_at: "2024-01-10T12:00:00Z" });
      await change(first, { price: 19_000 });
      await change(first, { status: "sold", sold_at: "2024-02-09T12:00:00Z", sold_price: 19_000 });
      const at = { listed_at: "2024-01-31T23:59:59.999Z", sold_at: "2024-02-13T00:00:00Z" };
      await add(dealer, { price: 10_000, status: "sold", sold_price: 10_000, ...at });
      return dealer;
    };
    const FEBRUARY = {
      ...NOTHING_HAPPENED,
      sold: 2,
      sold_value: 29_000,
      average_days_to_sell: 21,
      average_discount: { amount: 500, percent: 2.5 },
    };

    test("have every month of the period and the total, including the first and last day", async () => {
      const dealer = await sellingDealer();
      const { months, total, now } = await ofDealer(dealer, SPRING);
      expect(months).toEqual([
        { month: "2024-01", ...NOTHING_HAPPENED, added: 2 },
        { month: "2024-02", ...FEBRUARY },
        { month: "2024-03", ...NOTHING_HAPPENED },
      ]);
      expect(total).toEqual({ ...FEBRUARY, added: 2 });
      expect(now.oldest).toEqual([]);
      const days = async (query: string) => (await ofDealer(dealer, query)).total;
      expect(await days("?from=2024-01-31&to=2024-02-12")).toMatchObject({ added: 1, sold: 1, sold_value: 19_000 });
      expect(await days("?from=2024-02-13&to=2024-02-13")).toMatchObject({ added: 0, sold: 1, sold_value: 10_000 });
    });

    test("without dates cover the 12 months up to today, including price drops", async () => {
      const dealer = await sellingDealer();
      const { months, total } = await ofDealer(dealer, "");
      expect(months).toHaveLength(12);
      expect([months.at(-1)?.month ?? ""]).toContain(fixture.service.after(0).slice(0, 7));
      expect(total).toEqual({ ...NOTHING_HAPPENED, price_drops: 1 });
    });

    test("follow changes of status, date and price, moves, removals and restorations", async () => {
      const dealer = await sellingDealer();
      const vehicle = await add(dealer, { price: 5000, listed_at: "2024-03-01T00:00:00Z" });
      const sold = async () => (await ofDealer(dealer, SPRING)).total;
      await change(vehicle, { status: "sold", sold_at: "2024-03-04T12:00:00Z" });
      // Nobody says what it was sold for: it counts as sold, and in no price and no discount.
      const unpriced = { ...FEBRUARY, added: 3, sold: 3, average_days_to_sell: 15 };
      expect(await sold()).toEqual(unpriced);
      await change(vehicle, { status: "sold", sold_price: 4000 });
      expect(await sold()).toMatchObject({ sold_value: 33_000, average_discount: { amount: 666.67, percent: 8.33 } });
      expectReply(await fixture.api("PUT", `/api/vehicles/${vehicle.id}/sale`, { body: { sold_price: null } }), {
        status: 200,
      });
      expect(await sold()).toEqual(unpriced);
      await change(vehicle, { sold_at: "2024-03-31T23:59:59Z" });
      expect(await sold()).toMatchObject({ sold: 3, average_days_to_sell: 24 });
      await change(vehicle, { sold_at: "2024-04-01T00:00:00Z" });
      expect(await sold()).toMatchObject({ sold: 2 });
      await change(vehicle, { status: "available", undo_sale: true, listed_at: "2024-04-01T00:00:00Z" });
      expect(await sold()).toEqual({ ...FEBRUARY, added: 2 });
      await change(vehicle, { listed_at: "2024-03-31T00:00:00Z" });
      const other = await newDealer();
      await change(vehicle, { dealer_id: other, listed_at: "2024-03-31T12:00:00Z" });
      expect((await ofDealer(other, SPRING)).total).toEqual({ ...NOTHING_HAPPENED, added: 1 });
      const path = `/api/vehicles/${vehicle.id}`;
      expectReply(await fixture.api("DELETE", path), { status: 200 });
      expect((await ofDealer(other, SPRING)).total).toEqual({ ...NOTHING_HAPPENED, added: 1 });
      expectReply(await fixture.api("POST", `/api/vehicles/removed/${vehicle.id}/restore`), { status: 200 });
      expect((await ofDealer(other, SPRING)).total).toEqual({ ...NOTHING_HAPPENED, added: 1 });
      expectReply(await fixture.api("DELETE", path), { status: 200 });
      expectReply(await fixture.api("DELETE", `/api/vehicles/removed/${vehicle.id}`), { status: 200 });
      expect((await ofDealer(other, SPRING)).total).toEqual({ ...NOTHING_HAPPENED, added: 1 });
      expect(await sold()).toEqual({ ...FEBRUARY, added: 3 });
    });

    test("show how long unsold vehicles have been on the lot, and name the ten oldest", async () => {
      const dealer = await newDealer();
      const nowMs = Date.parse(fixture.service.after(0));
      const listed = (days: number, offset = -MINUTE_MS) => new Date(nowMs - days * DAY_MS + offset).toISOString();
      const vehicle = (days: number, fields: object = {}) =>
        add(dealer, { price: 100.1, listed_at: listed(days), ...fields });
      await vehicle(0);
      await vehicle(31, { listed_at: listed(31, MINUTE_MS) });
      await vehicle(31, { status: "pending" });
      await vehicle(60);
      await vehicle(61);
      await vehicle(90);
      const older: Vehicle[] = [];
      for (let days = 91; days < 100; days++) older.push(await vehicle(days, { stock_number: `S-${days}` }));
      await vehicle(500, { status: "sold" });
      const { now } = await ofDealer(dealer, SPRING);
      expect(now.ages).toEqual([
        { from: 0, to: 30, count: 2, value: 200.2 },
        { from: 31, to: 60, count: 2, value: 200.2 },
        { from: 61, to: 90, count: 2, value: 200.2 },
        { from: 91, to: null, count: 9, value: 900.9 },
      ]);
      expect(now.oldest).toHaveLength(10);
      expect(now.oldest.map(({ days_on_lot }) => days_on_lot)).toEqual([99, 98, 97, 96, 95, 94, 93, 92, 91, 90]);
      const [oldest] = older.toReversed();
      expect(now.oldest[0]).toEqual({
        id: oldest?.id ?? 0,
        title: "2024 Toyota Camry",
        stock_number: "S-99",
        listed_at: listed(99),
        days_on_lot: 99,
        price: 100.1,
      });
    });

    test("over all dealers have a row for each dealer, and totals equal to the rows' sums", async () => {
      const [one, other] = [await sellingDealer("Quay Cars"), await sellingDealer("Bay Cars")];
      const idle = await newDealer("Idle Cars");
      const report = await overall(SPRING);
      const row = (dealer: number) => report.dealers.find(({ dealer_id }) => dealer_id === dealer);
      expect(row(one)).toEqual({ dealer_id: one, name: "Quay Cars", ...FEBRUARY, added: 2 });
      expect(row(other)).toEqual({ dealer_id: other, name: "Bay Cars", ...FEBRUARY, added: 2 });
      expect(row(idle)).toEqual({ dealer_id: idle, name: "Idle Cars", ...NOTHING_HAPPENED });
      const ids = report.dealers.map(({ dealer_id }) => dealer_id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
      for (const figure of ["added", "sold", "price_drops"] as const) {
        const sum = report.dealers.reduce((total, dealer) => total + dealer[figure], 0);
        expect(report.total[figure]).toBe(sum);
        expect(report.months.reduce((total, month) => total + month[figure], 0)).toBe(sum);
      }
    });

    test("of a bound key cover only its own dealer, whatever changes at others", async () => {
      const [own, other] = [await sellingDealer(), await sellingDealer()];
      const key = await newKey(["dealers:read", "vehicles:write"], own);
      const before = await overall(SPRING, key);
      expect(before.dealers.map(({ dealer_id }) => dealer_id)).toEqual([own]);
      expect(before.total).toEqual({ ...FEBRUARY, added: 2 });
      const { dealers: _, ...same } = before;
      expect(await ofDealer(own, SPRING, key)).toEqual(same);
      await add(other, { price: 1, listed_at: "2024-01-01T00:00:00Z" });
      await add(other, {
        price: 1,
        status: "sold",
        listed_at: "2024-01-01T00:00:00Z",
        sold_at: "2024-01-01T00:00:00Z",
      });
      expect(await overall(SPRING, key)).toEqual(before);
      const path = `/api/dealers/${other}/report${SPRING}`;
      expectReply(await fixture.api("GET", path, { key }), { status: 403, code: "not_your_dealer" });
      const nowhere = `/api/dealers/${NOTHING}/report${SPRING}`;
      expectReply(await fixture.api("GET", nowhere, { key }), { status: 404, code: "not_found" });
    });

    test("show sale prices only to callers who may change vehicles", async () => {
      const dealer = await sellingDealer();
      for (const key of [await newKey(["dealers:read", "vehicles:read"]), await newKey(["dealers:read"], dealer)]) {
        const hidden = { ...FEBRUARY, added: 2, sold_value: null, average_discount: null };
        const { months, total } = await ofDealer(dealer, SPRING, key);
        expect(total).toEqual(hidden);
        expect(
          months.every(({ sold_value, average_discount }) => sold_value === null && average_discount === null),
        ).toBe(true);
        const { dealers } = await overall(SPRING, key);
        expect(dealers.find(({ dealer_id }) => dealer_id === dealer)).toMatchObject(hidden);
      }
      const blind = await newKey(["vehicles:write"]);
      for (const path of [`/api/dealers/${dealer}/report`, "/api/report"])
        expectReply(await fixture.api("GET", path, { key: blind }), { status: 403 });
    });

    for (const [query, path, words] of INVALID)
      test(`reject ${query} with a 400 that names ${path}`, async () => {
        for (const report of [`/api/dealers/${NORTH}/report`, `/api/dealers/${SOUTH}/report`, "/api/report"]) {
          const reply = await fixture.api<{ details: { path: string; message: string }[] }>("GET", `${report}${query}`);
          expectReply(reply, { status: 400 });
          const text = JSON.stringify(reply.body);
          expect(text).toContain(`"${path}"`);
          expect(text).toContain(words);
        }
      });

    test("of up to 400 days are allowed", async () => {
      expect((await ofDealer(NORTH, "?from=2023-01-02&to=2024-02-05")).months).toHaveLength(14);
    });
  });
