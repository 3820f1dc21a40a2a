import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { openCollector, type ReceivedSpan } from "../support/collector.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { create, dealerBody, vehicleBody } from "../support/sample-records.ts";
import { startService, type TestService } from "../support/service.ts";

setDefaultTimeout(300_000);

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const SENDER = "00f067aa0ba902b7";
const RECORDED = `00-${TRACE}-${SENDER}-01`;
const NOT_RECORDED = `00-${"a".repeat(32)}-${SENDER}-00`;
const SECRET = "password-of-the-collector";
const [SERVER, CLIENT] = [2, 3];

const ofTrace = (spans: readonly ReceivedSpan[], traceId: string) => spans.filter((span) => span.traceId === traceId);

for (const engine of ENGINES)
  describe(`traces on ${engine.name}`, () => {
    const collector = openCollector();
    let service: TestService;
    let dealerId: number;

    beforeAll(async () => {
      service = await startService(engine, {
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${SECRET}`,
        OTEL_TRACES_SAMPLER: "parentbased_always_off",
        OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=tests",
        OTEL_BSP_SCHEDULE_DELAY: "1",
      });
      dealerId = (await create(service.api, "/api/dealers", dealerBody())).id;
    });
    afterAll(async () => {
      await service?.close();
      collector.close();
    });

    /** The spans of a trace, once the request's own has arrived: it ends last. */
    const spansOf = (traceId: string): Promise<ReceivedSpan[]> =>
      eventually(
        () => ofTrace(collector.spans(), traceId),
        (spans) => spans.some(({ kind }) => kind === SERVER),
      );

    test("go on with the sender's, with a span each for the request, its use case, the transaction and its statements", async () => {
      const vin = "1HGCM82633A004352";
      const { status } = await service.api("POST", "/api/vehicles?x-secret=no", {
        key: service.superAdminKey,
        headers: { traceparent: RECORDED },
        body: vehicleBody(dealerId, { vin }),
      });
      expect(status).toBe(400); // The parameter is unknown.
      const created = await service.api("POST", "/api/vehicles", {
        headers: { traceparent: `00-${"b".repeat(32)}-${SENDER}-01`, "x-request-id": "traced-1" },
        body: vehicleBody(dealerId, { vin }),
      });
      expect([created.status, created.body]).toMatchObject([201, { vin }]);
      const spans = await spansOf("b".repeat(32));
      const byId = new Map(spans.map((span) => [span.spanId, span]));
      const pathOf = (span: ReceivedSpan): string => {
        const parent = byId.get(span.parentSpanId ?? "");
        return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
      };
      const request = spans.find(({ kind }) => kind === SERVER);
      expect(request).toMatchObject({
        name: "POST /api/vehicles",
        parentSpanId: SENDER,
        attributes: {
          "http.request.method": "POST",
          "http.route": "/api/vehicles",
          "http.response.status_code": 201,
          "inventory.request_id": "traced-1",
        },
      });
      const paths = spans.map(pathOf);
      expect(paths).toContain("POST /api/vehicles > vehicle.create");
      const statements = spans.filter(({ kind }) => kind === CLIENT);
      expect(statements.map(({ attributes }) => attributes["db.system.name"])).not.toContain(undefined);
      const inserts = spans.filter((span) =>
        String(span.attributes["db.query.text"]).includes('insert into "vehicles"'),
      );
      expect(inserts.length).toBeGreaterThan(0);
      for (const insert of inserts) expect(pathOf(insert)).toStartWith("POST /api/vehicles > vehicle.create > ");
      // No value, key, address of the request or secret is recorded.
      for (const secret of [vin, service.superAdminKey, "x-secret", SECRET])
        expect(collector.text()).not.toContain(secret);
    });

    test("are told of refusals and failures by their codes", async () => {
      const trace = "c".repeat(32);
      await service.api("GET", "/api/vehicles/999999999", { headers: { traceparent: `00-${trace}-${SENDER}-01` } });
      const request = (await spansOf(trace)).find(({ kind }) => kind === SERVER);
      expect(request?.attributes).toMatchObject({ "http.response.status_code": 404, "error.type": "not_found" });
      expect(request?.status.code ?? 0).toBe(0);
    });

    test("are not recorded where the sender or the sampler says no, and not for health checks", async () => {
      const last = "d".repeat(32);
      await service.api("GET", "/api/me", { headers: { traceparent: NOT_RECORDED } });
      await service.api("GET", "/api/dealers");
      await service.api("GET", "/health/live", { headers: { traceparent: `00-${"e".repeat(32)}-${SENDER}-01` } });
      await service.api("GET", "/api/me", { headers: { traceparent: `00-${last}-${SENDER}-01` } });
      await spansOf(last);
      const requests = collector.spans().filter(({ kind }) => kind === SERVER);
      expect(requests.map(({ name }) => name)).not.toContain("GET /health/live");
      expect(requests.map(({ name }) => name)).not.toContain("GET /api/dealers");
      expect(ofTrace(requests, "a".repeat(32))).toEqual([]);
    });

    test("are sent to the collector's address for traces, with the configured headers and names", async () => {
      await service.api("GET", "/api/me", { headers: { traceparent: RECORDED } });
      await spansOf(TRACE);
      const [sent] = collector.requests;
      expect(sent?.path).toBe("/v1/traces");
      expect(sent?.headers.get("authorization")).toBe(`Bearer ${SECRET}`);
      expect(collector.resource()).toMatchObject({
        "service.name": "vehicle-inventory",
        "deployment.environment.name": "tests",
      });
      expect(service.log()).not.toContain(SECRET);
    });
  });

test("a trace that begins here is named in the log, and a collector that refuses is reported once and hinders nothing", async () => {
  const refusing = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("no", { status: 400 }) });
  const [engine] = ENGINES;
  const service = await startService(engine, {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${refusing.url.origin}/taken`,
    OTEL_BSP_SCHEDULE_DELAY: "1",
  });
  try {
    for (let count = 0; count < 3; count++) {
      expect((await service.api("GET", "/api/me")).status).toBe(200);
      await eventually(service.log, (text) => text.includes("traces could not be sent"));
    }
    const linesOf = (text: string) =>
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line));
    const tracesIn = (text: string): unknown[] =>
      linesOf(text)
        .filter(({ route }) => route === "/api/me")
        .map(({ trace_id }) => trace_id);
    // A program writes its log a moment after the answer.
    const log = await eventually(service.log, (text) => text.endsWith("\n") && tracesIn(text).length === 3);
    const [lines, traces] = [linesOf(log), tracesIn(log)];
    expect(new Set(traces).size).toBe(3);
    for (const trace of traces) expect(trace).toMatch(/^[0-9a-f]{32}$/);
    expect(lines.filter(({ msg }) => msg === "traces could not be sent")).toHaveLength(1);
  } finally {
    await service.close();
    await refusing.stop(true);
  }
});

test("traces of senders do not go on with OTEL_PROPAGATORS=none: the sampler alone decides what is recorded", async () => {
  const [engine] = ENGINES;
  if (engine === undefined) throw new Error("there is no engine");
  const collector = openCollector();
  const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: "1", OTEL_PROPAGATORS: "none" };
  const service = await startService(engine, traces);
  for (const traceparent of [RECORDED, NOT_RECORDED]) await service.api("GET", "/api/me", { headers: { traceparent } });
  const named = (spans: readonly ReceivedSpan[]) => spans.filter(({ name }) => name === "GET /api/me");
  const spans = await eventually(
    () => named(collector.spans()),
    ({ length }) => length === 2,
  );
  expect(spans.map(({ parentSpanId = "" }) => parentSpanId)).toEqual(["", ""]);
  expect(spans.map(({ traceId }) => traceId)).not.toContain(TRACE);
  await service.close();
  collector.close();
});
