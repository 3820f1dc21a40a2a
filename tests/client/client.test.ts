import { beforeAll, describe, expect, test } from "bun:test";
import {
  Conflict,
  Forbidden,
  ImportFailed,
  InvalidInput,
  KeyRefused,
  NotFound,
  PermissionMissing,
  PreconditionFailed,
  type Vehicle,
  VehicleInventory,
} from "../../client/src/index.ts";
import { ANSWERING } from "../support/engines.ts";
import { jpegPhoto } from "../support/photos.ts";
import { NORTH, NORTH_CAR, NOTHING, SOUTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { failure } from "./failure.ts";

for (const engine of ANSWERING)
  describe(`the client on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const as = (apiKey: string) => new VehicleInventory({ apiKey, baseUrl: fixture.service.url });
    let inventory: VehicleInventory;
    const MANY = 7;
    beforeAll(async () => {
      inventory = as(fixture.service.superAdminKey);
      const items = Array.from({ length: MANY }, (_, n) =>
        vehicleBody(NORTH, { make: n % 2 ? "Skoda" : "Seat", price: n, stock_number: `M-${n}` }),
      );
      expect((await inventory.vehicles.batch({ items })).counts.created).toBe(MANY);
    });

    test("lists all pages as one iterator, with filters of several values, and asks for no page that nobody reads", async () => {
      const list = inventory.vehicles.list({ make: ["Skoda", "Seat"], minPrice: 1, sort: "price", limit: 2 });
      const prices: number[] = [];
      for await (const { price } of list) prices.push(price);
      expect(prices).toEqual([1, 2, 3, 4, 5, 6]);
      const first = await list.page();
      expect([first.items.length, first.total, first.hasNext, first.body.meta.filter_applied]).toEqual([
        2,
        6,
        true,
        false,
      ]);
      const sizes: number[] = [];
      for await (const { items } of list.pages()) sizes.push(items.length);
      expect(sizes).toEqual([2, 2, 2]);
      expect((await inventory.dealers.list({ limit: 1 }).all()).length).toBeGreaterThan(1);
      expect(await inventory.audit.list({ resource: "vehicles", limit: 3 }).all()).toHaveLength(MANY + 2);
      expect(await inventory.vehicles.list({ make: "None" }).all()).toEqual([]);
    });

    test("changes a record only in the version that was read, be it alone or in a list", async () => {
      const [listed] = (await inventory.vehicles.list({ make: "Seat", limit: 1 }).page()).items;
      const read = await inventory.vehicles.get((listed as Vehicle).id);
      const { id } = read;
      const changed = await inventory.vehicles.update(id, { price: 24_999 }, { ifMatch: listed as Vehicle });
      expect(changed.price).toBe(24_999);
      for (const ifMatch of [listed as Vehicle, read]) {
        const error = await failure(inventory.vehicles.update(id, { price: 1 }, { ifMatch }));
        expect([error.constructor, error.code]).toEqual([PreconditionFailed, "precondition_failed"]);
      }
      expect((await inventory.vehicles.get(id)).price).toBe(24_999);
      const settings = await inventory.settings.get();
      await inventory.settings.update({ name: "Example" }, { ifMatch: settings });
      expect((await failure(inventory.settings.update({ name: "x" }, { ifMatch: settings }))).status).toBe(412);
      const feed = await inventory.feeds.create({ name: "Site", channel: "csv", dealer_ids: [NORTH] });
      await inventory.feeds.remove(feed.id, { ifMatch: await inventory.feeds.get(feed.id) });
    });

    test("has an error for each kind of refusal, which says what the service said", async () => {
      const { vehicles, users } = inventory;
      const invalid = await failure<InvalidInput>(vehicles.update(NORTH_CAR, { year: 1700, price: -1 }));
      expect(invalid).toBeInstanceOf(InvalidInput);
      expect(invalid.issues.map(({ path }) => path)).toEqual(["year", "price"]);
      const missing = await failure(vehicles.get(NOTHING));
      expect([missing.constructor, missing.status, missing.code]).toEqual([NotFound, 404, "not_found"]);
      expect(fixture.service.log()).toContain(missing.requestId ?? "none");
      expect(await failure(as("vis_web_no_key").vehicles.get(1))).toBeInstanceOf(KeyRefused);
      const north = as(fixture.records.keys.north.api_key);
      const foreign = await failure(north.vehicles.get(SOUTH_CAR));
      expect([foreign.constructor, foreign.code]).toEqual([Forbidden, "not_your_dealer"]);
      const powerless = await failure(as(fixture.records.keys.powerless.api_key).users.list().page());
      expect(powerless).toBeInstanceOf(PermissionMissing);
      expect(powerless.body.needs).toEqual({ resource: "users", action: "read" });
      const person = { name: "Robin Example", email: "robin.once@example.com", role: "user" } as const;
      await users.create(person);
      const taken = await failure(users.create(person));
      expect([taken.constructor, taken.code]).toEqual([Conflict, "email_taken"]);
    });

    test("gives the answer itself, and takes headers", async () => {
      const { data, response } = await inventory.vehicles.get(NORTH_CAR).withResponse();
      const tag = response.headers.get("etag") ?? "";
      expect([data.id, response.status]).toEqual([NORTH_CAR, 200]);
      const headers = { "If-None-Match": tag };
      expect((await inventory.vehicles.get(NORTH_CAR, {}, { headers }).asResponse()).status).toBe(304);
      expect((await failure(inventory.vehicles.get(NORTH_CAR, {}, { headers }))).status).toBe(304);
      const raw = await inventory.vehicles.get(NORTH_CAR).asResponse();
      expect(await raw.json()).toEqual(data);
    });

    test("exports a file as it arrives", async () => {
      const file = await inventory.vehicles.export({ make: ["Skoda"], format: "ndjson" });
      const lines = (await file.text()).trim().split("\n");
      expect(lines.map((line) => JSON.parse(line).make)).toEqual(lines.map(() => "Skoda"));
      expect(lines.length).toBeGreaterThan(1);
    });

    test("sends photos with what they show", async () => {
      const photo = await jpegPhoto(40, 30);
      const image = await inventory.images.upload(NORTH_CAR, photo, { alt: "From the front", isPrimary: true });
      expect(image).toMatchObject({ vehicle_id: NORTH_CAR, alt: "From the front", is_primary: true, width: 40 });
      const again = await inventory.images.upload(NORTH_CAR, new Blob([photo], { type: "image/jpeg" })).withResponse();
      expect([again.response.status, again.data.id]).toEqual([200, image.id]);
    });

    test("imports a file and waits for its result", async () => {
      const csv = "Stock,Make,Model,Year,Cost\nC-1,Kia,Rio,2021,9000\nC-2,Kia,Ceed,never,9500\n";
      const running = inventory.imports.run(csv, { dealerId: NORTH, columns: { Cost: "price" } });
      const result = await running.result();
      expect(result.state).toBe("completed");
      expect(result.counts).toMatchObject({ created: 1, failed: 1 });
      const [row] = await inventory.imports.rows(result.id, { outcome: "failed" }).all();
      expect(row?.errors.map(({ path }) => path)).toEqual(["Year"]);
      const file = new File(
        ['{"stock_number":"C-3","make":"Kia","model":"Rio","year":2020,"price":1}\n'],
        "cars.ndjson",
      );
      const dry = await inventory.imports.run(file, { dealerId: NORTH, dryRun: true }).result();
      expect([dry.state, dry.file.name, dry.counts.created]).toEqual(["previewed", "cars.ndjson", 1]);
      await inventory.imports.start(dry.id);
      expect((await inventory.imports.result(dry.id)).state).toBe("completed");
      const rejected = await failure<ImportFailed>(
        inventory.imports
          .run("Make,Model\nKia,Rio\n", { dealerId: NORTH, onError: "reject", name: "bad.csv" })
          .result(),
      );
      expect([rejected.constructor, rejected.record.state, rejected.record.file.name]).toEqual([
        ImportFailed,
        "failed",
        "bad.csv",
      ]);
    });
  });
