import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeAttemptRepository } from "../../adapters/sql/sign-in/attempts.ts";
import type { AttemptRepository } from "../../core/sign-in/attempt-repository.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { MOMENT, momentAfter } from "../support/records.ts";

const PAUSE_MS = 60_000;
const END = momentAfter(PAUSE_MS);
const LONG_AGO = momentAfter(-3_600_000);

for (const engine of ENGINES)
  describe(`failed sign-in attempts on ${engine.name}`, () => {
    let db: TestDatabase;
    let attempts: AttemptRepository;
    beforeAll(async () => {
      db = await engine.open();
      attempts = makeAttemptRepository(db);
    });
    afterAll(() => db.close());

    /** The second failure in a row begins a pause. */
    const begin = (subject: string, now: string, account: string | null = null) =>
      attempts.begin({ subject, account, pausesFrom: 2, pausedUntil: [END], countedSince: LONG_AGO }, now);

    const subjects = async (): Promise<unknown[]> =>
      (await queryDatabase<{ subject: string }>(db.url, "SELECT subject FROM sign_in_attempts ORDER BY subject")).map(
        ({ subject }) => subject,
      );

    test("pause only their own subject until the pause ends, to the millisecond, and do not count during it", async () => {
      for (const failures of [1, 2]) expect(await begin("paused", MOMENT)).toEqual({ failures, succeededAt: null });
      expect(await begin("free", MOMENT)).toEqual({ failures: 1, succeededAt: null });
      const last = momentAfter(PAUSE_MS - 1);
      for (const now of [MOMENT, last]) {
        expect(await attempts.pausedUntil("paused", now)).toBe(END);
        expect(await attempts.pausedUntil("free", now)).toBeNull();
        expect(await begin("paused", now)).toEqual({ pausedUntil: END });
      }
      expect(await attempts.pausedUntil("paused", END)).toBeNull();
      expect(await begin("paused", END)).toEqual({ failures: 3, succeededAt: null });
    });

    test("that are taken back end their subject's pause, and their number never falls below zero", async () => {
      for (const subject of ["taken", "taken", "kept", "kept"]) await begin(subject, MOMENT);
      await attempts.takeBack("taken");
      expect(await attempts.pausedUntil("taken", MOMENT)).toBeNull();
      expect(await attempts.pausedUntil("kept", MOMENT)).toBe(END);
      for (let again = 0; again < 2; again++) await attempts.takeBack("taken");
      expect(await begin("taken", MOMENT)).toEqual({ failures: 1, succeededAt: null });
    });

    test("count from zero after their subject succeeds, and the time of success is remembered", async () => {
      for (const subject of ["known", "known", "stranger", "stranger"]) await begin(subject, MOMENT);
      await attempts.succeed("known", MOMENT);
      expect(await begin("known", MOMENT)).toEqual({ failures: 1, succeededAt: MOMENT });
      expect(await begin("stranger", MOMENT)).toEqual({ pausedUntil: END });
    });

    test("of one account are forgotten together, and other accounts' are kept", async () => {
      await begin("a browser", MOMENT, "an account");
      await begin("an address", MOMENT, "an account");
      await begin("a neighbour", MOMENT, "another account");
      await attempts.forgetAccount("an account");
      const left = await subjects();
      expect(left).toContain("a neighbour");
      expect(left).not.toContain("a browser");
      expect(left).not.toContain("an address");
    });

    test("are forgotten after a while without another one, and successes after a while without another success", async () => {
      await attempts.forgetStale(momentAfter(1e9), momentAfter(1e9));
      const [stale, known] = [momentAfter(-1000), momentAfter(-2000)];
      const before = (moment: string): string => new Date(Date.parse(moment) - 1).toISOString();
      for (const [subject, last, succeeded] of [
        ["failed: too old", before(stale), null],
        ["failed: kept", stale, null],
        ["succeeded: too old", before(known), before(known)],
        ["succeeded: kept", known, known],
      ] as const) {
        await begin(subject, last);
        if (succeeded !== null) await attempts.succeed(subject, succeeded);
      }
      await begin("succeeded: tried again", MOMENT);
      await attempts.succeed("succeeded: tried again", before(known));
      await begin("succeeded: tried again", stale);
      await attempts.forgetStale(stale, known);
      expect(await subjects()).toEqual(["failed: kept", "succeeded: kept", "succeeded: tried again"]);
    });
  });
