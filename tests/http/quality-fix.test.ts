import { describe, expect, test } from "bun:test";
import type { BulkAnswer } from "../../core/bulk/bulk.ts";
import type { AnsweredQuality } from "../../core/readiness/readiness.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { create, vehicleBody } from "../support/sample-records.ts";
import { importsOn } from "./imports/imports.ts";

for (const engine of ENGINES)
  describe(`what earlier imports stored wrongly, on ${engine.name}`, () => {
    const { fixture, newDealer, imported, vehiclesOf } = importsOn(engine);
    const bulk = (body: object) => fixture.api<BulkAnswer>("POST", "/api/vehicles/bulk", { body });
    const rulesOf = async (dealer: number): Promise<Record<string, number>> => {
      const { body } = await fixture.api<AnsweredQuality>("GET", `/api/quality?dealer_id=${dealer}`);
      const ours = body.rules.filter(({ rule }) => rule === "vin_placeholder" || rule === "dates_swapped");
      return Object.fromEntries(ours.map(({ rule, count }) => [rule, count]));
    };

    test("is found by rules, and mended for many vehicles at once", async () => {
      const dealer = await newDealer();
      const listed = "2025-05-12T00:00:00Z";
      // The first of these came by an import, which only changes its price here.
      const body = { vin: null, stock_number: "D1", listed_at: listed };
      await create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, body));
      await create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, { ...body, stock_number: "D2" }));
      const tbd = { vin: "TBD", stock_number: "D3" };
      await create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, tbd));
      await imported({ dealer, raw: "Stock Number,Price\nD1,12345\n" });
      expect(await rulesOf(dealer)).toEqual({ vin_placeholder: 1, dates_swapped: 1 });
      const filter = { dealer_id: dealer };
      const tried = await bulk({ filter, fix: "dates_swapped", dry_run: true });
      expect(tried.body.results.map(({ outcome }) => outcome).sort()).toEqual(["unchanged", "unchanged", "updated"]);
      expect(await rulesOf(dealer)).toEqual({ vin_placeholder: 1, dates_swapped: 1 });
      for (const fix of ["dates_swapped", "vin_placeholder"])
        expectReply(await bulk({ filter, expected_total: 3, fix }), { status: 200 });
      expect(await rulesOf(dealer)).toEqual({});
      const fields = (await vehiclesOf(dealer)).map(({ stock_number, vin, listed_at }) => [
        stock_number,
        vin,
        listed_at,
      ]);
      expect(fields).toEqual(
        expect.arrayContaining([
          ["D1", null, "2025-12-05T00:00:00.000Z"],
          ["D2", null, "2025-05-12T00:00:00.000Z"],
          ["D3", null, expect.any(String)],
        ]),
      );
    });

    test("is mended by one of its rules alone, without changes beside it", async () => {
      for (const body of [
        { ids: [1], fix: "dates_swapped", changes: { price: 1 } },
        { ids: [1], fix: "price_zero" },
      ])
        expect((await bulk(body)).status).toBe(400);
      const answer = await bulk({ ids: [999_999], fix: "vin_placeholder" });
      expect(answer.body.results).toEqual([{ id: 999_999, outcome: "not_found", issues: [] }]);
    });
  });
