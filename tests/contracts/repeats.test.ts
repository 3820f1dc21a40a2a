import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { AsyncLocalStorage } from "node:async_hooks";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { Deadline, SqlDatabase } from "../../adapters/sql/query/database.ts";
import { oneTransaction } from "../../adapters/sql/query/one-transaction.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { makeKeptAnswers } from "../../adapters/sql/repeats/repository.ts";
import { makeAlarm } from "../../adapters/system/alarms.ts";
import { Failure } from "../../core/failure.ts";
import { AnsweredElsewhere, type KeptAnswer } from "../../core/repeats/kept-answer.ts";
import { makeRepeats } from "../../core/repeats/repeats.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { HUNG_MS } from "../support/hung.ts";
import { dealerFields, OPERATOR } from "../support/records.ts";

setDefaultTimeout(300_000);

const REQUESTS = 50;
const REQUEST = { keyId: 1, binding: "", method: "POST", path: "/api/dealers", name: "once", holder: "dealer 1" };
/** What each of the answers here takes, and the most that is kept for a holder. */
const BYTES = 100;
const SHARE = { answers: 6, bytes: 10 * BYTES };

const nothing = async (): Promise<void> => {};

/** An instance of the service on a database, without its HTTP. `before` is what happens just before it begins a change. */
const instanceOn = (
  db: SqlDatabase,
  clock: FakeClock,
  { pause = nothing, before = nothing }: { pause?: () => Promise<void>; before?: () => Promise<unknown> } = {},
) => {
  const requests = new AsyncLocalStorage<Deadline>();
  const transactions = oneTransaction(db, { current: () => requests.getStore(), clock, longestMs: HUNG_MS });
  const answers = makeKeptAnswers(transactions);
  const keepWith: typeof answers.keepWith = async (...change) => {
    await before();
    return answers.keepWith(...change);
  };
  const repeats = makeRepeats({
    answers: { ...answers, keepWith },
    clock,
    alarm: makeAlarm(clock),
    pause,
    hours: 24,
    share: SHARE,
    tidySoon: () => asked.push("tidy"),
  });
  const dealers = makeDealerRepository(transactions.db);
  const asked: string[] = [];
  const deadline = (): Deadline => ({
    caller: "test",
    isOver: () => false,
    beginChange: () => true,
    changeMade: () => {},
  });
  const keptOf = (body: string): KeptAnswer | null =>
    body === "refused"
      ? null
      : {
          fingerprint: "f",
          status: 201,
          headers: {},
          version: null,
          body,
          bytes: body.startsWith("long") ? 3 * BYTES : BYTES,
        };
  return {
    answers,
    transactions,
    dealers,
    repeats,
    /** How often a look at the shares was asked for. */
    asked,
    /** Runs work within a request. */
    deadlineOf: <Result>(work: () => Promise<Result>) => requests.run(deadline(), work),
    /** Runs work as the change of a request. */
    once: (work: () => Promise<string>, name = "once", holder = REQUEST.holder) =>
      requests.run(deadline(), () =>
        repeats.once({ request: { ...REQUEST, name, holder }, fingerprint: "f", work, keptOf }),
      ),
    /** Makes a dealer, and answers its id. */
    makeDealer: async () => String((await dealers.insert(dealerFields(), OPERATOR)).id),
  };
};

const countOf = async (db: SqlDatabase, table: "dealers" | "audit_entries"): Promise<number> => {
  const [row] = await db.all<{ count: number }>({ text: `SELECT count(*) AS count FROM ${table}`, bind: () => [] }, {});
  return Number(row?.count);
};

