import { expect, test } from "bun:test";
import { type KeyLives, type KeyNotice, type KeyNotices, makeKeyLife } from "../../../core/keys/life.ts";
import { fakeClock } from "../../support/clock.ts";

const clock = fakeClock();
const daysAhead = (days: number): string => clock.after(days * 24 * 60 * 60);
const notice = (keyId: number): KeyNotice => ({
  ...{ keyId, name: "Showroom website", dealerId: null, kind: "idle", endsAt: clock.now(), receiver: null },
});

/** Gives these pieces, one at each call, and then nothing that is more. */
const inPieces = (pieces: readonly (readonly number[])[]) => {
  const left = [...pieces];
  return async (): Promise<KeyNotices> => {
    const piece = left.shift();
    if (piece === undefined) throw new Error("there was no more");
    return { notices: piece.map(notice), isMore: left.length > 0 };
  };
};

/** There are notices of keys that expire for four times. */
const neverExpiring = () => {
  let calls = 0;
  return async (): Promise<KeyNotices> => {
    if (++calls > 4) throw new Error("there was no more");
    return { notices: [], isMore: false };
  };
};

test("all notices that are due are given, in as many pieces as there are", async () => {
  const told: number[] = [];
  const lives: KeyLives = {
    noteExpiring: neverExpiring(),
    noteIdle: inPieces([[1, 2], [3], [4]]),
    switchOffIdle: inPieces([[5], []]),
  };
  await makeKeyLife({ lives, clock, idleDays: 30, tell: ({ keyId }) => void told.push(keyId) })();
  expect(told).toEqual([1, 2, 3, 4, 5]);
  // Where keys may stay unused, nobody looks for those that are.
  const unasked: KeyLives = { ...lives, noteExpiring: neverExpiring() };
  await makeKeyLife({ lives: unasked, clock, idleDays: null, tell: () => {} })();
});

test("a key that nobody uses ends when its days are over, and never before it was noted for two weeks", async () => {
  let endsAt = (since: string): string => since;
  const lives: KeyLives = {
    noteExpiring: neverExpiring(),
    async noteIdle(due) {
      endsAt = due.endsAt;
      return { notices: [], isMore: false };
    },
    switchOffIdle: inPieces([[]]),
  };
  await makeKeyLife({ lives, clock, idleDays: 30, tell: () => {} })();
  for (const [usedDaysAgo, endsInDays] of [
    [10, 20],
    [15, 15],
    [16, 14],
    [17, 14],
    [90, 14],
  ] as const)
    expect(endsAt(daysAhead(-usedDaysAgo))).toBe(daysAhead(endsInDays));
});
