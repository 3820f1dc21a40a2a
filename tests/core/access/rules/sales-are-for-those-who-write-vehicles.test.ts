import { describe, expect, test } from "bun:test";
import { salesAreForThoseWhoWriteVehicles } from "../../../../core/access/rules/sales-are-for-those-who-write-vehicles.ts";
import { type Permission, permissionSet } from "../../../../core/permissions.ts";

const CALLERS: readonly (readonly [permissions: readonly Permission[], sees: boolean])[] = [
  [[], false],
  [["vehicles:read", "audit:read"], false],
  [["vehicles:delete", "dealers:write"], false],
  [["vehicles:write"], true],
];

describe("sales are for those who write vehicles", () => {
  for (const [permissions, sees] of CALLERS)
    test(`a caller with ${permissions.join(" and ") || "nothing"} ${sees ? "sees" : "does not see"} them`, () =>
      expect(salesAreForThoseWhoWriteVehicles({ permissions: permissionSet(permissions) })).toBe(sees));
});
