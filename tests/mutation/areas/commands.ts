import type { Area } from "./area.ts";
import { commands, ofCommands } from "./tests.ts";

/** What the commands do, and how they end. */
export const COMMANDS: readonly Area[] = [
  {
    name: "commands on keys, users and records",
    operators: "turns",
    files: [
      "completion.ts",
      "dealers.ts",
      "end.ts",
      "exit.ts",
      "images.ts",
      "key-table.ts",
      "keys.ts",
      "options.ts",
      "outcome.ts",
      "output.ts",
      "program.ts",
      "records.ts",
      "table.ts",
      "users-invite.ts",
      "users.ts",
    ].map((name) => `app/commands/${name}`),
    // The first ones run in the tests' process; for the last ones the program is made anew.
    tests: [
      ofCommands("completion", "ends", "lists", "options", "program"),
      commands("wrong-input", "users", "keys"),
      commands("users-list", "users-invite", "photos"),
    ],
  },
  {
    name: "commands that keep, move and fill databases",
    operators: "turns",
    files: [
      ...[
        "backup.ts",
        "check-config.ts",
        "copy.ts",
        "database.ts",
        "export.ts",
        "import-result.ts",
        "import.ts",
        "migrate.ts",
        "photo-storages.ts",
        "progress.ts",
        "restore.ts",
        "search-words.ts",
        "seed.ts",
        "serve.ts",
        "sqlite-files.ts",
      ].map((name) => `app/commands/${name}`),
      ...["compile-ahead.ts", "seed/batches.ts", "seed/picturing.ts", "seed/times.ts", "welcome.ts"].map(
        (name) => `app/${name}`,
      ),
    ],
    tests: [
      [
        ...ofCommands("files", "import-result", "photo-storages", "program"),
        ...["compile-ahead", "seed/picturing", "seed/seed", "welcome"].map((name) => `tests/app/${name}.test.ts`),
      ],
      commands("wrong-input", "copy", "export"),
      commands("import", "photos", "backup", "restore"),
      commands("search-index", "seed"),
      [...commands("command-line", "users-invite"), "tests/instances/stopping.test.ts", "tests/app"],
    ],
  },
];
