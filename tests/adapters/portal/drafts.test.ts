import { describe, expect, test } from "bun:test";
import { emptyKey } from "../../../adapters/portal/keys/key-draft.ts";
import { emptyUser } from "../../../adapters/portal/users/user-draft.ts";
import { type PermissionPair, setOfPairs } from "../../../core/access/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";

const AT = "2026-11-20T09:00:00.000Z";
const READ_KEYS = { resource: "keys", action: "read" } as const;
const READ_VEHICLES = { resource: "vehicles", action: "read" } as const;

const creator = (...permissions: PermissionPair[]): PresentedUser => ({
  id: 2,
  name: "Kim Example",
  email: "kim@example.com",
  role: "dealer_admin",
  dealer_id: 7,
  permissions,
  active: true,
  created_at: AT,
  updated_at: AT,
});

describe("a form for something new begins with the usual permissions, and never with one that its maker lacks:", () => {
  for (const [held, key, user] of [
    [[], [], []],
    [[READ_KEYS], [], [READ_KEYS]],
    [[READ_VEHICLES], [READ_VEHICLES], [READ_VEHICLES]],
    [[READ_KEYS, READ_VEHICLES], [READ_VEHICLES], [READ_KEYS, READ_VEHICLES]],
  ] as const)
    test(`held ${held.map(({ resource }) => resource).join(" and ") || "nothing"}`, () => {
      const maker = creator(...held);
      expect(emptyKey(maker).permissions).toBe(setOfPairs(key));
      expect(emptyUser(maker).permissions).toBe(setOfPairs(user));
    });
});
