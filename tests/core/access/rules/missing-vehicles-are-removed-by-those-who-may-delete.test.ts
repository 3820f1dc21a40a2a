import { describe, expect, test } from "bun:test";
import { missingVehiclesAreRemovedByThoseWhoMayDelete } from "../../../../core/access/rules/missing-vehicles-are-removed-by-those-who-may-delete.ts";
import { type Permission, permissionSet } from "../../../../core/permissions.ts";
import { dealerKey } from "../../callers.ts";
import { causeOf } from "../../use-cases.ts";

const IMPORTS: readonly (readonly [mode: string, missing: string, permission: Permission, isAllowed: boolean])[] = [
  ["snapshot", "remove", "vehicles:delete", true],
  ["snapshot", "remove", "vehicles:write", false],
  ["snapshot", "sold", "vehicles:write", true],
  ["upsert", "remove", "vehicles:write", true],
];

describe("missing vehicles are removed by those who may delete", () => {
  for (const [mode, missing, permission, isAllowed] of IMPORTS)
    test(`${mode} with missing ${missing} is ${isAllowed ? "allowed" : "refused"} with ${permission}`, () => {
      const caller = dealerKey(7, { permissions: permissionSet([permission]) });
      expect(causeOf(missingVehiclesAreRemovedByThoseWhoMayDelete(caller, { mode, missing }))).toEqual(
        isAllowed ? null : { kind: "permission-missing", needs: "vehicles:delete" },
      );
    });
});
