import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import type { Argument, Command, Option } from "commander";
import { makeProgram } from "../../app/commands/program.ts";
import { ANSWERING } from "../support/engines.ts";
import { inThisProcess, TEST_TIMEOUT_MS, testProgram } from "../support/program.ts";
import { refusalOf } from "../support/refusal.ts";
import { dumpOf } from "../support/table-dump.ts";

setDefaultTimeout(TEST_TIMEOUT_MS);

/** A command without subcommands, and the names that lead to it. */
interface Leaf {
  readonly path: readonly string[];
  readonly command: Command;
}

const leavesOf = (command: Command, path: readonly string[] = []): Leaf[] =>
  command.commands.length === 0
    ? [{ path, command }]
    : command.commands.flatMap((one) => leavesOf(one, [...path, one.name()]));

const LEAVES = leavesOf(makeProgram());

/** A value that an argument accepts. */
const sampleOf = (argument: Argument): string => (argument.name() === "id" ? "1" : (argument.argChoices?.[0] ?? "x"));

const isNumber = ({ flags }: Option): boolean =>
  /<(?:id|number|requests|seconds)>$/.test(flags) && flags !== "--app-id <id>";

/** A wrong command line, and words of the answer. */
type Wrong = readonly [line: readonly string[], words: string];

/** Mistakes that are possible with every command, generated so that they cover new commands too. */
const WRONG_EVERYWHERE: readonly Wrong[] = LEAVES.flatMap(({ path, command }): Wrong[] => {
  const [argument] = command.registeredArguments;
  const line = [...path, ...command.registeredArguments.map(sampleOf)];
  return [
    [[...line, "--nonsense"], "unknown option '--nonsense'"],
    ...(argument?.variadic ? [] : [[[...line, "more"], "too many arguments"] as const]),
    ...(argument?.required ? [[path, `missing required argument '${argument.name()}'`] as const] : []),
    ...(argument?.name() === "id" ? [[[...path, "1e3"], "<id>: must be a whole number from 1"] as const] : []),
    ...command.options.filter(isNumber).flatMap((option): Wrong[] => [
      [[...line, `${option.long}`, "1e3"], `${option.long}: must be a whole number from `],
      [[...line, `${option.long}`, "-1"], `${option.long}: must be a whole number from `],
    ]),
    ...command.options
      .filter(({ argChoices }) => argChoices !== undefined)
      .map((option): Wrong => [[...line, `${option.long}`, "sideways"], `${option.long}: must be one of `]),
    ...command.options
      .filter((option) => option.required)
      .map((option): Wrong => [[...line, `${option.long}`], `option '${option.flags}' argument missing`]),
  ];
});

const nowhere = testProgram();

/** The line is refused as wrong, with these words, before any database is created. */
const expectWrong = async (line: readonly string[], words: readonly string[]): Promise<void> => {
  const { code, message } = await refusalOf(`sqlite:${nowhere.database}`, ...line);
  expect(code).toBe(2);
  for (const text of words) expect(message).toContain(text);
  expect(existsSync(nowhere.database)).toBe(false);
};

describe("a wrong command line exits with 2 and names the option or argument:", () => {
  test.each(WRONG_EVERYWHERE.map(([line, words]) => [line.join(" "), line, words] as const))("%s", (_, line, words) =>
    expectWrong(line, [words]),
  );
});

const KEY = ["keys", "create", "--name", "a", "--app-type", "web", "--app-id", "b"];
const ROBIN = ["--name", "Robin", "--email", "robin@example.com"];
const URL_OPTION = ["--url", "https://inventory.example.com"];

