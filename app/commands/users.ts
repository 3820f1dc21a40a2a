import { type Command, Option } from "commander";
import { invitationLink } from "../../adapters/http/portal/accounts.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { ROLES, type Role } from "../../core/access/permissions.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { everyItem } from "../../core/page.ts";
import { presentUser, type UserRecord } from "../../core/users/user.ts";
import type { Users } from "../../core/users/users.ts";
import { composeCore } from "../compose.ts";
import { publicUrlOf } from "../portal-config.ts";
import { quotasOf } from "../quota-config.ts";
import { composeAccounts } from "../sign-in.ts";
import { withDatabase } from "./database.ts";
import { CommandError } from "./exit.ts";
import { fieldsOf, jsonOption, permissionOption, type RecordOptions, wholeNumber, withId } from "./options.ts";
import { resultOf } from "./outcome.ts";
import { print, printJson, remark } from "./output.ts";
import { shown } from "./table.ts";
import { userTable } from "./user-table.ts";

const PAGE = 1000;

const create = (options: RecordOptions): Promise<void> =>
  withDatabase("existing or new", async (db) => {
    const { users } = composeCore(db, systemClock, null, quotasOf(process.env));
    const user = resultOf(await users.create(OPERATOR, fieldsOf(options)));
    if (options.json) printJson(presentUser(user));
    else print(`Created user ${user.id} (${shown(user.name)}), ${user.role}.`);
  });

interface ListOptions {
  readonly dealerId?: number;
  readonly role?: Role;
  readonly limit?: number;
  readonly json?: true;
}

/** The newest `limit` users, read a page at a time; a user that moves to the next page meanwhile is taken once. */
const collect = async (users: Users, { dealerId, role, limit = Number.MAX_SAFE_INTEGER }: ListOptions) => {
  const found = new Map<number, UserRecord>();
  const filter = { ...(dealerId !== undefined && { dealer_id: dealerId }), ...(role !== undefined && { role }) };
  for (let offset = 0; ; offset += PAGE) {
    const listing = resultOf(await users.list(OPERATOR, { ...filter, limit: PAGE, offset }));
    const items = await everyItem(listing);
    for (const user of items) if (found.size < limit) found.set(user.id, user);
    if (items.length < PAGE || found.size >= limit) return { total: listing.total, shownUsers: [...found.values()] };
  }
};

const withUsers = <Result>(work: (users: Users) => Promise<Result>) =>
  withDatabase("existing", (db) => work(composeCore(db, systemClock, null, quotasOf(process.env)).users));

const list = (options: ListOptions): Promise<void> =>
  withUsers(async (users) => {
    const { total, shownUsers } = await collect(users, options);
    if (options.json) return printJson(shownUsers.map(presentUser));
    if (shownUsers.length === 0) return remark("There are no users.");
    print(userTable(shownUsers));
    if (shownUsers.length < total) remark(`${shownUsers.length} of ${total} users; --all shows the rest.`);
  });

const called = ({ id, name }: UserRecord): string => `user ${id} (${shown(name)})`;

const activate = (id: number): Promise<void> =>
  withUsers(async (users) => {
    const user = resultOf(await users.update(OPERATOR, id, { active: true }));
    print(`Activated ${called(user)}, ${user.role}.`);
  });

const deactivate = (id: number): Promise<void> =>
  withUsers(async (users) => {
    const user = resultOf(await users.deactivate(OPERATOR, id));
    print(`Deactivated ${called(user)}; their sessions have ended and their keys are refused.`);
  });

interface InviteOptions extends RecordOptions {
  readonly id?: number;
  readonly url?: string;
}

/** The address that the link begins with: the option's, or the configured one. */
const portalOf = (url: string | undefined): string => {
  const portal = publicUrlOf(url === undefined ? process.env : { PUBLIC_URL: url });
  if (portal !== null) return portal;
  throw new CommandError("the link needs the service's address; set PUBLIC_URL, or give --url https://…");
};

/** The link goes to standard output alone, so that a script can take it from there. */
const invite = ({ id, url, ...fields }: InviteOptions): Promise<void> => {
  const portal = portalOf(url);
  if (id === undefined && (fields.name === undefined || fields.email === undefined || fields.role === undefined))
    throw new CommandError("name the user by --id, or a new one by --name, --email and --role");
  return withDatabase(id === undefined ? "existing or new" : "existing", async (db) => {
    const core = composeCore(db, systemClock, null, quotasOf(process.env));
    const { accounts } = composeAccounts({
      db,
      clock: systemClock,
      repositories: core.repositories,
      changed: core.cache.clear,
      publicUrl: portal,
      mailer: null,
    });
    const userId = id ?? resultOf(await core.users.create(OPERATOR, fieldsOf(fields))).id;
    const linkOf = (token: string) => invitationLink(portal, token);
    const { user, url: link, expiresAt } = resultOf(await accounts.invite(OPERATOR, userId, linkOf));
    remark(`Invited user ${user.id} (${shown(user.name)}), ${user.role}. The link works once, until ${expiresAt}:`);
    print(link);
  });
};

const conflicting = (flags: string, description: string): Option => new Option(flags, description).conflicts("id");

/** Adds `users` with what is done to them. */
export const addUsers = (program: Command): void => {
  const users = program.command("users").description("create, list, invite, activate and deactivate users");
  users
    .command("create")
    .description("create a user, to whom keys can be tied")
    .requiredOption("--name <name>", "the user's name")
    .requiredOption("--email <address>", "which no other user may have")
    .requiredOption("--role <role>", ROLES.join(", "))
    .option("--dealer-id <id>", "the user's dealer; required for a dealer_admin", wholeNumber())
    .addOption(permissionOption("default: what is usual for the role"))
    .addOption(jsonOption())
    .action(create);
  users
    .command("list")
    .description("list users, the newest first")
    .option("--dealer-id <id>", "only users of this dealer", wholeNumber())
    .addOption(new Option("--role <role>", "only users of this role").choices(ROLES))
    .addOption(new Option("--limit <number>", "only the newest so many").argParser(wholeNumber(1)).conflicts("all"))
    .option("--all", "every user (default)")
    .addOption(jsonOption())
    .action(list);
  withId(users.command("activate").description("let a user in again, whoever deactivated them"), "user").action(
    activate,
  );
  withId(
    users.command("deactivate").description("sign a user out for good and refuse their keys; not the last super-admin"),
    "user",
  ).action(deactivate);
  users
    .command("invite")
    .description("print a link with which a user sets a password for the portal; one made before is void")
    .option("--id <id>", "the number of a user who is there", wholeNumber(1))
    .addOption(conflicting("--name <name>", "the name of a new user"))
    .addOption(conflicting("--email <address>", "which no other user may have"))
    .addOption(conflicting("--role <role>", ROLES.join(", ")))
    .addOption(conflicting("--dealer-id <id>", "the new user's dealer").argParser(wholeNumber()))
    .option("--url <address>", "where browsers reach the service (default: PUBLIC_URL)")
    .action(invite);
};
