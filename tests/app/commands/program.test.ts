import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, rmSync } from "node:fs";
import { MIGRATIONS } from "../../../migrations/index.ts";
import packageJson from "../../../package.json";
import { runCommand } from "../../support/command.ts";
import { freePort } from "../../support/ports.ts";
import { alter, TEST_TIMEOUT_MS, testCommands } from "../../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

const HINT = "\n(--help explains the commands and options)\n";

describe("the command line", () => {
  test("is explained by help as by --help, command by command", async () => {
    const asked = await runCommand({}, "keys", "create", "--help");
    expect(asked).toEqual({ code: 0, out: expect.stringMatching(/^Usage: vehicle-inventory keys create /), err: "" });
    expect(await runCommand({}, "help", "keys", "create")).toEqual(asked);
    expect((await runCommand({}, "help")).out).toStartWith("Usage: vehicle-inventory [options] [command]\n");
    expect(await runCommand({}, "--version")).toEqual({ code: 0, out: `${packageJson.version}\n`, err: "" });
  });

  test("that ends at a group of commands prints what there is, and says that one is missing", async () => {
    const { code, err } = await runCommand({}, "keys");
    expect([code, err]).toEqual([2, expect.stringContaining("revoke")]);
    expect(err).toEndWith(`vehicle-inventory: a command is missing${HINT}`);
  });

  test("without a word starts the service", async () => {
    const { code, err } = await runCommand({ PORT: "none" });
    expect([code, err]).toEqual([1, expect.stringMatching(/^vehicle-inventory: PORT must be /)]);
  });

  test("that cannot start the service says in one line why, before it makes a database, a key or a link", async () => {
    const { database } = testCommands();
    rmSync(database);
    const free = String(freePort());
    const taken = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
    for (const [environment, words] of [
      [{ PORT: String(taken.port) }, `port ${taken.port} on 127.0.0.1 is in use; stop what uses it or set PORT`],
      [{ PORT: free, METRICS_PORT: free }, `port ${free} on 127.0.0.1 is in use; `],
      [{ HOST: "203.0.113.7", PORT: "3100" }, "cannot listen on 203.0.113.7:3100: "],
      [{ DATABASE_URL: "sqlite:.", PORT: "0" }, "cannot open the database"],
    ] as const) {
      const variables = { DATABASE_URL: `sqlite:${database}`, LOG_LEVEL: "silent", ...environment };
      const { code, out, err } = await runCommand(variables, "serve");
      expect([code, out, err]).toEqual([1, "", expect.stringMatching(/^vehicle-inventory: [^\n]+\n$/)]);
      expect(err).toStartWith(`vehicle-inventory: ${words}`);
    }
    taken.stop(true);
    expect(existsSync(database)).toBe(false);
  });

  test("gives the script of a shell", async () => {
    const { code, out } = await runCommand({}, "completion", "bash");
    expect([code, out]).toEqual([0, expect.stringContaining("complete -F _vehicle_inventory vehicle-inventory\n")]);
  });

  test("shows the configuration of a start, with warnings of names that look like a variable's", async () => {
    const environment = { PORT: "3100", DATABSE_URL: "x", BOOTSTRAP_API_KEY: "f3b8d1a97c5e204608e2c6fa91b57d34" };
    const shown = await runCommand(environment, "check-config");
    expect(shown).toMatchObject({ code: 0, err: expect.stringMatching(/^warning: DATABSE_URL /) });
    const lines = shown.out.split("\n");
    for (const line of ["port: 3100", "bootstrap_api_key: set", "require_app_type: []"]) expect(lines).toContain(line);
    const json = await runCommand(environment, "check-config", "--json");
    expect(JSON.parse(json.out)).toMatchObject({ port: 3100, bootstrap_api_key: "set", require_app_type: [] });
    const wrong = await runCommand({ PORT: "x", MIGRATE: "x" }, "check-config");
    expect(wrong).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringMatching(/MIGRATE must be [\s\S]*\n {2}PORT must be /),
    });
  });
});

describe("the database of a command", () => {
  const KEY = "keys create --name a --app-type web --app-id b".split(" ");
  const URL_OPTION = ["--url", "https://inventory.example.com"];
  const INVITED = ["users", "invite", "--name", "Robin", "--email", "robin@example.com", "--role", "user"];

  test("is made by commands that add to it, and by no other; with MIGRATE=off its tables are made by migrate alone", async () => {
    const { run, runWith, database } = testCommands();
    rmSync(database);
    for (const line of [["keys", "list"], ["export"], ["users", "invite", "--id", "1", ...URL_OPTION]])
      expect(await run(...line)).toEqual({
        code: 1,
        out: "",
        err: `vehicle-inventory: there is no database ${database}; set DATABASE_URL, or make one with the command migrate\n`,
      });
    expect(existsSync(database)).toBe(false);
    for (const line of [[...INVITED, ...URL_OPTION], KEY]) {
      const { code, err } = await runWith({ MIGRATE: "off" }, ...line);
      expect([code, err]).toEqual([1, expect.stringContaining("run the migrate command")]);
    }
    const applied = MIGRATIONS.map(({ name }) => `applied ${name}\n`).join("");
    expect(await runWith({ MIGRATE: "off" }, "migrate")).toEqual({ code: 0, out: applied, err: "" });
    expect((await runWith({ MIGRATE: "off" }, ...KEY)).code).toBe(0);
  });

  test("is brought up to date by migrate, which tells what it did", async () => {
    const { run, runWith, database } = testCommands();
    expect(await run("migrate")).toEqual({ code: 0, out: "the schema is up to date\n", err: "" });
    expect((await run("migrate", "--json")).out).toBe("[]\n");
    alter(database, "INSERT INTO schema_migrations VALUES ('9999-future')");
    expect((await runWith({}, "migrate")).err).toContain("made by a newer version of this program");
  });

  test("is none in memory, and one on a server that does not answer is told in one line without its password", async () => {
    for (const line of [["keys", "list"], KEY])
      expect(await runCommand({ DATABASE_URL: "sqlite::memory:" }, ...line)).toMatchObject({
        code: 1,
        err: expect.stringContaining("a database in memory ends with the command"),
      });
    const server = `127.0.0.1:${freePort()}`;
    const away = await runCommand({ DATABASE_URL: `postgres://robin:password@${server}/some` }, "keys", "list");
    expect([away.code, away.out]).toEqual([1, ""]);
    expect(away.err).toStartWith(`vehicle-inventory: cannot use the database postgres://${server}/some: `);
    expect(away.err.split("\n")).toHaveLength(2);
  });
});

test("dealers are listed with the inactive ones, the newest first", async () => {
  const { run, database } = testCommands();
  await run("seed", "--dealers", "2", "--vehicles", "0");
  alter(database, "UPDATE dealers SET active = 0 WHERE id = 1");
  const { code, out } = await run("dealers", "list");
  expect([code, out]).toEqual([0, expect.stringMatching(/^ID +NAME .*\n2 .* yes +20.*\n1 .* no +20.*\n$/)]);
});
