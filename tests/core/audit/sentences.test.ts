import { describe, expect, test } from "bun:test";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";
import type { Formats } from "../../../core/audit/field-words.ts";
import { sentenceOf } from "../../../core/audit/sentences.ts";

const FORMATS: Formats = {
  price: (amount) => `$${amount.toLocaleString("en-US")}`,
  distance: (amount) => `${amount.toLocaleString("en-US")} mi`,
  moment: (at) => at.slice(0, 10),
  dealer: (id) => (id === 7 ? "Harbor Motors" : null),
};

const entryOf = (fields: Partial<AuditEntry>): AuditEntry => ({
  id: 1,
  at: "2026-11-20T09:11:00.000Z",
  actor: { type: "user", id: 3, name: "Robin Example" },
  via: "portal",
  action: "vehicle.changed",
  resource: "vehicles",
  resource_id: 5,
  record_name: "2024 Toyota Camry",
  dealer_id: 7,
  before: null,
  after: null,
  address: "203.0.113.4",
  import_id: null,
  change_id: null,
  reverts: null,
  request_id: "one",
  ...fields,
});
const KEY = { resource: "keys", resource_id: 12, record_name: "Harbor website" } as const;
const USER = { resource: "users", resource_id: 4, record_name: "Kim Example" } as const;
const SELF = { resource: "users", resource_id: 3, record_name: "Robin Example" } as const;
const DEALER = { resource: "dealers", resource_id: 7, record_name: "Harbor Motors" } as const;
const IMAGE = { resource: "images", resource_id: 9, record_name: "2024 Toyota Camry" } as const;
const SEEDED = { resource_id: null, record_name: null } as const;
const PAIRS = [
  { resource: "vehicles", action: "read" },
  { resource: "vehicles", action: "write" },
  { resource: "dealers", action: "read" },
];

