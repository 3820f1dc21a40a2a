import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeKeyLives } from "../../../adapters/sql/keys/lives.ts";
import { type KeyLives, type KeyNotice, makeKeyLife } from "../../../core/keys/life.ts";
import { fakeClock } from "../../support/clock.ts";
import { keyFields, made, newSecret, OPERATOR } from "../../support/records.ts";
import { openUseCases, type UseCases } from "../use-cases.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** More keys than are noted in one transaction. */
const MANY = 101;
/** Keys are asked for once for each of four notices of an expiry, and again for those beyond a transaction. */
const MOST_CALLS = 8;

let core: UseCases;
beforeAll(async () => {
  core = await openUseCases();
});
afterAll(() => core.db.close());

/** Notices of the stored keys on a day of a clock of its own, and how often the database was asked for which. */
const begin = () => {
  const clock = fakeClock();
  const start = clock.nowMs();
  const stored = makeKeyLives(core.db, core.cache.clear);
  const insert = async (expiresAt: string | null = null): Promise<number> =>
    made(
      await core.storedKeys.insert({
        key: keyFields({ expiresAt }),
        secret: newSecret(),
        now: clock.now(),
        by: OPERATOR,
      }),
    ).id;
  const tellOn = async (day: number, idleDays: number | null) => {
    clock.set(start + day * DAY_MS);
    const told: KeyNotice[] = [];
    const asked = { noteExpiring: 0, noteIdle: 0, switchOffIdle: 0 };
    const counted = (name: keyof KeyLives): void => {
      if (++asked[name] > MOST_CALLS) throw new Error("there was no more");
    };
    const lives: KeyLives = {
      noteExpiring(due) {
        counted("noteExpiring");
        return stored.noteExpiring(due);
      },
      noteIdle(due) {
        counted("noteIdle");
        return stored.noteIdle(due);
      },
      switchOffIdle(due) {
        counted("switchOffIdle");
        return stored.switchOffIdle(due);
      },
    };
    await makeKeyLife({ lives, clock, idleDays, tell: (notice) => void told.push(notice) })();
    const rows = told.map(({ keyId, kind, endsAt }): (string | number)[] => [kind, keyId, Date.parse(endsAt) - start]);
    return { told: rows, asked };
  };
  return { clock, insert, tellOn };
};

test("all notices that are due are given, in as many pieces as there are", async () => {
  const { clock, insert, tellOn } = begin();
  const ids: number[] = [];
  for (let count = 0; count < MANY; count++) ids.push(await insert());
  const expiring = await insert(clock.after((15 * DAY_MS) / 1000));
  const noticesOf = (kind: string, endsOn: number) => ids.map((id) => [kind, id, endsOn * DAY_MS]);
  const expiry = [["expiring", expiring, 15 * DAY_MS]];
  expect((await tellOn(8, 30)).told).toEqual(expiry);
  // Where keys may stay unused, nobody looks for those that are.
  const unasked = { told: expiry, asked: { noteExpiring: 4, noteIdle: 0, switchOffIdle: 0 } };
  expect(await tellOn(15, null)).toEqual(unasked);
  expect(await tellOn(16, 30)).toEqual({
    told: noticesOf("idle", 30),
    asked: { noteExpiring: 4, noteIdle: 2, switchOffIdle: 1 },
  });
  expect((await tellOn(29, 30)).told).toEqual([]);
  expect((await tellOn(30, 30)).told).toEqual(noticesOf("switched-off", 30));
});

test("a key that nobody uses ends when its days are over, and never before it was noted for two weeks", async () => {
  for (const [noted, ends] of [
    [16, 30],
    [17, 31],
    [90, 104],
  ] as const) {
    const { insert, tellOn } = begin();
    const id = await insert();
    expect((await tellOn(15.9, 30)).told).toEqual([]);
    expect((await tellOn(noted, 30)).told).toEqual([["idle", id, ends * DAY_MS]]);
    expect((await tellOn(ends - 0.1, 30)).told).toEqual([]);
    expect((await tellOn(ends, 30)).told).toEqual([["switched-off", id, ends * DAY_MS]]);
  }
});
