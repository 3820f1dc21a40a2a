import { describe, expect, test } from "bun:test";
import { authorityOfKey, authorityOfUser } from "../../../../core/access/authority.ts";
import type { Operation } from "../../../../core/access/policy.ts";
import { sensitiveChangesNeedRecentProof } from "../../../../core/access/rules/sensitive-changes-need-recent-proof.ts";
import { permissionSet, type Role } from "../../../../core/permissions.ts";
import { dealerKeyRecord, holder, keyRecord, userKeyRecord } from "../../keys/key-records.ts";
import { causeOf } from "../../use-cases.ts";

const READ = permissionSet(["vehicles:read"]);
const USERS = permissionSet(["vehicles:read", "users:write"]);
const ALMOST_USERS = permissionSet(["users:read", "users:delete", "keys:write", "audit:read"]);

const dealersKey = (ownPermissions: number) => authorityOfKey(dealerKeyRecord(7, { ownPermissions }));
const usersKey = (permissions: number) =>
  authorityOfKey(userKeyRecord(holder({ role: "dealer_admin", dealerId: 7, permissions })));
const noneKey = authorityOfKey(keyRecord({ ownPermissions: READ }));

const robin = { role: "user", dealerId: 7, permissions: READ, email: "robin@example.com" } as const;
const userOf = (user: { role: Role; dealerId: number | null; permissions: number; email: string }) => ({
  ...authorityOfUser(user),
  ...user,
});
const regular = userOf(robin);
const root = userOf({ ...robin, role: "super_admin", dealerId: null });

type Subject = typeof noneKey | typeof regular | null;
type Row = readonly [string, Operation, before: Subject, after: Subject];

const SENSITIVE: readonly Row[] = [
  ["an invitation", "user.invite", regular, regular],
  ["the second factor of another", "user.reset-second-factor", regular, regular],
  ["the sessions of another", "user.end-sessions", regular, regular],
  ["a new super-admin", "user.create", null, root],
  ["a super-admin's name", "user.update", root, root],
  ["another email address", "user.update", regular, { ...regular, email: "kim@example.com" }],
  ["another role", "user.update", regular, userOf({ ...robin, role: "dealer_admin" })],
  ["another dealer", "user.update", regular, userOf({ ...robin, dealerId: 8 })],
  ["other permissions", "user.update", regular, userOf({ ...robin, permissions: USERS })],
  ["fewer permissions", "user.update", regular, userOf({ ...robin, permissions: 0 })],
  ["the end of a super-admin", "user.deactivate", root, root],
  ["the leaving of a super-admin", "user.leave", root, null],
  ["keys left to a super-admin", "user.leave", regular, root],
  ["a new super-admin key", "key.create", null, noneKey],
  ["a new dealer's key that changes users", "key.create", null, dealersKey(USERS)],
  ["a new user's key that changes users", "key.create", null, usersKey(USERS)],
  ["a super-admin key's name", "key.update", noneKey, noneKey],
  ["a key that becomes a super-admin's", "key.update", dealersKey(READ), noneKey],
  ["a super-admin key that becomes a dealer's", "key.update", noneKey, dealersKey(READ)],
  ["a change of a key that changes users", "key.update", dealersKey(USERS), dealersKey(USERS)],
  ["a key that comes to change users", "key.update", dealersKey(READ), usersKey(USERS)],
  ["a new secret for a super-admin key", "key.rotate", noneKey, noneKey],
  ["a new secret for a key that changes users", "key.rotate", usersKey(USERS), usersKey(USERS)],
  ["the end of a super-admin key's old secret", "key.end-grace", noneKey, noneKey],
  ["the end of the old secret of a key that changes users", "key.end-grace", usersKey(USERS), usersKey(USERS)],
  ["users:write for a key", "key.grant", dealersKey(READ), dealersKey(USERS)],
  ["a permission for a super-admin key", "key.grant", noneKey, noneKey],
  ["one permission less of a super-admin key", "key.withdraw", noneKey, noneKey],
  ["the end of a super-admin key", "key.revoke", noneKey, noneKey],
  ["the removal of a super-admin key", "key.delete", noneKey, null],
];

const ORDINARY: readonly Row[] = [
  ["a user's name", "user.update", regular, regular],
  ["a new user", "user.create", null, userOf({ ...robin, permissions: USERS })],
  ["the end of a user", "user.deactivate", regular, regular],
  ["the leaving of a user", "user.leave", regular, regular],
  ["a new key that changes no users", "key.create", null, dealersKey(ALMOST_USERS)],
  ["a change of a key that changes no users", "key.update", dealersKey(READ), dealersKey(ALMOST_USERS)],
  ["users:write taken from a key with other changes", "key.update", dealersKey(USERS), dealersKey(READ)],
  [
    "another pair taken from a key that changes users",
    "key.withdraw",
    dealersKey(USERS | ALMOST_USERS),
    dealersKey(USERS),
  ],
  ["users:write taken from a key", "key.withdraw", dealersKey(USERS), dealersKey(READ)],
  ["a new secret for a key that changes no users", "key.rotate", usersKey(READ), usersKey(READ)],
  ["the end of the old secret of a key that changes no users", "key.end-grace", usersKey(READ), usersKey(READ)],
  ["the end of a key that changes users", "key.revoke", dealersKey(USERS), dealersKey(USERS)],
  ["the removal of a key that changes users", "key.delete", dealersKey(USERS), null],
  ["an operation that no rule names", "vehicle.update", null, null],
];

const TOO_OLD = { kind: "proof-too-old" } as const;

describe("recent proof", () => {
  for (const [name, operation, before, after] of SENSITIVE)
    test(`is needed for ${name}, but only in the portal`, () => {
      const refusal = (via: "portal" | "api" | "command", provedRecently?: boolean) =>
        causeOf(
          sensitiveChangesNeedRecentProof({ via, ...(provedRecently !== undefined && { provedRecently }) }, operation, {
            before,
            after,
          }),
        );
      expect([refusal("portal", false), refusal("portal")]).toEqual([TOO_OLD, TOO_OLD]);
      expect([refusal("portal", true), refusal("api"), refusal("command")]).toEqual([null, null, null]);
    });

  for (const [name, operation, before, after] of ORDINARY)
    test(`is not needed for ${name}`, () => {
      const caller = { via: "portal", provedRecently: false } as const;
      expect(sensitiveChangesNeedRecentProof(caller, operation, { before, after })).toBeNull();
    });
});
