import type { Command } from "commander";
import { systemClock } from "../../adapters/system/clock.ts";
import { ROLES } from "../../core/access/permissions.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { presentUser } from "../../core/users/user.ts";
import { composeCore } from "../compose.ts";
import { withDatabase } from "./database.ts";
import { fieldsOf, jsonOption, permissionOption, type RecordOptions, wholeNumber } from "./options.ts";
import { resultOf } from "./outcome.ts";
import { print, printJson } from "./output.ts";
import { shown } from "./table.ts";

const create = (options: RecordOptions): Promise<void> =>
  withDatabase("existing or new", async (db) => {
    const { users } = composeCore(db, systemClock, null);
    const user = resultOf(await users.create(OPERATOR, fieldsOf(options)));
    if (options.json) printJson(presentUser(user));
    else print(`Created user ${user.id} (${shown(user.name)}), ${user.role}.`);
  });

/** Adds `users` with what is done to them. */
export const addUsers = (program: Command): void => {
  program
    .command("users")
    .description("create users")
    .command("create")
    .description("create a user, to whom keys can be tied")
    .requiredOption("--name <name>", "the user's name")
    .requiredOption("--email <address>", "which no other user may have")
    .requiredOption("--role <role>", ROLES.join(", "))
    .option("--dealer-id <id>", "the user's dealer; required for a dealer_admin", wholeNumber())
    .addOption(permissionOption("default: what is usual for the role"))
    .addOption(jsonOption())
    .action(create);
};
