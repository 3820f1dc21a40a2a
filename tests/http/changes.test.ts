import { describe, expect, test } from "bun:test";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { ENGINES } from "../support/engines.ts";
import { feedHasReachedNow } from "../support/horizon.ts";
import { type ChangePage, type FeedChange, InventoryCopy } from "../support/inventory-copy.ts";
import { type CreatedKey, create, dealerBody, imageBody, keyBody, vehicleBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

/** What changes say, without times and records. */
const briefly = (changes: readonly FeedChange[]): string[] => changes.map(({ kind, op, id }) => `${op} ${kind} ${id}`);

for (const engine of ENGINES)
  describe(`the change feed on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const newDealer = async (): Promise<number> => (await create(fixture.api, "/api/dealers", dealerBody())).id;
    const newVehicle = (dealer: number, fields: object = {}) =>
      create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, fields));
    const newImage = (vehicle: number) => create(fixture.api, `/api/vehicles/${vehicle}/images`, imageBody());
    const keyOf = async (dealer: number, ...more: string[]): Promise<CreatedKey> =>
      create<CreatedKey>(
        fixture.api,
        "/api/keys",
        keyBody({ dealer_id: dealer, permissions: pairs("vehicles:read", ...more) }),
      );
    const send = async (method: string, path: string, body?: object) => {
      const reply = await fixture.api(method, path, { body });
      expect(reply.status, reply.text).toBeLessThan(300);
    };
    const settled = () => feedHasReachedNow(engine, fixture.service.databaseUrl);
    /** A copy of a dealer's inventory that is up to date. */
    const copyOf = async (dealer: number, query = `dealer_id=${dealer}`): Promise<InventoryCopy> => {
      await settled();
      const copy = new InventoryCopy(fixture.api, query);
      await copy.catchUp();
      return copy;
    };
    const within =
      (...wanted: readonly string[]) =>
      (changes: readonly FeedChange[]) => {
        const found = briefly(changes);
        return wanted.every((one) => found.includes(one));
      };

    test("begins with the whole inventory, page by page, each record as a request for it alone answers it", async () => {
      const dealer = await newDealer();
      const vehicles = [];
      for (const stock of ["A", "B", "C"]) vehicles.push((await newVehicle(dealer, { stock_number: stock })).id);
      const images = [];
      for (let place = 0; place < 3; place++)
        images.push(
          (
            await create(fixture.api, `/api/vehicles/${vehicles[1]}/images`, {
              ...imageBody(),
              image_url: `https://images.example.com/${place}.jpg`,
            })
          ).id,
        );
      const copy = new InventoryCopy(fixture.api, `dealer_id=${dealer}&limit=2`);
      const { meta } = await copy.step();
      expect(meta.more).toBe(true);
      await copy.catchUp();
      const expected = new Map<string, object>();
      const read = async (path: string) => (await fixture.api<object>("GET", path)).body;
      expected.set(`dealer ${dealer}`, await read(`/api/dealers/${dealer}`));
      for (const id of vehicles) expected.set(`vehicle ${id}`, await read(`/api/vehicles/${id}`));
      const listed = (await read(`/api/vehicles/${vehicles[1]}/images`)) as { readonly id: number }[];
      for (const image of listed) expected.set(`image ${image.id}`, image);
      expect(Object.fromEntries<object>(copy.records)).toEqual(Object.fromEntries(expected));
    });

    test("tells each change once, as the record is then, and nothing when nothing has changed", async () => {
      const dealer = await newDealer();
      const { id } = await newVehicle(dealer);
      const copy = await copyOf(dealer);
      await send("PUT", `/api/vehicles/${id}`, { price: 1 });
      await send("PUT", `/api/vehicles/${id}`, { price: 2 });
      const told = await copy.waitFor(within(`upsert vehicle ${id}`));
      expect(copy.records.get(`vehicle ${id}`)?.price).toBe(2);
      expect(told.at(-1)).toMatchObject({ op: "upsert", dealer_id: dealer, record: { id } });
      const image = await newImage(id);
      await copy.waitFor(within(`upsert image ${image.id}`, `upsert vehicle ${id}`));
      await send("DELETE", `/api/vehicles/${id}/images/${image.id}`);
      await copy.waitFor(within(`remove image ${image.id}`));
      await copy.catchUp();
      expect(await copy.catchUp()).toEqual([]);
    });

    test("says of a removed vehicle that alone it is gone, and of a restored one that it is back with its images", async () => {
      const dealer = await newDealer();
      const { id } = await newVehicle(dealer);
      const image = await newImage(id);
      const copy = await copyOf(dealer);
      const imagesAlone = await copyOf(dealer, `dealer_id=${dealer}&kinds=image`);
      await send("DELETE", `/api/vehicles/${id}`);
      const told = await copy.waitFor(within(`remove vehicle ${id}`));
      expect(briefly(told)).toEqual([`remove vehicle ${id}`]);
      expect(told[0]).toMatchObject({ dealer_id: dealer, record: null });
      expect(briefly(await imagesAlone.waitFor((found) => found.length > 0))).toEqual([`remove image ${image.id}`]);
      await send("POST", `/api/vehicles/removed/${id}/restore`);
      const back = await copy.waitFor(within(`upsert image ${image.id}`));
      expect(briefly(back)).toEqual([`upsert vehicle ${id}`, `upsert image ${image.id}`]);
    });

    test("says of a vehicle that moves that it is gone to the one dealer, and there with its images to the other", async () => {
      const [from, to] = [await newDealer(), await newDealer()];
      const { id } = await newVehicle(from);
      const image = await newImage(id);
      const [ofFrom, ofTo] = [
        new InventoryCopy(fixture.api, "", (await keyOf(from)).api_key),
        new InventoryCopy(fixture.api, "", (await keyOf(to)).api_key),
      ];
      const everybody = new InventoryCopy(fixture.api, "limit=1000&kinds=vehicle,image");
      await settled();
      for (const copy of [ofFrom, ofTo, everybody]) await copy.catchUp();
      await send("PUT", `/api/vehicles/${id}`, { dealer_id: to });
      expect(briefly(await ofFrom.waitFor((told) => told.length > 0))).toEqual([`remove vehicle ${id}`]);
      expect(ofFrom.records.size).toBe(0);
      const there = await ofTo.waitFor(within(`upsert image ${image.id}`));
      expect(briefly(there)).toEqual([`upsert vehicle ${id}`, `upsert image ${image.id}`]);
      expect(there.map(({ dealer_id }) => dealer_id)).toEqual([to, to]);
      const seen = await everybody.waitFor(within(`upsert vehicle ${id}`));
      expect(briefly(seen).filter((told) => told.endsWith(`vehicle ${id}`))).toEqual([`upsert vehicle ${id}`]);
    });

    test("says of a deactivated dealer that it is gone, and keeps its vehicles", async () => {
      const dealer = await newDealer();
      const { id } = await newVehicle(dealer);
      const copy = await copyOf(dealer);
      await send("DELETE", `/api/dealers/${dealer}`);
      expect(briefly(await copy.waitFor((told) => told.length > 0))).toEqual([`remove dealer ${dealer}`]);
      expect([...copy.records.keys()]).toEqual([`vehicle ${id}`]);
      expect([...(await copyOf(dealer)).records.keys()]).toEqual([`vehicle ${id}`]);
    });

    test("shows a bound key its own dealer's records only, whatever dealer it names", async () => {
      const [own, other] = [await newDealer(), await newDealer()];
      const [{ id }] = [await newVehicle(own), await newVehicle(other)];
      const { api_key: key } = await keyOf(own, "dealers:read");
      for (const query of ["", `dealer_id=${other}`]) {
        const copy = new InventoryCopy(fixture.api, query, key);
        await settled();
        await copy.catchUp();
        expect([...copy.records.keys()]).toEqual([`dealer ${own}`, `vehicle ${id}`]);
        const { id: fresh } = await newVehicle(other);
        await send("DELETE", `/api/vehicles/${fresh}`);
        await send("PUT", `/api/vehicles/${id}`, { price: 77 });
        expect(briefly(await copy.waitFor((told) => told.length > 0))).toEqual([`upsert vehicle ${id}`]);
      }
    });

    test("reads the kinds that the key may read, and refuses dealers without their permission", async () => {
      const dealer = await newDealer();
      const { api_key: key } = await keyOf(dealer);
      const { body } = await fixture.api<ChangePage>("GET", "/api/changes", { key });
      expect(body.data).toEqual([]);
      const refused = await fixture.api("GET", "/api/changes?kinds=vehicle,dealer", { key });
      expect([refused.status, refused.body]).toMatchObject([403, { code: "permission_missing" }]);
    });

    test("accepts a cursor from another key with the same binding, and from no other", async () => {
      const [one, other] = [await newDealer(), await newDealer()];
      const [first, second, foreign] = [await keyOf(one), await keyOf(one), await keyOf(other)];
      const ask = (key: string | undefined, after: string) =>
        fixture.api<ChangePage & { code: string }>("GET", `/api/changes?after=${encodeURIComponent(after)}`, {
          ...(key !== undefined && { key }),
        });
      const { next } = (await fixture.api<ChangePage>("GET", "/api/changes", { key: first.api_key })).body.meta;
      expect((await ask(second.api_key, next)).status).toBe(200);
      for (const key of [foreign.api_key, undefined])
        expect(await ask(key, next)).toMatchObject({ status: 400, body: { code: "invalid_input" } });
      expect(await ask(first.api_key, `${next}x`)).toMatchObject({ status: 400 });
    });
  });
