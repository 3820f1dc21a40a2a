import { describe, expect, test } from "bun:test";
import type { RemovedVehicle } from "../../core/removed/removed-vehicle.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { testMovingClock } from "../support/moving-clock.ts";
import {
  type CreatedKey,
  create,
  dealerBody,
  imageBody,
  keyBody,
  NORTH,
  NOTHING,
  SOUTH,
  vehicleBody,
} from "../support/sample-records.ts";
import { pairs } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const RESTORABLE_SECONDS = 30 * 24 * 60 * 60;

interface Page {
  readonly meta: object;
  readonly vehicles: readonly RemovedVehicle[];
}

for (const engine of ANSWERING)
  describe(`removed vehicles over HTTP on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    const newVehicle = (dealer: number, fields: object = {}) =>
      create<Vehicle>(fixture.api, "/api/vehicles", vehicleBody(dealer, fields));
    const removedVehicle = async (dealer: number, fields: object = {}): Promise<Vehicle> => {
      const vehicle = await newVehicle(dealer, fields);
      expectReply(await fixture.api("DELETE", `/api/vehicles/${vehicle.id}`), { status: 200 });
      return vehicle;
    };
    const listed = async (query = "", key?: string): Promise<readonly RemovedVehicle[]> =>
      (await fixture.api<Page>("GET", `/api/vehicles/removed${query}`, key === undefined ? {} : { key })).body.vehicles;

    test("are 404 everywhere and in the list of removed ones, and are restored with id, images and a new version", async () => {
      const path = `/api/vehicles/${(await newVehicle(NORTH, { trim: "XSE" })).id}`;
      await create(fixture.api, `${path}/images`, imageBody());
      await create(fixture.api, `${path}/images`, imageBody({ is_primary: true }));
      const images = (await fixture.api("GET", `${path}/images`)).body;
      const { headers, body: vehicle } = await fixture.api<Vehicle>("GET", path);
      expectReply(await fixture.api("DELETE", path, { headers: { "if-match": '"another"' } }), { status: 412 });
      expectReply(await fixture.api("DELETE", path, { headers: { "if-match": String(headers.get("etag")) } }), {
        status: 200,
        body: { success: true, message: `Vehicle ${vehicle.id} deleted` },
      });
      for (const gone of [path, `${path}/images`]) expectReply(await fixture.api("GET", gone), { status: 404 });
      const [first] = await listed();
      expect(first).toMatchObject({ ...vehicle, removed_by: { type: "key" } });
      const { removed_at = "", restorable_until = "" } = first ?? {};
      expect(removed_at > vehicle.updated_at).toBe(true);
      expect(Date.parse(restorable_until) - Date.parse(removed_at)).toBe(RESTORABLE_SECONDS * 1000);
      const restored = await fixture.api<Vehicle>("POST", `/api/vehicles/removed/${vehicle.id}/restore`);
      expectReply(restored, { status: 200 });
      expect(restored.body).toEqual({ ...vehicle, updated_at: restored.body.updated_at });
      expect(restored.body.updated_at > vehicle.updated_at).toBe(true);
      expect(restored.headers.get("etag")).not.toBe(headers.get("etag"));
      expect((await fixture.api("GET", `${path}/images`)).body).toEqual(images);
      expectReply(await fixture.api("GET", path), { status: 200, body: restored.body });
      expectReply(await fixture.api("POST", `/api/vehicles/removed/${vehicle.id}/restore`), { status: 404 });
    });

    testMovingClock("can be restored for 30 days and no longer", async () => {
      const { id } = await removedVehicle(NORTH);
      const { id: other } = await removedVehicle(NORTH);
      await fixture.service.pass(RESTORABLE_SECONDS - 60);
      expect((await listed()).map((vehicle) => vehicle.id)).toContain(id);
      expectReply(await fixture.api("POST", `/api/vehicles/removed/${id}/restore`), { status: 200 });
      await fixture.service.pass(120);
      expect((await listed()).map((vehicle) => vehicle.id)).not.toContain(other);
      for (const [method, path] of [
        ["POST", `/api/vehicles/removed/${other}/restore`],
        ["DELETE", `/api/vehicles/removed/${other}`],
      ] as const)
        expectReply(await fixture.api(method, path), { status: 404, code: "not_found" });
    });

    test("cannot be restored once they are purged", async () => {
      const { id } = await removedVehicle(NORTH);
      expectReply(await fixture.api("DELETE", `/api/vehicles/removed/${id}`), { status: 200 });
      expectReply(await fixture.api("DELETE", `/api/vehicles/removed/${id}`), { status: 404 });
      expectReply(await fixture.api("POST", `/api/vehicles/removed/${id}/restore`), { status: 404 });
      const entries = await fixture.api<{ action: string }[]>("GET", `/api/audit?resource=vehicles&id=${id}`);
      expect(entries.body.map(({ action }) => action)).toEqual([
        "vehicle.purged",
        "vehicle.removed",
        "vehicle.created",
      ]);
    });

    test("cannot be restored to an inactive dealer: the 409 says why", async () => {
      const { id: dealer } = await create(fixture.api, "/api/dealers", dealerBody());
      const { id } = await removedVehicle(dealer);
      await fixture.api("DELETE", `/api/dealers/${dealer}`);
      const restore = () => fixture.api<{ error: string }>("POST", `/api/vehicles/removed/${id}/restore`);
      const refused = await restore();
      expectReply(refused, { status: 409, code: "not_restorable" });
      expect(refused.body.error).toContain("inactive");
      await fixture.api("PUT", `/api/dealers/${dealer}`, { body: { active: true } });
      expectReply(await restore(), { status: 200 });
    });

    test("are visible to a bound key and restorable only if they are its dealer's, and others seem not to exist", async () => {
      const [ours, theirs] = [await removedVehicle(NORTH), await removedVehicle(SOUTH)];
      const key = fixture.records.keys.north.api_key;
      for (const query of ["", `?dealer_id=${SOUTH}`]) {
        const reply = await fixture.api<Page>("GET", `/api/vehicles/removed${query}`, { key });
        expect(new Set(reply.body.vehicles.map(({ dealer_id }) => dealer_id))).toEqual(new Set([NORTH]));
        expect(reply.body.meta).toMatchObject({ filter_applied: true, dealer_id: NORTH });
      }
      const missing = await fixture.api<{ error: string }>("POST", `/api/vehicles/removed/${NOTHING}/restore`, { key });
      for (const method of ["POST", "DELETE"]) {
        const path = (id: number) => `/api/vehicles/removed/${id}${method === "POST" ? "/restore" : ""}`;
        const reply = await fixture.api<{ error: string }>(method, path(theirs.id), { key });
        expectReply(reply, { status: 404, code: "not_found" });
        expect(reply.body.error).toBe(missing.body.error.replace(String(NOTHING), String(theirs.id)));
      }
      expectReply(await fixture.api("POST", `/api/vehicles/removed/${ours.id}/restore`, { key }), { status: 200 });
    });

    test("show their dealer who removed them only if it was one of the dealer's own", async () => {
      const { id } = await removedVehicle(NORTH);
      const own = await newVehicle(NORTH);
      const key = fixture.records.keys.north;
      await fixture.api("DELETE", `/api/vehicles/${own.id}`, { key: key.api_key });
      const byId = new Map((await listed("", key.api_key)).map((vehicle) => [vehicle.id, vehicle.removed_by]));
      expect(byId.get(id)).toEqual({ type: "operator", id: null, name: "Operator" });
      expect(byId.get(own.id)).toMatchObject({ type: "key", id: key.id });
    });

    test("are paged, counted, filtered and searched", async () => {
      const { id: dealer } = await create(fixture.api, "/api/dealers", dealerBody());
      for (const trim of ["Lux", "Eco", "Sport"]) {
        await removedVehicle(dealer, { trim });
      }
      const reply = await fixture.api<Page>("GET", `/api/vehicles/removed?dealer_id=${dealer}&limit=2&offset=1`);
      expect(reply.body.vehicles.map(({ trim }) => trim)).toEqual(["Eco", "Lux"]);
      expect(reply.headers.get("x-total-count")).toBe("3");
      expect(reply.headers.get("link")).toContain('rel="prev"');
      expect(reply.body.meta).toEqual({
        total: 3,
        filter_applied: false,
        dealer_id: dealer,
        timestamp: expect.any(String),
      });
      const found = await listed(`?dealer_id=${dealer}&q=toy%20spo`);
      expect(found.map(({ trim }) => trim)).toEqual(["Sport"]);
      for (const query of ["?q=%20", "?q=%25", "?limit=0", "?dealer_id=x", "?q="])
        expectReply(await fixture.api("GET", `/api/vehicles/removed${query}`), { status: 400, code: "invalid_input" });
    });

    test("are hidden from callers who may not delete vehicles", async () => {
      const { id } = await removedVehicle(NORTH);
      const { api_key: key } = await create<CreatedKey>(
        fixture.api,
        "/api/keys",
        keyBody({ permissions: pairs("vehicles:read", "vehicles:write") }),
      );
      for (const [method, path] of [
        ["GET", "/api/vehicles/removed"],
        ["POST", `/api/vehicles/removed/${id}/restore`],
        ["DELETE", `/api/vehicles/removed/${id}`],
      ] as const)
        expectReply(await fixture.api(method, path, { key }), { status: 403, code: "permission_missing" });
    });
  });
