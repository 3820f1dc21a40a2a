import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import pino from "pino";
import { LogBatch } from "../../../adapters/http/log-batch.ts";
import { type Access, accessLog } from "../../../adapters/http/request-log.ts";
import { systemClock } from "../../../adapters/system/clock.ts";

/** A log, and what it has delivered so far. */
const openLog = () => {
  const delivered: string[] = [];
  const access = new LogBatch((lines) => delivered.push(lines.toString()));
  const write = accessLog({ events: pino({ level: "silent" }), access }, systemClock, '/a"route\\é/:id');
  return { write, access, delivered };
};

const request = (fields: Partial<Access> = {}): Access => ({
  method: "GET",
  status: 200,
  startedAt: performance.now(),
  keyId: 1,
  requestId: "a-request",
  ...fields,
});

const visible = fc.string({ unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)) });

describe("the line of a request", () => {
  test("is JSON with what came of it, whatever is in its request id, key and route", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("GET", "DELETE"),
        fc.integer({ min: 100, max: 599 }),
        fc.option(fc.maxSafeNat()),
        fc.oneof(fc.uuid(), visible),
        fc.double({ min: 0, max: 1e8, noNaN: true }),
        (method, status, keyId, requestId, ago) => {
          const { write, access, delivered } = openLog();
          const startedAt = performance.now() - ago;
          write({ method, status, startedAt, keyId, requestId });
          access.flush();
          const [{ ms, time, ...line }] = [JSON.parse(delivered.join(""))];
          const isUuid = /^[0-9a-f-]{36}$/.test(requestId);
          expect(line).toEqual({
            level: 30,
            method,
            route: '/a"route\\é/:id',
            status,
            key_id: keyId,
            request_id: requestId.length > 31 && !isUuid ? "withheld" : requestId,
          });
          expect(ms).toBeGreaterThanOrEqual(ago - 0.001);
          expect(delivered.join("")).toMatch(/"ms":\d+\.\d{3},/);
          expect(new Date(time).toISOString()).toBe(time);
        },
      ),
    );
  });

  test("arrives whole and in its place, however many there are", () => {
    const { write, access, delivered } = openLog();
    const many = 5000;
    for (let key = 0; key < many; key++) write(request({ keyId: key, requestId: `${key}`.repeat(6) }));
    expect(delivered.length).toBeGreaterThan(10);
    access.flush();
    const keys = delivered.flatMap((batch) =>
      batch
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).key_id),
    );
    expect(keys).toEqual(Array.from({ length: many }, (_, key) => key));
  });
});
