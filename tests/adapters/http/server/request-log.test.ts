import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { withBytes, withCode } from "../../../../adapters/http/protocol/response-facts.ts";
import { sentTraceOf } from "../../../../adapters/http/protocol/trace-id.ts";
import { safeUserAgent } from "../../../../adapters/http/protocol/user-agent.ts";
import { accessLog } from "../../../../adapters/http/server/request-log.ts";
import { systemClock as clock } from "../../../../adapters/system/clock.ts";
import { secrets } from "../../../../adapters/system/secrets.ts";
import type { LogLevel } from "../../../../app/config.ts";
import { openEvents } from "../../../../app/log.ts";

const ROUTE = '/a"route\\/:id';
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const isSecret = () => false;

const textOf = (smallest: number, largest: number, maxLength: number) =>
  fc.string({
    unit: fc.integer({ min: smallest, max: largest }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength,
    size: "max",
  });
/** Any header value as the runtime passes it on: one character for each byte. */
const anyHeader = textOf(0x20, 0xff, 400).filter((text) => text.trim() === text);

const linesAt = (level: LogLevel, route = ROUTE) => {
  const lines: string[] = [];
  const events = openEvents(level, { write: () => {} });
  const log = { events, access: (line: string) => void lines.push(line) };
  const write = accessLog({ log, clock, isSecret }, route);
  return { lines, write };
};

const seenWith = (headers: Record<string, string>, more: object = {}) => ({
  request: new Request("http://localhost/", { headers }),
  requestId: "id",
  address: "198.51.100.7",
  caller: null,
  refused: null,
  ...more,
});

test("a request is logged on one line of ASCII with its outcome, whatever its client sent", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("GET", "DELETE"),
      fc.integer({ min: 200, max: 599 }),
      fc.option(
        fc.record({ keyId: fc.option(fc.maxSafeNat()), userId: fc.option(fc.nat()), dealerId: fc.option(fc.nat()) }),
      ),
      fc.oneof(fc.uuid(), textOf(0x21, 0x7e, 128)),
      textOf(0x20, 0xff, 60),
      fc.option(anyHeader),
      fc.option(anyHeader),
      fc.double({ min: 0, max: 1e8, noNaN: true }),
      (method, status, caller, requestId, address, agent, traceparent, ago) => {
        const { lines, write } = linesAt("info");
        const headers = new Headers();
        if (agent !== null) headers.set("user-agent", agent);
        if (traceparent !== null) headers.set("traceparent", traceparent);
        const request = new Request("http://localhost/", { method, headers });
        const response = withBytes(withCode(new Response("12", { status: 200 }), "not_found"), 12_345);
        Object.defineProperty(response, "status", { value: status });
        write({ request, requestId, address, caller, refused: { keyId: 7, reason: "revoked" } }, response, ago);
        const text = lines.join("");
        expect(text).toMatch(/^[\x20-\x7e]+\n$/);
        const { ms, time, ...line } = JSON.parse(text);
        expect(line).toEqual({
          level: status >= 500 ? "error" : status === 401 || status === 429 ? "warn" : "info",
          method,
          route: ROUTE,
          status,
          bytes: 12_345,
          error_code: "not_found",
          client_address: address,
          user_agent: agent === null ? null : safeUserAgent(agent, isSecret),
          key_id: caller === null ? 7 : caller.keyId,
          user_id: caller?.userId ?? null,
          dealer_id: caller?.dealerId ?? null,
          request_id: requestId,
        });
        expect(ms).toBeCloseTo(ago, 2);
        expect(text).toMatch(/"ms":\d+\.\d{3},/);
        expect(new Date(time).toISOString()).toBe(time);
      },
    ),
  );
});

test("a line states the length of the body, and null only if it is not known yet", () => {
  const bytesOf = (response: Response, method = "GET") => {
    const { lines, write } = linesAt("info");
    write({ ...seenWith({}), request: new Request("http://localhost/", { method }) }, response, 1);
    return JSON.parse(lines.join("")).bytes;
  };
  expect(bytesOf(new Response(null, { status: 304 }))).toBe(0);
  expect(bytesOf(withBytes(new Response("é"), 2))).toBe(2);
  expect(bytesOf(withBytes(new Response("é"), 2), "HEAD")).toBe(0);
  expect(bytesOf(new Response(new ReadableStream()))).toBeNull();
});

test("the log level decides which lines are written", () => {
  const written = (level: LogLevel) => {
    const { lines, write } = linesAt(level);
    for (const status of [200, 404, 401, 429, 500, 503]) write(seenWith({}), new Response("", { status }), 1);
    return lines.map((line) => JSON.parse(line).status);
  };
  expect(written("info")).toEqual([200, 404, 401, 429, 500, 503]);
  expect(written("warn")).toEqual([401, 429, 500, 503]);
  expect(written("error")).toEqual([500, 503]);
  expect(written("silent")).toEqual([]);
});