for (const engine of ENGINES)
  describe(`changes that run once on ${engine.name}`, () => {
    test("make one record and one audit entry, however often they are sent through two instances", async () => {
      const [db, elsewhere] = await openTwice(engine);
      const clock = fakeClock();
      // On SQLite one process serves a database.
      const instances =
        engine.name === "SQLite"
          ? [instanceOn(db, clock)]
          : [db, elsewhere].map((one) => instanceOn(one, clock, { pause: nextTurn }));
      const sent = Array.from({ length: REQUESTS }, (_, index) => {
        const instance = instances[index % instances.length] as (typeof instances)[number];
        return instance.once(instance.makeDealer);
      });
      const done = await Promise.all(sent);
      const bodies = done.map((one) => (one instanceof Failure ? one : "kept" in one ? one.kept.body : one.result));
      expect(new Set(bodies).size).toBe(1);
      expect(done.filter((one) => "result" in one).length).toBe(1);
      expect([await countOf(db, "dealers"), await countOf(db, "audit_entries")]).toEqual([1, 1]);
      await Promise.all([db.close(), elsewhere.close()]);
    });

    test("get the answer of an instance that was quicker, and also if they are refused for what it did", async () => {
      const db = await engine.open();
      const clock = fakeClock();
      const quicker = instanceOn(db, clock);
      for (const body of ["made", "refused"]) {
        const { once } = instanceOn(db, clock, { before: () => quicker.once(async () => "first", body) });
        expect(await once(async () => body, body)).toMatchObject({ kept: { body: "first" } });
      }
      expect(await instanceOn(db, clock).once(async () => "refused")).toEqual({ result: "refused" });
      await db.close();
    });

    test("keep a dealer's newest answers up to its share, and take nothing of others for them", async () => {
      const db = await engine.open();
      const clock = fakeClock();
      const { once, repeats, answers, asked } = instanceOn(db, clock);
      const names = { "dealer 1": 9, "dealer 2": 3, "key 7": 6 };
      const make = async (holder: string, count: number, body = "short"): Promise<void> => {
        for (let number = 0; number < count; number++) {
          await once(async () => body, `${holder} ${body} ${number}`, holder);
          clock.advance(1000);
        }
      };
      const keptOf = async (holder: string, count: number, body = "short"): Promise<readonly number[]> => {
        const numbers = Array.from({ length: count }, (_, number) => number);
        const found = await Promise.all(
          numbers.map((number) => answers.find({ ...REQUEST, name: `${holder} ${body} ${number}` }, clock.now())),
        );
        return numbers.filter((number) => found[number] !== null);
      };
      for (const [holder, count] of Object.entries(names)) await make(holder, count);
      expect(asked.length).toBeGreaterThan(0);
      await repeats.tidy();
      expect(await keptOf("dealer 1", 9)).toEqual([3, 4, 5, 6, 7, 8]);
      expect([await keptOf("dealer 2", 3), await keptOf("key 7", 6)]).toEqual([
        [0, 1, 2],
        [0, 1, 2, 3, 4, 5],
      ]);
      await make("dealer 2", 3, "long");
      await repeats.tidy();
      expect([await keptOf("dealer 2", 3), await keptOf("dealer 2", 3, "long")]).toEqual([[2], [0, 1, 2]]);
      expect((await keptOf("dealer 1", 9)).length).toBe(6);
      await db.close();
    });

    test("know when they have kept everybody else from changing anything for a second", async () => {
      const db = await engine.open();
      const clock = fakeClock();
      const { once, makeDealer, transactions } = instanceOn(db, clock);
      const seen: boolean[] = [];
      const look = (ms: number): void => {
        clock.advance(ms);
        seen.push(transactions.holdsOthersUp());
      };
      await once(async () => {
        // Nobody waits before the first change.
        look(1000);
        await makeDealer();
        look(999);
        look(1);
        return "made";
      });
      look(1000);
      expect(seen).toEqual([false, false, engine.name === "SQLite", false]);
      await db.close();
    });

    test("are undone with their answers if they fail or are refused", async () => {
      const db = await engine.open();
      const { once, makeDealer, answers } = instanceOn(db, fakeClock());
      const endings: readonly (() => Promise<string>)[] = [
        () => Promise.reject(new Error("fails")),
        async () => "refused",
      ];
      for (const end of endings) {
        await once(async () => {
          await makeDealer();
          await makeDealer();
          return end();
        }).catch(() => {});
        expect([await countOf(db, "dealers"), await countOf(db, "audit_entries")]).toEqual([0, 0]);
        expect(await answers.find(REQUEST, "2000-01-01T00:00:00.000Z")).toBeNull();
      }
      expect(await once(makeDealer)).toHaveProperty("result");
      await db.close();
    });

    test("read what they have changed, which nobody else sees before the end", async () => {
      const db = await engine.open();
      const { once, makeDealer, dealers, transactions } = instanceOn(db, fakeClock());
      const ended: string[] = [];
      await once(async () => {
        const id = Number(await makeDealer());
        expect(await dealers.find(id, null)).not.toBeNull();
        expect(
          await db.exportSnapshot(
            async (sql) => (await sql.all({ text: "SELECT id FROM dealers", bind: () => [] }, {})).length,
          ),
        ).toBe(0);
        transactions.atEnd(() => ended.push("ended"));
        expect(ended).toEqual([]);
        return "made";
      });
      expect([ended, await countOf(db, "dealers")]).toEqual([["ended"], 1]);
      transactions.atEnd(() => ended.push("at once"));
      expect(ended).toEqual(["ended", "at once"]);
      await db.close();
    });

    test("go on after a step that failed, without its part", async () => {
      const db = await engine.open();
      const { once, makeDealer, transactions } = instanceOn(db, fakeClock());
      const failing = async () =>
        transactions.db
          .write(async (tx) => {
            await tx.all({ text: "DELETE FROM dealers", bind: () => [] }, {});
            await tx.all({ text: "INSERT INTO no_such_table VALUES (1)", bind: () => [] }, {});
          })
          .catch(() => "failed");
      const done = await once(async () => {
        const before = await failing();
        await makeDealer();
        return `${before} ${await failing()} ${await makeDealer()}`;
      });
      expect(done).toMatchObject({ result: expect.stringMatching(/^failed failed \d+$/) });
      expect(await countOf(db, "dealers")).toBe(2);
      // Those that begin at once have their turns.
      await once(async () => {
        await makeDealer();
        await Promise.all([failing(), makeDealer(), failing(), makeDealer()]);
        return "made";
      }, "at once");
      expect(await countOf(db, "dealers")).toBe(5);
      await db.close();
    });

    test("are refused after two seconds if the first one still runs, and may be sent again when it has ended", async () => {
      const db = await engine.open();
      const clock = fakeClock();
      const { once, makeDealer } = instanceOn(db, clock);
      const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
      const first = once(async () => {
        begins();
        await mayEnd;
        return makeDealer();
      });
      await begun;
      const second = once(makeDealer);
      clock.advance(2000);
      expect(((await second) as Failure).cause).toEqual({ kind: "idempotency-in-progress" });
      end();
      await first;
      expect(await once(makeDealer)).toHaveProperty("kept");
      await db.close();
    });

    test("are those of one key, as it was bound, to one address by one name; an answer is replaced when it has expired", async () => {
      const db = await engine.open();
      const clock = fakeClock();
      const { answers, deadlineOf } = instanceOn(db, clock);
      const expiresAt = clock.after(60);
      const answered = (body: string, now: string): Promise<unknown> => {
        const kept: KeptAnswer = { fingerprint: "f", status: 201, headers: {}, version: null, body, bytes: BYTES };
        return deadlineOf(() =>
          answers.keepWith(
            { request: REQUEST, now, expiresAt },
            async () => body,
            () => kept,
          ),
        );
      };
      await answered("first", clock.now());
      const bodyOf = async (other: object) => (await answers.find({ ...REQUEST, ...other }, clock.now()))?.body ?? null;
      expect(await bodyOf({})).toBe("first");
      for (const other of [
        { keyId: 2 },
        { binding: "8" },
        { method: "PUT" },
        { path: "/api/users" },
        { name: "twice" },
      ])
        expect(await bodyOf(other)).toBeNull();
      await expect(answered("early", clock.after(59))).rejects.toBeInstanceOf(AnsweredElsewhere);
      expect(await bodyOf({})).toBe("first");
      await answered("later", expiresAt);
      expect(await bodyOf({})).toBe("later");
      await db.close();
    });

    test("are forgotten when they have expired, and not before", async () => {
      const db = await engine.open();
      const clock = fakeClock();
      const { once, makeDealer, repeats, answers } = instanceOn(db, clock);
      for (const name of Array.from({ length: 5 }, (_, index) => `n${index}`)) await once(makeDealer, name);
      const kept = () => answers.find({ ...REQUEST, name: "n0" }, "2000-01-01T00:00:00.000Z");
      clock.advance(24 * 3_600_000 - 1000);
      await repeats.tidy();
      expect(await kept()).not.toBeNull();
      clock.advance(1000);
      expect(await answers.find({ ...REQUEST, name: "n0" }, clock.now())).toBeNull();
      await repeats.tidy();
      expect(await kept()).toBeNull();
      await db.close();
    });
  });

test("changes through another instance on PostgreSQL are refused after two seconds while the first one runs", async () => {
  const [db, elsewhere] = await openTwice(ENGINES[1]);
  const clock = fakeClock();
  const here = instanceOn(db, clock);
  const there = instanceOn(elsewhere, clock, { pause: async () => clock.advance(500) });
  const done = await here.once(async () => {
    await here.makeDealer();
    const other = (await there.once(there.makeDealer)) as Failure;
    return other.cause.kind;
  });
  expect(done).toEqual({ result: "idempotency-in-progress" });
  expect(await there.once(there.makeDealer)).toHaveProperty("kept");
  expect(await countOf(db, "dealers")).toBe(1);
  await Promise.all([db.close(), elsewhere.close()]);
});
