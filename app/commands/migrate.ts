import type { Command } from "commander";
import { migrateDatabase } from "./database.ts";
import { jsonOption } from "./options.ts";
import { print, printJson } from "./output.ts";

const migrate = async ({ json }: { readonly json?: true }): Promise<void> => {
  const applied = await migrateDatabase();
  if (json) return printJson(applied);
  for (const name of applied) print(`applied ${name}`);
  if (applied.length === 0) print("the schema is up to date");
};

/** Adds the command `migrate`. */
export const addMigrate = (program: Command): void => {
  program
    .command("migrate")
    .description(
      "bring the database's schema up to date; the service also does this when it starts, unless MIGRATE=off",
    )
    .addOption(jsonOption())
    .action(migrate);
};
