import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { freePort } from "../support/ports.ts";
import { runProgram } from "./support/program.ts";
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

  test("with a wrong password ends with one line that says so without repeating it", async () => {
    const { code, complaint } = await runProgram(server.address("postgres", "mistaken"));
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
