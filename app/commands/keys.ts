import { type Command, Option } from "commander";
import { systemClock } from "../../adapters/system/clock.ts";
import { APP_TYPES } from "../../core/access/permissions.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { type KeyRecord, presentKey } from "../../core/keys/key.ts";
import type { Keys, ShownKey } from "../../core/keys/keys.ts";
import { everyItem } from "../../core/page.ts";
import { composeCore } from "../compose.ts";
import { quotasOf } from "../quota-config.ts";
import { withDatabase } from "./database.ts";
import { keyTable } from "./key-table.ts";
import { fieldsOf, jsonOption, permissionOption, type RecordOptions, wholeNumber, withId } from "./options.ts";
import { resultOf } from "./outcome.ts";
import { print, printJson, remark } from "./output.ts";
import { shown } from "./table.ts";

const PAGE = 1000;

const withKeys = <Result>(wanted: Parameters<typeof withDatabase>[0], work: (keys: Keys) => Promise<Result>) =>
  withDatabase(wanted, (db) => work(composeCore(db, systemClock, null, quotasOf(process.env)).keys));

const called = ({ id, name }: KeyRecord): string => `key ${id} (${shown(name)})`;

/** The secret goes to standard output alone, so that a script can take it from there. */
const reveal = (done: string, { record, apiKey }: ShownKey, json = false): void => {
  if (json) {
    printJson({ ...presentKey(record), api_key: apiKey });
    return;
  }
  remark(`${done} ${called(record)}. This is shown once; only its hash is stored:`);
  print(apiKey);
};

const create = (options: RecordOptions): Promise<void> =>
  withKeys("existing or new", async (keys) => {
    reveal("Created", resultOf(await keys.create(OPERATOR, fieldsOf(options))), options.json);
  });

interface ListOptions {
  readonly dealerId?: number;
  readonly limit?: number;
  readonly json?: true;
}

/** The newest `limit` keys, read a page at a time; a key that moves to the next page meanwhile is taken once. */
const collect = async (keys: Keys, { dealerId, limit = Number.MAX_SAFE_INTEGER }: ListOptions) => {
  const found = new Map<number, KeyRecord>();
  for (let offset = 0; ; offset += PAGE) {
    const query = { limit: PAGE, offset, ...(dealerId !== undefined && { dealer_id: dealerId }) };
    const listing = resultOf(await keys.list(OPERATOR, query));
    const { total } = listing;
    const items = await everyItem(listing);
    for (const key of items) if (found.size < limit) found.set(key.id, key);
    if (items.length < PAGE || found.size >= limit) return { total, shownKeys: [...found.values()] };
  }
};

const list = (options: ListOptions): Promise<void> =>
  withKeys("existing", async (keys) => {
    const { total, shownKeys } = await collect(keys, options);
    if (options.json) return printJson(shownKeys.map(presentKey));
    if (shownKeys.length === 0) return remark("There are no keys.");
    print(keyTable(shownKeys, systemClock.now()));
    if (shownKeys.length < total) remark(`${shownKeys.length} of ${total} keys; --all shows the rest.`);
  });

const revoke = (id: number): Promise<void> =>
  withKeys("existing", async (keys) => {
    const key = resultOf(await keys.revoke(OPERATOR, id));
    print(`Revoked ${called(key)}.`);
  });

const rotate = (id: number, { graceSeconds, json }: { graceSeconds?: number; json?: true }): Promise<void> =>
  withKeys("existing", async (keys) => {
    const body = graceSeconds === undefined ? {} : { grace_seconds: graceSeconds };
    reveal("Rotated", resultOf(await keys.rotate(OPERATOR, id, body)), json);
  });

/** Adds `keys` with all that is done to them. */
export const addKeys = (program: Command): void => {
  const keys = program.command("keys").description("create, list, revoke and rotate API keys");
  keys
    .command("create")
    .description("create a key and print its secret, which is shown this once")
    .requiredOption("--name <name>", "what the key is for")
    .requiredOption("--app-type <type>", APP_TYPES.join(", "))
    .requiredOption("--app-id <id>", "the application, such as showroom-site")
    .addOption(
      new Option("--dealer-id <id>", "bind the key to one dealer").argParser(wholeNumber()).conflicts("userId"),
    )
    .option("--user-id <id>", "tie the key to a user, whose permissions it has", wholeNumber())
    .option("--expires-at <moment>", "such as 2030-01-01T00:00:00Z")
    .addOption(permissionOption("default: what is usual for the app type"))
    .option("--rate-limit <requests>", "requests a minute, in place of the app type's", wholeNumber())
    .option("--description <text>")
    .addOption(jsonOption())
    .action(create);
  keys
    .command("list")
    .description("list keys, the newest first")
    .option("--dealer-id <id>", "only keys bound to this dealer themselves", wholeNumber())
    .addOption(new Option("--limit <number>", "only the newest so many").argParser(wholeNumber(1)).conflicts("all"))
    .option("--all", "every key (default)")
    .addOption(jsonOption())
    .action(list);
  withId(keys.command("revoke").description("revoke a key: it is refused from then on"), "key").action(revoke);
  withId(keys.command("rotate").description("give a key a new secret and print it"), "key")
    .option("--grace-seconds <seconds>", "how long the secret before goes on working (default: 0)", wholeNumber())
    .addOption(jsonOption())
    .action(rotate);
};
