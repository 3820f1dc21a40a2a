import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { makeProgram } from "../../app/commands/program.ts";
import { MIGRATIONS } from "../../migrations/index.ts";
import packageJson from "../../package.json";
import { inParallel } from "../support/parallel.ts";
import {
  alter,
  migratedProgram,
  type Ran,
  TEST_TIMEOUT_MS,
  type TestProgram,
  testProgram,
} from "../support/program.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** What `migrate` prints for an empty database. */
const ALL_APPLIED = MIGRATIONS.map(({ name }) => `applied ${name}\n`).join("");

const SECRET = "f3b8d1a97c5e204608e2c6fa91b57d34";

const STACK = /\n\s+at /;
const COMMANDS = makeProgram().commands.map((command) => command.name());

/** A test: its name, the command line, and words in the program's answer. */
interface Line {
  readonly about: string;
  readonly line: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly words: string;
}

type Run = Ran & { readonly program: TestProgram };

/** Runs every line once, each on its own database, before the tests check the results. */
const ranFirst = (lines: readonly Line[]): ((line: Line) => Run) => {
  const runs = new Map<Line, Run>();
  beforeAll(async () => {
    await inParallel(lines, async (line) => {
      const program = testProgram();
      runs.set(line, { program, ...(await program.runWith(line.environment ?? {}, ...line.line.split(" "))) });
    });
  }, TEST_TIMEOUT_MS);
  return (line) => {
    const run = runs.get(line);
    if (run === undefined) throw new Error(`${line.line} was not run`);
    return run;
  };
};

describe("the command line", () => {
  test("prints its version", async () => {
    expect(await testProgram().run("--version")).toEqual({ code: 0, out: `${packageJson.version}\n`, err: "" });
  });

  test("lists every command in the help", async () => {
    const { code, out, err } = await testProgram().run("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^ {2}${command}\\b`, "m"));
    expect(out).toContain("DATABASE_URL");
  });

  test("shows the configuration of a start without its secrets, or all that is wrong with it at once", async () => {
    const program = testProgram();
    const right = await program.runWith({ BOOTSTRAP_API_KEY: SECRET, DATABSE_URL: "x" }, "check-config", "--json");
    expect(right).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^warning: DATABSE_URL .*DATABASE_URL meant\?\n$/),
    });
    expect(JSON.parse(right.out)).toMatchObject({ bootstrap_api_key: "set", port: 3000 });
    expect(right.out).not.toContain(SECRET);
    const wrong = await program.runWith({ PORT: "x", MIGRATE: "x", LOG_LEVEL: "x" }, "check-config");
    expect([wrong.code, wrong.out]).toEqual([2, ""]);
    for (const name of ["PORT", "MIGRATE", "LOG_LEVEL"]) expect(wrong.err).toMatch(new RegExp(`${name} must be `));
    expect((await program.run("serve", "--help")).out).toContain("STARTUP_TIMEOUT");
  });

  test("explains a command in the same words by --help and by help", async () => {
    const program = testProgram();
    const asked = await program.run("keys", "create", "--help");
    expect(asked).toEqual({ code: 0, out: expect.stringMatching(/^Usage: vehicle-inventory keys create /), err: "" });
    expect(await program.run("help", "keys", "create")).toEqual(asked);
  });

  test("describes every command, argument and option", () => {
    const checkAll = (command: Command): void => {
      const described = [...command.registeredArguments, ...command.options].map(({ description }) => description);
      for (const words of [command.description(), ...described]) expect(words).toMatch(/^\S.{3}/);
      command.commands.forEach(checkAll);
    };
    checkAll(makeProgram());
  });
});

describe("a wrong command line exits with 2 and one message, and changes nothing:", () => {
  // One example of each kind of mistake; wrong-input.test.ts has the rest.
  const WRONG: readonly Line[] = [
    { about: "an unknown command", line: "launch", words: "vehicle-inventory: unknown command 'launch'" },
    {
      about: "an unknown option",
      line: "keys list --nonsense",
      words: "vehicle-inventory: unknown option '--nonsense'",
    },
    { about: "a group of commands alone", line: "keys", words: "vehicle-inventory: a command is missing" },
    { about: "an invalid value", line: "keys show 1e3", words: "vehicle-inventory: <id>: must be a whole" },
    {
      about: "a field that the core refuses",
      line: "users list --role boss",
      words: "vehicle-inventory: --role: must be",
    },
  ];
  const runOf = ranFirst(WRONG);

  for (const line of WRONG)
    test(line.about, () => {
      const { program, code, out, err } = runOf(line);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toContain(line.words);
      expect(err.match(/vehicle-inventory: /g)).toHaveLength(1);
      expect(err).toEndWith("\n(--help explains the commands and options)\n");
      expect(err).not.toMatch(STACK);
      expect(existsSync(program.database)).toBe(false);
    });
});

describe("an error that the user can correct exits with 1 and one line, and changes nothing:", () => {
  const LIST = "keys list";
  const UNUSABLE: readonly Line[] = [
    {
      about: "an invalid database address",
      line: LIST,
      environment: { DATABASE_URL: "inventory.db" },
      words: "DATABASE_URL must be",
    },
    {
      about: "a folder in place of a database file",
      line: LIST,
      environment: { DATABASE_URL: "sqlite:." },
      words: "cannot open the",
    },
    { about: "a wrong setting", line: "seed", environment: { MIGRATE: "maybe" }, words: "MIGRATE must be on or off" },
    {
      about: "a database in memory",
      line: "seed",
      environment: { DATABASE_URL: "sqlite::memory:" },
      words: "a database in memory ends with the command",
    },
    { about: "a list of keys without a database", line: LIST, words: "there is no database" },
    { about: "a backup without a database", line: "backup copy.db", words: "there is no database" },
  ];
  const runOf = ranFirst(UNUSABLE);

  for (const line of UNUSABLE)
    test(line.about, () => {
      const { program, code, out, err } = runOf(line);
      expect({ code, out, lines: err.split("\n").length }).toEqual({ code: 1, out: "", lines: 2 });
      expect(err).toStartWith("vehicle-inventory: ");
      expect(err).toContain(line.words);
      if (line.environment?.MIGRATE === undefined) expect(existsSync(program.database)).toBe(false);
    });
});

describe("migrate", () => {
  test("updates data/inventory.db if no database is named, and says once what it did", async () => {
    const program = testProgram();
    const unnamed = { DATABASE_URL: undefined };
    expect(await program.runWith(unnamed, "migrate")).toEqual({
      code: 0,
      out: ALL_APPLIED,
      err: "",
    });
    expect(existsSync(program.path("data/inventory.db"))).toBe(true);
    expect(await program.runWith(unnamed, "migrate")).toEqual({ code: 0, out: "the schema is up to date\n", err: "" });
  });

  test("refuses a database that a newer version has changed, as every other command does", async () => {
    const program = migratedProgram();
    alter(program.database, "INSERT INTO schema_migrations VALUES ('9999-future')");
    for (const { code, err } of await Promise.all([program.run("migrate"), program.run("seed")])) {
      expect({ code, lines: err.split("\n").length }).toEqual({ code: 1, lines: 2 });
      expect(err).toContain("made by a newer version of this program (it has 9999-future)");
    }
  });

  test("has to be run by the operator with MIGRATE=off", async () => {
    const program = testProgram();
    const { code, err } = await program.runWith({ MIGRATE: "off" }, "seed");
    expect(code).toBe(1);
    expect(err).toContain("run the migrate command");
    expect(await program.runWith({ MIGRATE: "off" }, "migrate")).toMatchObject({ code: 0 });
  });
});
