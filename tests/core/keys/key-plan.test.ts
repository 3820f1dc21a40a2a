import { describe, expect, test } from "bun:test";
import { Failure } from "../../../core/failure.ts";
import type { KeyChanges, KeyRecord } from "../../../core/keys/key.ts";
import {
  associationOf,
  bothTiesIssues,
  expiryFormatIssues,
  expiryIssues,
  fieldsAfter,
  latestExpiry,
  permissionSetOf,
  tieIssues,
  timestampOf,
  unknownDealer,
  withPermissions,
} from "../../../core/keys/key-plan.ts";
import { permissionSet } from "../../../core/permissions.ts";
import { fakeClock } from "../../support/clock.ts";
import { pathsOf, succeeded } from "../use-cases.ts";
import { dealerKeyRecord, holder, keyRecord, userKeyRecord } from "./key-records.ts";

const clock = fakeClock();
const NOW = clock.now();
const ENDLESS = { clock, maxKeyDays: null };
const TWO_DAYS = { clock, maxKeyDays: 2 };
const LATEST = clock.after(2 * 24 * 60 * 60);
const TOO_LATE = clock.after(2 * 24 * 60 * 60 + 1);
const READ = { resource: "vehicles", action: "read" } as const;
const WRITE = { resource: "vehicles", action: "write" } as const;
const NOBODY = { keyId: null, address: null };

const after = (key: KeyRecord, body: KeyChanges, rules: Partial<Parameters<typeof fieldsAfter>[0]> = {}) =>
  fieldsAfter({ ...ENDLESS, caller: NOBODY, ...rules }, key, body);
const messagesOf = (issues: readonly { readonly message: string }[]) => issues.map(({ message }) => message);

describe("the expiry of a key", () => {
  test("is read if one was sent", () => {
    expect(timestampOf(clock, "2030-01-01T01:00:00+01:00")).toBe("2030-01-01T00:00:00.000Z");
    expect([timestampOf(clock, null), timestampOf(clock, undefined)]).toEqual([null, null]);
    expect(expiryFormatIssues(clock, { expires_at: "tomorrow" })).toHaveLength(1);
    for (const expires_at of [NOW, null, undefined, 5]) expect(expiryFormatIssues(clock, { expires_at })).toEqual([]);
  });

  test("is ahead of now, and no further than the operator lets keys live", () => {
    expect([latestExpiry(ENDLESS), latestExpiry(TWO_DAYS)]).toEqual([null, LATEST]);
    const told = (rules: typeof ENDLESS | typeof TWO_DAYS, expires_at: unknown) =>
      messagesOf(expiryIssues(rules, NOW, { expires_at }));
    const unreadable = /^must be an ISO 8601/;
    const past = /^must be in the future$/;
    const long = /^must be at most 2 days ahead/;
    for (const [rules, expires_at, expected] of [
      [ENDLESS, "tomorrow", unreadable],
      [TWO_DAYS, "tomorrow", unreadable],
      [ENDLESS, NOW, past],
      [TWO_DAYS, NOW, past],
      [TWO_DAYS, TOO_LATE, long],
    ] as const)
      expect(told(rules, expires_at)).toEqual([expect.stringMatching(expected)]);
    for (const [rules, expires_at] of [
      [ENDLESS, TOO_LATE],
      [ENDLESS, clock.after(1)],
      [TWO_DAYS, LATEST],
      [TWO_DAYS, undefined],
      [TWO_DAYS, null],
      [TWO_DAYS, 5],
    ] as const)
      expect([expires_at, told(rules, expires_at)]).toEqual([expires_at, []]);
  });

  test("is held to both when it is changed, and kept when it is not", () => {
    const ending = keyRecord({ expiresAt: NOW });
    for (const [key, expires_at, rules] of [
      [keyRecord(), NOW, ENDLESS],
      [keyRecord(), TOO_LATE, TWO_DAYS],
      [ending, null, TWO_DAYS],
    ] as const)
      expect(pathsOf(after(key, { expires_at }, rules))).toEqual(["expires_at"]);
    for (const [key, expires_at, rules, stored] of [
      [ending, NOW, ENDLESS, NOW],
      [ending, undefined, TWO_DAYS, NOW],
      [ending, null, ENDLESS, null],
      [keyRecord(), undefined, TWO_DAYS, null],
      [keyRecord(), null, TWO_DAYS, null],
      [keyRecord(), LATEST, TWO_DAYS, LATEST],
      [keyRecord(), TOO_LATE, ENDLESS, TOO_LATE],
    ] as const)
      expect(succeeded(after(key, { ...(expires_at !== undefined && { expires_at }) }, rules)).expiresAt).toBe(stored);
  });
});

