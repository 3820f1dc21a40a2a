import { expect, test } from "bun:test";
import { makeRegistry } from "../../../adapters/metrics/registry.ts";
import { requestMeter } from "../../../adapters/metrics/requests.ts";

const NAME = "http_server_request_duration_seconds";
const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW", "x".repeat(1000)];
const STATUSES = [200, 201, 204, 304, 400, 401, 403, 404, 405, 409, 412, 413, 415, 429, 431, 500, 503];

const linesOf = (text: string, name: string): string[] =>
  text.split("\n").filter((line) => line.startsWith(name) && !line.startsWith("#"));
const numberOf = (line: string): number => Number(line.slice(line.lastIndexOf(" ")));

test("every request is in one of few series, however many routes, methods and statuses occur", () => {
  const registry = makeRegistry();
  const meter = requestMeter(registry);
  let requests = 0;
  for (let route = 0; route < 150; route++)
    for (const method of METHODS)
      for (const status of STATUSES) {
        meter.begin();
        meter.of(`/api/route-${route}`)(method, status, 0.01);
        requests++;
      }
  const text = registry.text();
  const series = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(series.length).toBeLessThan(1900);
  expect(new Set(series.map((line) => line.slice(0, line.lastIndexOf(" ")))).size).toBe(series.length);
  const counts = linesOf(text, `${NAME}_count`);
  expect(counts.reduce((sum, line) => sum + numberOf(line), 0)).toBe(requests);
  for (const status of STATUSES) {
    const ofStatus = counts.filter((line) => line.includes(`http_response_status_code="${status}"`));
    expect(ofStatus.reduce((sum, line) => sum + numberOf(line), 0)).toBe(requests / STATUSES.length);
  }
  expect(text).not.toContain("BREW");
  expect(text).not.toContain("xxx");
});

test("refusals, which anybody can cause, leave room for the answers of every route", () => {
  const registry = makeRegistry();
  const meter = requestMeter(registry);
  for (let route = 0; route < 150; route++)
    for (const status of STATUSES.filter((code) => code >= 400)) {
      meter.begin();
      meter.of(`/api/route-${route}`)("GET", status, 0.01);
    }
  meter.begin();
  meter.of("/api/late")("GET", 200, 0.01);
  expect(registry.text()).toContain('http_route="/api/late",http_response_status_code="200"');
});

test("a duration counts in every bucket that is at least as long, and in the sum", () => {
  const registry = makeRegistry();
  const meter = requestMeter(registry);
  for (const seconds of [0.001, 0.002, 3]) {
    meter.begin();
    meter.of("/api/vehicles")("GET", 200, seconds);
  }
  const labels = 'http_request_method="GET",http_route="/api/vehicles",http_response_status_code="200"';
  expect(linesOf(registry.text(), NAME).filter((line) => line.includes(labels))).toEqual([
    ...[
      ["0.001", 1],
      ["0.005", 2],
      ["0.025", 2],
      ["0.1", 2],
      ["0.5", 2],
      ["2.5", 2],
      ["+Inf", 3],
    ].map(([le, count]) => `${NAME}_bucket{${labels},le="${le}"} ${count}`),
    `${NAME}_sum{${labels}} 3.003`,
    `${NAME}_count{${labels}} 3`,
  ]);
});

test("requests under way, refusals by a rate limit and refusals by code have their own counters", () => {
  const registry = makeRegistry();
  const meter = requestMeter(registry);
  const count = meter.of("/api/vehicles");
  for (let request = 0; request < 5; request++) meter.begin();
  for (const [status, code] of [
    [429, "rate_limit_exceeded"],
    [401, "api_key_invalid"],
    [403, "not_your_dealer"],
    [404, "not_found"],
  ] as const) {
    count("GET", status, 0.01);
    meter.refused(status, code);
  }
  const text = registry.text();
  expect(linesOf(text, "http_server_active_requests")).toEqual(["http_server_active_requests 1"]);
  expect(linesOf(text, "inventory_rate_limited_total")).toEqual(["inventory_rate_limited_total 1"]);
  expect(linesOf(text, "inventory_denied_total")).toEqual([
    'inventory_denied_total{code="api_key_invalid"} 1',
    'inventory_denied_total{code="not_your_dealer"} 1',
  ]);
});
