import { type Command, Option } from "commander";
import { invitationLink } from "../../adapters/http/portal/accounts.ts";
import { PASSWORD_COST } from "../../adapters/sign-in/passwords.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { ROLES } from "../../core/permissions.ts";
import { presentUser } from "../../core/users/user.ts";
import { composeAccounts } from "../features/sign-in.ts";
import { publicUrlOf } from "../portal-config.ts";
import { quotasOf } from "../quota-config.ts";
import { withCore } from "./database.ts";
import { readBoth, usageError } from "./exit.ts";
import { choiceOption, jsonOption, numberOption, type RecordOptions, readAs } from "./options.ts";
import { resultOf } from "./outcome.ts";
import { note, print, printJson } from "./output.ts";
import { printable } from "./table.ts";
import { newUserOf } from "./user-fields.ts";

interface InviteOptions extends RecordOptions {
  readonly id?: number;
  readonly url?: string;
}

/** The address at the start of the link. It is that of the option, or else the configured one. */
const portalOf = (url: string | undefined): string => {
  const portal = url === undefined ? publicUrlOf(process.env) : readAs("--url", () => publicUrlOf({ PUBLIC_URL: url }));
  if (portal !== null) return portal;
  throw usageError("--url: is required unless PUBLIC_URL is set; for example --url https://inventory.example.com");
};

/** The fields of a new user who is to be invited. */
const invitedUserFields = (options: RecordOptions): Record<string, unknown> => {
  if (Object.keys(options).length > 0) return newUserOf(options);
  throw usageError("--id: is required, or --name, --email and --role of a new user");
};

/** Invites a user. Only the link is written to standard output, so that a script can read it from there. */
const invite = async ({ id, url, json, ...options }: InviteOptions): Promise<void> => {
  const [portal, fields] = readBoth(
    () => portalOf(url),
    () => (id === undefined ? invitedUserFields(options) : {}),
  );
  await withCore(id === undefined ? "existing or new" : "existing", async (core, db) => {
    const { accounts } = composeAccounts({
      db,
      backgroundDb: db,
      clock: systemClock,
      events: core.events,
      quotas: quotasOf(process.env),
      passwordCost: PASSWORD_COST,
      unlocked: () => Promise.reject(new Error("nobody signs in with a command")),
      isAbandoned: () => false,
      repositories: core.repositories,
      onAccessChange: core.cache.clear,
      publicUrl: portal,
      mailer: null,
    });
    const userId = id ?? resultOf(await core.users.create(OPERATOR, fields)).id;
    const linkOf = (token: string) => invitationLink(portal, token);
    const { url: link, expiresAt } = resultOf(await accounts.invite(OPERATOR, userId, linkOf));
    // Read again, because the invitation shows in the record.
    const user = resultOf(await core.users.get(OPERATOR, userId));
    if (json) return printJson({ user: presentUser(user), url: link, expires_at: expiresAt });
    note(`Invited user ${user.id} (${printable(user.name)}), ${user.role}. The link works once, until ${expiresAt}:`);
    print(link);
  });
};

/** Adds the command `users invite`. */
export const addInvite = (users: Command): void => {
  users
    .command("invite")
    .description("print a link with which a user sets a password for the portal; an earlier link stops working")
    .addOption(numberOption("--id <id>", "the id of an existing user; without it, a new user is created"))
    .addOption(new Option("--name <name>", "the name of a new user").conflicts("id"))
    .addOption(new Option("--email <address>", "an address that no other user has").conflicts("id"))
    .addOption(choiceOption("--role <role>", "the new user's role", ROLES).conflicts("id"))
    .addOption(numberOption("--dealer-id <id>", "the new user's dealer; required for a dealer_admin").conflicts("id"))
    .addOption(new Option("--url <address>", "the address at which browsers reach the service; default: PUBLIC_URL"))
    .addOption(jsonOption())
    .action(invite);
};