describe("what a key is tied to", () => {
  test("follows from its dealer and its user", () => {
    expect([associationOf(null, null), associationOf(7, null), associationOf(null, 5)]).toEqual([
      "none",
      "dealer",
      "user",
    ]);
    expect(pathsOf(unknownDealer(7))).toEqual(["dealer_id"]);
  });

  test("is sent as one of both, and agrees with what a new key is said to be", () => {
    const bothAndNone = { dealer_id: 7, user_id: 5, association: "none" };
    for (const [scope, fields, paths] of [
      [null, {}, []],
      [null, { dealer_id: 7 }, []],
      [null, { user_id: 5 }, []],
      [null, { dealer_id: 7, user_id: null }, []],
      [null, { dealer_id: 7, user_id: 5 }, ["user_id"]],
      [null, { association: "none" }, []],
      [null, { association: "dealer" }, ["association"]],
      [null, { association: "dealer", dealer_id: 7 }, []],
      [null, { association: "user", dealer_id: 7 }, ["association"]],
      [null, { association: "none", dealer_id: 7 }, ["association"]],
      [null, { association: "user", user_id: 5 }, []],
      [null, bothAndNone, ["user_id", "association"]],
      [7, {}, []],
      [7, { association: "dealer" }, []],
      [7, { association: "user" }, ["association"]],
      [7, { association: "user", user_id: 5 }, []],
      // That is refused later: a bound caller makes no such keys.
      [7, { association: "none" }, []],
      [7, bothAndNone, ["user_id"]],
    ] as const)
      expect([fields, tieIssues(scope, fields).map(({ path }) => path)]).toEqual([fields, [...paths]]);
    expect(bothTiesIssues({ user_id: 5 })).toEqual([]);
    expect(bothTiesIssues({ dealer_id: null, user_id: 5 })).toEqual([]);
  });

  test("is replaced by what is named, which clears the other, and stays as it is otherwise", () => {
    const none = keyRecord();
    const dealer = dealerKeyRecord(7);
    const user = userKeyRecord(holder(), { userId: 5 });
    for (const [key, body, ties] of [
      [none, {}, ["none", null, null]],
      [none, { dealer_id: 8 }, ["dealer", 8, null]],
      [none, { user_id: 6 }, ["user", null, 6]],
      [none, { dealer_id: null, user_id: null }, ["none", null, null]],
      [dealer, {}, ["dealer", 7, null]],
      // Its dealer was lost: it is no super-admin's for that.
      [dealerKeyRecord(null), {}, ["dealer", null, null]],
      [dealer, { dealer_id: 8 }, ["dealer", 8, null]],
      [dealer, { dealer_id: null }, ["none", null, null]],
      [dealer, { user_id: null }, ["dealer", 7, null]],
      [dealer, { user_id: 6 }, ["user", null, 6]],
      [dealer, { dealer_id: null, user_id: 6 }, ["user", null, 6]],
      [user, {}, ["user", null, 5]],
      [user, { dealer_id: null }, ["user", null, 5]],
      [user, { user_id: null }, ["none", null, null]],
      [user, { user_id: 6 }, ["user", null, 6]],
      [user, { dealer_id: 8 }, ["dealer", 8, null]],
      [user, { dealer_id: 8, user_id: null }, ["dealer", 8, null]],
    ] as const) {
      const { association, dealerId, userId } = succeeded(after(key, body));
      expect([body, association, dealerId, userId]).toEqual([body, ...ties]);
      expect(after(key, { ...body, association })).not.toBeInstanceOf(Failure);
      const other = association === "user" ? "dealer" : "user";
      expect(pathsOf(after(key, { ...body, association: other }))).toEqual(["association"]);
    }
  });
});

