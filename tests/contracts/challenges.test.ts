import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Tx } from "../../adapters/sql/query/database.ts";
import {
  beginChallenge,
  endChallenges,
  makeChallengeRepository,
  removeExpiredChallenges,
  takeChallenge,
} from "../../adapters/sql/sign-in/challenges.ts";
import { CHALLENGE_ATTEMPTS, type ChallengeRepository } from "../../core/sign-in/challenges.ts";
import library from "../adapters/sign-in/made-by-better-auth.json";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { MOMENT, momentAfter } from "../support/records.ts";

const LIFETIME_MS = 60_000;
const END = momentAfter(LIFETIME_MS);
/** Ids of no user of these tests, one of them as small as a count of attempts. */
const USERS = [1, 4711] as const;

for (const engine of ENGINES)
  describe(`a sign-in challenge on ${engine.name}`, () => {
    let db: TestDatabase;
    let challenges: ChallengeRepository;
    beforeAll(async () => {
      db = await engine.open();
      challenges = makeChallengeRepository(db);
    });
    afterAll(() => db.close());

    const change = (work: (tx: Tx) => Promise<void>): Promise<void> => db.write(work);
    const begun = async (token: string, userId: number): Promise<void> =>
      change((tx) => beginChallenge(tx, { token, userId, now: MOMENT, endsAt: END }));

    test("belongs to its user until it ends, to the millisecond", async () => {
      await begun("one", 4711);
      const moments = [MOMENT, momentAfter(LIFETIME_MS - 1), END];
      expect(await Promise.all(moments.map((now) => challenges.userOf("one", now)))).toEqual([4711, 4711, null]);
      expect(await challenges.userOf("another", MOMENT)).toBeNull();
    });

    test("ends after the last allowed attempt, however many attempts arrive at once", async () => {
      await begun("tried", 4711);
      const tries = Array.from({ length: CHALLENGE_ATTEMPTS + 3 }, () => challenges.countAttempt("tried", MOMENT));
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(CHALLENGE_ATTEMPTS);
      expect(await challenges.userOf("tried", MOMENT)).toBeNull();
    });

    test("takes no attempt after its end, to the millisecond, and its end leaves other challenges alone", async () => {
      for (const token of ["late", "spared"]) await begun(token, 4711);
      const moments = [momentAfter(LIFETIME_MS - 1), END];
      const counted: boolean[] = [];
      for (const now of moments) counted.push(await challenges.countAttempt("late", now));
      expect(counted).toEqual([true, false]);
      expect(await challenges.userOf("late", MOMENT)).toBeNull();
      expect(await challenges.userOf("spared", MOMENT)).toBe(4711);
    });

    test("can be used once, by its user, before its end", async () => {
      const take = (token: string, userId: number, now: string): Promise<boolean> =>
        db.write((tx) => takeChallenge(tx, { token, userId, now }));
      for (const [token, userId, now, isAccepted] of [
        ["in time", 4711, momentAfter(LIFETIME_MS - 1), true],
        ["at its end", 4711, END, false],
        ["another's", 1, MOMENT, false],
      ] as const) {
        await begun(token, 4711);
        expect([token, await take(token, userId, now)]).toEqual([token, isAccepted]);
        if (isAccepted) expect(await take(token, userId, now)).toBe(false);
      }
    });

    test("that is used leaves the user's other challenges alone", async () => {
      for (const token of ["taken", "left alone"]) await begun(token, 4711);
      await db.write((tx) => takeChallenge(tx, { token: "taken", userId: 4711, now: MOMENT }));
      expect(await challenges.userOf("taken", MOMENT)).toBeNull();
      expect(await challenges.userOf("left alone", MOMENT)).toBe(4711);
      expect(await challenges.countAttempt("left alone", MOMENT)).toBe(true);
    });

    test("ends when its user's password changes, and only that user's challenges end", async () => {
      for (const user of USERS) await begun(`of ${user}`, user);
      await challenges.countAttempt("of 4711", MOMENT);
      await change((tx) => endChallenges(tx, 1));
      expect(await challenges.userOf("of 1", MOMENT)).toBeNull();
      expect(await challenges.userOf("of 4711", MOMENT)).toBe(4711);
      expect(await challenges.countAttempt("of 4711", MOMENT)).toBe(true);
    });

    test("is stored in the format of the former library, so that sign-ins under way survive an update", async () => {
      for (const { identifier: token, stored } of library.identifiers.filter(
        ({ identifier }) => !identifier.includes("attempts"),
      )) {
        await begun(token, 4711);
        const rows = await queryDatabase<{ value: string }>(
          db.url,
          `SELECT value FROM sign_in_challenges WHERE identifier = '${stored}'`,
        );
        expect(rows).toEqual([{ value: "4711" }]);
      }
      const [, attempts] = library.identifiers;
      const counts = await queryDatabase<{ value: string }>(
        db.url,
        `SELECT value FROM sign_in_challenges WHERE identifier = '${attempts?.stored}'`,
      );
      expect(counts.map(({ value }) => Number(value))).toEqual([0]);
    });

    test("is deleted once it has expired", async () => {
      await begun("expiring", 4711);
      const left = async () => (await queryDatabase(db.url, "SELECT id FROM sign_in_challenges")).length;
      await change((tx) => removeExpiredChallenges(tx, momentAfter(LIFETIME_MS - 1)));
      expect(await left()).toBeGreaterThan(0);
      await change((tx) => removeExpiredChallenges(tx, END));
      expect(await left()).toBe(0);
    });
  });
