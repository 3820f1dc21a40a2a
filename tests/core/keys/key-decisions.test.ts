import { describe, expect, test } from "bun:test";
import type { Principal } from "../../../core/access/principal.ts";
import { invalid } from "../../../core/failure.ts";
import type { Holder, KeyRecord, OldSecret } from "../../../core/keys/key.ts";
import { graceEnded, holderIn, keyChanged, keyRemoved, keyRotated } from "../../../core/keys/key-changes.ts";
import { permissionSet } from "../../../core/permissions.ts";
import { fakeClock, START_MS } from "../../support/clock.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import { causeOf, succeeded } from "../use-cases.ts";
import { dealerKeyRecord, holder, keyRecord, userKeyRecord } from "./key-records.ts";

const READ = { ownPermissions: permissionSet(["vehicles:read"]) };
const admin = superAdminKey();
const ofSeven = dealerKey(7);
const unproved = superAdminKey({ via: "portal", provedRecently: false });
const fromOffice = dealerKey(7, { allowedNetworks: ["192.0.2.0/24"] });
const at = (ms: number): string => new Date(START_MS + ms).toISOString();
const OLD: OldSecret = { start: "old", endsAt: at(1000), lastUsedAt: null, uses: 0, usesDay: null };

test("a key is tied to nobody, or to a user whose keys the caller manages", () => {
  const found = holder({ dealerId: 7 });
  expect(holderIn(admin, null, found)).toBeNull();
  expect(holderIn(admin, 5, found)).toBe(found);
  expect(causeOf(holderIn(admin, 5, null))?.kind).toBe("invalid");
  // Who does not see all users does not learn that there is none.
  expect(causeOf(holderIn(ofSeven, 5, null))?.kind).toBe("escalation");
  expect(causeOf(holderIn(userKey("user", 7, { userId: 6 }), 5, found))?.kind).toBe("escalation");
  expect(holderIn(userKey("user", 7, { userId: 5 }), 5, found)).toBe(found);
});

describe("a change of a key", () => {
  interface Given {
    readonly key?: KeyRecord;
    readonly named?: Holder | null;
    readonly ends?: boolean;
    readonly rotates?: boolean;
  }
  const change = (
    by: Principal,
    plan: (key: KeyRecord) => KeyRecord,
    { key = dealerKeyRecord(7, READ), named = null, ...more }: Given = {},
  ) => keyChanged(by, { operation: "key.update", plan, ...more }, { key, named });
  const kindOf = (...of: Parameters<typeof change>) => causeOf(change(...of))?.kind;
  const rename = (key: KeyRecord): KeyRecord => ({ ...key, name: "Renamed" });

  test("is made by who could make the key as it is and as it becomes", () => {
    expect(succeeded(change(ofSeven, rename)).name).toBe("Renamed");
    const ofEight = { key: dealerKeyRecord(8, READ) };
    expect(kindOf(ofSeven, (key) => ({ ...key, dealerId: 7 }), ofEight)).toBe("escalation");
    expect(kindOf(ofSeven, (key) => ({ ...key, dealerId: 8 }))).toBe("escalation");
    expect(kindOf(ofSeven, (key) => ({ ...key, ownPermissions: permissionSet(["users:write"]) }))).toBeUndefined();
    expect(kindOf(unproved, (key) => ({ ...key, ownPermissions: permissionSet(["users:write"]) }))).toBe(
      "proof-too-old",
    );
  });

  test("that the key cannot have is refused with its faults", () => {
    const refused = keyChanged(
      ofSeven,
      { operation: "key.update", plan: () => invalid({ path: "name", message: "is taken" }) },
      { key: dealerKeyRecord(7, READ), named: null },
    );
    expect(causeOf(refused)).toMatchObject({ issues: [{ path: "name" }] });
  });

  test("lets a key work again only for the rank that ended it, and records who ends it", () => {
    const ended = { key: dealerKeyRecord(7, { ...READ, active: false, endedBy: "super_admin" }) };
    const activate = (key: KeyRecord): KeyRecord => ({ ...key, active: true });
    const end = (key: KeyRecord): KeyRecord => ({ ...key, active: false });
    expect(kindOf(ofSeven, activate, ended)).toBe("escalation");
    expect(succeeded(change(admin, activate, ended)).endedBy).toBeNull();
    expect(succeeded(change(ofSeven, end)).endedBy).toBe("dealer_admin");
    expect(succeeded(change(ofSeven, rename, ended)).endedBy).toBe("super_admin");
    const again = { key: dealerKeyRecord(7, { ...READ, active: false, endedBy: "dealer_admin" as const }) };
    expect(succeeded(change(admin, end, again)).endedBy).toBe("dealer_admin");
    expect(succeeded(change(admin, end, { ...again, ends: true })).endedBy).toBe("super_admin");
  });

  test("ties it to the user who is named, with that user's rights", () => {
    const key = userKeyRecord(holder({ dealerId: 7 }), { userId: 5 });
    const retie = (one: KeyRecord): KeyRecord => ({ ...one, userId: 6 });
    expect(succeeded(change(ofSeven, retie, { key, named: holder({ dealerId: 7 }) })).userId).toBe(6);
    expect(kindOf(ofSeven, retie, { key, named: holder({ dealerId: 8 }) })).toBe("escalation");
    expect([kindOf(ofSeven, retie, { key }), kindOf(admin, retie, { key })]).toEqual(["escalation", "invalid"]);
    expect(kindOf(ofSeven, rename, { key })).toBeUndefined();
    const untie = (one: KeyRecord): KeyRecord => ({ ...one, association: "dealer", dealerId: 7, userId: null });
    expect(kindOf(userKey("user", 7, { userId: 5 }), untie, { key })).toBe("escalation");
    expect(kindOf(userKey("user", 7, { userId: 5 }), retie, { key, named: holder({ dealerId: 7 }) })).toBe(
      "escalation",
    );
  });

  test("widens no networks beyond the caller's, and renews no secret that is open to more", () => {
    const widen = (key: KeyRecord): KeyRecord => ({ ...key, allowedNetworks: null });
    const key = dealerKeyRecord(7, { ...READ, allowedNetworks: ["192.0.2.7/32"] });
    expect([kindOf(fromOffice, widen, { key }), kindOf(fromOffice, rename, { key })]).toEqual([
      "escalation",
      undefined,
    ]);
    expect(kindOf(fromOffice, rename)).toBeUndefined();
    expect(kindOf(fromOffice, rename, { rotates: true })).toBe("escalation");
  });
});

