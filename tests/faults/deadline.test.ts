import { afterEach, beforeEach, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import { connect, type Socket } from "node:net";
import { type Browser, browserOn, FIRST, firstAdmin, PASSWORD, signIn } from "../support/browser.ts";
import { ENGINES, type TestEngine } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { startService, type TestService } from "../support/service.ts";
import { connectionsOf } from "../support/tcp.ts";
import { timerTurns } from "../support/timer-turns.ts";
import { totpOf } from "../support/totp.ts";
import { DEALER } from "./support/program.ts";
import {
  endedWhenBlocked,
  lockOf,
  outlasted,
  type StallClock,
  slowly,
  stallClock,
  untilBlocked,
} from "./support/stalls.ts";

setDefaultTimeout(300_000);

const FEW_CONNECTIONS = { DATABASE_CONNECTIONS: "2" };
const SECOND_FACTOR_PATH = "/portal/api/second-factor";

let clock: StallClock;
let service: TestService;
beforeEach(() => {
  clock = stallClock();
});
afterEach(() => service.close());

const start = (engine: TestEngine, environment: Readonly<Record<string, string>> = {}) =>
  startService(engine, environment, { clock });

const LIVE = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n";

/** A connection to the service. */
const connected = async () => {
  const received: Buffer[] = [];
  const socket = await new Promise<Socket>((resolve, reject) => {
    const connecting = connect(Number(new URL(service.url).port), "127.0.0.1", () => resolve(connecting));
    connecting.on("error", reject);
    connecting.on("data", (bytes) => received.push(bytes));
  });
  return { socket, port: socket.localPort ?? 0, received: () => Buffer.concat(received).toString() };
};

/** A browser that is signed in to a service with few connections. */
const signedIn = async (engine: TestEngine): Promise<Browser> => {
  service = await start(engine, FEW_CONNECTIONS);
  return firstAdmin(service);
};

/** Sends a request whose change takes longer than it may, and lets the change go on once it is answered. */
const answeredLate = async <Reply>(engine: TestEngine, changes: string, send: () => Promise<Reply>): Promise<Reply> => {
  const { outlast, release } = await slowly[engine.name](service.databaseUrl, changes, clock);
  const [reply] = await Promise.all([send(), outlast()]);
  await release();
  return reply;
};

const add = (name: string) => service.api<{ code?: string }>("POST", "/api/dealers", { body: { ...DEALER, name } });
const names = async (): Promise<string[]> =>
  (await service.api<{ name: string }[]>("GET", "/api/dealers")).body.map(({ name }) => name);

for (const engine of ENGINES)
  describe(`a request on ${engine.name}`, () => {
    test("is answered when its time is over, and a change that was not begun by then is never made", async () => {
      service = await start(engine, FEW_CONNECTIONS);
      const release = await lockOf[engine.name](service.databaseUrl, "dealers");
      // More requests than connections: the last ones wait for a connection.
      const answers = Promise.all(["One", "Two", "Three", "Four"].map(add));
      if (engine.name === "PostgreSQL") await untilBlocked(service.databaseUrl, 1);
      const replies = await outlasted(clock, answers);
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
      service = await start(engine, FEW_CONNECTIONS);
      const release = await lockOf[engine.name](service.databaseUrl, "sign_in_attempts");
      const browser = browserOn(service.url);
      const credentials = { email: "nobody@example.com", password: PASSWORD };
      const answer = browser.send("POST", "/portal/api/sign-in", { body: credentials });
      if (engine.name === "PostgreSQL") await untilBlocked(service.databaseUrl, 1);
      expect((await outlasted(clock, answer)).status).toBe(503);
      await release();
      expect((await browser.send("GET", "/portal/api/session")).status).toBe(401);
    });

    test("whose change was partly made makes the rest, and is never answered as having changed nothing", async () => {
      const browser = await signedIn(engine);
      const reply = await answeredLate(engine, "DELETE ON sessions", () =>
        browser.send<{ code?: string }>("POST", "/portal/api/sign-out"),
      );
      // A statement of SQLite is over before anything else could answer.
      expect(reply.body.code ?? "made").toBeOneOf(
        engine.name === "SQLite" ? ["made", "outcome_unknown"] : ["outcome_unknown"],
      );
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
      await signedIn(engine);
      const reply = await answeredLate(engine, "INSERT ON sessions", () => signIn(browserOn(service.url), FIRST.email));
      if (engine.name === "PostgreSQL") expect(reply.status).toBe(503);
      await untilRecorded(reply, "user.signed-in");
      const handedOver = reply.status === 200 ? 1 : 0;
      await eventually(
        () => countOf("sessions"),
        (count) => count === 1 + handedOver,
      );
    });

    const LATE: Readonly<
      Record<string, (confirm: () => ReturnType<typeof confirmed>) => ReturnType<typeof confirmed>>
    > = {
      "the database is slow": (confirm) => answeredLate(engine, "UPDATE ON second_factors", confirm),
      async "hashing them takes long"(confirm) {
        const hash = Bun.password.hash;
        const hashing = spyOn(Bun.password, "hash").mockImplementation((...given) => {
          clock.advance(600_000);
          return hash(...given);
        });
        try {
          return await confirm();
        } finally {
          expect(hashing).toHaveBeenCalled();
          hashing.mockRestore();
        }
      },
    };
    const confirmed = async (browser: Browser, code: string) =>
      browser.send<{ code?: string }>("POST", `${SECOND_FACTOR_PATH}/confirm`, { body: { code } });
    for (const [reason, late] of Object.entries(LATE))
      test(`to confirm a second factor leaves none whose recovery codes nobody received, if ${reason}`, async () => {
        const browser = await signedIn(engine);
        const offer = await browser.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, {
          body: { password: PASSWORD },
        });
        const code = totpOf(service.clock, offer.body.secret);
        const reply = await late(() => confirmed(browser, code));
        await untilRecorded(reply, "user.second-factor-on");
        const handedOver = reply.status === 200 ? 1 : 0;
        await eventually(
          () => countOf("second_factors WHERE verified = 1"),
          (count) => count === handedOver,
        );
      });

    test("that has only counted an attempt is answered as having changed nothing, and changes nothing later", async () => {
      // With all its connections, so that no other work is in the way when the attempt has been counted.
      service = await start(engine);
      const browser = await firstAdmin(service);
      const change = { current_password: PASSWORD, new_password: "another horse battery staple" };
      const reply = await answeredLate(engine, "INSERT ON sign_in_attempts", () =>
        browser.send<{ code?: string }>("PUT", "/portal/api/password", { body: change }),
      );
      expect(reply.body.code).toBe("unavailable");
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
        service = await start(engine);
        const browser = await firstAdmin(service);
        const offer = await browser.send<{ secret: string }>("POST", SECOND_FACTOR_PATH, {
          body: { password: PASSWORD },
        });
        const release = await lockOf.PostgreSQL(service.databaseUrl, "audit_entries");
        const body = { code: totpOf(service.clock, offer.body.secret) };
        const answer = browser.send<{ code?: string }>("POST", `${SECOND_FACTOR_PATH}/confirm`, { body });
        const reply = await endedWhenBlocked(service.databaseUrl, answer);
        await release();
        expect(reply.body.code).toBe("outcome_unknown");
        expect([await countOf("second_factors"), await countOf("sessions")]).toEqual([0, 0]);
      });

    if (engine.name === "PostgreSQL")
      test("whose change was made except for its last part is answered with an unknown outcome", async () => {
        service = await start(engine);
        const browser = await firstAdmin(service);
        const release = await lockOf.PostgreSQL(service.databaseUrl, "audit_entries");
        const change = { current_password: PASSWORD, new_password: "another horse battery staple" };
        const reply = await endedWhenBlocked(
          service.databaseUrl,
          browser.send<{ code?: string }>("PUT", "/portal/api/password", { body: change }),
        );
        await release();
        expect(reply.body.code).toBe("outcome_unknown");
        const again = await signIn(browserOn(service.url), FIRST.email, change.new_password);
        expect(again.status).toBe(200);
      });

    test("whose client leaves while it waits is not processed", async () => {
      service = await start(engine, { DATABASE_CONNECTIONS: "4" });
      const release = await lockOf[engine.name](service.databaseUrl, "dealers");
      // All connections for one caller's changes are in use, so the request has to wait for one.
      const filling = engine.name === "PostgreSQL" ? [add("First"), add("Second")] : [];
      if (filling.length > 0) await untilBlocked(service.databaseUrl, filling.length);
      const leaving = await connected();
      const body = JSON.stringify({ ...DEALER, name: "Gone" });
      // The answer to the first request shows that the service has read both.
      leaving.socket.write(
        [
          LIVE,
          "POST /api/dealers HTTP/1.1",
          "Host: localhost",
          `X-API-Key: ${service.superAdminKey}`,
          "Content-Type: application/json",
          `Content-Length: ${body.length}`,
          "",
          body,
        ].join("\r\n"),
      );
      await eventually(leaving.received, (text) => text.includes('"ok"'));
      leaving.socket.destroy();
      await eventually(
        () => connectionsOf(leaving.port),
        (count) => count === 0,
      );
      // SQLite's queue asks only for writes that have waited a little.
      await timerTurns(20, 10);
      expect(leaving.received().split("HTTP/1.1")).toHaveLength(2);
      await release();
      await Promise.all(filling);
      expect((await add("Stayed")).status).toBe(201);
      expect(await names()).not.toContain("Gone");
      expect(await names()).toContain("Stayed");
    });
  });
