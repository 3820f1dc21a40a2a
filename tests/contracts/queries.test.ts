import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import type { SqlDatabase, Tx } from "../../adapters/sql/query/database.ts";
import { param } from "../../adapters/sql/query/statement.ts";
import { lockOf } from "../faults/support/stalls.ts";
import { ENGINES } from "../support/engines.ts";

setDefaultTimeout(300_000);

for (const engine of ENGINES)
  describe(`queries of Kysely on ${engine.name}`, () => {
    let url: string;
    let db: SqlDatabase;
    let other: SqlDatabase;
    beforeAll(async () => {
      url = await engine.migratedUrl();
      db = await engine.open(url);
      other = await engine.open(url);
    });
    afterAll(async () => {
      await db.close();
      await other.close();
    });

    // The table of service secrets is the simplest: a unique name and a text.
    const add = (on: Pick<Tx, "insertInto">, name: string) =>
      on.insertInto("service_secrets").values({ name, secret: name });
    const names = async (prefix: string, on: Pick<Tx, "selectFrom"> = other): Promise<string[]> => {
      const rows = await on.selectFrom("service_secrets").select("name").where("name", "like", `${prefix}%`).execute();
      return rows.map(({ name }) => name);
    };

    /** The same database, which notes what it is asked for and by which of its members. */
    const noting = () => {
      const asked: ["all" | "writeOne", string, readonly unknown[]][] = [];
      const noted: SqlDatabase = {
        ...db,
        all(statement, values) {
          asked.push(["all", statement.text.slice(0, 6), statement.bind(values)]);
          return [];
        },
        async writeOne(statement, values) {
          asked.push(["writeOne", statement.text.slice(0, 6), statement.bind(values)]);
          return [];
        },
      };
      return { asked, noted };
    };

    test("run by the members of the database that they are built from, reads apart from changes", async () => {
      const { asked, noted } = noting();
      const gone = noted.deleteFrom("service_secrets").where("name", "=", "a");
      await noted.selectFrom("service_secrets").select("name").where("secret", "=", "b").execute();
      await add(noted, "c").execute();
      await noted.updateTable("service_secrets").set({ secret: "d" }).execute();
      await gone.execute();
      const read = noted.with("kept", (on) => on.selectFrom("service_secrets").select("name"));
      await read.selectFrom("kept").selectAll().execute();
      const change = noted.with("gone", () => gone.returning("name"));
      await change.selectFrom("gone").selectAll().execute();
      expect(asked).toEqual([
        ["all", "select", ["b"]],
        ["writeOne", "insert", ["c", "c"]],
        ["writeOne", "update", ["d"]],
        ["writeOne", "delete", ["a"]],
        ["all", 'with "', []],
        ["writeOne", 'with "', ["a"]],
      ]);
    });

    test("are made before they resolve, and seen by every other connection", async () => {
      await add(db, "made").execute();
      expect(await names("made")).toEqual(["made"]);
      const [gone] = await db.deleteFrom("service_secrets").where("name", "=", "made").returning("secret").execute();
      expect([gone, await names("made")]).toEqual([{ secret: "made" }, []]);
    });

    test("are part of the change in whose transaction they are built, and undone with it", async () => {
      let within: string[] = [];
      let outside: string[] = [];
      const failing = db.write(async (tx) => {
        await add(tx, "part").execute();
        await sql`UPDATE service_secrets SET name = 'part of it' WHERE name = 'part'`.execute(tx);
        within = await names("part", tx);
        outside = await names("part");
        throw new Error("undone");
      });
      await expect(failing).rejects.toThrow("undone");
      expect([within, outside, await names("part")]).toEqual([["part of it"], [], []]);
    });

    test("that read do not wait for one that changes", async () => {
      const release = await lockOf[engine.name](url, "service_secrets");
      const added = add(db, "waits").execute();
      expect(await names("waits", db)).toEqual([]);
      await release();
      await added;
      expect(await names("waits", db)).toEqual(["waits"]);
    });

    test("fail with the errors that callers know", async () => {
      await add(db, "twice").execute();
      const again = await add(db, "twice")
        .execute()
        .catch((error: unknown) => error);
      expect(db.violation(again)).toBe("unique");
    });

    test("never run with a value that is missing, or that the engines would bind differently", async () => {
      const { asked, noted } = noting();
      for (const value of [undefined, true, new Date(0), 1n, param("name")]) {
        const name = value as unknown as string;
        const query = noted.selectFrom("service_secrets").select("name").where("name", "=", name);
        await expect(query.execute()).rejects.toThrow("value 1 is not a text, a number or null");
      }
      expect(asked).toEqual([]);
    });

    test("are no texts of one's own outside of a change, since none knows whether such a text may be repeated", async () => {
      const { asked, noted } = noting();
      await expect(sql`DELETE FROM service_secrets`.execute(noted)).rejects.toThrow("runs within a change");
      expect(asked).toEqual([]);
    });
  });
