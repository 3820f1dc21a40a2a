import { describe, expect, test } from "bun:test";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { NORTH, NORTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

/** The clock of the tests stands in 2026. */
const RANGE = "must be a whole number from 1886 to 2028";
const INVALID = [1500, 2029, 20_240, 2024.5, "2024"];

for (const engine of ANSWERING)
  describe(`an invalid year on ${engine.name} is told the range that holds now`, () => {
    const fixture = serviceFixture(engine);

    for (const [way, method, path, bodyOf] of [
      ["when a vehicle is created", "POST", "/api/vehicles", (year: unknown) => vehicleBody(NORTH, { year })],
      ["when a vehicle is changed", "PUT", `/api/vehicles/${NORTH_CAR}`, (year: unknown) => ({ year })],
      [
        "in a bulk change",
        "POST",
        "/api/vehicles/bulk",
        (year: unknown) => ({ ids: [NORTH_CAR], changes: { year }, dry_run: true }),
      ],
    ] as const)
      test(way, async () => {
        for (const year of INVALID) {
          const reply = await fixture.api<{ details: readonly { message: string }[] }>(method, path, {
            body: bodyOf(year),
          });
          expect([year, reply.status, reply.body.details.map(({ message }) => message)]).toEqual([year, 400, [RANGE]]);
        }
      });

    test("in an import", async () => {
      const raw = "VIN,Make,Model,Year,Price\nV1,Kia,Rio,1500,1\nV2,Kia,Rio,20240,1\nV3,Kia,Rio,2029,1\n";
      const { body } = await fixture.api<{ id: number }>("POST", `/api/imports?dealer_id=${NORTH}`, {
        raw,
        headers: { "content-type": "text/csv" },
      });
      const { body: rows } = await eventually(
        () =>
          fixture.api<{ data: readonly { errors: readonly { message: string }[] }[] }>(
            "GET",
            `/api/imports/${body.id}/rows`,
          ),
        (reply) => reply.body.data.length === 3,
      );
      expect(rows.data.map(({ errors }) => errors.map(({ message }) => message))).toEqual([[RANGE], [RANGE], [RANGE]]);
    });
  });
