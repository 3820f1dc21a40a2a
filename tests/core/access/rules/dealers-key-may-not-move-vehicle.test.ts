import { describe, expect, test } from "bun:test";
import { dealersKeyMayNotMoveVehicle } from "../../../../core/access/rules/dealers-key-may-not-move-vehicle.ts";
import { causeOf } from "../../use-cases.ts";

const MOVES: readonly (readonly [string, scope: number | null, dealerId: number | undefined, allowed: boolean])[] = [
  ["a bound caller that names no dealer", 7, undefined, true],
  ["a bound caller that names its own dealer", 7, 7, true],
  ["a bound caller that names another dealer", 7, 8, false],
  ["an unbound caller that names no dealer", null, undefined, true],
  ["an unbound caller that names any dealer", null, 8, true],
];

describe("a dealer's key may not move a vehicle", () => {
  for (const [name, scope, dealerId, allowed] of MOVES)
    test(`${name} is ${allowed ? "allowed" : "refused"}`, () => {
      expect(causeOf(dealersKeyMayNotMoveVehicle(scope, dealerId))).toEqual(allowed ? null : { kind: "reassignment" });
    });
});
