import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { freePort } from "../support/ports.ts";
import { runProgram, startProgram } from "./support/program.ts";
import { type FaultyServer, startFaultyServer } from "./support/server.ts";

setDefaultTimeout(300_000);

let server: FaultyServer;

beforeAll(async () => {
  server = await startFaultyServer();
});

afterAll(async () => {
  await server?.remove();
});

describe("a start of the service", () => {
  test("without an answering database ends with one line that names it", async () => {
    const { code, complaint } = await runProgram(`postgres://postgres:secret@127.0.0.1:${freePort()}/postgres`);
    expect(code).toBe(1);
    expect(complaint.trim()).toMatch(
      /^vehicle-inventory: cannot use the database postgres:\/\/127\.0\.0\.1:\d+\/postgres: .+$/,
    );
    expect(complaint).not.toContain("secret");
  });

  test("waits STARTUP_TIMEOUT seconds for a database that is away, with one line a try, and then gives up", async () => {
    const environment = { STARTUP_TIMEOUT: "2", LOG_LEVEL: "warn" };
    const { code, complaint, log } = await runProgram(`postgres://postgres@127.0.0.1:${freePort()}/a`, environment);
    expect([code, complaint.trim().split("\n").length]).toEqual([1, 1]);
    const tries = log
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(tries.map(({ attempt }) => attempt)).toEqual(tries.map((_, index) => index + 1));
    expect(tries.length).toBeGreaterThan(0);
    for (const { msg } of tries) expect(msg).toStartWith("PostgreSQL does not answer yet");
  });

  test("is ready once a database that was away answers", async () => {
    await server.crash();
    const starting = startProgram(server.address(), { LOG_LEVEL: "warn" });
    await server.start();
    const program = await starting;
    expect(await program.stop()).toBe(0);
  });

  test("with a wrong password ends with one line that says so without repeating it", async () => {
    const { code, complaint, log } = await runProgram(server.address("postgres", "mistaken"), {
      STARTUP_TIMEOUT: "3600",
      LOG_LEVEL: "warn",
    });
    expect(log).toBe("");
    expect(code).toBe(1);
    expect(complaint.trim()).toMatch(/^vehicle-inventory: cannot use the database .+password authentication failed.+$/);
    expect(complaint).not.toContain("mistaken");
  });

  test("on a database that accepts connections but does not answer ends with an error in time", async () => {
    server.freeze();
    const { code, complaint } = await runProgram(server.address());
    server.thaw();
    expect(code).toBe(1);
    expect(complaint.trim().split("\n")).toHaveLength(1);
  });
});
