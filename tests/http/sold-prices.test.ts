import { describe, expect, test } from "bun:test";
import type { BulkAnswer } from "../../core/bulk/bulk.ts";
import type { BatchAnswer } from "../../core/imports/batch.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { create, dealerBody, NORTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

interface Entry {
  readonly action: string;
  readonly before: object | null;
  readonly after: object | null;
}

for (const engine of ENGINES)
  describe(`what a vehicle was sold for on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const add = (fields: object = {}, dealer = NORTH) =>
      create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, { price: 1000, ...fields }));
    const put = (id: number, body: object) => fixture.api<Vehicle>("PUT", `/api/vehicles/${id}`, { body });
    const soldFor = async (id: number) =>
      (await fixture.api<{ sold_price: number | null }>("GET", `/api/vehicles/${id}/sale`)).body.sold_price;
    const entriesOf = async (id: number) =>
      (await fixture.api<Entry[]>("GET", `/api/audit?resource=vehicles&id=${id}`)).body;

    test("is entered beside the status, is no field of the vehicle, and has an audit entry of its own", async () => {
      const { id } = await add();
      const reply = await put(id, { status: "sold", sold_price: 912.5 });
      expectReply(reply, { status: 200, body: expect.objectContaining({ status: "sold", price: 1000 }) });
      expect(await soldFor(id)).toBe(912.5);
      for (const path of [`/api/vehicles/${id}`, `/api/vehicles?dealer_id=${NORTH}&limit=1000`])
        expect((await fixture.api("GET", path)).text).not.toContain("sold_price");
      expect(reply.text).not.toContain("sold_price");
      const [entered, changed] = await entriesOf(id);
      expect(entered).toMatchObject({
        action: "vehicle.sale_changed",
        before: { sold_price: null },
        after: { sold_price: 912.5 },
      });
      expect(changed?.after).toEqual({ status: "sold" });
      expect(await entriesOf(id)).toHaveLength(3);
      expect((await put(id, { status: "sold", sold_price: 912.5 })).status).toBe(200);
      expect((await entriesOf(id)).map(({ action }) => action).filter((one) => one === "vehicle.sale_changed")).toEqual(
        ["vehicle.sale_changed"],
      );
    });

    test("may come later, and a null beside the status changes nothing of it", async () => {
      const { id } = await add({ status: "sold" });
      expect(await soldFor(id)).toBeNull();
      expect((await put(id, { sold_price: 900 })).status).toBe(200);
      expect((await put(id, { status: "sold", sold_price: null })).status).toBe(200);
      expect(await soldFor(id)).toBe(900);
    });

    test("is entered with a new vehicle that is sold", async () => {
      const added = await add({ status: "sold", sold_price: 800 });
      expect(added).not.toHaveProperty("sold_price");
      expect(await soldFor(added.id)).toBe(800);
    });

    test("is refused for a vehicle that is not sold, which stays as it is", async () => {
      const present = await add();
      for (const body of [{ sold_price: 5 }, { status: "pending", sold_price: 5 }]) {
        const refused = await fixture.api<{ details: object[] }>("PUT", `/api/vehicles/${present.id}`, { body });
        expect([refused.status, refused.body.details]).toEqual([
          400,
          [expect.objectContaining({ path: "sold_price" })],
        ]);
      }
      const added = await fixture.api("POST", "/api/vehicles", { body: vehicleBody(NORTH, { sold_price: 5 }) });
      expect([added.status, added.text.includes('"sold_price"')]).toEqual([400, true]);
      expect((await fixture.api<Vehicle>("GET", `/api/vehicles/${present.id}`)).body).toEqual(present);
    });

    test("is entered by bulk changes for each vehicle that becomes sold", async () => {
      const ids = [(await add()).id, (await add()).id];
      const bulk = (changes: object) =>
        fixture.api<BulkAnswer>("POST", "/api/vehicles/bulk", { body: { ids, changes } });
      expect((await bulk({ sold_price: 700 })).body.results.map(({ outcome }) => outcome)).toEqual([
        "failed",
        "failed",
      ]);
      await bulk({ status: "sold", sold_price: 700 });
      expect(await Promise.all(ids.map(soldFor))).toEqual([700, 700]);
    });

    test("is entered by the rows of a batch once, and the same row again changes nothing", async () => {
      const dealer = (await create(fixture.api, "/api/dealers", dealerBody())).id;
      const { id } = await add({ vin: "THERE1" }, dealer);
      const items = [
        { dealer_id: dealer, vin: "THERE1", status: "sold", sold_price: 640 },
        vehicleBody(dealer, { vin: "NEW1", status: "sold", sold_price: 650 }),
        vehicleBody(dealer, { vin: "UNSOLD1", sold_price: 660 }),
      ];
      const send = async () =>
        (await fixture.api<BatchAnswer>("POST", "/api/vehicles/batch", { body: { items } })).body.results;
      const first = await send();
      expect(first.map(({ outcome, errors }) => [outcome, errors.map(({ path }) => path)])).toEqual([
        ["updated", []],
        ["created", []],
        ["failed", ["items[2].sold_price"]],
      ]);
      const created = first[1]?.vehicle_id ?? 0;
      expect([await soldFor(id), await soldFor(created)]).toEqual([640, 650]);
      expect((await send()).map(({ outcome }) => outcome)).toEqual(["unchanged", "unchanged", "failed"]);
    });
  });
