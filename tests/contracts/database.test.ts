import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { sql } from "kysely";
import type { Sql, SqlDatabase } from "../../adapters/sql/query/database.ts";
import { param, params, sqlStatement, statement } from "../../adapters/sql/query/statement.ts";
import { migrateToLatest, NewerSchema } from "../../adapters/sql/schema/migrate.ts";
import { serviceSecret } from "../../adapters/sql/sign-in/service-secret.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import { connect, ENGINES } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { queryDatabase } from "../support/inspect-database.ts";

setDefaultTimeout(300_000);

for (const engine of ENGINES)
  describe(`the database ${engine.name}`, () => {
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
    const insertOf = (on: SqlDatabase) =>
      statement(() => on.insertInto("service_secrets").values(params(["name", "secret"])));
    const add = (tx: Sql, name: string) => tx.all(insertOf(db), { name, secret: name });
    const names = async (prefix: string, on: SqlDatabase = db): Promise<string[]> => {
      const rows = await on.all(
        statement(() => on.selectFrom("service_secrets").select("name").orderBy("name")),
        {},
      );
      return rows.map(({ name }) => name).filter((name) => name.startsWith(prefix));
    };

    test("makes a write visible to every other connection before the write resolves", async () => {
      for (let time = 0; time < 20; time++) {
        await db.write(async (tx) => void (await add(tx, `there ${time}`)));
        expect(await names(`there ${time}`, other)).toContain(`there ${time}`);
        const [row] = await queryDatabase(url, `SELECT secret FROM service_secrets WHERE name = 'there ${time}'`);
        expect(row).toEqual({ secret: `there ${time}` });
      }
    });

    test("shows a write to later reads, even if others read in the same turn of the event loop", async () => {
      for (let time = 0; time < 20; time++) {
        const name = `same turn ${time}`;
        const read = new Promise((resume) => setImmediate(() => resume(names("same turn"))));
        const seen = db.writeOne(insertOf(db), { name, secret: name }).then(() => names("same turn"));
        await read;
        expect(await seen).toContain(name);
      }
    });

    test("shows reads what is committed, by any process, and nothing of an unfinished write, however long it takes", async () => {
      for (let time = 0; time < 5; time++) {
        const [own, foreign] = [`before ${time} own`, `before ${time} foreign`];
        const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const unfinished = db.write(async (tx) => {
          await add(tx, own);
          begun.resolve();
          await released.promise;
        });
        await begun.promise;
        for (let turns = 0; turns < 3; turns++) {
          expect(await names(own)).toEqual([]);
          await new Promise((resume) => setImmediate(resume));
        }
        released.resolve();
        await unfinished;
        expect(await names(own)).toEqual([own]);
        await other.writeOne(insertOf(other), { name: foreign, secret: foreign });
        expect(await names(foreign)).toEqual([foreign]);
      }
    });

    test("lets reads neither commit nor see what a write undoes, in whatever turn they are", async () => {
      const turn = (): Promise<void> => new Promise((resume) => setImmediate(resume));
      const failed = new Error("undone");
      const undone = (name: string) =>
        db.write(async (tx) => {
          await add(tx, name);
          for (let turns = 0; turns < 3; turns++) await turn();
          throw failed;
        });
      for (let time = 0; time < 5; time++) {
        const name = `undone ${time}`;
        const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        // On SQLite, the write waits for this lock.
        const holding = other.write(async () => {
          begun.resolve();
          await released.promise;
        });
        await begun.promise;
        let isOver = false;
        const seen: string[] = [];
        const reading = async (): Promise<void> => {
          for (; !isOver; await turn()) seen.push(...(await names(name)));
        };
        await turn();
        const writing = undone(name).catch((error: unknown) => {
          isOver = true;
          return error;
        });
        const reads = reading();
        for (let turns = 0; turns < 5; turns++) await turn();
        released.resolve();
        await holding;
        expect(await writing).toBe(failed);
        await reads;
        await turn();
        const atOnce = undone(name).catch((error: unknown) => error);
        seen.push(...(await names(name)));
        expect(await atOnce).toBe(failed);
        expect([...seen, ...(await names(name)), ...(await names(name, other))]).toEqual([]);
      }
    });

    test("refuses a change that is run as a read", async () => {
      if (engine.name !== "SQLite") return;
      for (const run of [
        () => db.all(insertOf(db), { name: "sly", secret: "s" }),
        () => db.first(insertOf(db), { name: "sly", secret: "s" }),
      ])
        expect(run).toThrow();
      expect(await names("sly")).toEqual([]);
    });

    test("shows each resolved write to long reads, from this process and from another", async () => {
      const aside = async (prefix: string) => {
        const rows = await db.longReads.all(
          statement(() => db.selectFrom("service_secrets").select("name")),
          {},
        );
        return rows.map(({ name }) => name).filter((name) => name.startsWith(prefix));
      };
      for (let time = 1; time <= 20; time++) {
        const writer = time % 2 === 0 ? db : other;
        await writer.writeOne(insertOf(writer), { name: `aside ${time}`, secret: "s" });
        expect(await aside("aside")).toHaveLength(time);
      }
    });

    test("answers a long read with the same rows as any other read, whatever their values", async () => {
      const text = 'quotes " and \\, \u2028 and \u{1f697}';
      const values = sqlStatement(
        db,
        sql<{ text: string; nothing: null; large: number; part: number }>`SELECT CAST(${param("text")} AS TEXT) AS text,
          CAST(NULL AS TEXT) AS "nothing", CAST(9007199254740991 AS BIGINT) AS large, CAST(0.1 AS DOUBLE PRECISION) AS part`,
      );
      const row = { text, nothing: null, large: 9007199254740991, part: 0.1 };
      expect([...(await db.longReads.all(values, { text }))]).toEqual([row]);
      expect([...(await db.all(values, { text }))]).toEqual([row]);
    });

    test("shows a read what another connection wrote before it began, in any turn", async () => {
      for (let time = 0; time < 20; time++) {
        await names("other turn");
        await other.writeOne(insertOf(other), { name: `other turn ${time}`, secret: "s" });
        expect(await names("other turn")).toContain(`other turn ${time}`);
      }
    });

    test("resolves a write with what its work returned, and rejects it with what its work threw", async () => {
      expect(await db.write(async () => 42)).toBe(42);
      const thrown = new Error("a defect of the work");
      expect(await db.write(async () => Promise.reject(thrown)).catch((error: unknown) => error)).toBe(thrown);
    });

    test("keeps nothing of a write that throws", async () => {
      const lost = db.write(async (tx) => {
        await add(tx, "lost 1");
        await add(tx, "lost 2");
        throw new Error("after two statements");
      });
      await expect(lost).rejects.toThrow("after two statements");
      expect(await names("lost")).toEqual([]);
    });

    test("runs a single statement as its own transaction: all of it is stored, or nothing if it fails", async () => {
      const insert = insertOf(db);
      const both = statement(() =>
        db
          .insertInto("service_secrets")
          .values([
            { name: param("one"), secret: "" },
            { name: param("other"), secret: "" },
          ])
          .returning("name"),
      );
      expect(await db.writeOne(both, { one: "single 1", other: "single 2" })).toEqual([
        { name: "single 1" },
        { name: "single 2" },
      ]);
      expect(await names("single", other)).toEqual(["single 1", "single 2"]);
      expect(await db.writeOne(insert, { name: "single 3", secret: "" })).toEqual([]);
      const failed = await db.writeOne(both, { one: "single 4", other: "single 1" }).catch((error: unknown) => error);
      expect(db.violation(failed)).toBe("unique");
      expect(await names("single")).toEqual(["single 1", "single 2", "single 3"]);
    });

    test("undoes only the failing one among many concurrent writes", async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 300 }, (_, number) =>
          db.write(async (tx) => {
            await add(tx, `group ${number} a`);
            if (number % 7 === 3) throw new Error("thrown");
            if (number % 7 === 5) await add(tx, `group ${number} a`);
            await add(tx, `group ${number} b`);
          }),
        ),
      );
      const fails = (number: number): boolean => number % 7 === 3 || number % 7 === 5;
      outcomes.forEach(({ status }, number) => {
        expect([number, status]).toEqual([number, fails(number) ? "rejected" : "fulfilled"]);
      });
      const expected = outcomes.flatMap((_, number) =>
        fails(number) ? [] : [`group ${number} a`, `group ${number} b`],
      );
      expect((await names("group", other)).sort()).toEqual(expected.sort());
    });

    test("shows a write its own changes, and shows readers none of them before it commits", async () => {
      let seenInside: readonly { name: string }[] = [];
      let seenOutside: string[] = ["not looked"];
      await db.write(async (tx) => {
        await add(tx, "half");
        const look = statement(() => db.selectFrom("service_secrets").select("name").where("name", "=", param("name")));
        seenInside = await tx.all(look, { name: "half" });
        seenOutside = await names("half", other);
      });
      expect(seenInside).toEqual([{ name: "half" }]);
      expect(seenOutside).toEqual([]);
    });

    test("makes writers of two processes wait for each other, and loses nothing", async () => {
      const version = statement(() => db.selectFrom("access_version").select("version"));
      const bump = statement(() =>
        db.updateTable("access_version").set((row) => ({ version: row("version", "+", 1) })),
      );
      const [before] = await db.all(version, {});
      await Promise.all(
        Array.from({ length: 60 }, (_, number) =>
          (number % 2 === 0 ? db : other).write(async (tx) => void (await tx.all(bump, {}))),
        ),
      );
      const [after] = await other.all(version, {});
      expect(after?.version).toBe((before?.version ?? 0) + 60);
    });

    test("reports which constraint a failed statement violated", async () => {
      const violationOf = async (work: (tx: Sql) => Promise<unknown>) =>
        db.write(work).then(
          () => "none",
          (error: unknown) => db.violation(error),
        );
      await db.write(async (tx) => void (await add(tx, "rule")));
      expect(await violationOf(async (tx) => add(tx, "rule"))).toBe("unique");
      const link = statement(() => db.insertInto("dealer_keys").values(params(["dealer_id", "key_id"])));
      expect(await violationOf(async (tx) => tx.all(link, { dealer_id: 999, key_id: 999 }))).toBe("foreign-key");
      expect(await violationOf(async () => Promise.reject(new Error("something else")))).toBeNull();
    });

    test("never runs a statement with a parameter that has no value", async () => {
      expect(() => db.all(insertOf(db), { name: "half-bound" })).toThrow("secret");
    });

    test("applies each migration once, however many processes start at once", async () => {
      const fresh = await engine.url();
      const processes = [connect(fresh), connect(fresh), connect(fresh)];
      const applied = await Promise.all(processes.map((process) => migrateToLatest(process)));
      expect(applied.flat()).toEqual(MIGRATIONS.map(({ name }) => name));
      expect(await migrateToLatest(db)).toEqual([]);
      for (const process of processes) await process.close();
    });

    test("says that a start waits for another process's migration, and nothing if it need not wait", async () => {
      const told: string[] = [];
      await migrateToLatest(db, () => told.push("at once"));
      const held = Promise.withResolvers<void>();
      const begun = Promise.withResolvers<void>();
      const migration = other.migrate(async () => {
        begun.resolve();
        await held.promise;
      });
      await begun.promise;
      const waiting = migrateToLatest(db, () => told.push("waits"));
      await eventually(() => told.length, Boolean);
      held.resolve();
      await migration;
      expect(await waiting).toEqual([]);
      expect(told).toEqual(["waits"]);
    });

    if (engine.name === "PostgreSQL")
      test("says that a start waits for another process that makes the indexes", async () => {
        const address = await engine.migratedUrl();
        const updated = await engine.open(address);
        const maker = new SQL(address, { max: 1 });
        await maker`SELECT pg_advisory_lock(7265187412)`;
        await maker`DROP INDEX spellings_by_use`;
        const told: string[] = [];
        const waiting = migrateToLatest(updated, () => told.push("waits"));
        await eventually(() => told.length, Boolean);
        await maker.close();
        expect(await waiting).toEqual([]);
        await updated.close();
      });

    test("is refused and left as it is if a newer version of the program has migrated it", async () => {
      const newer = await engine.open();
      const add = "INSERT INTO schema_migrations (name) VALUES ('9999-from-the-future')";
      await newer.migrate(async (run) => void (await run(add)));
      await expect(migrateToLatest(newer)).rejects.toThrow(NewerSchema);
      await expect(migrateToLatest(newer)).rejects.toThrow("9999-from-the-future");
      await newer.close();
    });

    test("creates a secret of the installation once, and gives the same one to all processes", async () => {
      const made = await Promise.all([db, other, db, other].map((process) => serviceSecret(process, "test")));
      expect(new Set(made).size).toBe(1);
      expect(made[0]?.length).toBeGreaterThanOrEqual(43);
      expect(await serviceSecret(other, "test")).toBe(made[0] ?? "");
      expect(await serviceSecret(db, "another")).not.toBe(made[0] ?? "");
    });

    test("has stored exactly the writes that resolved when it closes", async () => {
      const closing = await engine.open(url);
      const writes = Array.from({ length: 20 }, (_, number) =>
        closing.write(async (tx) => void (await add(tx, `closing ${String(number).padStart(2, "0")}`))),
      );
      const outcomes = Promise.allSettled(writes);
      await closing.close();
      const resolved = (await outcomes).flatMap(({ status }, number) => (status === "fulfilled" ? [number] : []));
      expect((await names("closing")).map((name) => Number(name.slice(-2)))).toEqual(resolved);
    });

    test("answers a ping, and rejects one when it is closed", async () => {
      const closed = await engine.open(url);
      await closed.ping();
      await closed.close();
      await expect(closed.ping()).rejects.toThrow();
    });
  });