/** Mistakes that are found without a database, which is not created. */
const WRONG: readonly (readonly [about: string, line: readonly string[], ...words: string[]])[] = [
  ["an unknown command", ["launch"], "unknown command 'launch'"],
  ["a misspelt command", ["sed"], "Did you mean seed?"],
  ["help on an unknown command", ["help", "keys", "launch"], "unknown command 'launch'"],
  ["an unknown option of the program", ["--verbose"], "unknown option '--verbose'"],
  ["an unknown command of a group", ["users", "drop"], "unknown command 'drop'"],
  [
    "a key without any field, and names each",
    ["keys", "create"],
    "--name: is required",
    "--app-type: is req",
    "--app-id: is req",
  ],
  [
    "a user without any field, and names each",
    ["users", "create"],
    "--name: is required",
    "--email: is req",
    "--role: is req",
  ],
  [
    "a key with invalid fields, and names each",
    [
      ...["keys", "create", "--name", " ", "--app-type", "tablet", "--app-id", "a b"],
      ...["--expires-at", "tomorrow", "--rate-limit", "2147483648"],
    ],
    ...["--name: must be", "--app-type: must be one of web, desktop, mobile", "--app-id: must be"],
    ...["--expires-at: must be", "--rate-limit: must be a whole number from 1 to 2147483647"],
  ],
  ["a time in the past", [...KEY, "--expires-at", "2020-01-01T00:00:00Z"], "--expires-at: must be in the future"],
  ["an unknown permission", [...KEY, "--permission", "cars:read"], "--permission: must be one of vehicles:read"],
  [
    "a dealer together with a user",
    [...KEY, "--dealer-id", "1", "--user-id", "1"],
    "'--dealer-id <id>' cannot be used with",
  ],
  ["a limit together with --all", ["keys", "list", "--all", "--limit", "5"], "'--limit <number>' cannot be used"],
  ["a limit of 0", ["users", "list", "--limit", "0"], "--limit: must be a whole number from 1"],
  ["a list by an unknown role", ["users", "list", "--role", "boss"], "--role: must be one of super_admin"],
  ["a list by an empty city", ["dealers", "list", "--city", ""], "--city: must be text of 1 to 100 characters"],
  ["an unknown role", ["users", "create", ...ROBIN, "--role", "boss"], "--role: must be one of super_admin"],
  [
    "an invalid email address",
    ["users", "create", "--name", "Robin", "--email", "robin", "--role", "user"],
    "--email: must be an email address",
  ],
  [
    "a dealer_admin without a dealer",
    ["users", "create", ...ROBIN, "--role", "dealer_admin"],
    "--dealer-id: is required",
  ],
  [
    "a super_admin of a dealer",
    ["users", "create", ...ROBIN, "--role", "super_admin", "--dealer-id", "1"],
    "--dealer-id: must not be set for a super_admin",
  ],
  ["an invitation without the service's address", ["users", "invite", "--id", "1"], "--url: is required unless"],
  ["an address without a scheme", ["users", "invite", "--id", "1", "--url", "inventory"], "--url: must be the http or"],
  [
    "an invitation without a user",
    ["users", "invite", ...URL_OPTION],
    "--id: is required, or --name, --email and --role",
  ],
  [
    "an invitation without any option, and names each",
    ["users", "invite"],
    "--url: is required unless",
    "--id: is required, or",
  ],
  ["a copy without any option, and names each", ["copy"], "--from: is required", "--to: is required"],
  ["an invitation without a role", ["users", "invite", ...ROBIN, ...URL_OPTION], "--role: is required"],
  [
    "an invitation by id and name",
    ["users", "invite", "--id", "1", ...ROBIN, ...URL_OPTION],
    "'--name <name>' cannot be used with option '--id <id>'",
  ],
  [
    "more dealers than can be invented",
    ["seed", "--dealers", "6401"],
    "--dealers: must be a whole number from 1 to 6400",
  ],
  ["a copy without a source", ["copy", "--to", "sqlite:b.db"], "--from: is required"],
  ["a copy without a target", ["copy", "--from", "postgres://localhost/a"], "--to: is required"],
  [
    "a copy from an invalid address",
    ["copy", "--from", "a.db", "--to", "sqlite:b.db"],
    "--from: must be sqlite: and a file",
  ],
  [
    "a copy to memory",
    ["copy", "--from", "postgres://h/a", "--to", "sqlite::memory:"],
    "--to: must not be a database in",
  ],
  [
    "a copy of a database to itself",
    ["copy", "--from", "postgres://h/a", "--to", "postgres://h/a"],
    "--from and --to: must not be the same database",
  ],
  ["a backup without a name", ["backup", ""], "<file>: must be the path of a file"],
  ["a restore without a name", ["restore", " "], "<file>: must be the path of a file"],
  ["an unknown shell", ["completion", "powershell"], "<shell>: must be one of bash, zsh, fish"],
];

