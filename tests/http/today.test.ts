import { describe, expect, test } from "bun:test";
import { RULES } from "../../core/channels/issue.ts";
import type { Feed } from "../../core/feeds/feed.ts";
import type { Report } from "../../core/report/reports.ts";
import { monthBefore } from "../../core/today/lot-figures.ts";
import type { Today } from "../../core/today/today.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import {
  create,
  dealerBody,
  feedBody,
  imageBody,
  NORTH,
  NOTHING,
  SOUTH,
  SOUTH_MARK,
  vehicleBody,
} from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const DAY_SECONDS = 86_400;

for (const engine of ANSWERING)
  describe(`a dealer's lot today on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const daysAgo = (days: number): string => fixture.service.after(-days * DAY_SECONDS);
    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const add = (dealer: number, fields: object) =>
      create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, fields));
    const today = async (dealer: number) => (await fixture.api<Today>("GET", `/api/dealers/${dealer}/today`)).body;

    test("of an empty inventory is all zeros, and has four ages and twelve months", async () => {
      const { ages, months, timestamp: _, dealer_id: __, ...rest } = await today(await newDealer());
      expect(rest).toEqual({
        on_lot: { count: 0, value: 0 },
        average_age: { now: 0, week_ago: 0 },
        sold: { this_month: 0, last_month: 0 },
        without_images: 0,
        left_out: [],
        crossed: { total: 0, vehicles: [] },
        do_next: [],
      });
      expect(ages.map(({ from, to, count, value }) => [from, to, count, value])).toEqual([
        [0, 30, 0, 0],
        [31, 60, 0, 0],
        [61, 90, 0, 0],
        [91, null, 0, 0],
      ]);
      expect(months.map(({ added, sold }) => added + sold)).toEqual(Array(12).fill(0));
    });

    test("has the lot by age with filters that list it, what crossed a line, and what was sold by this day", async () => {
      const dealer = await newDealer();
      await add(dealer, { price: 10_000, listed_at: daysAgo(2) });
      await add(dealer, { price: 20_000, listed_at: daysAgo(30.5), status: "pending" });
      const crossed = await add(dealer, { price: 30_000, listed_at: daysAgo(61), stock_number: "A1" });
      const image = imageBody();
      await create(fixture.api, `/api/vehicles/${crossed.id}/images`, image);
      await add(dealer, { price: 40_000, listed_at: daysAgo(95) });
      for (const days of [0.01, 29, 33, 40]) {
        const sold_at = daysAgo(days);
        await add(dealer, { status: "sold", listed_at: daysAgo(100), sold_at, sold_price: 1 });
      }
      const found = await today(dealer);
      expect(found.on_lot).toEqual({ count: 4, value: 100_000 });
      // A week ago there were the three older ones, and the one that was sold since.
      expect(found.average_age).toEqual({ now: 47, week_ago: 64 });
      expect(found.without_images).toBe(3);
      expect(found.ages.map(({ count, value }) => [count, value])).toEqual([
        [2, 30_000],
        [0, 0],
        [1, 30_000],
        [1, 40_000],
      ]);
      for (const { count, filter } of found.ages) {
        const query = new URLSearchParams(
          Object.entries(filter).flatMap(([name, value]) =>
            [value].flat().map((one): [string, string] => [name, String(one)]),
          ),
        );
        const { body } = await fixture.api<{ meta: { total: number } }>("GET", `/api/vehicles?${query}`);
        expect(body.meta.total).toBe(count);
      }
      const { id, title, year, make, model, stock_number, price } = crossed;
      const told = { id, title, year, make, model, stock_number, price, days_on_lot: 61, line: 60 };
      expect(found.crossed).toEqual({
        total: 1,
        vehicles: [{ ...told, image_url: image.image_url, variants: null, updated_at: expect.any(String) }],
      });
      const reported = async (query: string) =>
        (await fixture.api<Report>("GET", `/api/dealers/${dealer}/report${query}`)).body;
      const day = found.timestamp.slice(0, 10);
      const { months } = await reported(`?to=${day}`);
      expect(found.months).toEqual(months.map(({ month, added, sold }) => ({ month, added, sold })));
      const { from, to } = monthBefore(day);
      const last = (await reported(`?from=${from}&to=${to}`)).total.sold;
      expect(found.sold).toEqual({ this_month: months.at(-1)?.sold ?? 0, last_month: last });
    });

    test("says which rule keeps most vehicles out of a feed, once its channel has fetched it", async () => {
      const dealer = await newDealer();
      for (const publish of [false, false, true]) await add(dealer, { publish });
      await add(dealer, { stage: "in_prep" });
      const { url, id } = await create<Feed & { readonly url: string }>(fixture.api, "/api/feeds", feedBody(dealer));
      expect((await today(dealer)).left_out).toEqual([]);
      await (await fetch(url)).text();
      const reason = { rule: "unpublished", field: "publish", count: 2 } as const;
      const { left_out, do_next } = await today(dealer);
      expect(left_out).toEqual([{ feed_id: id, name: "Google", channel: "csv", rows: 1, left_out: 3, reason }]);
      expect(do_next.map(({ kind, reason }) => [kind, reason])).toEqual([
        ["left_out", { ...reason, ...RULES.unpublished }],
      ]);
    });

    test("is shown to keys of this dealer only, and tells them nothing of others", async () => {
      const own = await fixture.as("north", { method: "GET", path: `/api/dealers/${NORTH}/today` });
      expectReply(own, { status: 200 });
      expect(JSON.stringify(own.body)).not.toContain(SOUTH_MARK);
      const path = `/api/dealers/${SOUTH}/today`;
      expectReply(await fixture.as("north", { method: "GET", path }), { status: 403, code: "not_your_dealer" });
      const nowhere = `/api/dealers/${NOTHING}/today`;
      expectReply(await fixture.as("north", { method: "GET", path: nowhere }), { status: 404, code: "not_found" });
    });
  });
