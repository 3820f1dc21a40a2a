import { describe, expect, test } from "bun:test";
import type { Schedule, ScheduleWithVehicles } from "../../core/scheduled-changes/schedule.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import { type CreatedKey, create, keyBody, NORTH, vehicleBody } from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const HOUR_SECONDS = 3600;

for (const engine of ANSWERING)
  describe(`scheduled changes through the API on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);
    const PATH = "/api/scheduled-changes";
    const newVehicle = async () =>
      (await create(fixture.api, "/api/vehicles", vehicleBody(NORTH, { price: 20_000 }))).id;

    testMovingClock(
      "are made by the service when their time has come, and are listed among recent changes",
      async () => {
        const { api, service } = fixture;
        const permissions = pairs("vehicles:read", "vehicles:write");
        const { api_key: key } = await create<CreatedKey>(api, "/api/keys", keyBody({ dealer_id: NORTH, permissions }));
        const vehicle = await newVehicle();
        const body = { vehicle_id: vehicle, at: service.after(HOUR_SECONDS), changes: { price: 18_500 } };
        const made = await api<ScheduleWithVehicles>("POST", PATH, { body, key });
        expectReply(made, {
          status: 201,
          has: { state: "scheduled", dealer_id: NORTH, vehicle_id: vehicle, total: 1 },
        });
        expect(made.headers.get("location")).toBe(`${PATH}/${made.body.id}`);
        await service.runTimers(HOUR_SECONDS + 1);
        const read = () => api<ScheduleWithVehicles>("GET", `${PATH}/${made.body.id}`, { key });
        const ended = await eventually(read, ({ body }) => body.finished_at !== null);
        const change_id = `scheduled-${made.body.id}`;
        expectReply(ended, { status: 200, has: { state: "done", updated: 1, change_id } });
        expect((await api<Vehicle>("GET", `/api/vehicles/${vehicle}`)).body).toMatchObject({
          price: 18_500,
          previous_price: 20_000,
        });
        const recent = await api<{ data: readonly object[] }>("GET", "/api/recent-changes", { key });
        expect(recent.body.data[0]).toMatchObject({ id: change_id, kind: "scheduled", revertible: true });
        expectReply(await api("DELETE", `${PATH}/${made.body.id}`, { key }), { status: 409, code: "schedule_state" });
      },
    );

    test("are made once by a request that is sent again with its Idempotency-Key", async () => {
      const vehicle = await newVehicle();
      const body = { vehicle_ids: [vehicle], at: fixture.service.after(HOUR_SECONDS), changes: { status: "pending" } };
      const send = () => fixture.api("POST", PATH, { body, headers: { "idempotency-key": "friday" } });
      const [first, again] = [await send(), await send()];
      expect([again.status, again.text]).toEqual([first.status, first.text]);
      const listed = await fixture.api<{ data: readonly Schedule[] }>("GET", `${PATH}?vehicle_id=${vehicle}`);
      expect(listed.body.data).toHaveLength(1);
    });
  });