describe("a change of a key", () => {
  const full = dealerKeyRecord(7, {
    description: "On the website",
    rateLimit: 7,
    isPublic: true,
    ownPermissions: permissionSet(["vehicles:read"]),
    allowedOrigins: ["https://www.harbor.example.com"],
    allowedNetworks: ["192.0.2.0/24"],
    ownerEmail: "owner@harbor.example.com",
    active: false,
    endedBy: "super_admin",
    disabledReason: "idle",
  });

  test("keeps what it does not name, and stores what it names", () => {
    const { name, description, rateLimit, isPublic, allowedOrigins, allowedNetworks, ownerEmail, active } = full;
    const kept = { name, description, rateLimit, isPublic, allowedOrigins, allowedNetworks, ownerEmail, active };
    const more = { appType: "web", appId: full.appId, ownPermissions: full.ownPermissions, disabledReason: "idle" };
    const before = { ...kept, ...more, endedBy: "super_admin" };
    expect(succeeded(after(full, {}))).toMatchObject(before);
    for (const [body, stored] of [
      [{ name: "Renamed" }, { name: "Renamed" }],
      [{ description: null }, { description: null }],
      [{ description: "Else" }, { description: "Else" }],
      [{ rate_limit: null }, { rateLimit: null }],
      [{ rate_limit: 9 }, { rateLimit: 9 }],
      [{ public: false }, { isPublic: false }],
      [{ public: 0 }, { isPublic: false }],
      [
        { public: 0, app_type: "mobile" },
        { isPublic: false, appType: "mobile" },
      ],
      [{ app_id: full.appId }, {}],
      [{ permissions: [] }, { ownPermissions: 0 }],
      [{ allowed_origins: null }, { allowedOrigins: null }],
      [{ allowed_networks: null }, { allowedNetworks: null }],
      [{ allowed_networks: ["198.51.100.0/24"] }, { allowedNetworks: ["198.51.100.0/24"] }],
      [{ owner_email: null }, { ownerEmail: null }],
      [{ active: false }, {}],
      [{ active: 1 }, { active: true, disabledReason: null }],
    ] as const)
      expect(succeeded(after(full, body as KeyChanges))).toMatchObject({ ...before, ...stored });
    // An instance of an earlier version leaves the reason.
    const working = { ...full, active: true };
    expect(succeeded(after(working, {}))).toMatchObject({ active: true, disabledReason: null });
    expect(succeeded(after(keyRecord(), { public: false })).isPublic).toBe(false);
  });

  test("is refused with all of its faults at once", () => {
    const body: KeyChanges = { app_id: "another", association: "none", expires_at: NOW, permissions: [WRITE] };
    expect(pathsOf(after(full, body))).toEqual(["app_id", "association", "expires_at", "permissions"]);
    expect(pathsOf(after(full, { app_type: "mobile" }))).toEqual(["app_type"]);
    const lost = dealerKeyRecord(null, { ownPermissions: 0 });
    expect(pathsOf(after(lost, { public: true }))).toEqual(["public"]);
    const ofUser = userKeyRecord(holder());
    expect(pathsOf(after(ofUser, { public: true, user_id: null }))).toEqual(["public"]);
    expect(pathsOf(after(ofUser, { public: true, user_id: 5 }))).toEqual(["user_id"]);
  });

  test("of the permissions of a user's key is none, unless it sends the user's", () => {
    const ofUser = userKeyRecord(holder({ permissions: permissionSet(["vehicles:read"]) }), { userId: 5 });
    expect(succeeded(after(ofUser, { permissions: [READ] })).ownPermissions).toBe(0);
    expect(succeeded(after(ofUser, { name: "Renamed" })).ownPermissions).toBe(0);
    expect(pathsOf(after(ofUser, { permissions: [WRITE] }))).toEqual(["permissions"]);
    expect(succeeded(after(dealerKeyRecord(7), { user_id: 5 })).ownPermissions).toBe(0);
    expect(pathsOf(after(dealerKeyRecord(7), { user_id: 5, permissions: [READ] }))).toEqual(["permissions"]);
    const untied = succeeded(after(ofUser, { user_id: null, permissions: [WRITE] }));
    expect(untied.ownPermissions).toBe(permissionSet(["vehicles:write"]));
  });

  test("by which a caller would lock out itself is refused, unless it says so", () => {
    const caller = { keyId: full.id, address: "203.0.113.7" };
    const [elsewhere, here] = [["198.51.100.0/24"], ["203.0.113.0/24"]];
    for (const flag of [undefined, false, 0] as const) {
      const body = { allowed_networks: elsewhere, ...(flag !== undefined && { confirm_lockout: flag }) };
      expect(pathsOf(after(full, body, { caller }))).toEqual(["allowed_networks"]);
    }
    for (const [body, by] of [
      [{ allowed_networks: here }, caller],
      [{ allowed_networks: null }, caller],
      [{ name: "Renamed" }, caller],
      [{ allowed_networks: elsewhere, confirm_lockout: true }, caller],
      [{ allowed_networks: elsewhere, confirm_lockout: 1 }, caller],
      [{ allowed_networks: elsewhere }, { ...caller, keyId: full.id + 1 }],
      [{ allowed_networks: elsewhere }, { ...caller, address: null }],
    ] as const)
      expect(pathsOf(after(full, body, { caller: by }))).toBeNull();
  });

  test("of permissions alone is refused for a user's key, and for more than a public key may hold", () => {
    const [reads, writes] = [permissionSet(["dealers:read"]), permissionSet(["vehicles:write"])];
    expect([permissionSetOf(undefined), permissionSetOf([WRITE])]).toEqual([undefined, writes]);
    expect(succeeded(withPermissions(full, reads))).toEqual({ ...full, ownPermissions: reads });
    expect(pathsOf(withPermissions(full, writes))).toEqual(["permissions"]);
    expect(pathsOf(withPermissions(userKeyRecord(holder()), reads))).toEqual(["permissions"]);
  });
});