// [fields of the entry, what Robin Example did].
const SENTENCES: readonly (readonly [Partial<AuditEntry>, string])[] = [
  [{ action: "vehicle.created", after: { price: 1 } }, "added 2024 Toyota Camry"],
  [
    { action: "vehicle.price_changed", before: { price: 25_999 }, after: { price: 24_500 } },
    "changed the price of 2024 Toyota Camry from $25,999 to $24,500",
  ],
  // Stored before there was an action of its own.
  [
    { before: { price: 25_999 }, after: { price: 24_500 } },
    "changed the price of 2024 Toyota Camry from $25,999 to $24,500",
  ],
  [
    { action: "vehicle.status_changed", before: { status: "available" }, after: { status: "sold" } },
    "marked 2024 Toyota Camry as sold, which was available",
  ],
  [
    { action: "vehicle.moved", before: { dealer_id: 7 }, after: { dealer_id: 8 } },
    "moved 2024 Toyota Camry from Harbor Motors to dealer 8",
  ],
  [
    { action: "vehicle.moved", before: { dealer_id: null }, after: { dealer_id: 7 } },
    "moved 2024 Toyota Camry to Harbor Motors",
  ],
  [
    { action: "vehicle.moved", before: { dealer_id: 7 }, after: { dealer_id: null } },
    "moved 2024 Toyota Camry away from Harbor Motors",
  ],
  [
    { before: { mileage: 1200 }, after: { mileage: 12_500 } },
    "changed the mileage of 2024 Toyota Camry from 1,200 mi to 12,500 mi",
  ],
  [
    { before: { electric_range: 300 }, after: { electric_range: 310 } },
    "changed the electric range of 2024 Toyota Camry from 300 mi to 310 mi",
  ],
  [{ before: { msrp: null }, after: { msrp: 31_500 } }, "set the MSRP of 2024 Toyota Camry to $31,500"],
  [{ before: { vin: null }, after: { vin: "4T1" } }, "set the VIN of 2024 Toyota Camry to 4T1"],
  [{ before: { trim: "XSE" }, after: { trim: null } }, "cleared the trim of 2024 Toyota Camry, which was XSE"],
  [
    { before: { trim: "XSE", mileage: 1, seats: 4 }, after: { trim: null, mileage: 2, seats: 5 } },
    "changed trim, mileage and seats of 2024 Toyota Camry",
  ],
  [{ before: {}, after: {} }, "saved 2024 Toyota Camry without a change"],
  [{ before: { trim: "A" }, after: { trim: "B" }, record_name: null }, "changed the trim of vehicle 5 from A to B"],
  [{ action: "vehicle.removed", before: { price: 1 } }, "deleted 2024 Toyota Camry"],
  [
    { action: "vehicle.seeded", ...SEEDED, after: { vehicles: 500, images: 1 } },
    "added 500 invented vehicles with 1 photo",
  ],
  [{ ...IMAGE, action: "image.added", after: { vehicle_id: 5 } }, "added a photo to 2024 Toyota Camry"],
  [{ ...IMAGE, action: "image.ordered", after: { vehicle_id: 5 } }, "ordered the photos of 2024 Toyota Camry"],
  [{ ...IMAGE, action: "image.removed", before: { vehicle_id: 5 } }, "deleted a photo of 2024 Toyota Camry"],
  [{ ...IMAGE, record_name: null, action: "image.removed", before: { vehicle_id: 5 } }, "deleted a photo of vehicle 5"],
  [
    { ...IMAGE, action: "image.changed", before: { is_primary: false }, after: { is_primary: true, vehicle_id: 5 } },
    "chose another main photo of 2024 Toyota Camry",
  ],
  [
    { ...DEALER, action: "dealer.deactivated", before: { active: 1 }, after: { active: 0 } },
    "deactivated the dealer Harbor Motors",
  ],
  [
    { ...DEALER, action: "dealer.activated", before: { active: 0 }, after: { active: 1 } },
    "activated the dealer Harbor Motors",
  ],
  [{ ...KEY, action: "key.created", after: { name: "Harbor website" } }, "made the key Harbor website"],
  [
    { ...KEY, action: "key.revoked", before: { active: true }, after: { active: false } },
    "revoked the key Harbor website",
  ],
  [
    { ...KEY, action: "key.changed", before: { active: true }, after: { active: false } },
    "revoked the key Harbor website",
  ],
  [
    { ...KEY, action: "key.reactivated", before: { active: false }, after: { active: true } },
    "reactivated the key Harbor website",
  ],
  [{ ...KEY, action: "key.rotated", before: {}, after: {} }, "gave the key Harbor website a new secret"],
  [
    { ...KEY, action: "key.expiring", after: { ends_at: "2026-05-01T00:00:00.000Z" } },
    "gave notice that the key Harbor website expires on 2026-05-01",
  ],
  [
    { ...KEY, action: "key.idle", after: { ends_at: "2026-05-01T00:00:00.000Z" } },
    "gave notice that the key Harbor website is not used, and is switched off on 2026-05-01",
  ],
  [{ ...KEY, action: "key.grace-ended", before: {}, after: {} }, "ended the old secret of the key Harbor website"],
  [
    { ...KEY, action: "key.rebound", before: { bound_dealer_id: null }, after: { bound_dealer_id: 7 } },
    "moved the key Harbor website to Harbor Motors",
  ],
  [
    { ...KEY, action: "key.transferred", before: { user_id: 1 }, after: { user_id: 2 } },
    "gave the key Harbor website from user 1 to user 2",
  ],
  [
    { ...KEY, action: "key.permissions_changed", before: { permissions: [] }, after: { permissions: PAIRS } },
    "changed the permissions of the key Harbor website to read, write vehicles; read dealers",
  ],
  [
    {
      ...KEY,
      action: "key.expiry_changed",
      before: { expires_at: null },
      after: { expires_at: "2026-12-31T00:00:00.000Z" },
    },
    "lets the key Harbor website work until 2026-12-31",
  ],
  [
    { ...KEY, action: "key.changed", before: { name: "Harbor website" }, after: { name: "Site" } },
    "renamed the key Harbor website to Site",
  ],
  [
    {
      ...KEY,
      action: "key.changed",
      before: { rate_limit: 5, effective_rate_limit: 5 },
      after: { rate_limit: 6, effective_rate_limit: 6 },
    },
    "changed the rate limit of the key Harbor website from 5 to 6",
  ],
  [
    { ...USER, action: "user.deactivated", before: { active: true }, after: { active: false } },
    "deactivated Kim Example",
  ],
  [
    { ...USER, action: "user.role_changed", before: { role: "user" }, after: { role: "dealer_admin" } },
    "changed the role of Kim Example from user to dealer admin",
  ],
  [
    { ...SELF, action: "user.email_changed", before: { email: "a@example.com" }, after: { email: "b@example.com" } },
    "changed their address from a@example.com to b@example.com",
  ],
  [{ ...SELF, action: "session.started", after: {} }, "signed in from 203.0.113.4"],
  [{ ...SELF, action: "session.ended", after: {}, address: null }, "signed out"],
  [
    { ...SELF, action: "user.sign-in-failed", after: { wrong: "code" } },
    "could not sign in with a wrong code from 203.0.113.4",
  ],
  [{ ...USER, action: "user.invited" }, "invited Kim Example"],
  [{ ...SELF, action: "user.second-factor-on" }, "turned on their second factor"],
  [{ ...USER, action: "user.second-factor-reset" }, "reset the second factor of Kim Example"],
  [{ ...USER, action: "user.sessions-ended", record_name: null }, "ended the sessions of user 4"],
  [
    { ...KEY, record_name: null, action: "access.denied", after: { operation: "key.revoke", code: "forbidden" } },
    "was not allowed to revoke key 12",
  ],
  [
    {
      resource: null,
      resource_id: null,
      record_name: null,
      action: "access.denied",
      after: { operation: "audit.list" },
    },
    "was not allowed to use audit.list",
  ],
];

describe("an entry of the audit log reads:", () => {
  for (const [fields, expected] of SENTENCES)
    test(expected, () => {
      const parts = sentenceOf(entryOf(fields), FORMATS);
      const text = parts.map((part) => (typeof part === "string" ? part : part.text)).join("");
      expect(text).toBe(`Robin Example ${expected}`);
    });
});

// [fields of the entry, the records that its sentence links to].
const LINKS: readonly (readonly [Partial<AuditEntry>, readonly string[]])[] = [
  [{ action: "vehicle.created", after: {} }, ["users 3", "vehicles 5"]],
  [{ action: "vehicle.removed", before: {} }, ["users 3"]],
  [{ ...IMAGE, action: "image.removed", before: { vehicle_id: 5 } }, ["users 3", "vehicles 5"]],
  [{ ...SELF, action: "session.started" }, ["users 3"]],
  [{ ...KEY, action: "key.rotated", actor: { type: "key", id: 2, name: "Ops" } }, ["keys 2", "keys 12"]],
  [{ ...KEY, action: "key.rotated", actor: { type: "operator", id: null, name: "Operator" } }, ["keys 12"]],
];

test("a sentence links the author and the record, an image's vehicle, and nothing that was removed", () => {
  for (const [fields, expected] of LINKS) {
    const parts = sentenceOf(entryOf(fields), FORMATS);
    const links = parts.flatMap((part) =>
      typeof part === "string" || part.record === null ? [] : [`${part.record.resource} ${part.record.id}`],
    );
    expect(links).toEqual([...expected]);
  }
});
