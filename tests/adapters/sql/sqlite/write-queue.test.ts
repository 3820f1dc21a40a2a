import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type BetterSqlite3 from "better-sqlite3";
import { DatabaseUnavailable } from "../../../../adapters/sql/query/database.ts";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { WriteQueue } from "../../../../adapters/sql/sqlite/write-queue.ts";
import { ENGINES } from "../../../support/engines.ts";

const LOCK_TIMEOUT_MS = 400;
/** Several times as many writes as fit into one transaction. */
const CONCURRENT = 700;
/** Each group's writes are refused within a turn or two; another wait would take dozens. */
const MOST_TURNS = 20;

const freshFile = async (): Promise<string> => {
  const engine = ENGINES.find(({ name }) => name === "SQLite");
  if (engine === undefined) throw new Error("there is no SQLite");
  return (await engine.url()).replace("sqlite:", "");
};

describe("writes while another process holds the lock", () => {
  let writer: BetterSqlite3.Database;
  let other: BetterSqlite3.Database;
  let queue: WriteQueue;

  beforeEach(async () => {
    const file = await freshFile();
    [writer, other] = [new Sqlite(file, { timeout: 0 }), new Sqlite(file)];
    writer.exec("CREATE TABLE notes (note TEXT NOT NULL) STRICT");
    queue = new WriteQueue({
      connection: writer,
      sql: { all: () => [] },
      onCommitted: () => {},
      lockTimeoutMs: LOCK_TIMEOUT_MS,
    });
    other.exec("BEGIN IMMEDIATE");
  });
  afterEach(() => {
    other.close();
    writer.close();
  });

  const write = (note: string): Promise<unknown> =>
    queue.write(async () => void writer.prepare("INSERT INTO notes VALUES (?)").run(note));
  const notes = (): unknown[] => other.prepare("SELECT note FROM notes ORDER BY rowid").pluck().all();

  test("are all refused after the same wait, however many there are", async () => {
    let turns = 0;
    let beat: Timer | undefined;
    const refused = Array.from({ length: CONCURRENT }, () => write("refused"));
    // Counted in turns of the event loop from the first refusal: a slow machine makes turns longer, not more.
    refused[0]?.catch(() => {
      beat = setInterval(() => turns++, 1);
    });
    const results = await Promise.allSettled(refused);
    clearInterval(beat);
    for (const result of results)
      expect(result).toMatchObject({ status: "rejected", reason: expect.any(DatabaseUnavailable) });
    expect(turns).toBeLessThan(MOST_TURNS);
    other.exec("COMMIT");
    expect(notes()).toEqual([]);
  });

  test("each wait from their own arrival: one is refused, and a later one still gets the lock", async () => {
    const first = write("first").catch(() => "refused");
    await Bun.sleep(1);
    const second = write("second").catch(() => other.exec("COMMIT"));
    await Bun.sleep(LOCK_TIMEOUT_MS * 0.75);
    const third = write("third");
    expect(await first).toBe("refused");
    await second;
    await third;
    expect(notes()).toEqual(["third"]);
  });

  test("continue in order once the lock is free", async () => {
    const written = ["one", "two", "three"].map(write);
    await Bun.sleep(LOCK_TIMEOUT_MS / 4);
    other.exec("COMMIT");
    await Promise.all(written);
    expect(notes()).toEqual(["one", "two", "three"]);
  });
});

