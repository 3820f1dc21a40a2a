import { expect, test } from "bun:test";
import fc from "fast-check";
import pino from "pino";
import { accessLog } from "../../../adapters/http/request-log.ts";
import { systemClock } from "../../../adapters/system/clock.ts";

const ROUTE = '/a"route\\/:id';
const visible = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 128,
  size: "max",
});

test("the line of a request is JSON with what came of it, whatever is in its request id and route", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("GET", "DELETE"),
      fc.integer({ min: 100, max: 599 }),
      fc.option(fc.maxSafeNat()),
      fc.oneof(fc.uuid(), visible),
      fc.double({ min: 0, max: 1e8, noNaN: true }),
      (method, status, keyId, requestId, ago) => {
        const lines: string[] = [];
        const log = { events: pino({ level: "silent" }), access: (line: string) => void lines.push(line) };
        accessLog(log, systemClock, ROUTE)({ method, status, startedAt: performance.now() - ago, keyId, requestId });
        const text = lines.join("");
        const { ms, time, ...line } = JSON.parse(text);
        expect(line).toEqual({
          level: 30,
          method,
          route: ROUTE,
          status,
          key_id: keyId,
          request_id: requestId,
        });
        expect(ms).toBeGreaterThanOrEqual(ago - 0.001);
        expect(text).toMatch(/"ms":\d+\.\d{3},.*\}\n$/);
        expect(new Date(time).toISOString()).toBe(time);
      },
    ),
  );
});
