import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { Sqlite } from "../../adapters/sql/sqlite/addon.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { fileOf } from "../../app/database.ts";
import { type Browser, browserOn, FIRST, firstAdmin, PASSWORD, signIn } from "../support/browser.ts";
import { ENGINES, type TestEngine } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { type Run, startService, type TestService } from "../support/service.ts";
import { totpOf } from "../support/totp.ts";
import { DEALER } from "./support/program.ts";

setDefaultTimeout(300_000);

/** Only the deadline of the whole request matters here, because each of its steps has a minute. */
const SHORT_TIMEOUT = { REQUEST_TIMEOUT_MS: "700", DATABASE_CONNECTIONS: "2" };
const SECOND_FACTOR_PATH = "/portal/api/second-factor";
/** Time for a request to arrive, and for the service to notice that its client left. */
const SETTLE_MS = 300;

/** These requests run out of time while a statement keeps this process, so that no test could move a clock. */
const start = (engine: TestEngine, environment: Readonly<Record<string, string>> = {}, run: Run = {}) =>
  startService(engine, environment, { ...run, clock: systemClock });

let service: TestService;
afterEach(() => service.close());

/** Blocks every change of a table (on SQLite, of the whole database) until released. */
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

const LONG_MS = 1200;
const SAMPLE = 200_000;
const countingTo = (most: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${most}) SELECT max(i) FROM n`;

/** SQL that counts for longer than a request may take, however fast the machine is. */
const longCount = (database: InstanceType<typeof Sqlite>): string => {
  const since = performance.now();
  database.prepare(countingTo(SAMPLE)).get();
  return countingTo(Math.ceil((SAMPLE * LONG_MS) / (performance.now() - since)));
};

/** Makes changes such as `DELETE ON sessions` take longer than a request may, until they are released. */
const slowly: Readonly<Record<TestEngine["name"], (url: string, changes: string) => Promise<() => Promise<void>>>> = {
  async SQLite(url, changes) {
    const other = new Sqlite(fileOf(url));
    other.exec(`CREATE TRIGGER slow AFTER ${changes} BEGIN ${longCount(other)}; END`);
    return async () => {
      other.exec("DROP TRIGGER slow");
      other.close();
    };
  },
  async PostgreSQL(url, changes) {
    const other = new SQL(url, { max: 1 });
    await other.unsafe(
      `CREATE FUNCTION slow() RETURNS trigger AS 'BEGIN PERFORM pg_sleep(2); RETURN NULL; END' LANGUAGE plpgsql`,
    );
    await other.unsafe(`CREATE TRIGGER slow AFTER ${changes} FOR EACH ROW EXECUTE FUNCTION slow()`);
    return async () => {
      await other.unsafe("DROP FUNCTION slow CASCADE");
      await other.close();
    };
  },
};

/** Waits until this many sessions of a database wait for a lock. */
const untilBlocked = async (url: string, sessions: number): Promise<void> => {
  const other = new SQL(url, { max: 1 });
  const blocked = async (): Promise<number> =>
    (
      await other.unsafe(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    ).length;
  await eventually(blocked, (count) => count === sessions);
  await other.close();
};

/** A browser that was signed in before the short deadline applied. */
const signedInWithShortDeadline = async (engine: TestEngine): Promise<Browser> => {
  const patient = await start(engine);
  const { cookies } = await firstAdmin(patient);
  await patient.close();
  service = await start(engine, { ...SHORT_TIMEOUT, DATABASE_URL: patient.databaseUrl });
  const browser = browserOn(service.url);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
};

const add = (name: string) => service.api<{ code?: string }>("POST", "/api/dealers", { body: { ...DEALER, name } });
const names = async (): Promise<string[]> =>
  (await service.api<{ name: string }[]>("GET", "/api/dealers")).body.map(({ name }) => name);

for (const engine of ENGINES)
  describe(`a request on ${engine.name}`, () => {
    test("is answered when its time is over, and a change that was not begun by then is never made", async () => {
      service = await start(engine, SHORT_TIMEOUT);
      const release = await lockOf[engine.name](service.databaseUrl, "dealers");
      // More requests than connections: the last ones wait for a connection.
      const replies = await Promise.all(["One", "Two", "Three", "Four"].map(add));
      for (const { status, body } of replies) {
        expect(status).toBe(503);
        expect(["unavailable", "outcome_unknown"]).toContain(body.code ?? "");
      }
      await release();
      await eventually(
        () => add("Last").then(({ status }) => status),
        (status) => status === 201,
      );
      const there = await names();
      const denied = ["One", "Two", "Three", "Four"].filter((_, index) => replies[index]?.body.code === "unavailable");
      expect(denied.length).toBeGreaterThan(0);
      expect(there.filter((name) => denied.includes(name))).toEqual([]);
    });

    test("to sign in is answered when its time is over, and the portal still works", async () => {
      service = await start(engine, SHORT_TIMEOUT);
      const release = await lockOf[engine.name](service.databaseUrl, "sign_in_attempts");
      const browser = browserOn(service.url);
      const credentials = { email: "nobody@example.com", password: PASSWORD };
      expect((await browser.send("POST", "/portal/api/sign-in", { body: credentials })).status).toBe(503);
      await release();
      expect((await browser.send("GET", "/portal/api/session")).status).toBe(401);
    });

    test("whose change was partly made makes the rest, and is never answered as having changed nothing", async () => {
      const browser = await signedInWithShortDeadline(engine);
      const release = await slowly[engine.name](service.databaseUrl, "DELETE ON sessions");
      const reply = await browser.send<{ code?: string }>("POST", "/portal/api/sign-out");
      expect(reply.body.code ?? "made").toBeOneOf(["made", "outcome_unknown"]);
      await release();
      const recorded = () => service.api<object[]>("GET", "/api/audit?action=user.signed-out");
      await eventually(recorded, ({ body }) => body.length === 1);
    });

    /** Waits until all work of a late request is done: until it is recorded, unless it was never begun. */
    const untilRecorded = async ({ body }: { body: { code?: string } }, action: string): Promise<void> => {
      if (body.code === "unavailable") return;
      const recorded = () => service.api<object[]>("GET", `/api/audit?action=${action}&limit=1`);
      await eventually(recorded, (reply) => reply.body.length === 1);
    };
    const countOf = async (from: string): Promise<number> => {
      const [row] = await queryDatabase<{ count: number }>(
        service.databaseUrl,
        `SELECT count(*) AS count FROM ${from}`,
      );
      return Number(row?.count);
    };

    test("to sign in leaves no session whose token nobody received", async () => {
      await signedInWithShortDeadline(engine);
      const release = await slowly[engine.name](service.databaseUrl, "INSERT ON sessions");
      const reply = await signIn(browserOn(service.url), FIRST.email);
      await release();
      await untilRecorded(reply, "user.signed-in");
      const handedOver = reply.status === 200 ? 1 : 0;
      await eventually(
        () => countOf("sessions"),
        (count) => count === 1 + handedOver,
      );
    });

    for (const [reason, run, changes] of [
      ["the database is slow", {}, "UPDATE ON second_factors"],
      ["hashing them takes long", { realPasswordCost: true }, "DELETE ON users"],
    ] as const)
      test(`to confirm a second factor leaves none whose recovery codes nobody received, if ${reason}`, async () => {
        const patient = await start(engine);
        const { cookies, send } = await firstAdmin(patient);
        const offer = await send<{ secret: string }>("POST", SECOND_FACTOR_PATH, { body: { password: PASSWORD } });
        await patient.close();
        service = await start(engine, { ...SHORT_TIMEOUT, DATABASE_URL: patient.databaseUrl }, run);
        const browser = browserOn(service.url);
        for (const [name, value] of cookies) browser.cookies.set(name, value);
        const release = await slowly[engine.name](service.databaseUrl, changes);
        const body = { code: totpOf(service.clock, offer.body.secret) };
        const reply = await browser.send<{ code?: string }>("POST", `${SECOND_FACTOR_PATH}/confirm`, { body });
        await release();
        await untilRecorded(reply, "user.second-factor-on");
        const handedOver = reply.status === 200 ? 1 : 0;
        await eventually(
          () => countOf("second_factors WHERE verified = 1"),
          (count) => count === handedOver,
        );
      });

    test("that has only counted an attempt is answered as having changed nothing, and changes nothing later", async () => {
      const browser = await signedInWithShortDeadline(engine);
      const release = await slowly[engine.name](service.databaseUrl, "INSERT ON sign_in_attempts");
      const change = { current_password: PASSWORD, new_password: "another horse battery staple" };
      const reply = await browser.send<{ code?: string }>("PUT", "/portal/api/password", { body: change });
      expect(reply.body.code).toBe("unavailable");
      await release();
      const failures = () =>
        queryDatabase<{ failures: number }>(
          service.databaseUrl,
          "SELECT sum(failures) AS failures FROM sign_in_attempts",
        );
      await eventually(failures, ([row]) => Number(row?.failures) === 0);
      const changed = await service.api<object[]>("GET", "/api/audit?action=user.password-changed");
      expect(changed.body).toEqual([]);
    });

    // SQLite cannot lock a single table.
    if (engine.name === "PostgreSQL")
      test("to confirm a second factor leaves neither the factor nor a session if it cannot be recorded", async () => {
        service = await start(engine, { DATABASE_STATEMENT_TIMEOUT_MS: "3000" });
        const browser = await firstAdmin(service);
        const offer = await browser.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, {
          body: { password: PASSWORD },
        });
        const release = await lockOf.PostgreSQL(service.databaseUrl, "audit_entries");
        const body = { code: totpOf(service.clock, offer.body.secret) };
        const reply = await browser.send<{ code?: string }>("POST", `${SECOND_FACTOR_PATH}/confirm`, { body });
        await release();
        expect(reply.body.code).toBe("outcome_unknown");
        expect([await countOf("second_factors"), await countOf("sessions")]).toEqual([0, 0]);
      });

    if (engine.name === "PostgreSQL")
      test("whose change was made except for its last part is answered with an unknown outcome", async () => {
        service = await start(engine, { DATABASE_STATEMENT_TIMEOUT_MS: "3000" });
        const browser = await firstAdmin(service);
        const release = await lockOf.PostgreSQL(service.databaseUrl, "audit_entries");
        const change = { current_password: PASSWORD, new_password: "another horse battery staple" };
        const reply = await browser.send<{ code?: string }>("PUT", "/portal/api/password", { body: change });
        await release();
        expect(reply.body.code).toBe("outcome_unknown");
        const again = await signIn(browserOn(service.url), FIRST.email, change.new_password);
        expect(again.status).toBe(200);
      });

    test("whose client leaves while it waits is not processed", async () => {
      service = await start(engine, { DATABASE_CONNECTIONS: "4" });
      const release = await lockOf[engine.name](service.databaseUrl, "dealers");
      const leaving = new AbortController();
      // All connections for one caller's changes are in use, so the request has to wait for one.
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
      await Bun.sleep(SETTLE_MS);
      leaving.abort();
      expect(await gone).toBe("gone");
      await Bun.sleep(SETTLE_MS);
      await release();
      await Promise.all(filling);
      expect((await add("Stayed")).status).toBe(201);
      expect(await names()).not.toContain("Gone");
      expect(await names()).toContain("Stayed");
    });
  });