describe("a wrong command line exits with 2 and creates no database:", () => {
  test.each(WRONG)("%s", (_, line, ...words) => expectWrong(line, words));
});

const SAM = ["users", "create", "--name", "Sam", "--email", "sam@example.com", "--role", "super_admin"];

/**
 * Refusals that depend on the database: 2 if an option's value does not fit its records, 1 if the command cannot be
 * done.
 */
const REFUSED: readonly (readonly [about: string, line: readonly string[], code: 1 | 2, message: string])[] = [
  ["a key for a missing dealer", [...KEY, "--dealer-id", "9"], 2, "--dealer-id: dealer 9 does not exist"],
  ["a key for a missing user", [...KEY, "--user-id", "9"], 2, "--user-id: user 9 does not exist"],
  [
    "a user's key with other permissions",
    [...KEY, "--user-id", "1", "--permission", "vehicles:read"],
    2,
    "--permission: a user key has its user's permissions; change the user's instead",
  ],
  [
    "a user of a missing dealer",
    ["users", "create", ...ROBIN, "--role", "user", "--dealer-id", "9"],
    2,
    "--dealer-id: dealer 9 does not exist",
  ],
  [
    "a grace that is too long",
    ["keys", "rotate", "1", "--grace-seconds", "2592001"],
    2,
    "--grace-seconds: must be a whole number from 0 to 2592000",
  ],
  ["a missing key", ["keys", "show", "9"], 1, "key 9 not found"],
  ["the revocation of a missing key", ["keys", "revoke", "9"], 1, "key 9 not found"],
  ["the rotation of a missing key", ["keys", "rotate", "9"], 1, "key 9 not found"],
  ["a missing user", ["users", "show", "9"], 1, "user 9 not found"],
  ["the activation of a missing user", ["users", "activate", "9"], 1, "user 9 not found"],
  ["the deactivation of a missing user", ["users", "deactivate", "9"], 1, "user 9 not found"],
  ["an invitation of a missing user", ["users", "invite", "--id", "9", ...URL_OPTION], 1, "user 9 not found"],
  [
    "the deactivation of the last super-admin",
    ["users", "deactivate", "1"],
    1,
    "this is the last active super-admin; make another one first",
  ],
  ["an email address in use", [...SAM.with(5, "SAM@example.com")], 1, "--email: another user has this address"],
  [
    "a second seed",
    ["seed", "--vehicles", "0"],
    1,
    "the database is not empty; --force adds invented data to what is there",
  ],
];

for (const engine of ANSWERING)
  describe(`an impossible request on ${engine.name} says why and changes nothing:`, () => {
    const program = inThisProcess(testProgram());
    let url = "";
    let before = "";

    beforeAll(async () => {
      url = await engine.migratedUrl();
      const on = (...line: readonly string[]) => program.runWith({ DATABASE_URL: url }, ...line);
      await on("seed", "--dealers", "1", "--vehicles", "1", "--no-images");
      for (const line of [SAM, KEY]) expect(await on(...line)).toMatchObject({ code: 0 });
      before = await dumpOf(url);
    }, TEST_TIMEOUT_MS);

    afterAll(async () => {
      expect(await dumpOf(url)).toBe(before);
    }, TEST_TIMEOUT_MS);

    test.each(REFUSED)("%s", async (_, line, code, message) => {
      expect(await refusalOf(url, ...line)).toEqual({ code, message });
    });
  });
