import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { MIGRATIONS } from "../../migrations/index.ts";
import packageJson from "../../package.json";
import { inLanes } from "../support/lanes.ts";
import { alter, PATIENCE_MS, type Ran, type TestProgram, testProgram } from "../support/program.ts";

setDefaultTimeout(PATIENCE_MS);

/** What `migrate` says of an empty database. */
const ALL_APPLIED = MIGRATIONS.map(({ name }) => `applied ${name}\n`).join("");

const STACK = /\n\s+at /;
const COMMANDS = ["serve", "migrate", "keys", "users", "seed", "backup", "restore"] as const;

/** A line of a table: what it is about, the command line, and words that the program answers with. */
interface Line {
  readonly about: string;
  readonly line: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly words: string;
}

type Run = Ran & { readonly place: TestProgram };

/** Runs every line once, each on a place of its own, before the tests look at what came of it. */
const ranFirst = (lines: readonly Line[]): ((line: Line) => Run) => {
  const runs = new Map<Line, Run>();
  beforeAll(async () => {
    await inLanes(lines, async (line) => {
      const place = testProgram();
      runs.set(line, { place, ...(await place.runWith(line.environment ?? {}, ...line.line.split(" "))) });
    });
  }, PATIENCE_MS);
  return (line) => {
    const run = runs.get(line);
    if (run === undefined) throw new Error(`${line.line} was not run`);
    return run;
  };
};

describe("the command line", () => {
  test("tells its version", async () => {
    expect(await testProgram().run("--version")).toEqual({ code: 0, out: `${packageJson.version}\n`, err: "" });
  });

  test("explains every command", async () => {
    const { code, out, err } = await testProgram().run("--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    for (const command of COMMANDS) expect(out).toMatch(new RegExp(`^ {2}${command}\\b`, "m"));
    expect(out).toContain("DATABASE_URL");
  });

  test.each(["seed", "keys create"])("explains the options of %s", async (command) => {
    const { code, out, err } = await testProgram().run(...command.split(" "), "--help");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toStartWith(`Usage: vehicle-inventory ${command} [options]`);
  });
});

describe("a wrong command line ends with 2 and is told what is wrong, with nothing done:", () => {
  const KEY = "keys create --name a --app-type web --app-id b";
  const MISUSED: readonly Line[] = [
    { about: "an unknown command", line: "launch", words: "unknown command 'launch'" },
    { about: "a misspelt command", line: "sed", words: "Did you mean seed?" },
    { about: "an unknown option", line: "--verbose", words: "unknown option '--verbose'" },
    { about: "an argument too many", line: "serve now", words: "too many arguments" },
    { about: "a group of commands alone", line: "keys", words: "Usage: vehicle-inventory keys" },
    { about: "a missing option", line: "users create --name Robin", words: "option '--email <address>' not specified" },
    { about: "a missing argument", line: "keys revoke", words: "missing required argument 'id'" },
    { about: "a number that is none", line: "keys revoke 1e3", words: "must be a whole number from 1" },
    { about: "a negative number", line: "keys list --limit -1", words: "must be a whole number from 1" },
    { about: "a number out of range", line: "seed --dealers 0", words: "must be a whole number from 1 to" },
    { about: "options that contradict each other", line: "keys list --all --limit 5", words: "cannot be used with" },
    { about: "an unknown permission", line: `${KEY} --permission cars:read`, words: "must be one of vehicles:read" },
  ];
  const runOf = ranFirst(MISUSED);

  for (const line of MISUSED)
    test(line.about, () => {
      const { place, code, out, err } = runOf(line);
      expect({ code, out }).toEqual({ code: 2, out: "" });
      expect(err).toContain(line.words);
      expect(err).not.toMatch(STACK);
      expect(existsSync(place.database)).toBe(false);
    });
});

describe("what the user can mend ends with 1, in one line and with nothing done:", () => {
  const LIST = "keys list";
  const UNUSABLE: readonly Line[] = [
    {
      about: "an address that is none",
      line: LIST,
      environment: { DATABASE_URL: "inventory.db" },
      words: "DATABASE_URL must be",
    },
    { about: "a folder for a file", line: LIST, environment: { DATABASE_URL: "sqlite:." }, words: "cannot open the" },
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
      const { place, code, out, err } = runOf(line);
      expect({ code, out, lines: err.split("\n").length }).toEqual({ code: 1, out: "", lines: 2 });
      expect(err).toStartWith("vehicle-inventory: ");
      expect(err).toContain(line.words);
      if (line.environment?.MIGRATE === undefined) expect(existsSync(place.database)).toBe(false);
    });
});

describe("migrate", () => {
  test("brings data/inventory.db up to date when no database is named, and says what it did, once", async () => {
    const place = testProgram();
    const unnamed = { DATABASE_URL: undefined };
    expect(await place.runWith(unnamed, "migrate")).toEqual({
      code: 0,
      out: ALL_APPLIED,
      err: "",
    });
    expect(existsSync(place.path("data/inventory.db"))).toBe(true);
    expect(await place.runWith(unnamed, "migrate")).toEqual({ code: 0, out: "the schema is up to date\n", err: "" });
  });

  test("refuses a database that a newer version has changed, as every command does", async () => {
    const place = testProgram();
    await place.run("migrate");
    alter(place.database, "INSERT INTO schema_migrations VALUES ('9999-future')");
    for (const { code, err } of await Promise.all([place.run("migrate"), place.run("seed")])) {
      expect({ code, lines: err.split("\n").length }).toEqual({ code: 1, lines: 2 });
      expect(err).toContain("made by a newer version of this program (it has 9999-future)");
    }
  });

  test("is left to the operator with MIGRATE=off", async () => {
    const place = testProgram();
    const { code, err } = await place.runWith({ MIGRATE: "off" }, "seed");
    expect(code).toBe(1);
    expect(err).toContain("run the migrate command");
    expect(await place.runWith({ MIGRATE: "off" }, "migrate")).toMatchObject({ code: 0 });
  });
});
