import { type Command, Option } from "commander";
import { OPERATOR } from "../../core/access/principal.ts";
import { ROLES } from "../../core/permissions.ts";
import { stateOfUser } from "../../core/users/state.ts";
import { presentUser, UserQuery, type UserRecord } from "../../core/users/user.ts";
import { validator } from "../../core/validation.ts";
import { withCore } from "./database.ts";
import {
  choiceOption,
  group,
  jsonOption,
  numberOption,
  permissionOption,
  type RecordOptions,
  required,
  withId,
} from "./options.ts";
import { resultOf } from "./outcome.ts";
import {
  type ListFormat,
  type ListOptions,
  queryOf,
  report,
  showList,
  showRecord,
  withListOptions,
} from "./records.ts";
import { minuteOf, NONE, printable } from "./table.ts";
import { newUserOf } from "./user-fields.ts";
import { addInvite } from "./users-invite.ts";

/** The columns of users in lists. Times are in UTC. */
const USERS: ListFormat<UserRecord> = {
  plural: "users",
  present: presentUser,
  columns: [
    ["ID", ({ id }) => String(id)],
    ["NAME", ({ name }) => name],
    ["EMAIL", ({ email }) => email],
    ["ROLE", ({ role }) => role],
    ["DEALER", ({ dealerId }) => (dealerId === null ? NONE : String(dealerId))],
    ["STATE", stateOfUser],
    ["CREATED", ({ createdAt }) => minuteOf(createdAt)],
  ],
};

const userQuery = validator(UserQuery);

interface JsonOption {
  readonly json?: true;
}

const labelOf = ({ id, name }: UserRecord): string => `user ${id} (${printable(name)})`;

const create = async (options: RecordOptions): Promise<void> => {
  const fields = newUserOf(options);
  await withCore("existing or new", async ({ users }) => {
    const user = resultOf(await users.create(OPERATOR, fields));
    report({ record: presentUser(user), done: `Created ${labelOf(user)}, ${user.role}.`, already: null }, options.json);
  });
};

const list = async (options: ListOptions): Promise<void> => {
  const query = queryOf(userQuery, options);
  await withCore("existing", async ({ users }) => {
    await showList(USERS, resultOf(await users.list(OPERATOR, query)), options.json);
  });
};

const show = (id: number, { json }: JsonOption): Promise<void> =>
  withCore("existing", async ({ users }) => showRecord(presentUser(resultOf(await users.get(OPERATOR, id))), json));

const activate = (id: number, { json }: JsonOption): Promise<void> =>
  withCore("existing", async ({ users }) => {
    const { active } = resultOf(await users.get(OPERATOR, id));
    const user = resultOf(await users.update(OPERATOR, id, { active: true }));
    const already = active ? `${labelOf(user)} was active already` : null;
    report({ record: presentUser(user), done: `Activated ${labelOf(user)}, ${user.role}.`, already }, json);
  });

const deactivate = (id: number, { json }: JsonOption): Promise<void> =>
  withCore("existing", async ({ users }) => {
    const { active } = resultOf(await users.get(OPERATOR, id));
    const user = resultOf(await users.deactivate(OPERATOR, id));
    const done = `Deactivated ${labelOf(user)}; their sessions have ended and their keys are refused.`;
    report({ record: presentUser(user), done, already: active ? null : `${labelOf(user)} was inactive already` }, json);
  });

/** Adds the command `users` with its subcommands. */
export const addUsers = (program: Command): void => {
  const users = group(program, "users", "create, list, show, invite, activate and deactivate users");
  users
    .command("create")
    .description("create a user; users sign in to the portal, and keys can be tied to them")
    .addOption(required(new Option("--name <name>", "the user's name")))
    .addOption(required(new Option("--email <address>", "an address that no other user has")))
    .addOption(required(choiceOption("--role <role>", "the user's role", ROLES)))
    .addOption(numberOption("--dealer-id <id>", "the user's dealer; required for a dealer_admin"))
    .addOption(permissionOption("those of the role"))
    .addOption(jsonOption())
    .action(create);
  withListOptions(
    users
      .command("list")
      .description("list users, the newest first")
      .addOption(numberOption("--dealer-id <id>", "only users of this dealer"))
      .addOption(choiceOption("--role <role>", "only users with this role", ROLES)),
  ).action(list);
  withId(users.command("show").description("show one user"), "user").addOption(jsonOption()).action(show);
  addInvite(users);
  withId(users.command("activate").description("let a user sign in again and use their keys again"), "user")
    .addOption(jsonOption())
    .action(activate);
  withId(
    users
      .command("deactivate")
      .description("end a user's sessions and refuse their keys; the last active super-admin cannot be deactivated"),
    "user",
  )
    .addOption(jsonOption())
    .action(deactivate);
};
