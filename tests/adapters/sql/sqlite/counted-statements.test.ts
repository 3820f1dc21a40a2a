import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type BetterSqlite3 from "better-sqlite3";
import type { Sql } from "../../../../adapters/sql/query/database.ts";
import type { Statement } from "../../../../adapters/sql/query/statement.ts";
import { Sqlite } from "../../../../adapters/sql/sqlite/addon.ts";
import { sqliteQueries } from "../../../../adapters/sql/sqlite/dialect.ts";
import { WriteQueue } from "../../../../adapters/sql/sqlite/write-queue.ts";
import { ENGINES } from "../../../support/engines.ts";

const STATEMENT = { text: "", bind: () => [] } as Statement<unknown>;

describe("what the writes of a group ask for once", () => {
  let writer: BetterSqlite3.Database;
  let queue: WriteQueue;
  let ran: object[];
  let isRefused: boolean;

  beforeEach(async () => {
    const engine = ENGINES.find(({ name }) => name === "SQLite");
    writer = new Sqlite(((await engine?.url()) ?? "").replace("sqlite:", ""));
    writer.exec("CREATE TABLE notes (note TEXT NOT NULL) STRICT");
    [ran, isRefused] = [[], false];
    queue = new WriteQueue({
      connection: writer,
      sql: {
        ...sqliteQueries,
        all(_, values) {
          if (isRefused) throw new Error("refused");
          ran.push({ ...values, isCommitted: !writer.inTransaction });
          return [];
        },
      },
      onCommitted: () => {},
    });
  });
  afterEach(() => writer.close());

  const ask =
    (key: string, first: string) =>
    async (tx: Sql): Promise<void> =>
      tx.once?.(key, STATEMENT, { first });
  const failing = async (tx: Sql): Promise<void> => {
    tx.once?.("a", STATEMENT, { first: "failed" });
    throw new Error("failed");
  };

  test("is run before the commit, once for each key, with the first values and the number of writes", async () => {
    const writes = [ask("a", "one"), ask("b", "two"), ask("a", "three"), ask("a", "four")];
    await Promise.all(writes.map((write) => queue.write(write)));
    expect(ran).toEqual([
      { first: "one", count: 3, isCommitted: false },
      { first: "two", count: 1, isCommitted: false },
    ]);
    await queue.write(ask("a", "alone"));
    expect(ran.slice(2)).toEqual([{ first: "alone", count: 1, isCommitted: false }]);
  });

  test("does not count what writes asked for that failed, alone or among others", async () => {
    await expect(queue.write(failing)).rejects.toThrow("failed");
    const ends = await Promise.allSettled(
      [ask("a", "one"), failing, ask("a", "two")].map((write) => queue.write(write)),
    );
    expect(ends.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(ran).toEqual([{ first: "one", count: 2, isCommitted: false }]);
  });

  test("fails the whole group if it fails, and is forgotten with it", async () => {
    isRefused = true;
    const note = async (tx: Sql): Promise<void> => {
      writer.exec("INSERT INTO notes VALUES ('lost')");
      await ask("a", "lost")(tx);
    };
    const ends = await Promise.allSettled([queue.write(note), queue.write(note)]);
    expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(writer.prepare("SELECT note FROM notes").all()).toEqual([]);
    isRefused = false;
    await queue.write(ask("b", "kept"));
    expect(ran).toEqual([{ first: "kept", count: 1, isCommitted: false }]);
  });
});