describe("a new secret", () => {
  const clock = fakeClock();
  const secrets = { issue: () => ({ key: "new", hash: "hash", start: "start" }) };
  const rotate = (by: Principal, fields: Partial<KeyRecord> = {}, graceSeconds = 60) =>
    keyRotated(by, dealerKeyRecord(7, { ...READ, ...fields }), {
      graceSeconds,
      secrets,
      clock: { after: (seconds) => at(seconds * 1000) },
    });
  const endOf = (fields: Partial<KeyRecord>) => {
    const decided = succeeded(rotate(ofSeven, fields));
    return decided.does === "rotate" ? decided.previousEndsAt : null;
  };

  test("is for who may have the key as it is", () => {
    expect(succeeded(rotate(ofSeven)).does).toBe("rotate");
    for (const by of [dealerKey(8), fromOffice]) expect(causeOf(rotate(by))?.kind).toBe("escalation");
    expect(causeOf(rotate(unproved, { ownPermissions: permissionSet(["users:write"]) }))?.kind).toBe("proof-too-old");
  });

  test("leaves the old one for the time that was asked for, and neither beyond the key's end nor to one that ended", () => {
    expect(endOf({})).toBe(at(60_000));
    expect(endOf({ expiresAt: at(30_000) })).toBe(at(30_000));
    expect(endOf({ expiresAt: at(90_000) })).toBe(at(60_000));
    expect(endOf({ active: false })).toBe(at(0));
    const ofUser = { association: "user", userId: 1, ownPermissions: 0 } as const;
    const named = (active: boolean) => ({ ...ofUser, holder: holder({ dealerId: 7, active }) });
    expect([endOf(named(true)), endOf(named(false))]).toEqual([at(60_000), at(0)]);
  });

  test("may be made the only one at once, if an old one works", () => {
    const inGrace = dealerKeyRecord(7, { ...READ, oldSecret: OLD });
    expect(graceEnded(ofSeven, inGrace, clock.now())).toEqual({ does: "end-grace" });
    expect(graceEnded(ofSeven, dealerKeyRecord(7, READ), clock.now())).toBeNull();
    expect(causeOf(graceEnded(dealerKey(8), inGrace, clock.now()))?.kind).toBe("escalation");
  });
});

test("a key is removed by who could make it, and a super-admin's only with recent proof", () => {
  expect(keyRemoved(ofSeven, dealerKeyRecord(7, READ))).toEqual({ does: "remove" });
  expect(causeOf(keyRemoved(dealerKey(8), dealerKeyRecord(7, READ)))?.kind).toBe("escalation");
  expect(causeOf(keyRemoved(unproved, keyRecord(READ)))?.kind).toBe("proof-too-old");
  expect(keyRemoved(unproved, dealerKeyRecord(7, READ))).toEqual({ does: "remove" });
});
