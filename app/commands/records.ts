import type { Command } from "commander";
import type { Listing, Page } from "../../core/page.ts";
import type { PermissionPair } from "../../core/permissions.ts";
import type { Validator } from "../../core/validation.ts";
import { fieldsOf, jsonOption, numberOption } from "./options.ts";
import { resultOf } from "./outcome.ts";
import { note, print, printJson, printJsonList, warn } from "./output.ts";
import { aligned, type Column, NONE, table } from "./table.ts";

/** The limit that stands for all records. No list has more, and both engines accept it. */
const NO_LIMIT = 1_000_000_000;

/** How lists show one kind of record. */
export interface ListFormat<Item> {
  readonly plural: string;
  readonly columns: readonly Column<Item>[];
  /** The record as the API answers it. */
  readonly present: (item: Item) => object;
}

/** The options of every list. */
export interface ListOptions {
  readonly limit?: number;
  readonly all?: true;
  readonly json?: true;
  readonly [filter: string]: unknown;
}

/** Adds the options that every list has. */
export const withListOptions = (command: Command): Command =>
  command
    .addOption(numberOption("--limit <number>", "show only this many records, the newest ones").conflicts("all"))
    .option("--all", "show every record (the default)")
    .addOption(jsonOption());

/** The query for the options of a list. Filters are checked as in the API. */
export const queryOf = <Query>(
  query: Validator<Query>,
  { limit = NO_LIMIT, all: _, json: __, ...filters }: ListOptions,
): Query & Page => ({ ...resultOf(query.parse(fieldsOf(filters))), limit, offset: 0 });

async function* partsOf<Item>({ items, long }: Listing<Item>): AsyncGenerator<readonly Item[]> {
  yield items;
  for (const read of long?.slices ?? []) yield await read();
}

async function* presented<Item>(parts: AsyncIterable<readonly Item[]>, present: (item: Item) => object) {
  for await (const part of parts) yield part.map(present);
}

/** Prints a list as a table or as JSON. */
export const showList = async <Item>(
  { plural, columns, present }: ListFormat<Item>,
  listing: Listing<Item>,
  json = false,
): Promise<void> => {
  if (json) return printJsonList(presented(partsOf(listing), present));
  const items = (await Array.fromAsync(partsOf(listing))).flat();
  if (items.length === 0) return note(`There are no ${plural}.`);
  print(table(columns, items));
  if (items.length < listing.total) note(`${items.length} of ${listing.total} ${plural}; --all shows the rest.`);
};

const cellOf = (value: unknown): string => {
  if (value === null) return NONE;
  if (!Array.isArray(value)) return String(value);
  return value.map(({ resource, action }: PermissionPair) => `${resource}:${action}`).join(", ") || NONE;
};

/** Prints a record with one field on each line, or as JSON. */
export const showRecord = (record: object, json = false): void =>
  json ? printJson(record) : print(aligned(Object.entries(record).map(([field, value]) => [field, cellOf(value)])));

/** The result of a command that changes a record. */
interface Change {
  readonly record: object;
  readonly done: string;
  /** Says in which state the record already was, so that the command had no effect; otherwise `null`. */
  readonly already: string | null;
}

/** Prints what a command did, or warns that it had no effect; with `json` it prints the record. */
export const report = ({ record, done, already }: Change, json = false): void => {
  if (already !== null) warn(already);
  if (json) printJson(record);
  else if (already === null) print(done);
};
