import { describe, expect, test } from "bun:test";
import type { BulkAnswer } from "../../core/bulk/bulk.ts";
import type { RevertAnswer } from "../../core/recent-changes/recent-changes.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { type CreatedKey, create, dealerBody, keyBody, vehicleBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

for (const engine of ENGINES)
  describe(`a reversal on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const newVehicle = async (dealer: number, fields: object = {}): Promise<number> =>
      (await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { price: 1000, ...fields }))).id;
    const priceOf = async (id: number): Promise<number> =>
      (await fixture.api<Vehicle>("GET", `/api/vehicles/${id}`)).body.price;
    const lower = async (ids: readonly number[]): Promise<string> => {
      const body = { ids, changes: { price: 900 } };
      return (await fixture.api<BulkAnswer>("POST", "/api/vehicles/bulk", { body })).body.change_id ?? "";
    };
    const revert = (id: string, query = "", key?: string) =>
      fixture.api<RevertAnswer>("POST", `/api/recent-changes/${id}/revert${query}`, key === undefined ? {} : { key });
    const keyOf = (dealer: number) =>
      create<CreatedKey>(
        fixture.api,
        "/api/keys",
        keyBody({ dealer_id: dealer, permissions: pairs("vehicles:read", "vehicles:write") }),
      );

    test("can be limited to a dealer, which a bound key's dealer replaces", async () => {
      const [one, other] = [await newDealer(), await newDealer()];
      const [mine, theirs] = [await newVehicle(one), await newVehicle(other)];
      const named = await lower([mine, theirs]);
      const bound = await revert(named, `?dealer_id=${other}`, (await keyOf(one)).api_key);
      expect(bound.body.results).toEqual([{ id: mine, outcome: "reverted", fields: ["price"] }]);
      expect([await priceOf(mine), await priceOf(theirs)]).toEqual([1000, 900]);
      const limited = await revert(named, `?dealer_id=${other}`);
      expect(limited.body.results).toEqual([{ id: theirs, outcome: "reverted", fields: ["price"] }]);
      expectReply(await revert(named, `?dealer_id=${await newDealer()}`), { status: 404, code: "not_found" });
    });

    test("of a change that moved vehicles away is listed without what happened to them at their new dealer", async () => {
      const [old, next] = [await newDealer(), await newDealer()];
      const body = { ids: [await newVehicle(old)], changes: { dealer_id: next, price: 900 } };
      const named = (await fixture.api<BulkAnswer>("POST", "/api/vehicles/bulk", { body })).body.change_id ?? "";
      const { api_key: key } = await keyOf(old);
      const { data } = (await fixture.api<{ data: object[] }>("GET", "/api/recent-changes", { key })).body;
      expect(data).toMatchObject([{ id: named, fields: ["dealer_id"], vehicles: 1 }]);
      expect((await revert(named, "", key)).body.results).toMatchObject([{ outcome: "not_found", fields: [] }]);
    });

    test("names the vehicles that are there if it is asked to", async () => {
      const dealer = await newDealer();
      const ids = [await newVehicle(dealer, { stock_number: "N1" }), await newVehicle(dealer)];
      const named = await lower(ids);
      await fixture.api("DELETE", `/api/vehicles/${ids[1]}`);
      expect((await revert(named, "?include=names")).body.results).toMatchObject([
        { outcome: "reverted", name: "2024 Toyota Camry", stock_number: "N1" },
        { outcome: "not_found", name: null, stock_number: null },
      ]);
    });
  });
