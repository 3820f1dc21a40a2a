import fc from "fast-check";
import type { Holder, KeyRecord } from "../../../core/keys/key.ts";
import { APP_TYPES, EVERY_PERMISSION, permissionSet, ROLES } from "../../../core/permissions.ts";

/** A stored key; by default a super-admin's with every permission. */
export const keyRecord = (fields: Partial<KeyRecord> = {}): KeyRecord => ({
  id: 1,
  name: "Showroom website",
  description: null,
  appType: "web",
  appId: "showroom-site",
  keyStart: "vis_web_showroom-site_Ab3x",
  association: "none",
  dealerId: null,
  userId: null,
  holder: null,
  ownPermissions: EVERY_PERMISSION,
  rateLimit: null,
  isPublic: false,
  allowedOrigins: null,
  allowedNetworks: null,
  idleNoticedAt: null,
  ownerEmail: null,
  disabledReason: null,
  active: true,
  endedBy: null,
  expiresAt: null,
  lastUsedAt: null,
  oldSecret: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...fields,
});

/** The user behind a key. */
export const holder = (fields: Partial<Holder> = {}): Holder => ({
  role: "user",
  dealerId: null,
  permissions: EVERY_PERMISSION,
  active: true,
  endedBy: null,
  ...fields,
});

export const dealerKeyRecord = (dealerId: number | null, fields: Partial<KeyRecord> = {}): KeyRecord =>
  keyRecord({ association: "dealer", dealerId, ...fields });

export const userKeyRecord = (user: Holder | null, fields: Partial<KeyRecord> = {}): KeyRecord =>
  keyRecord({ association: "user", userId: 1, holder: user, ownPermissions: 0, ...fields });

const dealers = fc.constantFrom(1, 2, 3);
// Few permissions, so that one set often covers another; every kind that decides something is included.
const permissions = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .subarray(["vehicles:read", "keys:read", "keys:write", "users:write", "audit:read"] as const)
      .map(permissionSet),
  },
  { weight: 1, arbitrary: fc.constant(EVERY_PERMISSION) },
);
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });

const limits = fc.record({
  appType: fc.constantFrom(...APP_TYPES),
  rateLimit: maybe(fc.constantFrom(1, 50, 100, 200, 300, 1000)),
});

const holders: fc.Arbitrary<Holder> = fc.record({
  role: fc.constantFrom(...ROLES),
  dealerId: maybe(dealers),
  permissions,
  active: fc.boolean(),
  endedBy: maybe(fc.constantFrom(...ROLES)),
});

/** Any key that a database may hold, intact or with a missing dealer or user. */
export const anyKey: fc.Arbitrary<KeyRecord> = fc.oneof(
  fc.tuple(limits, permissions).map(([limit, ownPermissions]) => keyRecord({ ...limit, ownPermissions })),
  fc
    .tuple(limits, permissions, maybe(dealers))
    .map(([limit, ownPermissions, dealerId]) => dealerKeyRecord(dealerId, { ...limit, ownPermissions })),
  fc
    .tuple(limits, maybe(holders), permissions, maybe(dealers))
    .map(([limit, user, ownPermissions, dealerId]) => userKeyRecord(user, { ...limit, ownPermissions, dealerId })),
);
