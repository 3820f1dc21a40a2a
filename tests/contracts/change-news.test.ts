import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { changeNews } from "../../adapters/sql/change-feed/news.ts";
import { changePositions } from "../../adapters/sql/change-feed/positions.ts";
import { makeChangeFeedRepository } from "../../adapters/sql/change-feed/repository.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { purging } from "../../adapters/sql/removed/purging.ts";
import { makeChangeFeed } from "../../core/change-feed/change-feed.ts";
import { NOW } from "../../core/change-feed/feed-place.ts";
import type { Listener } from "../../core/change-feed/news.ts";
import { Failure } from "../../core/failure.ts";
import { superAdminKey } from "../core/callers.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { openFeedHasReachedNow } from "../support/horizon.ts";
import { recording } from "../support/recording.ts";
import { dealerFields, OPERATOR } from "../support/records.ts";

setDefaultTimeout(300_000);

const LISTENER: Listener = { mayGoOn: () => true, onGone: () => () => {} };
const WAITERS = 1000;
const DAY_MS = 86_400_000;

for (const engine of ENGINES)
  describe(`those who wait for changes on ${engine.name}`, () => {
    const begin = async () => {
      const db = await engine.open();
      await openFeedHasReachedNow(db);
      const clock = fakeClock();
      const watched = recording(db);
      const news = changeNews(watched.db, {
        background: (work) => work(),
        accessChanges: () => 0,
        steadyMs: clock.steadyMs,
      });
      const [position] = await db.all(changePositions(db).head, {});
      if (position === undefined) throw new Error("the numbering of changes is missing");
      const wait = (dealer: number | null, seconds: number) =>
        news.next(LISTENER, { dealer, behind: position, until: news.after(seconds) });
      return { db, clock, watched, news, wait };
    };

    // On PostgreSQL, transactions of other tests on the same server move what can be read: whoever waits looks once more
    // then. What is proved here does not depend on the engine.
    if (engine.name === "SQLite")
      test("get a comment after 15 seconds and not before, and nothing is read for it", async () => {
        const { db, clock, news, wait } = await begin();
        const reading = recording(db);
        const records = makeChangeFeedRepository(reading.db);
        const feed = makeChangeFeed({ records, news, delivery: null, pause: async () => {}, clock });
        const parts = await feed.follow(superAdminKey(), { kinds: ["vehicle"] }, { from: NOW, listener: LISTENER });
        if (parts instanceof Failure) throw new Error("the stream was refused");
        expect((await parts.next()).value).toMatchObject({ kind: "begin" });
        for (let comment = 0; comment < 3; comment++) {
          let isThere = false;
          const part = parts.next().then(({ value }) => {
            isThere = true;
            return value;
          });
          if (comment === 0) await wait(null, 0);
          // What was read until now.
          reading.ran();
          clock.advance(14_999);
          // Whoever waits has been looked after at this time, and what came of it has arrived.
          for (let time = 0; time < 2; time++) expect(await wait(null, 0)).toBe("late");
          expect(isThere).toBe(false);
          clock.advance(1);
          expect(await part).toMatchObject({ kind: "idle" });
          expect(reading.ran()).toEqual([]);
        }
        news.stop();
        expect((await parts.next()).done).toBe(true);
        await db.close();
      });

    test("may be a thousand: one question is asked for all, and a change wakes those of its dealer only", async () => {
      const { db, watched, news, wait } = await begin();
      const dealer = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const others = Array.from({ length: WAITERS - 1 }, () => wait(dealer.id + 1, 25));
      const own = wait(dealer.id, 25);
      expect(news.waiting).toBe(WAITERS);
      expect(await own).toBe("news");
      expect(news.waiting).toBe(WAITERS - 1);
      expect(watched.ran().length).toBeLessThan(WAITERS / 10);
      news.stop();
      expect(new Set(await Promise.all(others))).toEqual(new Set(["over"]));
      expect(news.waiting).toBe(0);
      await db.close();
    });

    test("find removals for 31 days, and nothing of them is kept after that", async () => {
      const { db, clock } = await begin();
      const { id } = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      const at = clock.now();
      await db.migrate(async (run) => {
        await run(`UPDATE dealers SET active = 0 WHERE id = ${id}`);
        await run(`UPDATE changed_records SET at = '${at}'`);
      });
      const kept = async (): Promise<number> => {
        let rows = 0;
        await db.migrate(async (run) => {
          rows = (await run("SELECT 1 FROM changed_records WHERE state > 0")).length;
        });
        return rows;
      };
      const purge = purging([makeChangeFeedRepository(db)], clock);
      expect(await kept()).toBe(1);
      clock.advance(31 * DAY_MS - 1);
      await purge.run();
      expect(await kept()).toBe(1);
      clock.advance(1);
      await purge.run();
      expect(await kept()).toBe(0);
      await db.close();
    });

    test("read a dealer's changes by an index: the plan does not grow with those of other dealers", async () => {
      const { db } = await begin();
      const positions = changePositions(db);
      const watched = recording(db);
      const range = { "after.tx": 0, "after.number": 0, "until.tx": 1_000_000_000, "until.number": 1_000_000_000 };
      await watched.db.all(positions.changed(1), { ...range, scope: 1, limit: 10 });
      const [read] = watched.ran();
      if (read === undefined) throw new Error("nothing was read");
      const plan =
        engine.name === "SQLite"
          ? await read.plan()
          : await db.write(async (tx) => {
              const explained = (text: string) => ({ text, bind: () => read.values as never });
              await tx.all({ text: "SET LOCAL enable_seqscan = off", bind: () => [] }, {});
              const lines = await tx.all<{ "QUERY PLAN": string }>(explained(`EXPLAIN ${read.text}`) as never, {});
              return lines.map((line) => line["QUERY PLAN"]);
            });
      const text = plan.join("\n");
      expect(text).toContain("changed_records_of_dealer");
      expect(text).not.toMatch(/SCAN changed_records|Seq Scan|Sort|TEMP B-TREE/);
      await db.close();
    });
  });
