import { expect, setDefaultTimeout, test } from "bun:test";
import { makeJobs, transactionalJobs } from "../../adapters/sql/jobs/jobs.ts";
import { jobRunner } from "../../adapters/sql/jobs/runner.ts";
import { systemClock as clock } from "../../adapters/system/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";

setDefaultTimeout(300_000);

const LONG = [1, 2];
const SHORT = 3;
const TURN_MS = 100;

for (const engine of ENGINES)
  test(`a short import on ${engine.name} waits for one turn of the long ones, which go on after it`, async () => {
    const db = await engine.open();
    const jobs = transactionalJobs(clock);
    for (const subject of [...LONG, SHORT])
      await db.write((tx) => jobs.add(tx, { kind: "import", queue: subject, subject }));
    const turns: number[] = [];
    const runner = jobRunner(
      makeJobs(db, clock),
      {
        async import({ subjectId }, isStopping) {
          turns.push(subjectId);
          if (subjectId === SHORT) await db.write((tx) => jobs.end(tx, "import", SHORT));
          else await eventually(isStopping, Boolean);
        },
        async source() {},
        async photos() {},
        async schedule() {},
      },
      TURN_MS,
    );
    runner.start((error) => {
      throw error;
    });
    await eventually(
      async () => turns,
      (begun) => begun.length > 5,
    );
    await runner.stop();
    expect(turns.slice(0, 3).sort()).toEqual([...LONG, SHORT]);
    expect(turns.filter((subject) => subject === SHORT)).toEqual([SHORT]);
    for (const subject of LONG) expect(turns.filter((other) => other === subject).length).toBeGreaterThan(1);
    await db.close();
  });
