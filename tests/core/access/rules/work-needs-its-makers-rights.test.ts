import { describe, expect, test } from "bun:test";
import type { Powers } from "../../../../core/access/principal.ts";
import {
  feedNeedsItsMakersRights,
  scheduleNeedsItsMakersRights,
  webhookNeedsItsMakersRights,
  workNeedsItsMakersRights,
} from "../../../../core/access/rules/work-needs-its-makers-rights.ts";
import { type Permission, permissionSet } from "../../../../core/permissions.ts";
import { dealerKey, superAdminKey } from "../../callers.ts";

const maker = (dealerId: number, ...permissions: Permission[]): Powers =>
  dealerKey(dealerId, { permissions: permissionSet(permissions) });
const superAdmin = (permission: Permission): Powers => superAdminKey({ permissions: permissionSet([permission]) });

const WORK: readonly (readonly [string, maker: Powers | null, dealerId: number | null, isDone: boolean])[] = [
  ["nobody, as the key is gone", null, 7, false],
  ["a dealer's key, into its dealer", maker(7, "vehicles:write"), 7, true],
  ["a dealer's key, into another dealer", maker(7, "vehicles:write"), 8, false],
  ["a dealer's key, into the dealers that the file names", maker(7, "vehicles:write"), null, false],
  ["a dealer's key that may only read", maker(7, "vehicles:read", "vehicles:delete"), 7, false],
  ["a super-admin, into any dealer", superAdmin("vehicles:write"), 8, true],
  ["a super-admin, into the dealers that the file names", superAdmin("vehicles:write"), null, true],
  ["a super-admin that may only read", superAdmin("vehicles:read"), 8, false],
];

const FEEDS: readonly (readonly [
  string,
  maker: Powers | null,
  dealerIds: readonly number[] | null,
  isServed: boolean,
])[] = [
  ["nobody, as the key is gone", null, [7], false],
  ["a dealer's key, of its dealer", maker(7, "vehicles:read"), [7], true],
  ["a dealer's key, of another dealer as well", maker(7, "vehicles:read"), [7, 8], false],
  ["a dealer's key, of all dealers", maker(7, "vehicles:read"), null, false],
  ["a dealer's key that may not read", maker(7, "vehicles:write"), [7], false],
  ["a super-admin, of some dealers", superAdmin("vehicles:read"), [7, 8], true],
  ["a super-admin, of all dealers", superAdmin("vehicles:read"), null, true],
  ["a super-admin that may not read", superAdmin("dealers:read"), null, false],
];

describe("background work needs its creator's rights", () => {
  for (const [who, by, dealerId, isDone] of WORK)
    test(`requested by ${who}, is ${isDone ? "done" : "not done"}`, () =>
      expect(workNeedsItsMakersRights(by, dealerId)).toBe(isDone));
});

describe("a scheduled change needs its creator's rights", () => {
  for (const [who, by, dealerId, isDone] of WORK)
    if (dealerId !== null)
      test(`scheduled by ${who}, is ${isDone ? "made" : "not made"}`, () =>
        expect(scheduleNeedsItsMakersRights(by, dealerId)).toBe(isDone));
});

describe("a feed needs its creator's rights", () => {
  for (const [who, by, dealerIds, isServed] of FEEDS)
    test(`created by ${who}, is ${isServed ? "served" : "not served"}`, () =>
      expect(feedNeedsItsMakersRights(by, dealerIds)).toBe(isServed));
});

const WEBHOOKS: typeof WORK = [
  ["nobody, as the key is gone", null, 7, false],
  ["a dealer's key, of its dealer", maker(7, "vehicles:read"), 7, true],
  ["a dealer's key, of another dealer", maker(7, "vehicles:read"), 8, false],
  ["a dealer's key, of every dealer", maker(7, "vehicles:read"), null, false],
  ["a dealer's key that may not read", maker(7, "vehicles:write"), 7, false],
  ["a super-admin, of any dealer", superAdmin("vehicles:read"), 8, true],
  ["a super-admin, of every dealer", superAdmin("vehicles:read"), null, true],
  ["a super-admin that may not read", superAdmin("vehicles:write"), null, false],
];

describe("a webhook needs its creator's rights", () => {
  for (const [who, by, dealerId, isTold] of WEBHOOKS)
    test(`created by ${who}, is ${isTold ? "told" : "not told"}`, () =>
      expect(webhookNeedsItsMakersRights(by, dealerId)).toBe(isTold));
});
