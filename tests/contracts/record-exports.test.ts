import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import type { AuditFilter } from "../../core/audit/audit.ts";
import type { KeyFilter } from "../../core/keys/key-repository.ts";
import type { Slice } from "../../core/long-items.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import {
  actingKey,
  dealerFields,
  keyFields,
  made,
  momentAfter,
  newSecret,
  OPERATOR,
  userFields,
  words,
} from "../support/records.ts";
import { heldSnapshots } from "../support/snapshots.ts";

setDefaultTimeout(300_000);

const EVERYTHING = "everything" as const;
const [NORTH, SOUTH] = [1, 2];
const USER = 1;
/** More keys than an export reads at a time. */
const MANY = 230;
/** Each character takes one byte in the database and six in the answer, so that a page of them is read in slices. */
const LONG_TEXT = "\u0001".repeat(5000);
/** More than all keys and entries. */
const WHOLE = { limit: 2000, offset: 0 };
/** Earlier than every stored moment, so last in the order of an export. */
const LONG_AGO = "2001-01-01T00:00:00.000Z";

type Slices<Item> = Iterable<Slice<Item>>;

const all = async <Item>(slices: Slices<Item>): Promise<Item[]> => {
  const read: Item[] = [];
  for (const slice of slices) read.push(...(await slice()));
  return read;
};

const rowsOf = (on: SqlDatabase) => ({ keys: makeKeyRepository(on, () => {}), log: makeAuditLog(on) });

/** The exports, each as texts. */
const EXPORTS: readonly (readonly [string, (on: SqlDatabase) => Slices<string>])[] = [
  ["keys", (on) => texts(rowsOf(on).keys.all({ visibility: EVERYTHING, filter: {} }))],
  ["the audit log", (on) => texts(rowsOf(on).log.all({ visibility: EVERYTHING, filter: {} }))],
];

function* texts(slices: Slices<unknown>): Generator<Slice<string>> {
  for (const read of slices) yield async () => (await read()).map((item) => JSON.stringify(item));
}

for (const engine of ENGINES)
  describe(`an export of records on ${engine.name}`, () => {
    let db: TestDatabase;

    const insertKey = (on: SqlDatabase, fields: Parameters<typeof keyFields>[0], now: string) =>
      rowsOf(on).keys.insert({ key: keyFields(fields), secret: newSecret(), now, by: OPERATOR });

    beforeAll(async () => {
      db = await engine.open();
      for (const _ of [NORTH, SOUTH]) await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
      made(await makeUserRepository(db, () => {}).insert(userFields(), momentAfter(0), OPERATOR));
      for (let number = 0; number < MANY; number++) {
        const owner = number % 3 === 0 ? { userId: USER } : { dealerId: number % 3 === 1 ? NORTH : SOUTH };
        const description = number % 40 < 10 ? LONG_TEXT : null;
        // Two at each moment.
        made(await insertKey(db, { name: `Site ${number}`, description, ...owner }, momentAfter(number >> 1)));
      }
    });
    afterAll(() => db.close());

    const VISIBILITIES: readonly Visibility[] = [EVERYTHING, { dealerId: NORTH }, { userId: USER }];

    for (const filter of [
      {},
      { dealerId: SOUTH },
      { appType: "web", association: "dealer" },
      { search: words("site 12") },
      { active: false },
    ] as const satisfies readonly KeyFilter[])
      test(`of keys by ${JSON.stringify(filter)} has every key that the same reader lists, in the list's order`, async () => {
        for (const visibility of VISIBILITIES) {
          const { keys } = rowsOf(db);
          const { items } = await keys.list({ visibility, filter, page: WHOLE });
          expect(await all(keys.all({ visibility, filter }))).toEqual([...items]);
        }
        const seen = await all(rowsOf(db).keys.all({ visibility: { dealerId: NORTH }, filter }));
        expect(seen.filter(({ dealerId }) => dealerId !== NORTH)).toEqual([]);
      });

    for (const filter of [
      {},
      { dealerId: SOUTH },
      { resource: "keys", action: "key.created" },
      { resource: "dealers", resourceId: NORTH },
      { to: momentAfter(50) },
      { action: "key.removed" },
    ] as const satisfies readonly AuditFilter[])
      test(`of the log by ${JSON.stringify(filter)} has every entry that the same reader lists, in the list's order`, async () => {
        for (const visibility of VISIBILITIES) {
          const { log } = rowsOf(db);
          const { items } = await log.list({ visibility, filter, page: WHOLE, after: null });
          expect(await all(log.all({ visibility, filter }))).toEqual([...items]);
        }
        const seen = await all(rowsOf(db).log.all({ visibility: { dealerId: NORTH }, filter }));
        expect(seen.filter(({ dealer_id }) => dealer_id !== NORTH)).toEqual([]);
      });

    for (const [name, exported] of EXPORTS)
      test(`of ${name} reads few records at a time, however many and how long they are`, async () => {
        let most = 0;
        for (const slice of exported(db)) most = Math.max(most, (await slice()).join().length);
        expect(most).toBeGreaterThan(6 * LONG_TEXT.length);
        expect(most).toBeLessThan(1024 * 1024);
      });

    for (const [name, exported] of EXPORTS)
      test(`of ${name} has them as they were at one moment, even if others write while it is read`, async () => {
        const other = await engine.open(db.url);
        const { keys } = rowsOf(other);
        const before = await all(exported(db));
        const read: string[] = [];
        let slices = 0;
        for (const slice of exported(db)) {
          read.push(...(await slice()));
          if (slices++ > 0) continue;
          const { items } = await keys.list({ visibility: EVERYTHING, filter: {}, page: WHOLE });
          // Some that were read and some that were not.
          for (const key of items.filter((_, place) => place % 50 === 0))
            made(
              await changeStoredKey(keys, key, {
                does: "change",
                fields: { ...key, name: "Renamed" },
                now: LONG_AGO,
                by: actingKey(1),
              }),
            );
          for (const seen of items.filter((_, place) => place % 50 === 1))
            await changeStoredKey(keys, seen, { does: "remove", now: LONG_AGO });
          made(await insertKey(other, { name: "Late" }, LONG_AGO));
        }
        expect(slices).toBeGreaterThan(1);
        expect(read).toEqual(before);
        const late = (texts: readonly string[]) => texts.filter((text) => text.includes('"Late"')).length;
        expect(late(await all(exported(db)))).toBe(late(before) + 1);
        await other.close();
      });

    for (const [name, exported] of EXPORTS)
      test(`of ${name} holds nothing of the database after it was read or given up`, async () => {
        const held = heldSnapshots(db);
        const change = () => insertKey(db, { name: "Another" }, momentAfter(0));
        const watched = exported(db)[Symbol.iterator]();
        await watched.next().value?.();
        await change();
        await held.become(1);
        watched.return?.();
        await change();
        await held.become(0);
        await all(exported(db));
        for (const _ of exported(db)) break;
        await change();
        await held.become(0);
        await held.close();
      });
  });
