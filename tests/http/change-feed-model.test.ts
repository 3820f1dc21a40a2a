import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import postgres from "postgres";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { inGate, SEED } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { InventoryCopy } from "../support/inventory-copy.ts";
import { type CreatedKey, create, dealerBody, imageBody, keyBody, vehicleBody } from "../support/sample-records.ts";
import { startService, type TestService } from "../support/service.ts";

setDefaultTimeout(600_000);

const WRITERS = 12;
/** How many changes each writer makes. */
const CHANGES = inGate(6, 60);
const IMPORTED = inGate(20, 300);
/** How many transactions stay open while others begin and end. */
const LONG_TRANSACTIONS = inGate(3, 20);
const ADMITTED = new Set([200, 201, 202, 404, 409]);

/** A change by a writer: what it does, and which of the vehicles it knows. */
const change = fc.record({
  does: fc.constantFrom("create", "price", "price", "move", "remove", "restore", "image", "no image", "bulk", "dealer"),
  which: fc.nat(1000),
  dealer: fc.nat(1),
});
const plans = fc.sample(fc.array(change, { minLength: CHANGES, maxLength: CHANGES, size: "max" }), {
  numRuns: WRITERS,
  seed: SEED,
});

for (const engine of ENGINES)
  describe(`copies on ${engine.name}`, () => {
    let services: TestService[] = [];
    beforeAll(async () => {
      const first = await startService(engine);
      // SQLite has one service for a file.
      const second =
        engine.name === "PostgreSQL" ? [await startService(engine, { DATABASE_URL: first.databaseUrl })] : [];
      services = [first, ...second];
    });
    afterAll(async () => {
      for (const service of services.toReversed()) await service.close();
    });
    const serviceFor = (number: number): TestService => {
      const service = services[number % services.length];
      if (service === undefined) throw new Error("no service");
      return service;
    };

    test("of three readers equal the inventory in the end, and no record in them ever went back in time", async () => {
      const { api } = serviceFor(0);
      const dealers = [
        (await create(api, "/api/dealers", dealerBody())).id,
        (await create(api, "/api/dealers", dealerBody())).id,
      ];
      const dealerFor = (number: number): number => dealers[number % dealers.length] ?? 0;
      const known: number[] = [];
      const add = async (dealer: number): Promise<void> => {
        known.push((await create<Vehicle>(api, "/api/vehicles", vehicleBody(dealer))).id);
      };
      for (const dealer of [...dealers, ...dealers]) await add(dealer);

      /** Fails at an answer that no order of the changes explains. */
      const send = async (number: number, method: string, path: string, body?: object): Promise<unknown> => {
        const reply = await serviceFor(number).api(method, path, body === undefined ? {} : { body });
        if (!ADMITTED.has(reply.status)) throw new Error(`${method} ${path} answered ${reply.status} ${reply.text}`);
        return reply.body;
      };
      let prices = 1000;
      const make = async (writer: number, { does, which, dealer }: (typeof plans)[number][number]): Promise<void> => {
        const id = known[which % known.length] ?? 0;
        const vehicle = `/api/vehicles/${id}`;
        const price = prices++;
        if (does === "create") await add(dealerFor(dealer));
        else if (does === "price") await send(writer, "PUT", vehicle, { price });
        else if (does === "move") await send(writer, "PUT", vehicle, { dealer_id: dealerFor(dealer) });
        else if (does === "remove") await send(writer, "DELETE", vehicle);
        else if (does === "restore") await send(writer, "POST", `/api/vehicles/removed/${id}/restore`);
        else if (does === "image")
          await send(
            writer,
            "POST",
            `${vehicle}/images`,
            imageBody({ image_url: `https://images.example.com/${price}.jpg` }),
          );
        else if (does === "no image") {
          const images = (await send(writer, "GET", `${vehicle}/images`)) as readonly { readonly id: number }[];
          const image = Array.isArray(images) ? images[0] : undefined;
          if (image !== undefined) await send(writer, "DELETE", `${vehicle}/images/${image.id}`);
        } else if (does === "bulk")
          await send(writer, "POST", "/api/vehicles/bulk", { ids: known.slice(-10), changes: { price } });
        else await send(writer, "PUT", `/api/dealers/${dealerFor(dealer)}`, { phone: `503-555-${price}` });
      };
      const write = async (writer: number): Promise<void> => {
        for (const one of plans[writer] ?? []) await make(writer, one);
      };

      const fileOf = (dealer: number): Promise<unknown> => {
        const rows = Array.from({ length: IMPORTED }, (_, row) => `D${dealer}-${row},Toyota,Camry,2024,${1000 + row}`);
        return serviceFor(1).api("POST", `/api/imports?dealer_id=${dealer}`, {
          raw: `Stock number,Make,Model,Year,Price\n${rows.join("\n")}\n`,
          headers: { "content-type": "text/csv" },
        });
      };

      /** Transactions that are open for longer than those that begin after them. */
      const holdTransactions = async (): Promise<void> => {
        if (engine.name !== "PostgreSQL") return;
        // The dealer's vehicles wait for them, so it is another one.
        const { id: dealer } = await create(api, "/api/dealers", dealerBody());
        const { id } = await create<Vehicle>(api, "/api/vehicles", vehicleBody(dealer));
        const sql = postgres(serviceFor(0).databaseUrl, { max: 2 });
        for (let number = 0; number < LONG_TRANSACTIONS; number++)
          await sql.begin(async (tx) => {
            await tx`UPDATE vehicles SET mileage = ${number}, updated_at = ${`2100-01-01T00:00:00.${String(number).padStart(3, "0")}Z`} WHERE id = ${id}`;
            for (let others = 0; others < 3; others++) {
              await send(others, "PUT", `/api/dealers/${dealerFor(others)}`, { phone: `503-556-${1000 + number}` });
              await add(dealerFor(others));
            }
          });
        await sql.end();
      };

      const bound = await create<CreatedKey>(
        api,
        "/api/keys",
        keyBody({
          dealer_id: dealerFor(0),
          permissions: [
            { resource: "vehicles", action: "read" },
            { resource: "dealers", action: "read" },
          ],
          rate_limit: 1_000_000,
        }),
      );
      const copies = [
        { copy: new InventoryCopy(serviceFor(0).api, "limit=7"), dealer: null },
        { copy: new InventoryCopy(serviceFor(1).api, "limit=50", bound.api_key), dealer: dealerFor(0) },
        { copy: new InventoryCopy(serviceFor(1).api, `dealer_id=${dealerFor(1)}`), dealer: dealerFor(1) },
      ];
      let isWriting = true;
      const follow = async (copy: InventoryCopy): Promise<void> => {
        while (isWriting) await copy.step("&wait=1");
      };
      const following = copies.map(({ copy }) => follow(copy));
      const writing = [
        ...Array.from({ length: WRITERS }, (_, writer) => write(writer)),
        holdTransactions(),
        ...dealers.map(fileOf),
      ];
      await Promise.all(writing).finally(() => {
        isWriting = false;
      });
      await Promise.all(following);
      for (const dealer of dealers)
        await eventually(
          () => api<{ data: readonly { state: string }[] }>("GET", `/api/imports?dealer_id=${dealer}`),
          ({ body }) => body.data.every(({ state }) => state !== "queued" && state !== "running"),
        );

      /** The inventory, as its lists have it. */
      const inventoryOf = async (dealer: number | null): Promise<Record<string, unknown>> => {
        const found = new Map<string, unknown>();
        const filter = dealer === null ? "" : `&dealer_id=${dealer}`;
        const { vehicles } = (
          await api<{ vehicles: (Vehicle & { images: { id: number }[] })[] }>(
            "GET",
            `/api/vehicles?limit=1000&include=images${filter}`,
          )
        ).body;
        for (const { images, ...vehicle } of vehicles) {
          found.set(`vehicle ${vehicle.id}`, vehicle);
          for (const image of images) found.set(`image ${image.id}`, image);
        }
        const listed = (await api<{ id: number }[]>("GET", "/api/dealers?limit=1000&active=true")).body;
        for (const { id } of listed)
          if (dealer === null || id === dealer)
            found.set(`dealer ${id}`, (await api("GET", `/api/dealers/${id}`)).body);
        return Object.fromEntries(found);
      };
      for (const { copy, dealer } of copies) {
        const expected = await inventoryOf(dealer);
        // What was changed last may still be outstanding, but nothing is for ever.
        for (let page = 0; page < 50 && !Bun.deepEquals(Object.fromEntries(copy.records), expected); page++)
          await copy.step("&wait=1");
        expect<unknown>(Object.fromEntries(copy.records)).toEqual(expected);
      }
    });
  });
