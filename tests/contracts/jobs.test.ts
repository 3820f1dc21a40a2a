import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { jobCounts } from "../../adapters/sql/jobs/counts.ts";
import { makeJobs, transactionalJobs } from "../../adapters/sql/jobs/jobs.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { type Claim, type JobKind, LEASE_SECONDS } from "../../core/jobs/job.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { made } from "../support/records.ts";

setDefaultTimeout(300_000);

const SECOND_MS = 1000;
const CONCURRENT = 8;

for (const engine of ENGINES)
  describe(`jobs on ${engine.name}`, () => {
    let db: SqlDatabase;
    let elsewhere: SqlDatabase;
    let clock: ReturnType<typeof fakeClock>;
    let jobs: ReturnType<typeof makeJobs>;
    let within: ReturnType<typeof transactionalJobs>;

    beforeEach(async () => {
      [db, elsewhere] = await openTwice(engine);
      clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
      jobs = makeJobs(db, clock);
      within = transactionalJobs(clock);
    });
    afterEach(() => Promise.all([db.close(), elsewhere.close()]));

    const add = (subject: number, { kind = "import", queue = subject }: { kind?: JobKind; queue?: number } = {}) =>
      db.write((tx) => within.add(tx, { kind, queue, subject }));
    const end = (subject: number, kind: JobKind = "import") => db.write((tx) => within.end(tx, kind, subject));
    const hold = (claim: Claim) => db.write((tx) => within.renewLease(tx, claim));
    const pass = (seconds: number) => clock.advance(seconds * SECOND_MS);
    const claim = async (owner: string, kind: JobKind = "import"): Promise<Claim> =>
      made(await jobs.claim(owner, kind));

    test("are taken in order of arrival, each by one process", async () => {
      await add(7);
      await add(3);
      expect(await claim("one")).toMatchObject({ kind: "import", subjectId: 7, owner: "one", attempts: 1 });
      expect(await claim("two")).toMatchObject({ subjectId: 3, owner: "two", attempts: 1 });
      expect(await jobs.claim("three", "import")).toBeNull();
    });

    test("are counted by kind: those that wait, and those that a process works on", async () => {
      for (const subject of [1, 2, 3]) await add(subject);
      await add(4, { kind: "source" });
      await claim("one");
      await claim("two");
      const counted = async () =>
        (await jobCounts(db, clock.now()))
          .filter(({ count }) => count !== 0)
          .map(({ kind, state, count }) => [kind, state, count]);
      expect(await counted()).toEqual([
        ["import", "waiting", 1],
        ["import", "running", 2],
        ["source", "waiting", 1],
      ]);
      pass(LEASE_SECONDS + 1);
      expect(await counted()).toEqual([
        ["import", "waiting", 3],
        ["source", "waiting", 1],
      ]);
    });

    test("of one subject and kind are merged into one job", async () => {
      await add(7);
      await add(7);
      await add(7, { kind: "source" });
      await claim("one");
      expect(await jobs.claim("one", "import")).toBeNull();
      expect(await claim("one", "source")).toMatchObject({ kind: "source", subjectId: 7 });
      expect(await jobs.claim("one", "source")).toBeNull();
    });

    test("of one queue run one after another, without delaying other queues or kinds", async () => {
      await add(1, { queue: 5 });
      await add(2, { queue: 5 });
      await add(3, { queue: 6 });
      await add(4, { queue: 5, kind: "source" });
      const first = await claim("one");
      expect(first).toMatchObject({ subjectId: 1 });
      expect(await claim("two")).toMatchObject({ subjectId: 3 });
      expect(await claim("two", "source")).toMatchObject({ subjectId: 4 });
      expect(await jobs.claim("two", "import")).toBeNull();
      await end(1);
      expect(await claim("two")).toMatchObject({ subjectId: 2 });
    });

    test("of a queue that had its turn wait for other queues, however many jobs came before those", async () => {
      for (const subject of [1, 2, 3]) await add(subject, { queue: 5 });
      for (const subject of [4, 5]) await add(subject, { queue: 6 });
      await add(6, { queue: 7 });
      const order: number[] = [];
      for (let n = 0; n < 6; n++) {
        const { subjectId } = await claim("one");
        order.push(subjectId);
        await end(subjectId);
      }
      expect(order).toEqual([1, 4, 6, 2, 5, 3]);
    });

    test("of a free queue are found behind however many queues that are at work, also by a process that is new", async () => {
      const BUSY = 9;
      for (let queue = 1; queue <= BUSY; queue++) for (const half of [0, 100]) await add(half + queue, { queue });
      for (let queue = 1; queue <= BUSY; queue++) await claim(`process ${queue}`);
      await add(999);
      expect(await makeJobs(elsewhere, clock).claim("new", "import")).toMatchObject({ subjectId: 999 });
    });

    test("are taken by one process only, however many ask at once", async () => {
      await add(1, { queue: 5 });
      await add(2, { queue: 5 });
      const others = makeJobs(elsewhere, clock);
      const asked = Array.from({ length: CONCURRENT }, (_, n) => (n % 2 ? jobs : others).claim(`${n}`, "import"));
      expect((await Promise.all(asked)).filter((one) => one !== null)).toHaveLength(1);
    });

    test("whose lease ran out are taken over by another process, as a further attempt", async () => {
      await add(1);
      const lost = await claim("one");
      pass(LEASE_SECONDS);
      expect(await jobs.claim("two", "import")).toBeNull();
      pass(1);
      const taken = await claim("two");
      expect(taken).toMatchObject({ id: lost.id, owner: "two", attempts: 2 });
      expect(await hold(lost)).toBe(false);
      await jobs.release(lost);
      expect(await jobs.claim("three", "import")).toBeNull();
      expect(await hold(taken)).toBe(true);
    });

    test("with a renewed lease stay with their process, while other jobs' leases run out", async () => {
      await add(1);
      await add(2);
      const [held, left] = [await claim("one"), await claim("one")];
      pass(LEASE_SECONDS - 1);
      expect(await hold(held)).toBe(true);
      pass(2);
      expect(await claim("two")).toMatchObject({ id: left.id });
      expect(await jobs.claim("two", "import")).toBeNull();
    });

    test("that are released are free at once, and others keep their process", async () => {
      await add(1);
      await add(2);
      const [back, kept] = [await claim("one"), await claim("one")];
      await jobs.release(back);
      expect(await claim("two")).toMatchObject({ id: back.id, attempts: 2 });
      expect(await jobs.claim("two", "import")).toBeNull();
      expect(await hold(kept)).toBe(true);
    });

    test("that made progress count their attempts anew, and others do not", async () => {
      await add(1);
      await add(2);
      for (const owner of ["one", "two"])
        for (const one of [await claim(owner), await claim(owner)]) await jobs.release(one);
      const [on, off] = [await claim("three"), await claim("three")];
      await db.write((tx) => within.resetAttempts(tx, on));
      for (const one of [on, off]) await jobs.release(one);
      expect([await claim("four"), await claim("four")].map(({ attempts }) => attempts)).toEqual([2, 4]);
    });

    test("that are done are removed, whoever holds them, and others are kept", async () => {
      await add(1);
      await add(1, { kind: "source" });
      await add(2);
      const done = await claim("one");
      await end(1);
      expect(await hold(done)).toBe(false);
      expect(await claim("two")).toMatchObject({ subjectId: 2 });
      expect(await claim("two", "source")).toMatchObject({ subjectId: 1 });
      await add(1);
      expect(await claim("two")).toMatchObject({ subjectId: 1, attempts: 1 });
    });
  });
