import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import type BetterSqlite3 from "better-sqlite3";
import { DatabaseUnavailable, type Deadline } from "../../../../adapters/sql/query/database.ts";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { sqliteQueries } from "../../../../adapters/sql/sqlite/dialect.ts";
import { openSqlite } from "../../../../adapters/sql/sqlite/open.ts";
import { WriteQueue } from "../../../../adapters/sql/sqlite/write-queue.ts";
import { ENGINES } from "../../../support/engines.ts";

const LOCK_TIMEOUT_MS = 400;
/** The lock is asked for again after this time. */
const PAUSE_MS = 5;
/** Several times as many as fit into one transaction. */
const CONCURRENT = 700;
const OVER = "not begun: the time for the request is over, or its client has gone away";

const freshFile = async (): Promise<string> => {
  const engine = ENGINES.find(({ name }) => name === "SQLite");
  if (engine === undefined) throw new Error("there is no SQLite");
  return (await engine.url()).replace("sqlite:", "");
};

/** Lets everything happen that waits for no clock. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resume) => setImmediate(resume));
};

describe("writes while another process holds the lock", () => {
  let writer: BetterSqlite3.Database;
  let other: BetterSqlite3.Database;
  let queue: WriteQueue;
  let request: Deadline | undefined;
  let passedMs: number;
  let ends: [note: string, how: string, atMs: number][];

  beforeEach(async () => {
    const file = await freshFile();
    [writer, other] = [new Sqlite(file, { timeout: 0 }), new Sqlite(file)];
    writer.exec("CREATE TABLE notes (note TEXT NOT NULL) STRICT");
    [request, passedMs, ends] = [undefined, 0, []];
    jest.useFakeTimers();
    queue = new WriteQueue({
      connection: writer,
      sql: { ...sqliteQueries, all: () => [] },
      onCommitted: () => {},
      lockTimeoutMs: LOCK_TIMEOUT_MS,
      currentDeadline: () => request,
    });
    other.exec("BEGIN IMMEDIATE");
  });
  afterEach(() => {
    jest.useRealTimers();
    other.close();
    writer.close();
  });

  /** A write that notes how it ended, and when. */
  const write = (note: string): void => {
    queue
      .write(async () => void writer.prepare("INSERT INTO notes VALUES (?)").run(note))
      .then(
        () => ends.push([note, "made", passedMs]),
        (error: Error) =>
          ends.push([note, error instanceof DatabaseUnavailable ? error.message : `${error}`, passedMs]),
      );
  };
  const pass = async (toMs: number): Promise<void> => {
    await settled();
    for (; passedMs < toMs; await settled()) {
      passedMs += PAUSE_MS;
      jest.advanceTimersByTime(PAUSE_MS);
    }
  };
  const notes = (): unknown[] => other.prepare("SELECT note FROM notes ORDER BY rowid").pluck().all();
  const BUSY = "SQLite: SQLITE_BUSY";

  test("are all refused after the same wait, however many they are", async () => {
    for (let number = 0; number < CONCURRENT; number++) write("refused");
    await pass(LOCK_TIMEOUT_MS);
    expect(ends).toEqual([]);
    await pass(LOCK_TIMEOUT_MS + PAUSE_MS);
    expect(ends).toEqual(Array.from({ length: CONCURRENT }, () => ["refused", BUSY, LOCK_TIMEOUT_MS + PAUSE_MS]));
    other.exec("COMMIT");
    expect(notes()).toEqual([]);
  });

  test("wait each from when it was handed in: one is refused, a later one still finds the lock free", async () => {
    write("first");
    await pass(10);
    write("second");
    await pass(300);
    write("third");
    await pass(415);
    other.exec("COMMIT");
    await pass(420);
    expect(ends).toEqual([
      ["first", BUSY, 405],
      ["second", BUSY, 415],
      ["third", "made", 420],
    ]);
    expect(notes()).toEqual(["third"]);
  });

  test("which migrate wait as long as it takes: the other process may be migrating a large file", async () => {
    other.exec("COMMIT");
    const db = openSqlite(writer.name);
    other.exec("BEGIN IMMEDIATE");
    const migrated = db.migrate(async (run) => void (await run("INSERT INTO notes VALUES ('migrated')")));
    await pass(20_000);
    other.exec("COMMIT");
    await pass(20_005);
    await migrated;
    expect(notes()).toEqual(["migrated"]);
    await db.close();
  });

  test("go on in their order once the lock is free", async () => {
    for (const note of ["one", "two", "three"]) write(note);
    await pass(100);
    other.exec("COMMIT");
    await pass(105);
    expect(ends.map(([note, how]) => [note, how])).toEqual(["one", "two", "three"].map((note) => [note, "made"]));
    expect(notes()).toEqual(["one", "two", "three"]);
  });

  test("are not begun if their request is over by then, whether they are first or come after others", async () => {
    let isOver = false;
    let asked = 0;
    const going: Deadline = {
      caller: "",
      isOver() {
        asked++;
        return isOver;
      },
      beginChange: () => true,
      changeMade() {},
    };
    for (const [note, its] of [
      ["gone first", going],
      ["kept", undefined],
      ["gone last", going],
    ] as const) {
      request = its;
      write(note);
    }
    isOver = true;
    // To ask costs time, and nobody asks about writes that have just come.
    await pass(45);
    expect([asked, ends]).toEqual([0, []]);
    await pass(50);
    expect(ends).toEqual([["gone first", OVER, 50]]);
    other.exec("COMMIT");
    await pass(55);
    expect(ends.slice(1).sort()).toEqual([
      ["gone last", OVER, 55],
      ["kept", "made", 55],
    ]);
    expect(notes()).toEqual(["kept"]);
  });

  test("are all refused at once if waiting is no use", async () => {
    other.exec("COMMIT");
    writer.close();
    for (const note of ["one", "two"]) write(note);
    await pass(0);
    expect(ends.sort()).toEqual(["one", "two"].map((note) => [note, expect.stringContaining("not open"), 0]));
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
      sql: { ...sqliteQueries, all: () => [] },
      onCommitted: () => void commits++,
      currentDeadline: () => ({ caller: currentCaller, isOver: () => false, beginChange: () => true, changeMade() {} }),
      nowMs: () => nowMs,
    });
  });
  afterEach(() => writer.close());

  const notes = (): unknown[] => writer.prepare("SELECT note FROM notes ORDER BY rowid").pluck().all();
  /** Writes that take so long each; returns in how many turns of the event loop they were made. */
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

  test("are one transaction as long as they are quick", async () => {
    expect([await writeAll(100, 0.1), commits]).toEqual([1, 1]);
    await queue.idle();
    expect(queue.running).toBeNull();
  });

  /** Writes in this turn of the event loop and in each of the next two, which take so long; returns the commits. */
  const writeInTurns = async (eachMs: number): Promise<number> => {
    const { promise: all, resolve } = Promise.withResolvers<unknown>();
    const made: Promise<void>[] = [];
    const write = (): void => {
      // Before the queue's own turn.
      if (made.length < 2) setImmediate(write);
      nowMs += eachMs;
      made.push(queue.write(async () => void writer.prepare("INSERT INTO notes VALUES ('')").run()));
      if (made.length === 3) resolve(Promise.all(made));
    };
    write();
    await all;
    return commits;
  };

  test("are one transaction if each turn of the event loop brings some", async () => {
    expect([await writeInTurns(1), notes().length]).toEqual([1, 3]);
  });

  test("are not waited for if the turns take long", async () => {
    // The time for that is over to the millisecond.
    expect([await writeInTurns(4), notes().length]).toEqual([2, 3]);
  });

  test("are not waited for any longer once they fill a transaction", async () => {
    /** How many turns of the event loop are waited before the first of so many writes begins. */
    const turnsBefore = async (count: number): Promise<number> => {
      let turn = 0;
      const turns: number[] = [];
      const beat = (): void => {
        turn++;
        beating = setImmediate(beat);
      };
      let beating = setImmediate(beat);
      const write = () => queue.write(async () => void turns.push(turn));
      await Promise.all(Array.from({ length: count }, write));
      clearImmediate(beating);
      await queue.idle();
      return Math.min(...turns);
    };
    expect(await turnsBefore(128)).toBe((await turnsBefore(127)) - 1);
  });

  test("are no more than 128 to a transaction, however quick they are", async () => {
    expect([await writeAll(128, 0), commits]).toEqual([1, 1]);
    writer.exec("DELETE FROM notes");
    expect([await writeAll(129, 0), commits]).toEqual([2, 3]);
  });

  test("are made in several turns if they are slow, so that nobody waits for all of them, in the order of arrival", async () => {
    // The time of a turn is over to the millisecond.
    expect([await writeAll(12, 6), commits]).toEqual([6, 6]);
  });

  test("each get a turn of their own if one alone takes longer", async () => {
    expect([await writeAll(5, 1000), commits]).toEqual([5, 5]);
  });

  test("are made in turns of dealers and of their keys, each key's in its order, so that no crowd is before anybody", async () => {
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

  test("that are refused do not undo those before them in the same turn", async () => {
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

describe("writes of requests", () => {
  let writer: BetterSqlite3.Database;
  let queue: WriteQueue;
  let request: Deadline;
  /** How many changes counted as made by the time of each commit. */
  let madeBefore: number[];
  let made: number;

  const requestOf = (mayBegin: boolean): Deadline => ({
    caller: "",
    isOver: () => false,
    beginChange: () => mayBegin,
    changeMade: () => void made++,
  });

  beforeEach(async () => {
    writer = new Sqlite(await freshFile());
    writer.exec("CREATE TABLE notes (note TEXT NOT NULL) STRICT");
    [madeBefore, made] = [[], 0];
    queue = new WriteQueue({
      connection: writer,
      sql: { ...sqliteQueries, all: () => [] },
      onCommitted: () => void madeBefore.push(made),
      currentDeadline: () => request,
    });
  });
  afterEach(() => writer.close());

  const insert = (note: string | null, how = "INSERT"): void =>
    void writer.prepare(`${how} INTO notes VALUES (?)`).run(note);
  const write = (mayBegin: boolean, work: () => void): Promise<string> => {
    request = requestOf(mayBegin);
    return queue
      .write(async () => work())
      .then(
        () => "made",
        (error: Error) => error.message,
      );
  };
  const notes = (): unknown[] => writer.prepare("SELECT note FROM notes ORDER BY rowid").pluck().all();

  test("that may change nothing any more are not begun, alone or among others, which are made", async () => {
    expect(await write(false, () => insert("late"))).toBe(OVER);
    const ends = [
      write(true, () => insert("first")),
      write(false, () => insert("late")),
      write(true, () => insert("last")),
    ];
    expect(await Promise.all(ends)).toEqual(["made", OVER, "made"]);
    expect(notes()).toEqual(["first", "last"]);
    expect(made).toBe(2);
  });

  test("count as made once they are committed, not before, and not at all if they failed", async () => {
    const failing = () => {
      insert("undone");
      throw new Error("its own");
    };
    expect(await write(true, failing)).toBe("its own");
    expect([made, madeBefore]).toEqual([0, []]);
    const ends = [write(true, () => insert("kept")), write(true, failing)];
    expect(await Promise.all(ends)).toEqual(["made", "its own"]);
    expect([made, madeBefore]).toEqual([1, [0]]);
    expect(notes()).toEqual(["kept"]);
  });

  test("that are lost with their transaction are told so, and those that failed before have their own error", async () => {
    const reading = writer.prepare("SELECT 1 UNION ALL SELECT 2");
    let rows: IterableIterator<unknown> | undefined;
    const ends = [
      write(true, () => {
        throw new Error("its own");
      }),
      write(true, () => {
        insert("lost");
        // While a result is read row by row, the connection refuses COMMIT.
        rows = reading.iterate();
      }),
    ];
    expect(await Promise.all(ends)).toEqual(["its own", expect.stringContaining("busy")]);
    rows?.return?.();
    expect(made).toBe(0);
    expect(await write(true, () => insert("next"))).toBe("made");
    expect(notes()).toEqual(["next"]);
  });

  test("that one of them rolls back are all refused with its error", async () => {
    const ends = [write(true, () => insert("lost")), write(true, () => insert(null, "INSERT OR ROLLBACK"))];
    const why = "NOT NULL constraint failed: notes.note";
    expect(await Promise.all(ends)).toEqual([why, why]);
    expect(await write(true, () => insert("next"))).toBe("made");
    expect(notes()).toEqual(["next"]);
  });
});

describe("writes after a group that could not even be rolled back", () => {
  let writer: BetterSqlite3.Database;
  let pauses: (() => Promise<void> | null)[];
  let queue: WriteQueue;

  beforeEach(async () => {
    writer = new Sqlite(await freshFile());
    writer.exec("CREATE TABLE notes (note TEXT NOT NULL) STRICT");
    pauses = [];
    queue = new WriteQueue({
      connection: writer,
      sql: { ...sqliteQueries, all: () => [] },
      onCommitted: () => {},
      beforeNextGroup: () => pauses.shift()?.() ?? null,
    });
  });
  afterEach(() => writer.close());

  const write = (note: string): Promise<unknown> =>
    queue.write(async () => void writer.prepare("INSERT INTO notes VALUES (?)").run(note));
  const notes = (): unknown[] => writer.prepare("SELECT note FROM notes ORDER BY rowid").pluck().all();

  test("are made, and what that group wrote is not kept", async () => {
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

  test("are not waited for to end the transaction of one that failed: other processes may write at once", async () => {
    const failed = queue.write(() => Promise.reject(new Error("refused")));
    await expect(failed).rejects.toThrow("refused");
    await queue.idle();
    expect(writer.inTransaction).toBe(false);
  });

  test("are made although what runs between two groups fails", async () => {
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
