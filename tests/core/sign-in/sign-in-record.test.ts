import { expect, test } from "bun:test";
import type { SecurityEvents } from "../../../core/sign-in/security-events.ts";
import { makeSignInRecord } from "../../../core/sign-in/sign-in-record.ts";
import { fakeClock } from "../../support/clock.ts";

const MINUTE_MS = 60_000;

test("of failures at unknown addresses one a minute and client is recorded, and 60 an hour; the next says how many were not", () => {
  const entries: Parameters<SecurityEvents["record"]>[0][] = [];
  const clock = fakeClock();
  const record = makeSignInRecord({
    clock,
    events: {
      record: async (event) => void entries.push(event),
      recordInBackground: (event) => void entries.push(event),
    },
  });
  const failAt = (address: string): number => {
    const client = { cookies: null, address, limitedAs: address, userAgent: null, requestId: "r", waitSeconds: null };
    record.failed(null, client, "password");
    return entries.length;
  };
  expect([failAt("192.0.2.1"), failAt("192.0.2.1"), failAt("192.0.2.2")]).toEqual([1, 1, 2]);
  expect(entries.map(({ details }) => details)).toEqual([{ wrong: "address" }, { wrong: "address", left_out: 1 }]);
  clock.advance(MINUTE_MS);
  expect(failAt("192.0.2.1")).toBe(3);
  for (let client = 0; client < 100; client++) failAt(`198.51.100.${client}`);
  expect(entries).toHaveLength(60);
  clock.advance(59 * MINUTE_MS);
  expect(failAt("192.0.2.1")).toBe(61);
  expect(entries.at(-1)?.details).toEqual({ wrong: "address", left_out: 43 });
});
