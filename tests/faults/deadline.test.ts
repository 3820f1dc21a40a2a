import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { Sqlite } from "../../adapters/sql/sqlite/addon.ts";
import { fileOf } from "../../app/database.ts";
import { browserOn, PASSWORD } from "../support/browser.ts";
import { ENGINES, type TestEngine } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { startService, type TestService } from "../support/service.ts";
import { DEALER } from "./support/program.ts";

setDefaultTimeout(60_000);

/** Only the deadline of the whole request ends anything here: every step of it has a minute. */
const IMPATIENT = { REQUEST_TIMEOUT_MS: "700", DATABASE_CONNECTIONS: "2" };
const HEARD_MS = 20_000;
/** For a request to arrive, and for its client's leaving to do so. */
const NOTICED_MS = 300;

let service: TestService;
afterEach(() => service.close());

/** Keeps every change of a table, on SQLite of the whole database, waiting until it is let go. */
const lockOf: Readonly<Record<TestEngine["name"], (url: string, table: string) => Promise<() => Promise<void>>>> = {
  async SQLite(url) {
    const other = new Sqlite(fileOf(url));
    other.exec("BEGIN IMMEDIATE");
    return async () => {
      other.exec("COMMIT");
      other.close();
    };
  },
  async PostgreSQL(url, table) {
    const other = new SQL(url, { max: 1 });
    await other.unsafe("BEGIN");
    await other.unsafe(`LOCK TABLE ${table} IN SHARE MODE`);
    return async () => {
      await other.unsafe("COMMIT");
      await other.close();
    };
  },
};

/** Waits until so many sessions of a database wait for a lock. */
const untilBlocked = async (url: string, sessions: number): Promise<void> => {
  const other = new SQL(url, { max: 1 });
  const blocked = async (): Promise<number> =>
    (
      await other.unsafe(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).length;
  await eventually(blocked, (count) => count === sessions, HEARD_MS);
  await other.close();
};

const add = (name: string) => service.api<{ code?: string }>("POST", "/api/dealers", { body: { ...DEALER, name } });
const names = async (): Promise<string[]> =>
  (await service.api<{ name: string }[]>("GET", "/api/dealers")).body.map(({ name }) => name);

for (const engine of ENGINES)
  describe(`a request on ${engine.name}`, () => {
    test("is answered when its time is over, and a change that was not begun by then is never made", async () => {
      service = await startService(engine, IMPATIENT);
      const release = await lockOf[engine.name](service.databaseUrl, "dealers");
      // More than there are connections: the last ones wait for one.
      const replies = await Promise.all(["One", "Two", "Three", "Four"].map(add));
      for (const { status, body } of replies) {
        expect(status).toBe(503);
        expect(["unavailable", "outcome_unknown"]).toContain(body.code ?? "");
      }
      await release();
      await eventually(
        () => add("Last").then(({ status }) => status),
        (status) => status === 201,
        HEARD_MS,
      );
      const there = await names();
      const denied = ["One", "Two", "Three", "Four"].filter((_, index) => replies[index]?.body.code === "unavailable");
      expect(denied.length).toBeGreaterThan(0);
      expect(there.filter((name) => denied.includes(name))).toEqual([]);
    });

    test("to sign in is answered when its time is over, and the portal goes on", async () => {
      service = await startService(engine, IMPATIENT);
      const release = await lockOf[engine.name](service.databaseUrl, "sign_in_attempts");
      const browser = browserOn(service.url);
      const credentials = { email: "nobody@example.com", password: PASSWORD };
      expect((await browser.send("POST", "/portal/api/sign-in", { body: credentials })).status).toBe(503);
      await release();
      expect((await browser.send("GET", "/portal/api/session")).status).toBe(401);
    });

    test("whose client has gone away while it waits is not worked for", async () => {
      service = await startService(engine, { DATABASE_CONNECTIONS: "2" });
      const release = await lockOf[engine.name](service.databaseUrl, "dealers");
      const leaving = new AbortController();
      // Every connection taken, so that it has to wait for one.
      const filling = engine.name === "PostgreSQL" ? [add("First"), add("Second")] : [];
      if (filling.length > 0) await untilBlocked(service.databaseUrl, filling.length);
      const gone = fetch(`${service.url}/api/dealers`, {
        method: "POST",
        headers: { "x-api-key": service.superAdminKey, "content-type": "application/json" },
        body: JSON.stringify({ ...DEALER, name: "Gone" }),
        signal: leaving.signal,
      }).then(
        () => "answered",
        () => "gone",
      );
      await Bun.sleep(NOTICED_MS);
      leaving.abort();
      expect(await gone).toBe("gone");
      await Bun.sleep(NOTICED_MS);
      await release();
      await Promise.all(filling);
      expect((await add("Stayed")).status).toBe(201);
      expect(await names()).not.toContain("Gone");
      expect(await names()).toContain("Stayed");
    });
  });
