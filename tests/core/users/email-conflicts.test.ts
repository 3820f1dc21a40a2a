import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeHourlyLimits } from "../../../adapters/sql/sign-in/hourly-limits.ts";
import { makeUserRepository } from "../../../adapters/sql/users/repository.ts";
import type { HourlyLimits } from "../../../core/access/hourly-limits.ts";
import { type Actor, type Principal, SERVICE } from "../../../core/access/principal.ts";
import { Failure } from "../../../core/failure.ts";
import { limitConflicts } from "../../../core/users/email-conflicts.ts";
import { EMAIL_TAKEN, NO_SUCH_DEALER } from "../../../core/users/user-repository.ts";
import { made, userFields } from "../../support/records.ts";
import { dealerKey, superAdminKey, userKey } from "../callers.ts";
import { causeOf, newDealerBody, openUseCases, succeeded, type UseCases } from "../use-cases.ts";

/** How many conflicts a caller learns of in an hour. */
const CONFLICTS = 20;

let core: UseCases;
let dealer: number;
/** An address that somebody has, and somebody else. */
let known: string;
let robin: number;
beforeAll(async () => {
  core = await openUseCases();
  dealer = succeeded(await core.dealers.create(superAdminKey(), newDealerBody())).id;
  const { users } = core.repositories;
  const make = async () => made(await users.insert(userFields({ dealerId: dealer }), core.clock.now(), SERVICE));
  known = (await make()).email;
  robin = (await make()).id;
});
afterAll(() => core.db.close());

let keys = 100;
/** A caller whom no other test has counted. */
const newCaller = (): Principal => dealerKey(dealer, { keyId: ++keys });

/** Users behind the limit, and whom it counted and was asked of. `meanwhile` runs while an address is tried. */
const begin = (meanwhile: (limits: HourlyLimits) => Promise<unknown> = async () => {}) => {
  const counted: string[] = [];
  const asked: string[] = [];
  const limits = makeHourlyLimits(core.db, core.clock);
  const stored = makeUserRepository(core.db, core.cache.clear);
  const trying = {
    ...stored,
    async insert(...insertion: Parameters<typeof stored.insert>) {
      await meanwhile(limits);
      return stored.insert(...insertion);
    },
  };
  const users = limitConflicts(trying, {
    take(subject, limit) {
      counted.push(subject);
      return limits.take(subject, limit);
    },
    waitOf(subject, limit) {
      asked.push(subject);
      return limits.waitOf(subject, limit);
    },
  });
  const now = core.clock.now();
  return {
    counted,
    asked,
    insert: (by: Actor, email = known, dealerId = dealer) => users.insert(userFields({ email, dealerId }), now, by),
    change: (by: Actor, fields: object | Failure) =>
      users.change({ id: robin, visibility: "everything", now, by, withKeys: false }, (user) =>
        fields instanceof Failure ? fields : { fields: { ...user, ...fields }, rotations: null },
      ),
  };
};

const TOO_OFTEN = { kind: "too-often", retrySeconds: 3600 };
const conflicts = async (by: Actor, count: number): Promise<void> => {
  const users = begin();
  for (let round = 0; round < count; round++) expect(await users.insert(by)).toBe(EMAIL_TAKEN);
};

test("each conflict counts for its caller: for a user whatever key they use, else for the key", async () => {
  const subjectOf = async (by: Principal) => {
    const users = begin();
    expect(await users.insert(by)).toBe(EMAIL_TAKEN);
    expect(await users.change(by, { email: known })).toBe(EMAIL_TAKEN);
    expect(users.counted).toEqual(users.asked);
    return new Set(users.counted);
  };
  expect(await subjectOf(dealerKey(dealer, { keyId: 9 }))).toEqual(new Set(["email-conflicts:key:9"]));
  const ofUser = userKey("dealer_admin", dealer, { keyId: 9, userId: 3 });
  expect(await subjectOf(ofUser)).toEqual(new Set(["email-conflicts:user:3"]));
});

test("those who see everybody have no limit, nor has the service", async () => {
  for (const by of [superAdminKey(), userKey("super_admin", null), SERVICE]) {
    await conflicts(by, CONFLICTS);
    const users = begin();
    expect(await users.insert(by)).toBe(EMAIL_TAKEN);
    expect([users.counted, users.asked]).toEqual([[], []]);
  }
});

test("what is no conflict is not counted", async () => {
  const by = newCaller();
  const users = begin();
  expect(await users.insert(by, "new@harbor.example.com")).toMatchObject({ email: "new@harbor.example.com" });
  expect(await users.change(by, { name: "Robin" })).toMatchObject({ user: { name: "Robin" } });
  expect(await users.insert(by, "missing@harbor.example.com", 9_999_999)).toBe(NO_SUCH_DEALER);
  expect(users.counted).toEqual([]);
});

test("the conflict beyond the limit is not told, and then no address is tried at all, while other changes are made", async () => {
  const by = newCaller();
  await conflicts(by, CONFLICTS - 1);
  // Another request of the caller learns of the last conflict before this one does.
  const racing = begin((limits) => limits.take(`email-conflicts:key:${by.keyId}`, CONFLICTS));
  expect(causeOf(await racing.insert(by))).toMatchObject(TOO_OFTEN);
  const users = begin();
  for (const email of [known, "other@harbor.example.com"]) {
    expect(causeOf(await users.insert(by, email))).toMatchObject(TOO_OFTEN);
    expect(causeOf(await users.change(by, { email }))).toMatchObject(TOO_OFTEN);
  }
  expect(await users.change(by, { name: "Robin" })).toMatchObject({ user: { name: "Robin" } });
  const refusal = new Failure({ kind: "own-account" });
  expect<unknown>(await users.change(by, refusal)).toBe(refusal);
  expect(users.counted).toEqual([]);
});
