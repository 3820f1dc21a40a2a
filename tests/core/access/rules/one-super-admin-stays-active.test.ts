import { describe, expect, test } from "bun:test";
import { oneSuperAdminStaysActive } from "../../../../core/access/rules/one-super-admin-stays-active.ts";
import { causeOf } from "../../use-cases.ts";

const SUPER = { role: "super_admin", active: true } as const;
const ENDED = { ...SUPER, active: false };
const ADMIN = { role: "dealer_admin", active: true } as const;

type Account = typeof SUPER | typeof ENDED | typeof ADMIN;
const CHANGES: readonly (readonly [string, before: Account, after: Account, left: number, allowed: boolean])[] = [
  ["deactivating the last one", SUPER, ENDED, 0, false],
  ["another role for the last one", SUPER, ADMIN, 0, false],
  ["deactivating one of two", SUPER, ENDED, 1, true],
  ["another role for one of two", SUPER, ADMIN, 1, true],
  ["any other change of the last one", SUPER, { ...SUPER }, 0, true],
  ["deactivating again one that is not active", ENDED, { ...ENDED }, 0, true],
  ["another role for one that is not active", ENDED, ADMIN, 0, true],
  ["deactivating somebody else", ADMIN, ENDED, 0, true],
  ["making somebody a super-admin", ADMIN, SUPER, 0, true],
];

describe("one super-admin stays active", () => {
  for (const [name, before, after, left, allowed] of CHANGES)
    test(`${name} is ${allowed ? "allowed" : "refused"}`, () => {
      expect(causeOf(oneSuperAdminStaysActive(before, after, left))).toEqual(
        allowed ? null : { kind: "last-super-admin" },
      );
    });
});
