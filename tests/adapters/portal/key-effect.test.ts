import { describe, expect, test } from "bun:test";
import type { KeyDraft } from "../../../adapters/portal/keys/key-draft.ts";
import { bodyOf, emptyKey } from "../../../adapters/portal/keys/key-draft.ts";
import { actionsOn, effectOf, reachedResources, visibleTo } from "../../../adapters/portal/keys/key-effect.ts";
import { bindingOf } from "../../../adapters/portal/session/powers.ts";
import {
  EVERY_PERMISSION,
  type PermissionSet,
  pairsOfSet,
  permissionSet,
  ROLE_PERMISSIONS,
  type Role,
} from "../../../core/permissions.ts";
import type { PresentedUser } from "../../../core/users/user.ts";

const AT = "2026-11-20T09:00:00.000Z";
const userOf = (id: number, role: Role, dealer_id: number | null): PresentedUser => ({
  id,
  name: `User ${id}`,
  email: `user${id}@example.com`,
  role,
  dealer_id,
  permissions: pairsOfSet(ROLE_PERMISSIONS[role]),
  active: true,
  invited: false,
  created_at: AT,
  updated_at: AT,
});
const ROOT = userOf(1, "super_admin", null);
const ADMIN = userOf(2, "dealer_admin", 7);
const SELLER = userOf(3, "user", 7);
const USERS = [ROOT, ADMIN, SELLER, userOf(4, "user", 7)];
const of = (id?: string): PresentedUser | null => USERS.find((user) => String(user.id) === id) ?? null;

const draft = (creator: PresentedUser, changes: Partial<KeyDraft>): KeyDraft => ({ ...emptyKey(creator), ...changes });
const all = (permissions: PermissionSet = EVERY_PERMISSION) => ({ permissions });

describe("the preview of a key", () => {
  test("binds a dealer's key to its dealer, whatever it may do", () => {
    const effect = effectOf(draft(ROOT, { ...all(), association: "dealer", dealer_id: "7" }), ROOT, null);
    expect([effect.dealerId, effect.isSuperAdmin, effect.notHeld]).toEqual([7, false, 0]);
    expect(visibleTo(effect, "vehicles", "Harbor Motors")).toBe("vehicles of Harbor Motors only");
    expect(actionsOn(effect, "dealers")).toEqual(["read", "write"]);
  });

  test("says that a super-admin key reaches everything", () => {
    const effect = effectOf(draft(ROOT, { ...all(), association: "none" }), ROOT, null);
    expect([effect.dealerId, effect.isSuperAdmin]).toEqual([null, true]);
    expect(visibleTo(effect, "keys", "")).toBe("all keys");
    expect(actionsOn(effect, "dealers")).toEqual(["read", "write", "delete"]);
  });

  test("shows a user's key with the permissions and visible records of its user", () => {
    const effect = effectOf(draft(ADMIN, { ...all(), association: "user", user_id: "3" }), ADMIN, SELLER);
    expect(effect.powers.permissions).toBe(ROLE_PERMISSIONS.user);
    expect(reachedResources(effect)).toEqual(["vehicles", "dealers", "keys"]);
    expect(visibleTo(effect, "keys", "Harbor Motors")).toBe("keys of User 3 only");
  });

  test("leaves out permissions that its creator does not hold, and names them", () => {
    const effect = effectOf(draft(ADMIN, { ...all(), association: "dealer" }), ADMIN, null);
    expect(effect.dealerId).toBe(7);
    expect(effect.notHeld).toBe(EVERY_PERMISSION & ~ROLE_PERMISSIONS.dealer_admin);
    expect(actionsOn(effect, "users")).toEqual(["read", "write"]);
  });

  // [draft, its author, why the service will refuse it].
  const REFUSALS: readonly (readonly [string, Partial<KeyDraft>, PresentedUser, string | null])[] = [
    ["a dealer's key within what its maker holds", {}, ADMIN, null],
    ["a user's key whose user is not chosen yet", { association: "user" }, ADMIN, null],
    ["a pair that its maker does not hold", all(), ADMIN, "It has permissions that you do not have"],
    ["a rate limit above its maker's", { rate_limit: "301" }, ADMIN, "Its rate limit is higher than you may give"],
    ["any rate limit, of a super-admin", { rate_limit: "9999", dealer_id: "7" }, ROOT, null],
    [
      "a none key of a dealer's admin",
      { association: "none" },
      ADMIN,
      "Only a super-admin may do this to a super-admin's key or account",
    ],
    [
      "a dealer's key that sees more keys than its maker",
      { association: "dealer", permissions: permissionSet(["keys:read"]) },
      SELLER,
      "It could read other users' keys that you cannot",
    ],
    [
      "a colleague's key, of a regular user",
      { association: "user", user_id: "4" },
      SELLER,
      "You may not manage keys of this user",
    ],
  ];
  for (const [name, changes, maker, refusal] of REFUSALS)
    test(`${refusal === null ? "accepts" : "says why the service will refuse"} ${name}`, () => {
      expect(effectOf(draft(maker, changes), maker, of(changes.user_id)).refusal).toBe(refusal);
    });

  test("shows only actions that some operation needs, however many pairs the key has", () => {
    const effect = effectOf(draft(ROOT, { ...all(), association: "none" }), ROOT, null);
    expect(actionsOn(effect, "audit")).toEqual(["read"]);
    expect(actionsOn(effect, "keys")).toEqual(["read", "write", "delete"]);
  });

  test("promises nothing for a key without permissions", () => {
    expect(reachedResources(effectOf(draft(ROOT, { permissions: permissionSet([]) }), ROOT, null))).toEqual([]);
  });
});

describe("the request body for a key", () => {
  test("never lacks an association because nothing was chosen", () => {
    expect(bodyOf(draft(ROOT, { association: "dealer" }), bindingOf(ROOT))).toMatchObject({ dealer_id: "" });
    expect(bodyOf(draft(ROOT, { association: "user" }), bindingOf(ROOT))).toMatchObject({ user_id: "" });
  });

  test("names the creator's own dealer if the creator is bound to one", () => {
    expect(bodyOf(draft(ADMIN, { association: "dealer" }), bindingOf(ADMIN))).toMatchObject({ dealer_id: 7 });
  });

  test("has no permissions for a user's key", () => {
    const body = bodyOf(draft(ROOT, { association: "user", user_id: "3" }), null);
    expect(body).toMatchObject({ user_id: 3, dealer_id: null });
    expect("permissions" in body).toBe(false);
  });
});
