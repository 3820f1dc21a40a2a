import { expect, test } from "bun:test";
import type { Actor, Principal } from "../../../core/access/principal.ts";
import { SERVICE } from "../../../core/access/principal.ts";
import { Failure } from "../../../core/failure.ts";
import { limitConflicts } from "../../../core/users/email-conflicts.ts";
import { EMAIL_TAKEN, NO_SUCH_DEALER, type UserRepository } from "../../../core/users/user-repository.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import { causeOf } from "../use-cases.ts";
import { NOW, person } from "./user-records.ts";

const KNOWN = "kim@harbor.example.com";

/** Users of whom one has the known address, behind a limit that waits so many seconds. */
const begin = ({ waits = 0, waitsAfter = 0, missing = false } = {}) => {
  const counted: string[] = [];
  const asked: string[] = [];
  const stored = {
    async insert(user) {
      return missing ? NO_SUCH_DEALER : user.email === KNOWN ? EMAIL_TAKEN : person(user);
    },
    async change(context, decide) {
      const decided = decide(person({ id: context.id, email: "robin@harbor.example.com" }), []);
      if (decided instanceof Failure) return decided;
      if (decided.fields.email === KNOWN) return EMAIL_TAKEN;
      return { user: person(decided.fields), keys: null };
    },
  } satisfies Partial<UserRepository>;
  const users = limitConflicts(stored as unknown as UserRepository, {
    async take(subject) {
      counted.push(subject);
      return waitsAfter;
    },
    async waitOf(subject) {
      asked.push(subject);
      return waits;
    },
  });
  return {
    counted,
    asked,
    insert: (by: Actor, email = KNOWN) => users.insert(person({ email }), NOW, by),
    change: (by: Actor, fields: object | Failure) =>
      users.change({ id: 6, visibility: "everything", now: NOW, by, withKeys: false }, (user) =>
        fields instanceof Failure ? fields : { fields: { ...user, ...fields }, rotations: null },
      ),
  };
};

const TOO_OFTEN = { kind: "too-often", retrySeconds: 60 };

test("each conflict counts for its caller: for a user whatever key they use, else for the key", async () => {
  const subjectOf = async (by: Principal) => {
    const users = begin();
    expect(await users.insert(by)).toBe(EMAIL_TAKEN);
    expect(await users.change(by, { email: KNOWN })).toBe(EMAIL_TAKEN);
    expect(users.counted).toEqual(users.asked);
    return new Set(users.counted);
  };
  expect(await subjectOf(dealerKey(1, { keyId: 9 }))).toEqual(new Set(["email-conflicts:key:9"]));
  const ofUser = userKey("dealer_admin", 1, { keyId: 9, userId: 3 });
  expect(await subjectOf(ofUser)).toEqual(new Set(["email-conflicts:user:3"]));
});

test("those who see everybody have no limit, nor has the service", async () => {
  for (const by of [superAdminKey(), userKey("super_admin", null), SERVICE]) {
    const users = begin({ waits: 60, waitsAfter: 60 });
    expect(await users.insert(by)).toBe(EMAIL_TAKEN);
    expect([users.counted, users.asked]).toEqual([[], []]);
  }
});

test("what is no conflict is not counted", async () => {
  const by = dealerKey(1);
  const users = begin();
  expect(await users.insert(by, "new@harbor.example.com")).toMatchObject({ email: "new@harbor.example.com" });
  expect(await users.change(by, { name: "Robin" })).toMatchObject({ user: { name: "Robin" } });
  expect(await begin({ missing: true }).insert(by)).toBe(NO_SUCH_DEALER);
  expect(users.counted).toEqual([]);
});

test("the conflict beyond the limit is not told, and then no address is tried at all, while other changes are made", async () => {
  const by = dealerKey(1);
  expect(causeOf(await begin({ waitsAfter: 60 }).insert(by))).toMatchObject(TOO_OFTEN);
  const users = begin({ waits: 60 });
  for (const email of [KNOWN, "new@harbor.example.com"]) {
    expect(causeOf(await users.insert(by, email))).toMatchObject(TOO_OFTEN);
    expect(causeOf(await users.change(by, { email }))).toMatchObject(TOO_OFTEN);
  }
  expect(await users.change(by, { name: "Robin" })).toMatchObject({ user: { name: "Robin" } });
  const refusal = new Failure({ kind: "own-account" });
  expect<unknown>(await users.change(by, refusal)).toBe(refusal);
  expect(users.counted).toEqual([]);
});
