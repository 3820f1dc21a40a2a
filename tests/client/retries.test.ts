import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  Conflict,
  ConnectionLost,
  InvalidInput,
  InventoryError,
  RateLimited,
  TimedOut,
  Unavailable,
  VehicleInventory,
} from "../../client/src/index.ts";
import type { InventoryOptions } from "../../client/src/options.ts";
import { waitAfter } from "../../client/src/retries.ts";
import { ANSWERING } from "../support/engines.ts";
import { NORTH, NORTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";
import { failure } from "./failure.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "./faulty-proxy.ts";

const failed = (status: number, body: object = {}, retryAfter?: number) => {
  const headers = new Headers(retryAfter === undefined ? {} : { "retry-after": String(retryAfter) });
  return { status, headers, body };
};

describe("the wait before another try", () => {
  test("doubles from a quarter of a second to half a minute, and is drawn from the upper half", () => {
    const error = new ConnectionLost("");
    expect([1, 2, 3, 10].map((attempt) => waitAfter(error, attempt, 0))).toEqual([250, 500, 1000, 30_000]);
    expect([1, 2, 3, 10].map((attempt) => waitAfter(error, attempt, 1))).toEqual([125, 250, 500, 15_000]);
  });

  test("is at least what the service asks for", () => {
    const error = new RateLimited("", failed(429, {}, 7));
    expect(waitAfter(error, 1, 0)).toBe(7000);
    expect(waitAfter(error, 1, 1)).toBe(7125);
  });

  test("is none after what no other try can change", () => {
    const conflict = (code: "idempotency_in_progress" | "email_taken") => new Conflict("", failed(409, { code }));
    const lasting = [new InvalidInput(""), new InventoryError(""), conflict("email_taken"), new Error("another")];
    expect(lasting.map((error) => waitAfter(error, 1))).toEqual(lasting.map(() => null));
    const passing = [new TimedOut(""), new Unavailable(""), conflict("idempotency_in_progress")];
    expect(passing.map((error) => waitAfter(error, 1) === null)).toEqual(passing.map(() => false));
  });
});

for (const engine of ANSWERING)
  describe(`a client of a service that is hard to reach, on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    let proxy: FaultyProxy;
    beforeAll(async () => {
      proxy = await startFaultyProxy(fixture.service.url);
    });
    afterAll(() => proxy[Symbol.asyncDispose]());

    const client = (options: Partial<InventoryOptions> = {}) =>
      new VehicleInventory({ apiKey: fixture.service.superAdminKey, baseUrl: proxy.url, ...options });
    const vehiclesWith = (stockNumber: string) => client().vehicles.list({ stockNumber }).all();

    const TRANSIENT: readonly (readonly [string, Fault])[] = [
      ["the connection breaks before the request arrives", "cut-before"],
      ["the connection breaks after the request, whose answer is lost", "cut-after"],
      ["the connection breaks within the answer", "cut-within"],
      ["a proxy answers 502", { status: 502, body: "<html>bad gateway</html>" }],
      ["the service answers 503", { status: 503, body: '{"code":"unavailable"}' }],
      ["a proxy answers 504", { status: 504 }],
      [
        "the limit is reached",
        { status: 429, headers: { "retry-after": "0" }, body: '{"code":"rate_limit_exceeded"}' },
      ],
    ];
    for (const [index, [when, fault]] of TRANSIENT.entries())
      test(`makes one vehicle if ${when}`, async () => {
        const stock_number = `RETRY-${index}`;
        proxy.next(fault);
        const made = client().vehicles.create({ ...vehicleBody(NORTH), stock_number });
        const { data, response } = await made.withResponse();
        const names = proxy.seen.map(({ headers }) => headers["idempotency-key"]);
        expect(names).toEqual([names[0], names[0]]);
        expect(names[0]).toMatch(/^[0-9a-f]{32}$/);
        const wasMade = fault === "cut-after" || fault === "cut-within";
        expect(response.headers.get("idempotency-replayed")).toBe(wasMade ? "true" : null);
        expect((await vehiclesWith(stock_number)).map(({ id }) => id)).toEqual([data.id]);
      });

    test("gives every change a name of its own, or the one that it is told", async () => {
      proxy.next();
      await client().vehicles.update(NORTH_CAR, { price: 1 });
      await client().vehicles.update(NORTH_CAR, { price: 1 });
      await client().vehicles.update(NORTH_CAR, { price: 1 }, { idempotencyKey: "mine" });
      await client().vehicles.get(NORTH_CAR);
      const names = proxy.seen.map(({ headers }) => headers["idempotency-key"]);
      expect(new Set(names).size).toBe(4);
      expect(names.slice(2)).toEqual(["mine", undefined]);
    });

    test("tries again when a try takes too long, and gives up when the call does", async () => {
      proxy.next("silence");
      const patient = client({ tryTimeout: 300, tries: 1000 });
      expect((await patient.vehicles.get(NORTH_CAR)).id).toBe(NORTH_CAR);
      expect(proxy.seen.length).toBeGreaterThan(1);
      proxy.next("silence", "silence", "silence");
      const error = await failure(client({ timeout: 300 }).vehicles.get(NORTH_CAR));
      expect(error).toBeInstanceOf(TimedOut);
    });

    test("gives up after its tries, with what it saw last", async () => {
      proxy.next("cut-before", { status: 503, headers: { "retry-after": "0" } });
      const error = await failure(client({ tries: 2 }).vehicles.get(NORTH_CAR));
      expect(error).toBeInstanceOf(Unavailable);
      expect(proxy.seen).toHaveLength(2);
      proxy.next("cut-before");
      expect((await failure(client({ tries: 1 }).vehicles.get(NORTH_CAR))).name).toBe("ConnectionLost");
    });

    test("does not wait for longer than the call may take", async () => {
      proxy.next({ status: 429, headers: { "retry-after": "3600" } });
      const error = await failure(client().vehicles.get(NORTH_CAR));
      expect([error.name, error.retryAfter, proxy.seen.length]).toEqual(["RateLimited", 3600, 1]);
    });

    test("does not repeat what was refused", async () => {
      proxy.next();
      expect((await failure(client().vehicles.get(999_999))).name).toBe("NotFound");
      expect(proxy.seen).toHaveLength(1);
    });

    test("ends with its signal, while it asks and while it waits", async () => {
      for (const fault of ["silence", { status: 503, headers: { "retry-after": "60" } }] satisfies Fault[]) {
        proxy.next(fault);
        const arrival = proxy.arrival();
        const controller = new AbortController();
        const asked = client()
          .vehicles.get(NORTH_CAR, {}, { signal: controller.signal })
          .catch((reason) => reason);
        await arrival;
        controller.abort("enough");
        expect(await asked).toBe("enough");
      }
      expect(
        await client()
          .vehicles.get(1, {}, { signal: AbortSignal.abort("no") })
          .catch((reason) => reason),
      ).toBe("no");
    });

    test("gives its key to nobody else, wherever an answer leads", async () => {
      await using other = await startFaultyProxy(fixture.service.url);
      proxy.next({ status: 307, headers: { location: `${other.url}/api/vehicles/1` } });
      const error = await failure(client().vehicles.get(NORTH_CAR));
      expect([error.constructor, error.message]).toEqual([InventoryError, expect.stringContaining("redirects")]);
      expect(other.seen).toEqual([]);
    });

    test("asks for its key before each try", async () => {
      let asked = 0;
      proxy.next("cut-before");
      const apiKey = async () => (++asked === 1 ? "an old one" : fixture.service.superAdminKey);
      await client({ apiKey }).vehicles.get(NORTH_CAR);
      expect(proxy.seen.map(({ headers }) => headers["x-api-key"])).toEqual([
        "an old one",
        fixture.service.superAdminKey,
      ]);
    });
  });
