import { describe, expect, test } from "bun:test";
import { makeMe } from "../../../core/keys/me.ts";
import { permissionSet } from "../../../core/permissions.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const core = openFixture();
const ARRIVAL = { address: "192.0.2.7", limits: { per_minute: 100, remaining: 99, reset_seconds: 17 } };

describe("a key that asks about itself", () => {
  test("learns its name, kind and expiry, its limits and its address, and never its secret", async () => {
    const { record, apiKey } = await core.newKey({ expires_at: "2999-01-01T00:00:00Z" });
    const answer = succeeded(await core.me(superAdminKey({ keyId: record.id }), ARRIVAL));
    expect(answer).toMatchObject({
      key: {
        id: record.id,
        name: "Showroom website",
        app_type: "web",
        association: "none",
        expires_at: "2999-01-01T00:00:00.000Z",
        public: false,
      },
      dealer: null,
      ...ARRIVAL,
    });
    expect(JSON.stringify(answer)).not.toContain(apiKey.slice(0, 20));
  });

  test("learns what it may do now, in pairs", async () => {
    const { record } = await core.newKey();
    const permissions = permissionSet(["vehicles:read", "audit:read"]);
    expect(succeeded(await core.me(superAdminKey({ keyId: record.id, permissions }), ARRIVAL)).permissions).toEqual([
      { resource: "vehicles", action: "read" },
      { resource: "audit", action: "read" },
    ]);
  });

  test("learns what its dealer prints, without any permission and never another dealer", async () => {
    const { id: dealerId } = await core.newDealer({
      website: "https://harbor.example.com",
      hours: { sunday: "closed" },
    });
    const { record } = await core.newKey({ dealer_id: dealerId });
    const dealer = {
      id: dealerId,
      name: "Harbor Motors",
      address: "12 Quay Street",
      city: "Portland",
      state: "OR",
      zip: "97201",
      phone: "503-555-0142",
      email: "sales@harbor.example.com",
      website: "https://harbor.example.com",
      logo_url: null,
      hours: { sunday: "closed" },
      latitude: expect.any(Number),
      longitude: expect.any(Number),
    };
    const caller = dealerKey(dealerId, { keyId: record.id, permissions: 0 });
    expect(succeeded(await core.me(caller, ARRIVAL)).dealer).toEqual(dealer);
    const { user_id, dealer_id } = { user_id: core.records.userId, dealer_id: core.records.dealerId };
    const ofUser = (await core.newKey({ user_id })).record;
    const answer = succeeded(
      await core.me(userKey("user", dealer_id, { keyId: ofUser.id, userId: user_id, permissions: 0 }), ARRIVAL),
    );
    expect(answer).toMatchObject({ key: { association: "user" }, dealer: { id: dealer_id }, permissions: [] });
  });

  test("that was deleted meanwhile is not found", async () => {
    const { record } = await core.newKey();
    succeeded(await core.keys.remove(superAdminKey(), record.id));
    expect(causeOf(await core.me(superAdminKey({ keyId: record.id }), ARRIVAL))).toMatchObject({ kind: "not-found" });
  });

  test("asks for a dealer only if it is bound to one, and for itself only if it is a key", async () => {
    const asked: number[] = [];
    const { keys, dealers } = core.repositories;
    const find: typeof dealers.find = (id, scope) => {
      asked.push(id);
      return dealers.find(id, scope);
    };
    const me = makeMe({ keys, dealers: { find } });
    const { dealerId, keyId } = core.records;
    expect(succeeded(await me(superAdminKey({ keyId }), ARRIVAL)).dealer).toBeNull();
    expect(asked).toEqual([]);
    expect(succeeded(await me(dealerKey(dealerId, { keyId }), ARRIVAL)).dealer?.id).toBe(dealerId);
    expect(asked).toEqual([dealerId]);
    expect(causeOf(await me(superAdminKey({ keyId: null }), ARRIVAL))).toMatchObject({ kind: "not-found", id: 0 });
  });
});
