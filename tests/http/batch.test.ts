import { describe, expect, test } from "bun:test";
import type { BatchAnswer } from "../../core/imports/batch.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { type CreatedKey, create, dealerBody, keyBody, SOUTH, vehicleBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

for (const engine of ANSWERING)
  describe(`vehicles in one batch on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const send = (body: object, key?: string) =>
      fixture.api<BatchAnswer>("POST", "/api/vehicles/batch", { body, ...(key !== undefined && { key }) });
    const vehiclesOf = async (dealer: number): Promise<readonly Vehicle[]> =>
      (
        await fixture.api<{ vehicles: Vehicle[] }>("GET", `/api/vehicles?dealer_id=${dealer}&limit=1000`)
      ).body.vehicles.toSorted((one, other) => one.id - other.id);
    const codesOf = ({ body }: { readonly body: BatchAnswer }) =>
      body.results.map(({ outcome, errors }) => (errors.length > 0 ? errors.map(({ code }) => code).join() : outcome));

    test("are created, changed or left unchanged independently of each other", async () => {
      const dealer = await newDealer();
      const old = await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { vin: "OLD1", trim: "Kept" }));
      const items = [
        vehicleBody(dealer, { vin: "new1", featured: true }),
        { dealer_id: dealer, vin: "old1", price: 5 },
        vehicleBody(dealer, { stock_number: "S", price: -1, colour: "red" }),
        { dealer_id: dealer, stock_number: "T", price: 5 },
        vehicleBody(dealer),
        vehicleBody(dealer, { vin: "1HGCM82633A123456" }),
        vehicleBody(dealer, { vin: "NEW1" }),
        "no vehicle",
        vehicleBody(9_999_999, { vin: "X1" }),
      ];
      const reply = await send({ items });
      expect(reply.status).toBe(200);
      expect(codesOf(reply)).toEqual([
        ...["created", "updated", "value_invalid,value_invalid", "value_missing,value_missing,value_missing"],
        ...["key_missing", "created", "duplicate_in_file", "value_invalid,dealer_missing", "dealer_unknown"],
      ]);
      const { results, counts } = reply.body;
      expect(counts).toEqual({ created: 2, updated: 1, unchanged: 0, failed: 6, skipped: 0 });
      expect(results.map(({ index }) => index)).toEqual(items.map((_, index) => index));
      expect(results[1]?.vehicle_id).toBe(old.id);
      expect(results[2]?.errors.map(({ path }) => path).sort()).toEqual(["items[2].colour", "items[2].price"]);
      expect(results[4]?.errors.map(({ path }) => path)).toEqual(["items[4]"]);
      expect(results[5]?.warnings.map(({ path, code }) => [path, code])).toEqual([["items[5].vin", "vin_check_digit"]]);
      const vehicles = await vehiclesOf(dealer);
      expect(vehicles.map(({ vin, price, trim, featured }) => [vin, price, trim, featured])).toEqual([
        ["old1", 5, "Kept", 0],
        ["new1", 25_999.99, null, 1],
        ["1HGCM82633A123456", 25_999.99, null, 0],
      ]);
      const again = await send({ items: [items[0], items[1], vehicles[0]] });
      expect(codesOf(again)).toEqual(["unchanged", "unchanged", "duplicate_in_file"]);
      expect(await vehiclesOf(dealer)).toEqual(vehicles);
      const { body } = await fixture.api<{ action: string }[]>("GET", `/api/audit?resource=vehicles&id=${old.id}`);
      expect(body).toHaveLength(2);
    });

    test("that were read can be sent back with changes, even without a VIN or stock number", async () => {
      const dealer = await newDealer();
      await create(fixture.api, "/api/vehicles", vehicleBody(dealer));
      const [vehicle] = await vehiclesOf(dealer);
      const other = await newDealer();
      expect(codesOf(await send({ items: [{ ...vehicle, dealer_id: other }] }))).toEqual(["key_missing"]);
      expect(codesOf(await send({ items: [{ ...vehicle, price: 7 }] }))).toEqual(["updated"]);
      expect(await vehiclesOf(dealer)).toMatchObject([{ id: vehicle?.id, price: 7 }]);
    });

    test("lose a value that is sent as null", async () => {
      const dealer = await newDealer();
      await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { vin: "A1", title: "", trim: "SE" }));
      const item = { dealer_id: dealer, vin: "A1", title: null, trim: null };
      expect(codesOf(await send({ items: [item] }))).toEqual(["updated"]);
      expect(await vehiclesOf(dealer)).toMatchObject([{ title: null, trim: null }]);
      expect(codesOf(await send({ items: [item] }))).toEqual(["unchanged"]);
    });

    test("fail if the dealer is missing, unknown or not a number", async () => {
      const items = [{}, { dealer_id: null }, { dealer_id: 9_999_999 }, { dealer_id: "1" }, { dealer_id: 0 }];
      const reply = await send({ items: items.map((item) => ({ ...item, vin: "A1", price: 5 })) });
      expect(codesOf(reply)).toEqual([
        ...["dealer_missing", "dealer_missing", "dealer_unknown", "value_invalid", "value_invalid"],
      ]);
      const paths = reply.body.results.flatMap(({ errors }) => errors.map(({ path }) => path));
      expect(paths).toEqual(items.map((_, index) => `items[${index}].dealer_id`));
    });

    test("are written all or not at all with on_error=reject", async () => {
      const dealer = await newDealer();
      const good = [vehicleBody(dealer, { vin: "A1" }), vehicleBody(dealer, { vin: "B1" })];
      const bad = vehicleBody(dealer, { vin: "C1", year: 1 });
      const refused = await send({ items: [...good, bad], on_error: "reject" });
      expect(codesOf(refused)).toEqual(["skipped", "skipped", "value_invalid"]);
      expect(refused.body.counts).toMatchObject({ created: 0, skipped: 2, failed: 1 });
      expect(await vehiclesOf(dealer)).toEqual([]);
      expect(codesOf(await send({ items: good, on_error: "reject" }))).toEqual(["created", "created"]);
    });

    test("are matched by the requested key", async () => {
      const dealer = await newDealer();
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(dealer, { vin: "A1", stock_number: "S" }));
      const item = { dealer_id: dealer, vin: "B1", stock_number: "s", price: 3 };
      expect(codesOf(await send({ items: [item] }))).toEqual(["match_conflict"]);
      const reply = await send({ items: [item], match: "stock_number" });
      expect(reply.body.results).toMatchObject([{ outcome: "updated", vehicle_id: id }]);
      expect(codesOf(await send({ items: [{ ...item, vin: null }], match: "vin" }))).toEqual(["key_missing"]);
    });

    test("belong to the caller's dealer, whatever dealer the request names", async () => {
      const dealer = await newDealer();
      const body = keyBody({ dealer_id: dealer, permissions: pairs("vehicles:write") });
      const { api_key: key } = await create<CreatedKey>(fixture.api, "/api/keys", body);
      const south = await create(fixture.api, "/api/vehicles", vehicleBody(SOUTH, { vin: "SOUTHERN1" }));
      const { body: southern } = await fixture.api<Vehicle>("GET", `/api/vehicles/${south.id}`);
      expect(codesOf(await send({ items: [{ ...southern, price: 1 }] }, key))).toEqual(["created"]);
      expect((await fixture.api("GET", `/api/vehicles/${south.id}`)).body).toEqual(southern);
      expect(await vehiclesOf(dealer)).toMatchObject([{ vin: "SOUTHERN1", price: 1 }]);
      expectReply(await send({ items: [southern] }, fixture.records.keys.powerless.api_key), { status: 403 });
    });

    test("may be up to 500, with all their fields", async () => {
      const dealer = await newDealer();
      const texts = {
        trim: "a",
        exterior_color: "a",
        interior_color: "a",
        engine: "a",
        drivetrain: "a",
        fuel_type: "a",
      };
      const items = Array.from({ length: 500 }, (_, n) =>
        vehicleBody(dealer, { ...texts, vin: `V${n}`, stock_number: `S${n}`, mileage: n, seats: 5, condition: "used" }),
      );
      expect((await send({ items })).body.counts).toMatchObject({ created: 500 });
      expect((await send({ items })).body.counts).toMatchObject({ unchanged: 500 });
      for (const wrong of [{ items: [...items, items[0]] }, { items: [] }, { items: {} }, {}, { items, match: "id" }])
        expectReply(await send(wrong), { status: 400, code: "invalid_input" });
    });
  });
