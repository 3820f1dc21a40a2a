import { beforeAll, describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { create, dealerBody, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

for (const engine of ENGINES)
  describe(`vehicles with the VIN or stock number of another on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let warning: number;
    let refusing: number;
    beforeAll(async () => {
      warning = (await create(fixture.api, "/api/dealers", dealerBody())).id;
      refusing = (await create(fixture.api, "/api/dealers", dealerBody({ unique_vin: "refuse" }))).id;
    });

    const post = (dealer: number, fields: object) =>
      fixture.api<{ id: number }>("POST", "/api/vehicles", { body: vehicleBody(dealer, fields) });
    const made = async (dealer: number, fields: object) => (await post(dealer, fields)).body.id;
    const put = (id: number, body: object) => fixture.api("PUT", `/api/vehicles/${id}`, { body });

    test("are created, and the answer names the unsold ones of the dealer", async () => {
      const first = await made(warning, { vin: "WARNVIN1", stock_number: "Große 7" });
      await made(warning, { vin: "WARNVIN1", stock_number: "GROSSE 7", status: "sold" });
      await made(refusing, { vin: "WARNVIN1" });
      await made(warning, { stock_number: "8" });
      const second = await post(warning, { vin: "warnvin1" });
      expectReply(second, { status: 201, gives: { "x-duplicate-of": String(first) } });
      const third = await post(warning, { vin: "WARNVIN1", stock_number: "grosse 7" });
      expectReply(third, { status: 201, gives: { "x-duplicate-of": `${first}, ${second.body.id}` } });
      for (const fields of [{}, { vin: "WARNVIN2", stock_number: "7" }])
        expectReply(await post(warning, fields), { status: 201, gives: { "x-duplicate-of": null } });
    });

    test("are created in a batch and a restoration, whatever another dealer wants", async () => {
      const id = await made(warning, { vin: "BATCHVIN1" });
      const items = ["BATCHVIN2", "BATCHVIN3"].map((vin) => vehicleBody(warning, { vin, stock_number: "B" }));
      const { body } = await fixture.api<{ results: unknown[] }>("POST", "/api/vehicles/batch", {
        body: { items, match: "vin" },
      });
      expect(body.results).toMatchObject([{ outcome: "created" }, { outcome: "created" }]);
      await fixture.api("DELETE", `/api/vehicles/${id}`);
      await made(warning, { vin: "BATCHVIN1" });
      expectReply(await fixture.api("POST", `/api/vehicles/removed/${id}/restore`), { status: 200 });
    });

    test("are named for a vehicle with images as for one without", async () => {
      const id = await made(warning, { vin: "SHOWNVIN1" });
      const images = ["https://images.example.com/a.jpg"];
      const reply = await post(warning, { vin: "shownvin1", images });
      expectReply(reply, { status: 201, gives: { "x-duplicate-of": String(id) } });
      expectReply(await post(warning, { vin: null, stock_number: null, images }), {
        status: 201,
        gives: { "x-duplicate-of": null },
      });
    });

    test("are named up to 50, however many there are", async () => {
      const before: number[] = [];
      for (let count = 0; count < 51; count++)
        before.push(await made(warning, { vin: "MANYVIN1", stock_number: "M1" }));
      const reply = await post(warning, { vin: "manyvin1", stock_number: "m1" });
      expectReply(reply, { status: 201, gives: { "x-duplicate-of": before.slice(0, 50).join(", ") } });
    });

    test("are refused in a POST if the dealer wants that", async () => {
      const id = await made(refusing, { vin: "POSTVIN1", stock_number: "P1" });
      const reply = await post(refusing, { vin: "postvin1", stock_number: "p1" });
      expectReply(reply, { status: 409, code: "duplicate_vehicle", faults: ["vin", "stock_number"] });
      expect(reply.text).toContain(`vehicle ${id}`);
      const withImages = { stock_number: "P1", images: ["https://images.example.com/a.jpg"] };
      expectReply(await post(refusing, withImages), { status: 409, faults: ["stock_number"] });
      await put(id, { status: "sold" });
      expectReply(await post(refusing, { vin: "POSTVIN1" }), { status: 201 });
    });

    test("are refused by each of the two, however many others have the present value of the other one", async () => {
      const dealer = (await create(fixture.api, "/api/dealers", dealerBody())).id;
      let last = 0;
      for (let count = 0; count < 52; count++) last = await made(dealer, { stock_number: "NONE" });
      await made(dealer, { vin: "LASTVIN1" });
      await fixture.api("PUT", `/api/dealers/${dealer}`, { body: { unique_vin: "refuse" } });
      expectReply(await put(last, { vin: "lastvin1" }), { status: 409, code: "duplicate_vehicle", faults: ["vin"] });
    });

    test("are refused in changes, moves, bulk changes, items of a batch and restorations", async () => {
      const there = await made(refusing, { vin: "TAKEN1", stock_number: "T1" });
      const other = await made(refusing, { vin: "OTHER1", stock_number: "T2" });
      const taken = { status: 409, code: "duplicate_vehicle" };
      expectReply(await put(other, { vin: "taken1" }), { ...taken, faults: ["vin"] });
      expectReply(await put(other, { stock_number: "t1", images: [] }), { ...taken, faults: ["stock_number"] });
      expectReply(await put(other, { vin: "other1", stock_number: "T2", price: 5 }), { status: 200 });
      expectReply(await put(there, { vin: "TAKEN1" }), { status: 200 });
      const elsewhere = await made(warning, { vin: "TAKEN1" });
      expectReply(await put(elsewhere, { dealer_id: refusing }), { ...taken, faults: ["vin"] });
      const sold = await made(warning, { vin: "TAKEN1", status: "sold" });
      expectReply(await put(sold, { dealer_id: refusing }), { status: 200 });
      expectReply(await put(sold, { status: "available" }), { ...taken, faults: ["vin"] });
      const { body } = await fixture.api<{ results: unknown[] }>("POST", "/api/vehicles/bulk", {
        body: { ids: [elsewhere], changes: { dealer_id: refusing } },
      });
      expect(body.results).toMatchObject([{ id: elsewhere, outcome: "failed", issues: [{ path: "vin" }] }]);
      const items = [
        vehicleBody(refusing, { vin: "NEW1", stock_number: "T1" }),
        vehicleBody(refusing, { vin: "NEW2", stock_number: "T3" }),
        vehicleBody(refusing, { vin: "OTHER1", stock_number: "T1" }),
      ];
      const batch = await fixture.api<{ results: unknown[] }>("POST", "/api/vehicles/batch", {
        body: { items, match: "vin" },
      });
      expect(batch.body.results).toMatchObject([
        { outcome: "failed", errors: [{ path: "items[0].stock_number", code: "duplicate_vehicle" }] },
        { outcome: "created" },
        { outcome: "failed", errors: [{ path: "items[2].stock_number", code: "duplicate_vehicle" }] },
      ]);
      const removed = await made(refusing, { vin: "GONE1" });
      await fixture.api("DELETE", `/api/vehicles/${removed}`);
      const instead = await made(refusing, { vin: "GONE1" });
      const restore = () => fixture.api("POST", `/api/vehicles/removed/${removed}/restore`);
      expectReply(await restore(), { ...taken, faults: ["vin"] });
      await fixture.api("DELETE", `/api/vehicles/${instead}`);
      expectReply(await restore(), { status: 200 });
    });

    test("that were there before stay, and can be changed in all else", async () => {
      const dealer = (await create(fixture.api, "/api/dealers", dealerBody())).id;
      const [one, two] = [await made(dealer, { vin: "OLD1" }), await made(dealer, { vin: "OLD1" })];
      await fixture.api("PUT", `/api/dealers/${dealer}`, { body: { unique_vin: "refuse" } });
      for (const id of [one, two]) {
        const { body } = await fixture.api<object>("GET", `/api/vehicles/${id}`);
        expectReply(await put(id, { ...body, price: 7 }), { status: 200 });
      }
    });

    test("that come at once are refused but for one, however they come", async () => {
      for (let round = 0; round < 5; round++) {
        const vin = `RACE${round}`;
        const car = await made(refusing, {});
        const away = await made(warning, { vin });
        const replies = await Promise.all([
          ...Array.from({ length: 6 }, () => post(refusing, { vin })),
          put(car, { vin }),
          put(away, { dealer_id: refusing }),
        ]);
        expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
        expect(replies.filter(({ status }) => status === 409)).toHaveLength(7);
      }
    });
  });
