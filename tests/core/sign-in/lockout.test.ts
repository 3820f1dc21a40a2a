import { afterAll, beforeAll, expect, test } from "bun:test";
import { tokens } from "../../../adapters/sign-in/tokens.ts";
import type { SqlDatabase } from "../../../adapters/sql/query/database.ts";
import { makeAttemptRepository } from "../../../adapters/sql/sign-in/attempts.ts";
import { OPERATOR } from "../../../core/access/principal.ts";
import { Failure } from "../../../core/failure.ts";
import { makeLockout } from "../../../core/sign-in/lockout.ts";
import { fakeClock, START_MS } from "../../support/clock.ts";
import { ENGINES } from "../../support/engines.ts";
import { userFields } from "../../support/records.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** So many failures from new addresses together begin a pause. */
const OF_NEW_ADDRESSES = 20;
const OWNER = "192.0.2.1";
const USER = { ...userFields(), id: 5, invited: false, createdAt: "", updatedAt: "" };

let db: SqlDatabase;
let accounts = 0;
beforeAll(async () => {
  db = await ENGINES[0].open();
});
afterAll(() => db.close());

/** One account, and what its attempts lead to. */
const fixture = () => {
  const email = `person${++accounts}@example.com`;
  const clock = fakeClock();
  const locked: unknown[] = [];
  const clearedMs: number[] = [];
  const attempts = makeAttemptRepository(db);
  const lockout = makeLockout({
    tokens,
    clock,
    attempts: {
      ...attempts,
      forgetStale: async (...since) => {
        clearedMs.push(clock.nowMs() - START_MS);
        await attempts.forgetStale(...since);
      },
    },
    events: { record: async () => {}, recordInBackground: ({ concerned }) => void locked.push(concerned.id) },
  });
  const beginFrom = (address: string) => lockout.begin(email, { address });
  const begun = async (address: string) => {
    const attempt = await beginFrom(address);
    if (attempt instanceof Failure) throw attempt;
    return attempt;
  };
  return {
    clock,
    locked,
    clearedMs,
    succeedFrom: async (address: string) => (await begun(address)).succeeded(),
    passFrom: async (address: string) => (await begun(address)).passed(),
    /** Fails so many times, each time from another address. */
    failFromElsewhere: async (times: number, user: typeof USER | null = USER) => {
      for (let time = 0; time < times; time++) await (await begun(`198.51.100.${time}`)).failed(user, OPERATOR);
    },
    failFrom: async (address: string, times: number, user: typeof USER | null = USER) => {
      for (let time = 0; time < times; time++) await (await begun(address)).failed(user, OPERATOR);
    },
    isPausedFrom: async (address: string) => (await beginFrom(address)) instanceof Failure,
    isPaused: async () => (await lockout.lockedUntil(email)) !== null,
  };
};

test("an address is known for 30 days after its last success, to the millisecond", async () => {
  const { clock, succeedFrom, failFromElsewhere, isPausedFrom } = fixture();
  await succeedFrom(OWNER);
  // Within a minute before that, what is stale is deleted for the last time.
  clock.advance(30 * DAY_MS - 2);
  await failFromElsewhere(OF_NEW_ADDRESSES);
  clock.advance(1);
  expect(await isPausedFrom(OWNER)).toBe(false);
  clock.advance(1);
  expect(await isPausedFrom(OWNER)).toBe(true);
});

test("a known address does not end the pause of new ones", async () => {
  const { succeedFrom, passFrom, failFromElsewhere, isPaused } = fixture();
  await succeedFrom(OWNER);
  await failFromElsewhere(OF_NEW_ADDRESSES);
  await passFrom(OWNER);
  await succeedFrom(OWNER);
  expect(await isPaused()).toBe(true);
});

test("a lockout is recorded where it begins, of one address or of new ones together, and only of a user", async () => {
  const { locked, failFromElsewhere, failFrom } = fixture();
  await failFromElsewhere(OF_NEW_ADDRESSES - 1);
  expect(locked).toEqual([]);
  await failFrom("203.0.113.1", 1);
  expect(locked).toEqual([USER.id]);
  const one = fixture();
  await one.failFrom(OWNER, 5);
  expect(one.locked).toEqual([USER.id]);
  const strangers = fixture();
  await strangers.failFrom(OWNER, 5, null);
  await strangers.failFromElsewhere(OF_NEW_ADDRESSES - 5, null);
  expect(strangers.locked).toEqual([]);
});

test("counts that are over are deleted once a minute", async () => {
  const { clock, clearedMs, failFromElsewhere } = fixture();
  for (const ms of [0, MINUTE_MS - 1, 1, 1]) {
    clock.advance(ms);
    await failFromElsewhere(1);
  }
  expect(clearedMs).toEqual([0, MINUTE_MS]);
});
