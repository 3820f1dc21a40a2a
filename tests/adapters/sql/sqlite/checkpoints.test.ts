import { expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { Checkpoints } from "../../../../adapters/sql/sqlite/checkpoints.ts";
import { openSqlite } from "../../../../adapters/sql/sqlite/open.ts";
import { eventually } from "../../../support/eventually.ts";
import { scratchFolder } from "../../../support/scratch-folder.ts";

setDefaultTimeout(300_000);

const folder = scratchFolder("checkpoints-");
/** The log's size from which the writing connection copies it itself. */
const OWN_COPY_BYTES = 4000 * 4096;

/** The codes with which the threads of some work end, which may be later than anybody waits for them. */
const endsOf = async (work: () => Promise<void>): Promise<readonly number[]> => {
  const codes: Promise<number>[] = [];
  const started = (thread: Worker): void => {
    codes.push(new Promise((resolve) => thread.on("exit", resolve)));
  };
  process.on("worker", started);
  await work();
  process.off("worker", started);
  return Promise.all(codes);
};

test("a thread copies the log into the file, and ends when the database is closed", async () => {
  const file = join(folder, "copied.db");
  const ends = await endsOf(async () => {
    const db = openSqlite(file);
    await db.migrate(async (run) => {
      await run("CREATE TABLE numbers (number INTEGER)");
    });
    const before = statSync(file).size;
    // Many rows on few pages, so that the thread starts long before the writing connection copies the log itself.
    const thousand = `INSERT INTO numbers SELECT 1 FROM json_each('[${Array(1000).fill(1)}]')`;
    const insert = async (): Promise<number> => {
      await db.write(async (tx) => tx.all({ text: thousand, bind: () => [] }, {}));
      return statSync(file).size;
    };
    const after = await eventually(insert, (size) => size > before);
    expect(after).toBeGreaterThan(before);
    expect(statSync(`${file}-wal`).size).toBeLessThan(OWN_COPY_BYTES);
    await db.close();
  });
  expect(ends).toEqual([0]);
});

test("writes do not wait for a thread that cannot copy", async () => {
  let changes = 0;
  const checkpoints = new Checkpoints(join(folder, "none.db"), () => (changes += 100_000));
  const ends = await endsOf(async () => {
    expect(checkpoints.due()).toBeNull();
    // The file to copy into is missing.
    await checkpoints.end();
  });
  expect(ends).toHaveLength(1);
  expect(checkpoints.due()).toBeNull();
});

test("the writing connection is not used after the end, since it may be closed by then", async () => {
  const checkpoints = new Checkpoints(join(folder, "closed.db"), () => {
    throw new Error("the connection is not open");
  });
  await checkpoints.end();
  expect(checkpoints.due()).toBeNull();
});
