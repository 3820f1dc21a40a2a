import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { freshAddress } from "../support/client.ts";
import { ENGINES } from "../support/engines.ts";
import { freePort } from "../support/ports.ts";
import { startService, type TestService } from "../support/service.ts";

setDefaultTimeout(60_000);

const TOKEN = "token-of-the-tests-that-reads-metrics";
const PROCESS = [
  "inventory_build_info",
  "process_cpu_seconds_total",
  "process_resident_memory_bytes",
  "process_start_time_seconds",
  "event_loop_lag_seconds",
];

for (const engine of ENGINES)
  describe(`metrics on ${engine.name}`, () => {
    let service: TestService;
    const port = freePort();
    const scrape = (authorization: string | null = `Bearer ${TOKEN}`, headers: Record<string, string> = {}) =>
      fetch(`${service.url}/metrics`, {
        headers: { "x-forwarded-for": freshAddress(), ...headers, ...(authorization !== null && { authorization }) },
      });
    const alone = (path: string, authorization: string | null = `Bearer ${TOKEN}`) =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: authorization === null ? {} : { authorization } });

    beforeAll(async () => {
      service = await startService(engine, { METRICS_TOKEN: TOKEN, METRICS_PORT: String(port) });
    });
    afterAll(() => service?.close());

    test("are Prometheus text for whoever holds the token, on the service's port and on their own", async () => {
      for (const response of [await scrape(), await alone("/metrics")]) {
        expect(response.status).toBe(200);
        expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
        expect(response.headers.get("cache-control")).toBe("no-store");
        const text = await response.text();
        for (const name of PROCESS) expect(text).toMatch(new RegExp(`^${name}(?:\\{[^}]*\\})? [0-9.e+-]+$`, "m"));
        for (const secret of [TOKEN, service.bootstrapKey, service.superAdminKey]) expect(text).not.toContain(secret);
      }
    });

    test("are nobody else's: no token, another, a key, the token by another scheme", async () => {
      for (const authorization of [
        null,
        "Bearer",
        `Bearer ${TOKEN}x`,
        `Bearer ${service.superAdminKey}`,
        `Basic ${TOKEN}`,
        TOKEN,
      ]) {
        for (const response of [await scrape(authorization), await alone("/metrics", authorization)]) {
          expect([authorization, response.status]).toEqual([authorization, 401]);
          expect(response.headers.get("www-authenticate")).toBe("Bearer");
          expect(await response.text()).not.toContain("process_");
        }
      }
      expect((await scrape(null, { "x-api-key": service.superAdminKey })).status).toBe(401);
    });

    test("let one address guess 30 times a minute", async () => {
      const from = { "x-forwarded-for": freshAddress() };
      const statuses: number[] = [];
      for (let guess = 0; guess < 31; guess++) statuses.push((await scrape(`Bearer guess-${guess}`, from)).status);
      expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
      expect((await scrape(undefined, from)).status).toBe(200);
    });

    test("have nothing beside them on their own port", async () => {
      for (const path of ["/", "/metrics/", "/api/vehicles", "/portal", "/health/live"])
        expect([path, (await alone(path)).status]).toEqual([path, 404]);
    });
  });

test("there are none unless they are configured", async () => {
  const [engine] = ENGINES;
  if (engine === undefined) throw new Error("there is no engine");
  const service = await startService(engine);
  const response = await fetch(`${service.url}/metrics`);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("process_");
  await service.close();
});
