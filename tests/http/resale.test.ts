import { describe, expect, test } from "bun:test";
import type { BulkAnswer } from "../../core/bulk/bulk.ts";
import type { Sale } from "../../core/history/sale.ts";
import type { Report } from "../../core/report/reports.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ENGINES } from "../support/engines.ts";
import { create, dealerBody, vehicleBody } from "../support/sample-records.ts";
import { HEAD, importsOn } from "./imports/imports.ts";

const DAY_MS = 86_400_000;
const dayOf = (moment: string): string => moment.slice(0, 10);

for (const engine of ENGINES)
  describe(`a vehicle that comes back after its sale on ${engine.name}`, () => {
    const { fixture, imported } = importsOn(engine);
    const nowMs = (): number => fixture.service.clock.nowMs();
    const daysAgo = (days: number): string => new Date(nowMs() - days * DAY_MS).toISOString();
    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const put = (id: number, body: object) => fixture.api<Vehicle>("PUT", `/api/vehicles/${id}`, { body });
    const read = async (id: number) => (await fixture.api<Vehicle>("GET", `/api/vehicles/${id}`)).body;
    const sale = (id: number, body: object) => fixture.api<Sale>("PUT", `/api/vehicles/${id}/sale`, { body });

    let vehicles = 0;
    /** A vehicle that was listed 40 days ago and sold so many days ago, for 900. */
    const soldVehicle = async (dealer: number, days: number): Promise<Vehicle> => {
      const vin = `SOLD-${1000 + ++vehicles}`;
      const fields = { vin, stock_number: null, make: "Honda", model: "Civic", year: 2020, price: 1000 };
      const added = await create<Vehicle>(
        fixture.api,
        "/api/vehicles",
        vehicleBody(dealer, { ...fields, listed_at: daysAgo(40) }),
      );
      expectReply(await put(added.id, { status: "sold", sold_at: daysAgo(days), sold_price: 900 }), { status: 200 });
      return added;
    };
    /** How many vehicles a dealer's report says were added and sold, and for how much. */
    const figures = async (dealer: number) => {
      const query = `from=${dayOf(daysAgo(60))}&to=${dayOf(daysAgo(-1))}`;
      const { body } = await fixture.api<Report>("GET", `/api/dealers/${dealer}/report?${query}`);
      const { added, sold, sold_value } = body.total;
      return { added, sold, sold_value };
    };
    const isNow = (moment: string | null): boolean => Math.abs(nowMs() - Date.parse(moment ?? "")) < DAY_MS / 2;

    test("undoes a sale of the last days: it was never sold, and is listed as before", async () => {
      const dealer = await newDealer();
      const { id, listed_at } = await soldVehicle(dealer, 3);
      expect(await figures(dealer)).toEqual({ added: 1, sold: 1, sold_value: 900 });
      expect((await put(id, { status: "available" })).body).toMatchObject({
        status: "available",
        sold_at: null,
        listed_at,
      });
      expect(await figures(dealer)).toEqual({ added: 1, sold: 0, sold_value: 0 });
    });

    test("begins a second stay later: the sale stands in reports, and it can be sold again", async () => {
      const dealer = await newDealer();
      const { id } = await soldVehicle(dealer, 20);
      const back = (await put(id, { status: "available", price: 700 })).body;
      expect([back.status, back.sold_at, isNow(back.listed_at)]).toEqual(["available", null, true]);
      expect(await figures(dealer)).toEqual({ added: 2, sold: 1, sold_value: 900 });
      expectReply(await fixture.api("GET", `/api/vehicles/${id}/sale`), { status: 409, code: "not_sold" });
      expectReply(await put(id, { status: "sold", sold_price: 650 }), { status: 200 });
      expect(await figures(dealer)).toEqual({ added: 2, sold: 2, sold_value: 1550 });
      // Undoing the second sale leaves the first one.
      expectReply(await put(id, { status: "pending" }), { status: 200 });
      expect(await figures(dealer)).toEqual({ added: 2, sold: 1, sold_value: 900 });
    });

    test("does what undo_sale says, in a PUT, in a bulk change, and at the sale itself", async () => {
      const dealer = await newDealer();
      const [late, lately, bulk, own, standing] = [
        await soldVehicle(dealer, 20),
        await soldVehicle(dealer, 3),
        await soldVehicle(dealer, 20),
        await soldVehicle(dealer, 30),
        await soldVehicle(dealer, 1),
      ];
      const { listed_at } = late;
      expect((await put(late.id, { status: "available", undo_sale: true })).body.listed_at).toBe(listed_at);
      expect(isNow((await put(lately.id, { status: "available", undo_sale: false })).body.listed_at)).toBe(true);
      const changes = { ids: [bulk.id], changes: { status: "available", undo_sale: true } };
      const answer = await fixture.api<BulkAnswer>("POST", "/api/vehicles/bulk", { body: changes });
      expect(answer.body.results.map(({ outcome }) => outcome)).toEqual(["updated"]);
      expect((await read(bulk.id)).listed_at).toBe(bulk.listed_at);
      expectReply(await sale(own.id, { undo_sale: true }), {
        status: 200,
        body: { sold_price: null, sold_at: null, note: null },
      });
      expect(await read(own.id)).toMatchObject({ status: "available", sold_at: null, listed_at: own.listed_at });
      expectReply(await sale(standing.id, { undo_sale: false }), { status: 200, has: { sold_price: 900 } });
      expect(isNow((await read(standing.id)).listed_at)).toBe(true);
      expect(await figures(dealer)).toEqual({ added: 7, sold: 2, sold_value: 1800 });
    });

    test("names undo_sale where it has no place", async () => {
      const { id } = await soldVehicle(await newDealer(), 1);
      for (const reply of [
        await put(id, { undo_sale: true }),
        await put(id, { undo_sale: "yes", status: "available" }),
        await sale(id, { undo_sale: true, note: "x" }),
        await fixture.api("POST", "/api/vehicles", { body: vehicleBody(1, { undo_sale: true }) }),
      ])
        expectReply(reply, { status: 400, faults: ["undo_sale"] });
      expectReply(await put(id, { status: "available" }), { status: 200 });
      expectReply(await sale(id, { undo_sale: true }), { status: 409, code: "not_sold" });
    });

    test("is judged by the setting, also in a snapshot that names it again", async () => {
      const dealer = await newDealer();
      const [late, lately] = [await soldVehicle(dealer, 20), await soldVehicle(dealer, 3)];
      const line = ({ vin }: Vehicle) => `${vin},,2020,Honda,Civic,1000\n`;
      const raw = `${HEAD}\n${line(late)}${line(lately)}`;
      expect(await imported({ dealer, options: "mode=snapshot", raw })).toMatchObject({ counts: { updated: 2 } });
      expect((await read(lately.id)).listed_at).toBe(lately.listed_at);
      expect(isNow((await read(late.id)).listed_at)).toBe(true);
      expect(await figures(dealer)).toEqual({ added: 3, sold: 1, sold_value: 900 });
      expectReply(await fixture.api("PUT", "/api/settings", { body: { resale_days: 30 } }), { status: 200 });
      const third = await soldVehicle(dealer, 20);
      expect((await put(third.id, { status: "available" })).body.listed_at).toBe(third.listed_at);
    });
  });
