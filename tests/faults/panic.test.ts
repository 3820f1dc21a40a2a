import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { isOutcomeOpen, postgresError } from "../../adapters/sql/postgres/errors.ts";
import { DatabaseUnavailable } from "../../adapters/sql/query/database.ts";
import { eventually } from "../support/eventually.ts";
import { DEALER, type Program, startProgram } from "./support/program.ts";
import { type FaultyServer, startFaultyServer } from "./support/server.ts";

setDefaultTimeout(300_000);

/** The file size beyond which the server's processes cannot write: less than its log already has. */
const ROOM = 65_536;
const [PRLIMIT, SETPRIV] = [Bun.which("prlimit"), Bun.which("setpriv")];

/** Limits the file size of a server process to ROOM. Must run as the process's user. */
const limit = (pid: number): void => {
  const { uid, gid } = statSync(`/proc/${pid}`);
  const asServer =
    process.getuid?.() === 0 ? [SETPRIV ?? "setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"] : [];
  const { stderr } = Bun.spawnSync([...asServer, PRLIMIT ?? "prlimit", "--pid", String(pid), `--fsize=${ROOM}`]);
  expect(stderr.toString()).toBe("");
};

const reported = (errno: string, severity?: string) => ({ code: "ERR_POSTGRES_SERVER_ERROR", errno, severity });

describe("an error that PostgreSQL reports when a change is committed", () => {
  const CASES: readonly (readonly [about: string, error: object, isOpen: boolean])[] = [
    ["a panic on a full log", reported("53100", "PANIC"), true],
    ["a panic on a log that cannot be written", reported("58030", "PANIC"), true],
    ["a panic of any other kind", reported("XX000", "PANIC"), true],
    ["a full log, of a server that speaks another language", reported("53100", "PANIK"), true],
    ["a full log, with nothing said of how bad it is", reported("53100"), true],
    ["a session that was ended", reported("57P01", "FATAL"), true],
    ["a full table space, which fails the statement alone", reported("53100", "ERROR"), false],
    ["no memory for the statement", reported("53200", "ERROR"), false],
    ["a deadlock", reported("40P01", "ERROR"), false],
    ["a statement that took too long", reported("57014", "ERROR"), false],
    ["too many connections, before anything was heard", reported("53300", "FATAL"), false],
    ["a server that starts, before anything was heard", reported("57P03", "FATAL"), false],
  ];
  for (const [about, error, isOpen] of CASES)
    test(`such as ${about} ${isOpen ? "leaves the outcome open" : "means that nothing was changed"}`, () => {
      expect(isOutcomeOpen(error)).toBe(isOpen);
      expect(postgresError(error, isOpen)).toBeInstanceOf(DatabaseUnavailable);
    });
});

describe.skipIf(PRLIMIT === null || SETPRIV === null)("a PostgreSQL server that panics over its log", () => {
  let server: FaultyServer;
  let program: Program;

  beforeAll(async () => {
    server = await startFaultyServer();
    program = await startProgram(server.address(), { DATABASE_CONNECTIONS: "2" });
  });
  afterAll(async () => {
    await program?.stop();
    await server?.remove();
  });

  test("leaves it open whether the change was made, causes no internal error, and is used again afterwards", async () => {
    const dealer = Number((await program.send("POST", "/api/dealers", DEALER)).body.id);
    const own = await server.query(
      "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    for (const { pid } of own) limit(Number(pid));
    const outcome = await program.send("PUT", `/api/dealers/${dealer}`, { city: "Salem" });
    expect(outcome).toMatchObject({ status: 503, code: "outcome_unknown", retryAfter: "1" });
    const read = () => program.send("GET", `/api/dealers/${dealer}`);
    const { body } = await eventually(read, ({ status }) => status === 200);
    expect(["Portland", "Salem"]).toContain(String(body.city));
    expect(program.output()).not.toContain("internal_error");
  });
});
