import { Command } from "commander";
import { VERSION } from "../version.ts";
import { addBackup } from "./backup.ts";
import { addCopy } from "./copy.ts";
import { addKeys } from "./keys.ts";
import { addMigrate } from "./migrate.ts";
import { addRestore } from "./restore.ts";
import { addSecretKey } from "./secret-key.ts";
import { addSeed } from "./seed.ts";
import { serveCommand } from "./serve.ts";
import { addUsers } from "./users.ts";

const ENVIRONMENT = `
Environment:
  DATABASE_URL  the database of every command, by default sqlite:./data/inventory.db
`;

/** The command line. */
const program = (): Command => {
  const root = new Command("vehicle-inventory")
    .description("REST service over vehicles, dealers, vehicle images and API keys.")
    .version(VERSION)
    .addHelpText("after", ENVIRONMENT)
    .showHelpAfterError("(--help explains the commands and options)")
    .exitOverride();
  root.command("serve").description("serve the API; what happens without a command, too").action(serveCommand);
  addMigrate(root);
  addKeys(root);
  addUsers(root);
  addSeed(root);
  addBackup(root);
  addRestore(root);
  addCopy(root);
  addSecretKey(root);
  return root;
};

/** Runs the command that the arguments (without the program's own name) ask for; without any it serves. */
export const run = async (args: readonly string[]): Promise<void> => {
  await program().parseAsync(args.length === 0 ? ["serve"] : args, { from: "user" });
};
