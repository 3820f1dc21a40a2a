import { type Command, Option } from "commander";
import { systemClock } from "../../adapters/system/clock.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { KeyQuery, type KeyRecord, newKey, presentKey } from "../../core/keys/key.ts";
import { expiryIssues } from "../../core/keys/key-plan.ts";
import type { IssuedKey } from "../../core/keys/secrets.ts";
import { APP_TYPES } from "../../core/permissions.ts";
import { validator } from "../../core/validation.ts";
import { maxKeyDaysOf } from "../quota-config.ts";
import { withCore } from "./database.ts";
import { keyListAt, refusalOf } from "./key-table.ts";
import {
  choiceOption,
  fieldsOf,
  group,
  jsonOption,
  numberOption,
  permissionOption,
  type RecordOptions,
  required,
  withId,
} from "./options.ts";
import { resultOf } from "./outcome.ts";
import { note, print, printJson, warn } from "./output.ts";
import { type ListOptions, queryOf, report, showList, showRecord, withListOptions } from "./records.ts";
import { printable } from "./table.ts";

const keyQuery = validator(KeyQuery);

interface JsonOption {
  readonly json?: true;
}

const labelOf = ({ id, name }: KeyRecord): string => `key ${id} (${printable(name)})`;

/** Prints a secret. Only the secret is written to standard output, so that a script can read it from there. */
const printSecret = (done: string, { record, apiKey }: IssuedKey, json = false): void => {
  const refusal = refusalOf(record, systemClock.now());
  if (refusal !== null) warn(`${labelOf(record)} ${refusal}: its secret is refused until that changes`);
  if (json) {
    printJson({ ...presentKey(record, systemClock.now()), api_key: apiKey });
    return;
  }
  note(`${done} ${labelOf(record)}. This is shown once; only its hash is stored:`);
  print(apiKey);
};

const create = async (options: RecordOptions): Promise<void> => {
  const fields = fieldsOf(options);
  // The fields are checked first, so that no database is created if they are invalid.
  resultOf(
    newKey.parse(fields, (typed) =>
      expiryIssues({ clock: systemClock, maxKeyDays: maxKeyDaysOf(process.env) }, systemClock.now(), typed),
    ),
  );
  await withCore("existing or new", async ({ keys }) => {
    printSecret("Created", resultOf(await keys.create(OPERATOR, fields)), options.json);
  });
};

const list = async (options: ListOptions): Promise<void> => {
  const query = queryOf(keyQuery, options);
  await withCore("existing", async ({ keys }) => {
    await showList(keyListAt(systemClock.now()), resultOf(await keys.list(OPERATOR, query)), options.json);
  });
};

const show = (id: number, { json }: JsonOption): Promise<void> =>
  withCore("existing", async ({ keys }) =>
    showRecord(presentKey(resultOf(await keys.get(OPERATOR, id)), systemClock.now()), json),
  );

const revoke = (id: number, { json }: JsonOption): Promise<void> =>
  withCore("existing", async ({ keys }) => {
    const { active } = resultOf(await keys.get(OPERATOR, id));
    const key = resultOf(await keys.revoke(OPERATOR, id));
    const already = active ? null : `${labelOf(key)} was revoked already`;
    report({ record: presentKey(key, systemClock.now()), done: `Revoked ${labelOf(key)}.`, already }, json);
  });

const rotate = (id: number, { graceSeconds, json }: JsonOption & { readonly graceSeconds?: number }): Promise<void> =>
  withCore("existing", async ({ keys }) => {
    const body = graceSeconds === undefined ? {} : { grace_seconds: graceSeconds };
    const key = resultOf(await keys.rotate(OPERATOR, id, body));
    if (graceSeconds && refusalOf(key.record, systemClock.now()) !== null)
      warn("--grace-seconds has no effect on a key that is refused");
    printSecret("Rotated", key, json);
  });

/** Adds the command `keys` with its subcommands. */
export const addKeys = (program: Command): void => {
  const keys = group(program, "keys", "create, list, show, revoke and rotate API keys");
  keys
    .command("create")
    .description("create a key and print its secret, which cannot be shown again")
    .addOption(required(new Option("--name <name>", "what the key is for")))
    .addOption(required(choiceOption("--app-type <type>", "the kind of application that uses the key", APP_TYPES)))
    .addOption(required(new Option("--app-id <id>", "the name of the application in the key, such as showroom-site")))
    .addOption(numberOption("--dealer-id <id>", "bind the key to the dealer with this id").conflicts("userId"))
    .addOption(numberOption("--user-id <id>", "tie the key to the user with this id; it has the user's permissions"))
    .option("--expires-at <time>", "when the key stops working, such as 2030-01-01T00:00:00Z; default: never")
    .addOption(permissionOption("those of the app type"))
    .addOption(numberOption("--rate-limit <requests>", "the limit in requests a minute; default: that of the app type"))
    .option("--description <text>", "a note about the key")
    .addOption(jsonOption())
    .addHelpText("after", "\nWithout --dealer-id and --user-id it is a super-admin key, which reaches all data.")
    .action(create);
  withListOptions(
    keys
      .command("list")
      .description("list keys, the newest first")
      .addOption(numberOption("--dealer-id <id>", "only keys that are bound directly to this dealer")),
  ).action(list);
  withId(keys.command("show").description("show one key, without its secret"), "key")
    .addOption(jsonOption())
    .action(show);
  withId(keys.command("revoke").description("revoke a key; the service then refuses it"), "key")
    .addOption(jsonOption())
    .action(revoke);
  withId(keys.command("rotate").description("give a key a new secret and print it; it cannot be shown again"), "key")
    .addOption(
      numberOption("--grace-seconds <seconds>", "how long the old secret continues to work; default: 0", { least: 0 }),
    )
    .addOption(jsonOption())
    .action(rotate);
};
