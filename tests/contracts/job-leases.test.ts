import { expect, setDefaultTimeout, test } from "bun:test";
import { makeJobs, transactionalJobs } from "../../adapters/sql/jobs/jobs.ts";
import { jobRunner } from "../../adapters/sql/jobs/runner.ts";
import { type Claim, LEASE_SECONDS } from "../../core/jobs/job.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { made } from "../support/records.ts";

setDefaultTimeout(300_000);

const SUBJECT = 7;

for (const engine of ENGINES)
  test(`a process on ${engine.name} that takes its own job over after a long sleep goes on with it only once`, async () => {
    const db = await engine.open();
    const clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
    const jobs = transactionalJobs(clock);
    await db.write((tx) => jobs.add(tx, { kind: "import", queue: 1, subject: SUBJECT }));
    const claims: Claim[] = [];
    const runner = jobRunner(makeJobs(db, clock), {
      async import(claim, isStopping) {
        claims.push(claim);
        await eventually(isStopping, Boolean);
      },
      async source() {},
      async photos() {},
      async schedule() {},
    });
    runner.start((error) => {
      throw error;
    });
    const claimed = (count: number) =>
      eventually(
        async () => claims,
        ({ length }) => length === count,
      );
    await claimed(1);
    clock.advance((LEASE_SECONDS + 1) * 1000);
    await claimed(2);
    const [before, after] = claims.map((claim) => db.write((tx) => jobs.renewLease(tx, claim)));
    expect(await made(before)).toBe(false);
    expect(await made(after)).toBe(true);
    await runner.stop();
    await db.close();
  });
