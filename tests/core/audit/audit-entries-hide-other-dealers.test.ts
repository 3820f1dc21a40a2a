import { describe, expect, test } from "bun:test";
import type { Visibility } from "../../../core/access/visibility.ts";
import { auditEntriesHideOtherDealers } from "../../../core/audit/audit-entries-hide-other-dealers.ts";
import type { AuditEntry } from "../../../core/audit/audit-entry.ts";

/** By default, a vehicle of dealer 7 whose price changed. */
const entryOf = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  id: 1,
  at: "2026-11-20T09:11:00.000Z",
  actor: { type: "key", id: 12, name: "Front desk" },
  via: "api",
  action: "vehicle.changed",
  resource: "vehicles",
  resource_id: 3,
  record_name: "2024 Toyota Camry",
  dealer_id: 7,
  before: { price: 100 },
  after: { price: 90 },
  address: "192.0.2.1",
  import_id: null,
  change_id: null,
  reverts: null,
  request_id: "one",
  ...fields,
});

const OPERATOR = { actor: { type: "operator", id: null, name: "Operator" }, address: null, request_id: null } as const;
const LEFT = { dealer_id: 7, before: { dealer_id: 7 }, after: { dealer_id: null } };
const given = (field: string, to: number | null, resource: AuditEntry["resource"] = "vehicles") =>
  entryOf({ resource, before: { [field]: 7, price: 100 }, after: { [field]: to, price: 90 } });
const arrived = (field: string) => ({ dealer_id: 8, before: { dealer_id: null }, after: { [field]: 8, price: 90 } });

// [entry, the actor's dealer, the reader, the fields that the reader sees changed].
const READ: readonly (readonly [string, AuditEntry, number | null, Visibility, Partial<AuditEntry>])[] = [
  ["a super-admin sees who acted from outside", entryOf(), null, "everything", {}],
  ["a super-admin sees both sides of a move", given("dealer_id", 8), null, "everything", {}],
  ["a user sees all of what the user did", given("dealer_id", 8), null, { userId: 5 }, {}],
  ["a dealer sees who of its own acted", entryOf(), 7, { dealerId: 7 }, {}],
  ["a dealer sees an actor without a dealer as an operator", entryOf(), null, { dealerId: 7 }, OPERATOR],
  ["a dealer sees another dealer's actor as an operator", entryOf(), 8, { dealerId: 7 }, OPERATOR],
  ["the old dealer sees that a vehicle left", given("dealer_id", 8), 7, { dealerId: 7 }, LEFT],
  ["the new dealer sees how a vehicle arrived", given("dealer_id", 8), 8, { dealerId: 8 }, arrived("dealer_id")],
  ["the old dealer sees that a user left", given("dealer_id", null, "users"), 7, { dealerId: 7 }, LEFT],
  ["the old dealer sees that a key left", given("bound_dealer_id", 8, "keys"), 7, { dealerId: 7 }, LEFT],
  [
    "the new dealer sees how a key arrived",
    given("bound_dealer_id", 8, "keys"),
    8,
    { dealerId: 8 },
    arrived("bound_dealer_id"),
  ],
  [
    "the new dealer does not see what a vehicle was called at the old one",
    entryOf({ before: { dealer_id: 7, make: "Honda" }, after: { dealer_id: 8, make: "Toyota" } }),
    8,
    { dealerId: 8 },
    { dealer_id: 8, record_name: null, before: { dealer_id: null }, after: { dealer_id: 8, make: "Toyota" } },
  ],
  [
    "the old dealer sees that a feed left for another dealer",
    entryOf({ resource: "feeds", before: { dealer_ids: [7] }, after: { dealer_ids: [8] } }),
    7,
    { dealerId: 7 },
    LEFT,
  ],
  [
    "the new dealer sees how a feed arrived",
    entryOf({ resource: "feeds", before: { dealer_ids: [7] }, after: { dealer_ids: [8] } }),
    8,
    { dealerId: 8 },
    { dealer_id: 8, before: { dealer_id: null }, after: { dealer_ids: [8] } },
  ],
  [
    "the old dealer sees that a feed became one of several",
    entryOf({ resource: "feeds", before: { dealer_ids: [7] }, after: { dealer_ids: [7, 8] } }),
    7,
    { dealerId: 7 },
    LEFT,
  ],
  [
    "a feed of several that became its dealer's alone stays whole",
    entryOf({ resource: "feeds", before: { dealer_ids: [7, 8] }, after: { dealer_ids: [7] } }),
    7,
    { dealerId: 7 },
    {},
  ],
  [
    "a feed that stays with its dealer stays whole",
    entryOf({ resource: "feeds", before: { name: "One" }, after: { name: "Two" } }),
    7,
    { dealerId: 7 },
    {},
  ],
  ["a new vehicle stays whole", entryOf({ before: null, after: { dealer_id: 8 } }), 7, { dealerId: 7 }, {}],
  ["a vehicle that is given to its own dealer stays whole", given("dealer_id", 7), 7, { dealerId: 7 }, {}],
  ["a removed vehicle stays whole", entryOf({ before: { dealer_id: 7 }, after: null }), 7, { dealerId: 7 }, {}],
];

describe("an audit entry", () => {
  for (const [name, entry, actorDealer, reader, otherwise] of READ)
    test(name, () => {
      expect(auditEntriesHideOtherDealers(reader, entry, actorDealer)).toEqual({ ...entry, ...otherwise });
    });
});