test("what monitoring and websites ask for all the time is a line of debugging, unless it fails", () => {
  const levels = ["/health/live", "/images/*", "/api/vehicles"].map((route) => {
    const { lines, write } = linesAt("debug", route);
    for (const status of [200, 404]) write(seenWith({}), new Response("", { status }), 1);
    return lines.map((line) => JSON.parse(line).level);
  });
  expect(levels).toEqual([
    ["debug", "info"],
    ["debug", "info"],
    ["info", "info"],
  ]);
});

test("an event has its level as a word and its time in ISO 8601", () => {
  const lines: string[] = [];
  const events = openEvents("debug", { write: (line) => void lines.push(line) });
  events.debug({ a: 1 }, "said");
  events.error("said");
  expect(lines.map((line) => JSON.parse(line).level)).toEqual(["debug", "error"]);
  for (const line of lines) expect(JSON.parse(line).time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

describe("the trace of a request", () => {
  test("is the one of its traceparent, in this version of the header and in later ones", () => {
    for (const sent of [TRACEPARENT, `01-${TRACEPARENT.slice(3)}`, `01-${TRACEPARENT.slice(3)}-more-of-it`])
      expect(sentTraceOf(sent)?.traceId).toBe(TRACE);
  });

  test("is in the line, and the line has no such field without a trace", () => {
    const { lines, write } = linesAt("info");
    write(seenWith({ traceparent: TRACEPARENT }), new Response(), 1);
    write(seenWith({ traceparent: "00-x" }), new Response(), 1);
    write(seenWith({}), new Response(), 1);
    expect(lines.map((line) => JSON.parse(line).trace_id)).toEqual([TRACE, undefined, undefined]);
    expect(lines[1]).not.toContain("trace_id");
  });

  test("is ignored if the header does not follow the standard", () => {
    for (const sent of [
      "",
      TRACE,
      TRACEPARENT.slice(0, -1),
      `${TRACEPARENT}0`,
      `${TRACEPARENT}-more`,
      TRACEPARENT.toUpperCase(),
      `ff${TRACEPARENT.slice(2)}`,
      `01${TRACEPARENT.slice(2)}x`,
      `00-${"0".repeat(32)}-00f067aa0ba902b7-01`,
      `00-${TRACE}-${"0".repeat(16)}-01`,
      `00-${TRACE.slice(1)}"-00f067aa0ba902b7-01`,
      "-".repeat(65_536),
    ])
      expect([sent.slice(0, 80), sentTraceOf(sent)]).toEqual([sent.slice(0, 80), null]);
  });
});

describe("a user agent", () => {
  test("is logged as it is, cut at 200 characters", () => {
    for (const agent of [
      "curl/8.5.0",
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
      "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
      "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
      "northern-motors-inventory-synchronisation/2.14.0",
      "com.example.northern.motors.inventory.mobile/3.1 CFNetwork/1494.0.7 Darwin/23.4.0",
      "",
    ])
      expect(safeUserAgent(agent, isSecret)).toBe(agent);
    expect(safeUserAgent("a b ".repeat(100), isSecret)).toBe("a b ".repeat(50));
  });

  test("is withheld if it may contain a key, whole, cut off or among other words", () => {
    const { key } = secrets.issue("web", "showroom-site");
    const hex = "0123456789abcdef".repeat(4);
    const base64 = "q2ZkVyX+9/AAaabbCCddEEff00112233445566778899=";
    for (const kept of [key, `${key.slice(0, -1)}!`, `vis_${"a".repeat(20)}`, hex, base64, hex.slice(0, 32)])
      for (const agent of [kept, `key=${kept}`, `client/1.0 (${kept})`, `${"a ".repeat(97)}${kept}`, kept.slice(0, 40)])
        expect([agent, safeUserAgent(agent, isSecret)]).toEqual([agent, "withheld"]);
  });

  test("is withheld if one of its words is a key that the service knows, whatever it looks like", () => {
    const chosen = "correct.horse.battery.staple.correct";
    expect(safeUserAgent(`client/1.0 ${chosen}`, (text) => text === chosen)).toBe("withheld");
    expect(safeUserAgent(`client/1.0 ${chosen}`, isSecret)).toBe(`client/1.0 ${chosen}`);
  });
});

test("a successful probe or scrape is logged at debug only, and one that fails as any other request", () => {
  const levels = ["debug", "info"] as const;
  for (const route of ["/health/live", "/health/ready", "/metrics", "/api/vehicles"]) {
    const logged = levels.map((level) => {
      const { lines, write } = linesAt(level, route);
      for (const status of [200, 404, 401, 503]) write(seenWith({}), new Response(null, { status }), 1);
      return lines.map((line) => JSON.parse(line)).map(({ level: of, status }) => `${of} ${status}`);
    });
    const failures = ["info 404", "warn 401", "error 503"];
    const isProbed = route !== "/api/vehicles";
    expect([route, ...logged]).toEqual([
      route,
      [isProbed ? "debug 200" : "info 200", ...failures],
      isProbed ? failures : ["info 200", ...failures],
    ]);
  }
});
