import { describe, expect, test } from "bun:test";
import { ANSWERING } from "../support/engines.ts";
import { type Caller, NORTH, SOUTH, SOUTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

type Line = readonly [caller: Caller, method: string, path: string, body: object | undefined, status: number];

/** Attempts and their audit entries: the resource and id of the entry, or none. */
const ATTEMPTS: readonly (readonly [...Line, entry: readonly [string, number | null] | null])[] = [
  ["north", "PUT", `/api/vehicles/${SOUTH_CAR}`, { year: 2001 }, 403, ["vehicles", SOUTH_CAR]],
  ["north", "DELETE", `/api/vehicles/${SOUTH_CAR}`, undefined, 403, ["vehicles", SOUTH_CAR]],
  ["north", "GET", `/api/dealers/${SOUTH}/stats`, undefined, 403, ["dealers", SOUTH]],
  ["north", "POST", "/api/dealers", {}, 403, ["dealers", null]],
  ["north's powerless", "POST", "/api/vehicles", {}, 403, ["vehicles", null]],
  ["north", "PUT", "/api/vehicles/999999", { year: 2001 }, 404, null],
  ["north", "PUT", `/api/vehicles/${SOUTH_CAR}`, { pirce: 1 }, 400, null],
  ["north", "GET", "/api/keys/999999", undefined, 404, null],
  ["north", "POST", "/api/vehicles", vehicleBody(NORTH), 201, null],
];

for (const engine of ANSWERING)
  describe(`denials on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    for (const [caller, method, path, body, status, entry] of ATTEMPTS)
      test(`${entry ? "include at once" : "do not include"} ${method} ${path} by ${caller}, answered ${status}`, async () => {
        const { id, api_key } = fixture.records.keys[caller];
        const denied = async () =>
          await fixture.api<{ resource: string; resource_id: number | null; after: object; dealer_id: number }[]>(
            "GET",
            `/api/audit?actor=key:${id}&action=access.denied&limit=1000`,
          );
        const before = (await denied()).body.length;
        expect((await fixture.as(caller, { method, path, body })).status).toBe(status);
        const after = await denied();
        expect(after.body.length - before).toBe(entry === null ? 0 : 1);
        if (entry !== null) {
          expect(after.body[0]).toMatchObject({ resource: entry[0], resource_id: entry[1], dealer_id: NORTH });
          expect(after.text).not.toContain(api_key);
        }
      });

    test("are visible to admins of the key's dealer, but not of the record's dealer", async () => {
      await fixture.as("north", { method: "DELETE", path: `/api/vehicles/${SOUTH_CAR}` });
      const seen = async (caller: Caller) =>
        (await fixture.as<object[]>(caller, { method: "GET", path: `/api/audit?action=access.denied&id=${SOUTH_CAR}` }))
          .body.length;
      expect(await seen("north's admin")).toBeGreaterThan(0);
      expect(await seen("south")).toBe(0);
    });
  });
