import { describe, expect, test } from "bun:test";
import { gainedAccess, type UserDraft } from "../../../adapters/portal/users/user-draft.ts";
import { setOfPairs } from "../../../core/permissions.ts";

const READ = setOfPairs([{ resource: "vehicles", action: "read" }]);
const WRITE = setOfPairs([{ resource: "vehicles", action: "write" }]);
const USER: UserDraft = { name: "Kim", email: "kim@example.com", role: "user", dealer_id: "1", permissions: READ };
const FREE: UserDraft = { ...USER, dealer_id: "" };
const ADMIN: UserDraft = { ...USER, role: "dealer_admin" };
const SUPER: UserDraft = { ...FREE, role: "super_admin" };

const HERE = { reachesOtherData: false, isSuperAdmin: false, dealerId: 1 };

describe("the access that a user's keys gain by a change of the user:", () => {
  for (const [what, before, after, gain] of [
    ["another name and address", USER, { ...USER, name: "Lou", email: "lou@example.com" }, null],
    ["another dealer", USER, { ...USER, dealer_id: "2" }, { ...HERE, reachesOtherData: true, dealerId: 2 }],
    ["a first dealer", FREE, USER, { ...HERE, reachesOtherData: true }],
    ["no dealer any more", USER, FREE, { ...HERE, reachesOtherData: true, dealerId: null }],
    ["more permissions", USER, { ...USER, permissions: READ | WRITE }, HERE],
    ["other permissions", USER, { ...USER, permissions: WRITE }, HERE],
    ["fewer permissions", USER, { ...USER, permissions: 0 }, null],
    ["a higher role", USER, ADMIN, HERE],
    ["a lower role", ADMIN, USER, null],
    ["the highest role", FREE, SUPER, { reachesOtherData: true, isSuperAdmin: true, dealerId: null }],
    [
      "the highest role, the dealer still chosen",
      USER,
      { ...USER, role: "super_admin" },
      { reachesOtherData: true, isSuperAdmin: true, dealerId: null },
    ],
    ["a lower role at a dealer", SUPER, USER, { ...HERE, reachesOtherData: true }],
  ] as const)
    test(`${what}: ${gain === null ? "nothing" : JSON.stringify(gain)}`, () => {
      expect(gainedAccess(before, after)).toEqual(gain);
    });
});
