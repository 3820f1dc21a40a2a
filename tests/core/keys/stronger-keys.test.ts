import { describe, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import { permissionSet } from "../../../core/permissions.ts";
import { allBut, dealerKey, superAdminKey, userKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const core = openFixture();
const admin = superAdminKey();

const READ_VEHICLES = { resource: "vehicles", action: "read" } as const;
const READ_AUDIT = { resource: "audit", action: "read" } as const;

describe("a key that can do more than the caller", () => {
  const few = permissionSet(["vehicles:read", "keys:read", "keys:write", "keys:delete"]);
  const callers: Readonly<Record<string, (dealerId: number) => Principal>> = {
    "a dealer's key with fewer pairs": (dealerId) => dealerKey(dealerId, { permissions: few }),
    "a dealer admin with fewer pairs": (dealerId) => userKey("dealer_admin", dealerId, { permissions: few }),
    "a super-admin key with fewer pairs": () => superAdminKey({ permissions: few }),
    "a dealer's key that may make fewer requests": (dealerId) => dealerKey(dealerId, { rateLimit: 99 }),
  };
  const touches: Readonly<Record<string, (caller: Principal, id: number) => unknown>> = {
    changed: (caller, id) => core.keys.update(caller, id, { name: "Mine" }),
    revoked: (caller, id) => core.keys.revoke(caller, id),
    "given a pair": (caller, id) => core.keys.grant(caller, id, READ_VEHICLES),
    "relieved of a pair": (caller, id) => core.keys.withdraw(caller, id, READ_AUDIT),
    "made weak in one go": (caller, id) => core.keys.update(caller, id, { permissions: [], rate_limit: 1 }),
    rotated: (caller, id) => core.keys.rotate(caller, id, {}),
    deleted: (caller, id) => core.keys.remove(caller, id),
  };

  for (const [name, caller] of Object.entries(callers))
    for (const [touched, touch] of Object.entries(touches))
      test(`is not ${touched} by ${name}`, async () => {
        const permissions = [READ_VEHICLES, READ_AUDIT];
        const { record } = await core.newKey({ dealer_id: core.records.dealerId, permissions });
        expect(causeOf(await touch(caller(core.records.dealerId), record.id))?.kind).toBe("escalation");
        expect(succeeded(await core.keys.get(admin, record.id))).toEqual(record);
      });

  test("cannot be created from a weaker one through any field", async () => {
    const caller = dealerKey(core.records.dealerId, { permissions: allBut("audit:read") });
    const { record } = await core.newKey({ dealer_id: core.records.dealerId });
    for (const outcome of [
      await core.keys.update(caller, record.id, { permissions: [READ_AUDIT] }),
      await core.keys.grant(caller, record.id, READ_AUDIT),
      await core.keys.update(caller, record.id, { rate_limit: 101 }),
      await core.keys.update(caller, record.id, { app_type: "mobile" }),
      await core.keys.update(caller, record.id, { dealer_id: core.otherRecords.dealerId }),
      await core.keys.update(caller, record.id, { dealer_id: null }),
      await core.keys.update(caller, record.id, { user_id: core.otherRecords.userId }),
    ])
      expect(causeOf(outcome)?.kind).toBe("escalation");
    expect(succeeded(await core.keys.get(admin, record.id))).toEqual(record);
  });
});
