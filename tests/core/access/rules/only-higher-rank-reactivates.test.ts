import { describe, expect, test } from "bun:test";
import type { Principal } from "../../../../core/access/principal.ts";
import {
  endedByAfter,
  endingAfter,
  onlyHigherRankReactivates,
  onlyHigherRankReactivatesKey,
  rankOf,
} from "../../../../core/access/rules/only-higher-rank-reactivates.ts";
import { ROLES, type Role } from "../../../../core/permissions.ts";
import { dealerKey, superAdminKey, userKey } from "../../callers.ts";
import { causeOf } from "../../use-cases.ts";

const RANKS: readonly (readonly [string, Principal, Role])[] = [
  ["a super-admin key", superAdminKey(), "super_admin"],
  ["a super-admin user", userKey("super_admin", null), "super_admin"],
  ["a dealer's key", dealerKey(7), "dealer_admin"],
  ["a dealer's admin", userKey("dealer_admin", 7), "dealer_admin"],
  ["a regular user", userKey("user", 7), "user"],
  ["a user key without its user", userKey("user", null, { role: null }), "user"],
];

const BY_SUPER_ADMIN = "A super-admin deactivated it: only a super-admin may activate it again";
const BY_DEALER_ADMIN = "A dealer's admin deactivated it: only a dealer's admin or a super-admin may activate it again";
const BY_UNKNOWN = "It was deactivated before the service recorded by whom: only a super-admin may activate it again";

// [who ended it, then the verdict for each rank: super_admin, dealer_admin, user].
const VERDICTS: readonly (readonly [Role | null, Readonly<Record<Role, string | null>>])[] = [
  ["super_admin", { super_admin: null, dealer_admin: BY_SUPER_ADMIN, user: BY_SUPER_ADMIN }],
  ["dealer_admin", { super_admin: null, dealer_admin: null, user: BY_DEALER_ADMIN }],
  ["user", { super_admin: null, dealer_admin: null, user: null }],
  [null, { super_admin: null, dealer_admin: BY_UNKNOWN, user: BY_UNKNOWN }],
];

const reasonOf = (refusal: unknown): string | null => {
  const cause = causeOf(refusal);
  return cause?.kind === "escalation" ? cause.reason : null;
};

describe("the rank", () => {
  for (const [name, caller, rank] of RANKS)
    test(`of ${name} is ${rank}`, () => {
      expect(rankOf(caller)).toBe(rank);
    });
});

describe("a record that was ended", () => {
  for (const [endedBy, verdicts] of VERDICTS)
    for (const rank of ROLES) {
      const ended = { active: false, endedBy };
      const reason = verdicts[rank];
      test(`by ${endedBy ?? "nobody known"} is ${reason === null ? "" : "not "}activated by ${rank}`, () => {
        expect(reasonOf(onlyHigherRankReactivates(rank, ended))).toBe(reason);
        expect(reasonOf(onlyHigherRankReactivates(rank, { ...ended, active: true }))).toBeNull();
      });

      test(`by ${endedBy ?? "nobody known"}, then again by ${rank}, counts as ended by the higher rank`, () => {
        expect(endedByAfter(rank, ended, { active: false, endedAgain: true })).toBe(reason === null ? rank : endedBy);
        expect(endedByAfter(rank, ended, { active: false, endedAgain: false })).toBe(endedBy);
      });
    }

  for (const rank of ROLES)
    test(`first by ${rank}, or created inactive, counts as ended by ${rank}; an active one by nobody`, () => {
      expect(endedByAfter(rank, { active: true, endedBy: null }, { active: false, endedAgain: true })).toBe(rank);
      expect(endedByAfter(rank, null, { active: false, endedAgain: false })).toBe(rank);
      expect(
        endedByAfter(rank, { active: false, endedBy: "super_admin" }, { active: true, endedAgain: false }),
      ).toBeNull();
    });
});

describe("a change of a record that can be switched off", () => {
  for (const [endedBy, verdicts] of VERDICTS)
    for (const rank of ROLES) {
      const reason = verdicts[rank];
      test(`ended by ${endedBy ?? "nobody known"} and made by ${rank} ${reason === null ? "activates it" : "is refused"}, or leaves it ended`, () => {
        const before = { active: false, endedBy };
        const activated = endingAfter(rank, before, { active: true, endedAgain: false });
        expect(reason === null ? activated : reasonOf(activated)).toBe(reason);
        expect(endingAfter(rank, before, { active: false, endedAgain: false })).toBe(endedBy);
      });
    }
});

test("a new record that can be switched off is ended by whoever makes it switched off, or by nobody", () => {
  for (const rank of ROLES) {
    expect(endingAfter(rank, null, { active: false, endedAgain: false })).toBe(rank);
    expect(endingAfter(rank, null, { active: true, endedAgain: false })).toBeNull();
  }
});

const ENDED = { active: false, endedBy: "super_admin" } as const;
const WORKS = { active: true, endedBy: null } as const;
const key = (ending: typeof ENDED | typeof WORKS, holder: typeof ENDED | typeof WORKS | null) => ({
  ...ending,
  userId: 5,
  holder,
});

// [change, the key before, the key after, whether a dealer's admin may make it].
const KEYS: readonly (readonly [
  string,
  ReturnType<typeof key>,
  { readonly active: boolean; readonly userId: number | null },
  boolean,
])[] = [
  ["stays ended", key(ENDED, WORKS), { active: false, userId: 5 }, true],
  ["is activated", key(ENDED, WORKS), { active: true, userId: 5 }, false],
  ["stays active", key(WORKS, WORKS), { active: true, userId: 5 }, true],
  ["stays with a user who was ended", key(WORKS, ENDED), { active: true, userId: 5 }, true],
  ["passes from a user who was ended to another", key(WORKS, ENDED), { active: true, userId: 6 }, false],
  ["passes from a user who was ended to a dealer", key(WORKS, ENDED), { active: true, userId: null }, false],
  ["passes from a user who was ended, revoked", key(WORKS, ENDED), { active: false, userId: 6 }, false],
  ["passes from an active user to another", key(WORKS, WORKS), { active: true, userId: 6 }, true],
  ["without a user is tied to one", key(WORKS, null), { active: true, userId: 6 }, true],
];

describe("a key that a super-admin ended, or whose user a super-admin ended", () => {
  for (const [name, before, after, allowed] of KEYS)
    test(`and that ${name}: ${allowed ? "allowed" : "refused"} to a dealer's admin, allowed to a super-admin`, () => {
      const refusal = reasonOf(onlyHigherRankReactivatesKey("dealer_admin", before, after));
      expect(refusal).toBe(allowed ? null : BY_SUPER_ADMIN);
      expect(onlyHigherRankReactivatesKey("super_admin", before, after)).toBeNull();
    });
});
