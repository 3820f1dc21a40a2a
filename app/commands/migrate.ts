import type { Command } from "commander";
import { migrateDatabase } from "./database.ts";
import { print } from "./output.ts";

const migrate = async (): Promise<void> => {
  const applied = await migrateDatabase();
  for (const name of applied) print(`applied ${name}`);
  if (applied.length === 0) print("the schema is up to date");
};

/** Adds `migrate`. */
export const addMigrate = (program: Command): void => {
  program
    .command("migrate")
    .description("bring the database's schema up to date, as each start of the service does unless MIGRATE=off")
    .action(migrate);
};
