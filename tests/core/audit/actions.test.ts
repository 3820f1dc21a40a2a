import { describe, expect, test } from "bun:test";
import {
  type Action,
  AUDITED,
  actionOf,
  FORMER_NAMES,
  presentAction,
  recordNameIn,
  storedNamesOf,
} from "../../../core/audit/actions.ts";

type Fields = Readonly<Record<string, unknown>>;

const READ = [{ resource: "vehicles", action: "read" }];

// [operation, fields before, fields after, what happened].
const CHANGES: readonly (readonly [Action, Fields | null, Fields | null, Action])[] = [
  ["vehicle.changed", { mileage: 1 }, { mileage: 2 }, "vehicle.changed"],
  ["vehicle.changed", { price: 100 }, { price: 90 }, "vehicle.price_changed"],
  ["vehicle.changed", { price: 100, mileage: 1 }, { price: 100, mileage: 2 }, "vehicle.changed"],
  ["vehicle.changed", { price: 100, status: "available" }, { price: 90, status: "sold" }, "vehicle.status_changed"],
  ["vehicle.changed", { dealer_id: 7, status: "available" }, { dealer_id: 8, status: "sold" }, "vehicle.moved"],
  ["vehicle.created", null, { price: 90 }, "vehicle.created"],
  ["vehicle.removed", { price: 90 }, null, "vehicle.removed"],
  ["dealer.changed", { city: "Salem" }, { city: "Portland" }, "dealer.changed"],
  ["dealer.changed", { active: 1 }, { active: 0 }, "dealer.deactivated"],
  ["dealer.changed", { active: 0, city: "Salem" }, { active: 1, city: "Bend" }, "dealer.activated"],
  ["dealer.changed", { active: 1 }, { active: 1 }, "dealer.changed"],
  ["key.changed", { name: "One" }, { name: "Two" }, "key.changed"],
  ["key.changed", { active: true, permissions: READ }, { active: false, permissions: [] }, "key.revoked"],
  ["key.changed", { active: false }, { active: true }, "key.reactivated"],
  ["key.changed", { bound_dealer_id: 7, active: true }, { bound_dealer_id: null, active: false }, "key.rebound"],
  ["key.changed", { user_id: 1 }, { user_id: 2 }, "key.transferred"],
  ["key.changed", { permissions: READ }, { permissions: [] }, "key.permissions_changed"],
  ["key.changed", { permissions: READ }, { permissions: [...READ] }, "key.changed"],
  ["key.changed", { expires_at: null }, { expires_at: "2026-12-01T00:00:00.000Z" }, "key.expiry_changed"],
  ["key.rotated", { active: true }, { active: false }, "key.rotated"],
  ["user.changed", { name: "Robin" }, { name: "Kim" }, "user.changed"],
  ["user.changed", { active: true, role: "user" }, { active: false, role: "dealer_admin" }, "user.deactivated"],
  ["user.changed", { active: false }, { active: true }, "user.reactivated"],
  ["user.changed", { role: "user", permissions: READ }, { role: "dealer_admin", permissions: [] }, "user.role_changed"],
  ["user.changed", { dealer_id: 7, role: "user" }, { dealer_id: 8, role: "dealer_admin" }, "user.moved"],
  ["user.changed", { permissions: READ }, { permissions: [] }, "user.permissions_changed"],
  ["user.changed", { email: "a@example.com" }, { email: "b@example.com" }, "user.email_changed"],
  ["access.denied", null, { operation: "key.revoke" }, "access.denied"],
];

describe("the action of an entry", () => {
  for (const [operation, before, after, expected] of CHANGES)
    test(`${operation} from ${JSON.stringify(before)} to ${JSON.stringify(after)} is ${expected}`, () => {
      expect(actionOf(operation, before, after)).toBe(expected);
    });

  test("of a change is found by the filter of all changes", () => {
    for (const [operation, before, after] of CHANGES)
      expect(storedNamesOf(operation)).toContain(actionOf(operation, before, after));
  });

  test("is found by its own name, and by the name of all changes of its resource", () => {
    expect(storedNamesOf("vehicle.price_changed")).toEqual(["vehicle.price_changed"]);
    expect(storedNamesOf("vehicle.changed")).toEqual([
      "vehicle.changed",
      "vehicle.moved",
      "vehicle.status_changed",
      "vehicle.price_changed",
    ]);
  });

  test("with a former name is read under the present name, and found by both", () => {
    for (const [former, present] of Object.entries(FORMER_NAMES) as [keyof typeof FORMER_NAMES, Action][]) {
      expect(presentAction(former)).toBe(present);
      expect(storedNamesOf(former)).toEqual([present, former]);
      expect(storedNamesOf(present)).toEqual([present, former]);
    }
    for (const action of Object.keys(AUDITED) as Action[]) expect(presentAction(action)).toBe(action);
  });
});

// [resource, fields, the name].
const NAMES = [
  ["vehicles", { year: 2024, make: "Toyota", model: "Camry", price: 1 }, "2024 Toyota Camry"],
  ["vehicles", { price: 1 }, null],
  ["vehicles", null, null],
  ["keys", { name: "Harbor website" }, "Harbor website"],
  ["users", { name: "Robin Example" }, "Robin Example"],
  ["dealers", { name: "Harbor Motors" }, "Harbor Motors"],
  ["images", { vehicle_id: 1 }, null],
  [null, { name: "Anything" }, null],
] as const;

for (const [resource, fields, name] of NAMES)
  test(`${JSON.stringify(fields)} of ${resource} is called ${name}`, () => {
    expect(recordNameIn(resource, fields)).toBe(name);
  });
