import { Command, CommanderError } from "commander";
import { variablesHelp } from "../variables.ts";
import { VERSION } from "../version.ts";
import { addBackup } from "./backup.ts";
import { addCheckConfig } from "./check-config.ts";
import { addCompletion } from "./completion.ts";
import { addCopy } from "./copy.ts";
import { addDealers } from "./dealers.ts";
import { EXIT, usageError } from "./exit.ts";
import { addExport } from "./export.ts";
import { addImages } from "./images.ts";
import { addImport } from "./import.ts";
import { addKeys } from "./keys.ts";
import { addMigrate } from "./migrate.ts";
import { addRestore } from "./restore.ts";
import { addSearchWords } from "./search-words.ts";
import { addSecretKey } from "./secret-key.ts";
import { addSeed } from "./seed.ts";
import { serveCommand } from "./serve.ts";
import { addUsers } from "./users.ts";

const NOTES = `
Without a command, the service is started. Use <command> --help to see the options of a command.

Environment:
  DATABASE_URL  the database that commands use; default: sqlite:./data/inventory.db
  serve --help has all variables of the service.

Exit codes:
  0 success, 1 failure, 2 invalid command line, 3 success except for some rows of an import, or for photos that are missing,
  4 an import is done, with warnings about its file
`;

/** Prints the help of the command that these names lead to. */
const help = (root: Command, names: readonly string[]): void => {
  let command = root;
  for (const name of names) {
    const found = command.commands.find((one) => one.name() === name);
    if (found === undefined) throw usageError(`unknown command '${name}'`);
    command = found;
  }
  command.outputHelp();
};

/** The program's command line. */
export const makeProgram = (): Command => {
  const root = new Command("vehicle-inventory")
    .description("REST service for vehicles, dealers, vehicle images and API keys.")
    .version(VERSION, "-V, --version", "show the version")
    .helpOption("-h, --help", "show this help")
    .helpCommand(false)
    .addHelpText("after", NOTES)
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  root
    .command("serve")
    .description("start the service")
    .addHelpText("after", () => variablesHelp())
    .action(serveCommand);
  addCheckConfig(root);
  addMigrate(root);
  addKeys(root);
  addUsers(root);
  addDealers(root);
  addSeed(root);
  addExport(root);
  addImport(root);
  addBackup(root);
  addRestore(root);
  addCopy(root);
  addImages(root);
  addSearchWords(root);
  addSecretKey(root);
  addCompletion(root);
  root
    .command("help")
    .description("show the help of a command")
    .argument("[command...]", "such as keys create")
    .action((names: readonly string[]) => help(root, names));
  return root;
};

/**
 * Runs the command of these arguments, which do not include the program's name. Without arguments, the service starts.
 */
export const run = async (args: readonly string[]): Promise<void> => {
  try {
    await makeProgram().parseAsync(args.length === 0 ? ["serve"] : args, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === EXIT.ok) return;
    // A command that only has subcommands has already printed its help.
    throw usageError(error.code === "commander.help" ? "a command is missing" : error.message.replace(/^error: /, ""));
  }
};
