import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { freshAddress } from "../support/client.ts";
import { DIFFERING, ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/ports.ts";
import { create, dealerBody } from "../support/sample-records.ts";
import { startService, type TestService } from "../support/service.ts";

setDefaultTimeout(300_000);

const TOKEN = "token-of-the-tests-that-reads-metrics";
const PROCESS = [
  "inventory_build_info",
  "process_cpu_seconds_total",
  "process_resident_memory_bytes",
  "process_start_time_seconds",
  "event_loop_lag_seconds",
];

/** All labels; the number of values of none grows with clients or records. */
const LABELS = [
  "code",
  "db_operation_name",
  "db_system_name",
  "http_request_method",
  "http_response_status_code",
  "http_route",
  "kind",
  "le",
  "outcome",
  "result",
  "runtime",
  "state",
  "version",
];

for (const engine of DIFFERING)
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
      service = await startService(engine, {
        METRICS_TOKEN: TOKEN,
        METRICS_PORT: String(port),
        EGRESS_ALLOW: "127.0.0.0/8",
      });
    });
    afterAll(() => service?.close());

    test("are Prometheus text for clients with the token, on the service's port and on a separate one", async () => {
      for (const response of [await scrape(), await alone("/metrics")]) {
        expect(response.status).toBe(200);
        expect(response.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
        expect(response.headers.get("cache-control")).toBe("no-store");
        const text = await response.text();
        for (const name of PROCESS) expect(text).toMatch(new RegExp(`^${name}(?:\\{[^}]*\\})? [0-9.e+-]+$`, "m"));
        for (const secret of [TOKEN, service.bootstrapKey, service.superAdminKey]) expect(text).not.toContain(secret);
      }
    });

    test("are refused without the token, and for another token, a key or another scheme", async () => {
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

    test("let one address try 30 tokens a minute", async () => {
      const from = { "x-forwarded-for": freshAddress() };
      const statuses: number[] = [];
      for (let guess = 0; guess < 31; guess++) statuses.push((await scrape(`Bearer guess-${guess}`, from)).status);
      expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429]);
      expect((await scrape(undefined, from)).status).toBe(200);
    });

    /** The metrics, once they have these lines. */
    const scrapedWith = (...lines: readonly RegExp[]): Promise<string> =>
      eventually(
        async () => (await scrape()).text(),
        (text) => lines.every((line) => line.test(text)),
      );

    test("count requests by route, method and status, refusals, and operations of the database", async () => {
      const dealer = await create(service.api, "/api/dealers", dealerBody());
      for (const sent of [{}, { key: null }, {}])
        await service.api("GET", `/api/dealers/${dealer.id}?_a=secret-of-a-query`, sent);
      await service.api("GET", "/api/nothing-of-that-name");
      await service.api("PATCH", "/api/dealers");
      const text = await scrapedWith(/^inventory_jobs\{kind="source",state="waiting"\} 0$/m);
      const count = (method: string, route: string, status: number): number => {
        const labels = `http_request_method="${method}",http_route="${route}",http_response_status_code="${status}"`;
        const name = `http_server_request_duration_seconds_count{${labels}} `;
        return Number(
          text
            .split("\n")
            .find((line) => line.startsWith(name))
            ?.slice(name.length) ?? 0,
        );
      };
      const numberIn = (scraped: string, name: string): number =>
        Number(
          scraped
            .split("\n")
            .find((line) => line.startsWith(`${name} `))
            ?.slice(name.length + 1),
        );
      const number = (name: string): number => numberIn(text, name);
      expect(count("POST", "/api/dealers", 201)).toBe(1);
      expect(count("GET", "/api/dealers/:id", 401)).toBe(1);
      expect(count("GET", "unmatched", 404)).toBeGreaterThanOrEqual(1);
      expect(count("PATCH", "unmatched", 405)).toBe(1);
      expect(number('inventory_denied_total{code="api_key_missing"}')).toBeGreaterThanOrEqual(1);
      // The scrape itself is one request.
      expect(number("http_server_active_requests")).toBe(1);
      // Uses of keys may be written just now.
      expect(number("inventory_write_queue_depth")).toBeOneOf([0, 1]);
      expect(number("inventory_write_wait_seconds_count")).toBeGreaterThanOrEqual(1);
      expect(number('inventory_credential_cache_total{result="hit"}')).toBeGreaterThanOrEqual(1);
      expect(number('inventory_credential_cache_total{result="miss"}')).toBeGreaterThanOrEqual(1);
      const system = engine.name === "SQLite" ? "sqlite" : "postgresql";
      for (const operation of ["read", "write"])
        expect(
          number(
            `db_client_operation_duration_seconds_count{db_system_name="${system}",db_operation_name="${operation}"}`,
          ),
        ).toBeGreaterThanOrEqual(1);
      expect(number('db_client_connections{state="idle"}')).toBeGreaterThanOrEqual(1);
      // Work by the service's timers takes a connection for a moment.
      await eventually(
        async () => numberIn(await (await scrape()).text(), 'db_client_connections{state="used"}'),
        (used) => used === 0,
      );
      expect(text).not.toContain("secret-of-a-query");
      expect(text).not.toContain("nothing-of-that-name");
      expect(text).not.toContain(`/api/dealers/${dealer.id}`);
      const names = new Set(text.match(/[a-z_]+(?==")/g));
      expect([...names].sort()).toEqual(LABELS);
    });

    test("count rows that were imported, tries to send messages of webhooks, and jobs", async () => {
      await using receiver = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: ({ url }) => new Response(null, { status: url.endsWith("/takes") ? 204 : 500 }),
      });
      for (const path of ["takes", "refuses"]) {
        const url = `http://127.0.0.1:${receiver.port}/${path}`;
        const { id } = await create(service.api, "/api/webhooks", { url, events: ["vehicle.created"] });
        await service.api("POST", `/api/webhooks/${id}/test`);
      }
      const { id } = await create(service.api, "/api/dealers", dealerBody());
      const raw = "stock,year,make,model,price\nA1,2020,Kia,Rio,9000\nA2,1700,Kia,Rio,9000\n";
      const headers = { "content-type": "text/csv" };
      for (const option of ["dry_run=true", "on_error=skip"])
        await service.api("POST", `/api/imports?dealer_id=${id}&${option}`, { raw, headers });
      await service.runTimers(1);
      await scrapedWith(
        /^inventory_import_rows_total\{outcome="created"\} 1$/m,
        /^inventory_import_rows_total\{outcome="failed"\} 1$/m,
        /^inventory_import_rows_total\{outcome="unchanged"\} 0$/m,
        /^inventory_webhook_attempts_total\{result="success"\} [1-9]\d*$/m,
        /^inventory_webhook_attempts_total\{result="failure"\} [1-9]\d*$/m,
      );
    });

    test("are the only thing on the separate port", async () => {
      for (const path of ["/", "/metrics/", "/api/vehicles", "/portal", "/health/live"])
        expect([path, (await alone(path)).status]).toEqual([path, 404]);
    });
  });

test("metrics are absent unless they are configured", async () => {
  const [engine] = ENGINES;
  if (engine === undefined) throw new Error("there is no engine");
  const service = await startService(engine);
  const response = await fetch(`${service.url}/metrics`);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("process_");
  await service.close();
});