describe("writes that arrive together", () => {
  let writer: BetterSqlite3.Database;
  let nowMs = 0;
  let commits = 0;
  let currentCaller = "";
  let queue: WriteQueue;

  beforeEach(async () => {
    writer = new Sqlite(await freshFile());
    writer.exec("CREATE TABLE notes (note TEXT NOT NULL) STRICT");
    [nowMs, commits, currentCaller] = [0, 0, ""];
    queue = new WriteQueue({
      connection: writer,
      sql: { all: () => [] },
      onCommitted: () => void commits++,
      currentDeadline: () => ({ caller: currentCaller, isOver: () => false, beginChange: () => true, changeMade() {} }),
      nowMs: () => nowMs,
    });
  });
  afterEach(() => writer.close());

  const notes = (): unknown[] => writer.prepare("SELECT note FROM notes ORDER BY rowid").pluck().all();
  /** Makes writes of a given duration, and returns the number of turns of the event loop they took. */
  const writeAll = async (count: number, eachMs: number): Promise<number> => {
    let turn = 0;
    const turns = new Set<number>();
    const beat = (): void => {
      turn++;
      beating = setImmediate(beat);
    };
    let beating = setImmediate(beat);
    await Promise.all(
      Array.from({ length: count }, (_, number) =>
        queue.write(async () => {
          writer.prepare("INSERT INTO notes VALUES (?)").run(String(number));
          turns.add(turn);
          nowMs += eachMs;
        }),
      ),
    );
    clearImmediate(beating);
    expect(notes()).toEqual(Array.from({ length: count }, (_, number) => String(number)));
    return turns.size;
  };

  test("share one transaction if they are quick", async () => {
    expect([await writeAll(100, 0.1), commits]).toEqual([1, 1]);
  });

  test("are spread over several turns in order of arrival if they are slow, so that nobody waits for all of them", async () => {
    expect([await writeAll(12, 10), commits]).toEqual([6, 6]);
  });

  test("get a turn each if one alone takes longer than a turn", async () => {
    expect([await writeAll(5, 1000), commits]).toEqual([5, 5]);
  });

  test("alternate between dealers and between their keys, with each key's in order", async () => {
    const asking = ["1 key:1", "1 key:1", "1 key:1", "1 key:2", "1 key:2", "2 key:3", "2 key:3"];
    const made = asking.map((caller, number) => {
      currentCaller = `dealer:${caller}`;
      return queue.write(async () => {
        writer.prepare("INSERT INTO notes VALUES (?)").run(`${number}`);
        nowMs += 10;
      });
    });
    await Promise.all(made);
    expect(notes()).toEqual(["0", "5", "3", "6", "1", "4", "2"]);
    expect(commits).toBe(4);
  });

  test("that are refused do not undo others in the same turn", async () => {
    const failed = async (): Promise<never> => {
      nowMs += 10;
      throw new Error("refused");
    };
    const results = await Promise.allSettled([
      queue.write(failed),
      queue.write(async () => {
        writer.prepare("INSERT INTO notes VALUES ('kept')").run();
        nowMs += 10;
      }),
      queue.write(failed),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
    expect(notes()).toEqual(["kept"]);
  });
});

describe("writes after a group that could not be rolled back", () => {
  let writer: BetterSqlite3.Database;
  let pauses: (() => Promise<void> | null)[];
  let queue: WriteQueue;

  beforeEach(async () => {
    writer = new Sqlite(await freshFile());
    writer.exec("CREATE TABLE notes (note TEXT NOT NULL) STRICT");
    pauses = [];
    queue = new WriteQueue({
      connection: writer,
      sql: { all: () => [] },
      onCommitted: () => {},
      beforeNextGroup: () => pauses.shift()?.() ?? null,
    });
  });
  afterEach(() => writer.close());

  const write = (note: string): Promise<unknown> =>
    queue.write(async () => void writer.prepare("INSERT INTO notes VALUES (?)").run(note));
  const notes = (): unknown[] => writer.prepare("SELECT note FROM notes ORDER BY rowid").pluck().all();

  test("succeed, and nothing of that group is stored", async () => {
    // While a result is read row by row, the connection refuses both COMMIT and ROLLBACK.
    const reading = writer.prepare("SELECT 1 UNION ALL SELECT 2");
    let rows: IterableIterator<unknown> | undefined;
    const lost = queue.write(async () => {
      writer.prepare("INSERT INTO notes VALUES (?)").run("lost");
      rows = reading.iterate();
    });
    await expect(lost).rejects.toThrow("busy");
    rows?.return?.();
    await queue.idle();
    await write("made");
    expect(notes()).toEqual(["made"]);
  });

  test("succeed even if the work between two groups fails", async () => {
    pauses = [
      () => Promise.reject(new Error("the thread is gone")),
      () => {
        throw new Error("there is no thread");
      },
    ];
    for (const note of ["one", "two", "three"]) await write(note);
    await queue.idle();
    expect(notes()).toEqual(["one", "two", "three"]);
  });
});
