import { describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { ANSWERING, connect, ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { NORTH, NORTH_CAR, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

for (const engine of ANSWERING)
  describe(`failures on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    test("from a defect are 500s without internals, and the log has the details under the same request id", async () => {
      const elsewhere = connect(fixture.service.databaseUrl);
      await elsewhere.migrate(async (run) => void (await run("ALTER TABLE vehicle_images RENAME TO mislaid_images")));
      const path = `/api/vehicles/${NORTH_CAR}/images`;
      const reply = await fixture.api("GET", path, { headers: { "x-request-id": "defect-1" } });
      expectReply(reply, {
        status: 500,
        code: "internal_error",
        has: { request_id: "defect-1" },
        hides: ["vehicle_images", "table", "SELECT", "select"],
      });
      const log = await eventually(fixture.service.log, (text) => text.includes("vehicle_images"));
      const line = log.split("\n").find((one) => one.includes("vehicle_images")) ?? "";
      expect(JSON.parse(line)).toMatchObject({ request_id: "defect-1", route: "/api/vehicles/:id/images" });

      await elsewhere.migrate(async (run) => void (await run("ALTER TABLE mislaid_images RENAME TO vehicle_images")));
      await elsewhere.close();
      expectReply(await fixture.api("GET", path), { status: 200 });
    });
  });

for (const engine of ENGINES.filter(({ name }) => name === "SQLite"))
  describe("a locked SQLite database", () => {
    const fixture = serviceFixture(engine);

    test("answers changes with 503 and Retry-After, and reads as usual", async () => {
      const elsewhere = connect(fixture.service.databaseUrl);
      const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const lock = elsewhere.write(() => {
        held.resolve();
        return released.promise;
      });
      await held.promise;
      const change = fixture.api("POST", "/api/vehicles", { body: vehicleBody(NORTH) });
      for (let read = 0; read < 20; read++)
        expectReply(await fixture.api("GET", `/api/vehicles/${NORTH_CAR}`), { status: 200 });
      const refused = { status: 503, code: "unavailable", gives: { "retry-after": /^[1-9]\d*$/ } };
      expectReply(await change, refused);
      released.resolve();
      await lock;
      await elsewhere.close();
      expectReply(await fixture.api("POST", "/api/vehicles", { body: vehicleBody(NORTH) }), { status: 201 });
      expectReply(await fixture.api("GET", "/api/vehicles"), { status: 200, has: { meta: { total: 3 } } });
    });
  });
