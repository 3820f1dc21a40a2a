import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { storedCredentials } from "../../adapters/sql/access/credentials.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeUsageRepository } from "../../adapters/sql/usage/repository.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { dayOf } from "../../core/clock.ts";
import type { UsageBatch, UsageRepository, UsageStore } from "../../core/keys/usage-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { changeStoredKey } from "../support/key-changes.ts";
import {
  dealerFields,
  keyFields,
  MOMENT,
  made,
  momentAfter,
  newSecret,
  OPERATOR,
  userFields,
} from "../support/records.ts";
import { counts, denial, newKey, removeKey, wholeHistoryOf } from "../support/usage.ts";

setDefaultTimeout(300_000);

const HOUR_MS = 3_600_000;
const EIGHT = "2026-03-14T08:00:00.000Z";
const NINE = "2026-03-14T09:00:00.000Z";
const TEN = "2026-03-14T10:00:00.000Z";
const ELEVEN = "2026-03-14T11:00:00.000Z";
const AT_NINE = { first: NINE, last: NINE };
const ALWAYS = { first: "2000-01-01T00:00:00.000Z", last: "2100-01-01T00:00:00.000Z" };

for (const engine of ENGINES)
  describe(`the usage of keys on ${engine.name}`, () => {
    let db: SqlDatabase;
    let store: UsageStore;
    let usage: UsageRepository;
    let writers = 0;

    beforeAll(async () => {
      db = await engine.open();
      store = makeUsageStore(db);
      usage = makeUsageRepository(db);
    });
    afterAll(() => db.close());

    const batch = (parts: Partial<UsageBatch>): UsageBatch => ({
      number: 1,
      hours: [],
      uses: [],
      denials: [],
      oldSecrets: [],
      ...parts,
    });
    const add = (parts: Partial<UsageBatch>, on = store): Promise<void> =>
      on.add(`writer ${++writers}`, batch(parts), MOMENT);
    const hoursOf = async (keyId: number) => (await usage.of(wholeHistoryOf(keyId), ALWAYS)).hours;

    test("adds up the counts of an hour, separately for each outcome", async () => {
      const keyId = await newKey(db);
      const some = counts({ served: 1, denied: 2, limited: 3, failed: 4, unauthorized: 5 });
      await add({ hours: [{ keyId, hour: NINE, ...some }] });
      await add({
        hours: [
          { keyId, hour: NINE, ...some },
          { keyId, hour: TEN, ...some },
        ],
      });
      expect(await hoursOf(keyId)).toEqual([
        { hour: NINE, ...counts({ served: 2, denied: 4, limited: 6, failed: 8, unauthorized: 10 }) },
        { hour: TEN, ...some },
      ]);
    });

    test("is not added again if a batch is submitted again", async () => {
      const keyId = await newKey(db);
      const handedIn = batch({
        hours: [{ keyId, hour: NINE, ...counts({ served: 3 }) }],
        denials: [{ keyId, at: MOMENT, ...denial() }],
      });
      for (let time = 0; time < 3; time++) await store.add("a process", handedIn, MOMENT);
      await store.add("a process", { ...handedIn, number: 2, denials: [] }, MOMENT);
      expect(await hoursOf(keyId)).toEqual([{ hour: NINE, ...counts({ served: 6 }) }]);
      expect((await usage.of(wholeHistoryOf(keyId), ALWAYS)).denials).toHaveLength(1);
    });

    test("is unchanged by a batch that fails and can be submitted again", async () => {
      const keyId = await newKey(db);
      const hours = [{ keyId, hour: NINE, ...counts({ served: 1 }) }];
      const broken = batch({ hours, denials: [{ keyId, at: MOMENT, ...denial(), code: null as never }] });
      await expect(store.add("failing", broken, MOMENT)).rejects.toThrow();
      expect(await hoursOf(keyId)).toEqual([]);
      await store.add("failing", batch({ hours }), MOMENT);
      expect(await hoursOf(keyId)).toHaveLength(1);
    });

    test("leaves out counts of a removed key, and has the rest", async () => {
      const [keyId, removed] = [await newKey(db), await newKey(db)];
      await removeKey(db, removed);
      const of = (id: number) => ({
        hours: { keyId: id, hour: NINE, ...counts({ served: 1 }) },
        uses: { keyId: id, at: MOMENT, address: null, user_agent: null },
        denials: { keyId: id, at: MOMENT, ...denial() },
      });
      const [stays, goes] = [of(keyId), of(removed)];
      await add({
        hours: [goes.hours, stays.hours],
        uses: [goes.uses, stays.uses],
        denials: [goes.denials, stays.denials],
      });
      expect(await usage.of(wholeHistoryOf(removed), ALWAYS)).toEqual({ hours: [], lastUse: null, denials: [] });
      expect(await usage.of(wholeHistoryOf(keyId), ALWAYS)).toEqual({
        hours: [{ hour: NINE, ...counts({ served: 1 }) }],
        lastUse: { at: MOMENT, address: null, user_agent: null },
        denials: [{ at: MOMENT, ...denial() }],
      });
    });

    test("has the latest use, whichever process writes last, without changing the key or the version of access", async () => {
      const keyId = await newKey(db);
      const keys = makeKeyRepository(db, () => {});
      const before = made(await keys.find(keyId, "everything"));
      const use = (ms: number, address: string) => ({ keyId, at: momentAfter(ms), address, user_agent: `agent ${ms}` });
      await add({ uses: [use(2, "198.51.100.2")] });
      await add({ uses: [use(1, "198.51.100.1")] });
      const expected = { at: momentAfter(2), address: "198.51.100.2", user_agent: "agent 2" };
      expect((await usage.of(wholeHistoryOf(keyId), ALWAYS)).lastUse).toEqual(expected);
      expect(made(await keys.find(keyId, "everything"))).toEqual({ ...before, lastUsedAt: momentAfter(2) });
    });

    test("adds up uses of an old secret within a day, without changing the key or the version of access", async () => {
      const keys = makeKeyRepository(db, () => {});
      const first = newSecret();
      const stored = made(await keys.insert({ key: keyFields(), secret: first, now: MOMENT, by: OPERATOR }));
      const seen = made(
        await changeStoredKey(keys, stored, {
          does: "rotate",
          secret: newSecret(),
          previousEndsAt: momentAfter(60_000),
        }),
      );
      const oldSecret = { start: first.start, endsAt: momentAfter(60_000) };
      expect(seen.oldSecret).toEqual({ ...oldSecret, lastUsedAt: null, uses: 0, usesDay: null });
      const version = await storedCredentials(db).version();
      const [today, tomorrow] = [dayOf(MOMENT), dayOf(momentAfter(24 * HOUR_MS))];
      const use = (day: string, uses: number, ms: number) => ({ hash: first.hash, day, uses, at: momentAfter(ms) });
      for (const [uses, lastUsedAt, expected, usesDay] of [
        [use(today, 2, 5), momentAfter(5), 2, today],
        [use(today, 3, 1), momentAfter(5), 5, today],
        [use(tomorrow, 1, 24 * HOUR_MS), momentAfter(24 * HOUR_MS), 1, tomorrow],
        [use(today, 9, 9), momentAfter(24 * HOUR_MS), 1, tomorrow],
      ] as const) {
        await add({ oldSecrets: [uses, { ...uses, hash: "of a secret that is gone" }] });
        const found = made(await keys.find(seen.id, "everything"));
        expect(found).toEqual({ ...seen, oldSecret: { ...oldSecret, lastUsedAt, uses: expected, usesDay } });
      }
      expect(await storedCredentials(db).version()).toBe(version);
    });

    test("has the latest twenty denials of each key, newest first, from all processes", async () => {
      const [keyId, other] = [await newKey(db), await newKey(db)];
      await add({ denials: [{ keyId: other, at: MOMENT, ...denial() }] });
      for (let part = 0; part < 3; part++)
        await add({
          denials: Array.from({ length: 10 }, (_, index) => ({
            keyId,
            at: momentAfter(part * 10 + index),
            ...denial({ code: `code ${part * 10 + index}` }),
          })),
        });
      const { denials } = await usage.of(wholeHistoryOf(keyId), ALWAYS);
      expect(denials.map(({ code }) => code)).toEqual(Array.from({ length: 20 }, (_, index) => `code ${29 - index}`));
      await add({ denials: [{ keyId: other, at: MOMENT, ...denial() }] });
      const twice = Array(2).fill({ at: MOMENT, ...denial() });
      expect((await usage.of(wholeHistoryOf(other), ALWAYS)).denials).toEqual(twice);
    });

    test("is removed only if it is older than the given time", async () => {
      const keyId = await newKey(db);
      const row = (hour: string) => ({ keyId, hour, ...counts({ served: 1 }) });
      await add({
        hours: [row(NINE), row(TEN)],
        denials: [
          { keyId, at: NINE, ...denial() },
          { keyId, at: TEN, ...denial() },
        ],
      });
      await store.removeBefore(TEN);
      const { hours, denials } = await usage.of(wholeHistoryOf(keyId), ALWAYS);
      expect([hours.map(({ hour }) => hour), denials.map(({ at }) => at)]).toEqual([[TEN], [TEN]]);
      expect((await usage.totals("everything", ALWAYS)).map(({ hour }) => hour)).toEqual([TEN]);
    });

    test("is not added again by a repeated batch after older usage was removed", async () => {
      const keyId = await newKey(db);
      const handedIn = batch({ hours: [{ keyId, hour: TEN, ...counts({ served: 1 }) }] });
      for (let time = 0; time < 2; time++) {
        await store.add("a process at work", handedIn, TEN);
        await store.removeBefore(TEN);
      }
      expect(await hoursOf(keyId)).toEqual([{ hour: TEN, ...counts({ served: 1 }) }]);
    });

    test("has only the hours of the window, including its first and last one", async () => {
      const keyId = await newKey(db);
      const hours = [0, 1, 2, 3].map((count) => new Date(Date.parse(NINE) + count * HOUR_MS).toISOString());
      await add({ hours: hours.map((hour) => ({ keyId, hour, ...counts({ served: 1 }) })) });
      const [, first = "", last = ""] = hours;
      expect((await usage.of(wholeHistoryOf(keyId), { first, last })).hours.map(({ hour }) => hour)).toEqual([
        first,
        last,
      ]);
      expect((await usage.byKey([wholeHistoryOf(keyId)], { first, last })).map(({ hour }) => hour).sort()).toEqual([
        first,
        last,
      ]);
    });

    test("has nothing up to the moment from which it is visible, the last use included", async () => {
      const keyId = await newKey(db);
      const after = momentAfter(10);
      const of = async () => {
        const { lastUse, denials } = await usage.of({ id: keyId, after }, ALWAYS);
        return [lastUse?.at, denials.map(({ at }) => at)];
      };
      const used = (at: string) =>
        add({ uses: [{ keyId, at, address: null, user_agent: null }], denials: [{ keyId, at, ...denial() }] });
      await used(after);
      expect(await of()).toEqual([undefined, []]);
      await used(momentAfter(11));
      expect(await of()).toEqual([momentAfter(11), [momentAfter(11)]]);
    });

    test("has nothing of the hour in which its key moved, even if it moved as that hour began", async () => {
      const dealers = makeDealerRepository(db);
      const [north, south] = [
        await dealers.insert(dealerFields(), OPERATOR),
        await dealers.insert(dealerFields(), OPERATOR),
      ];
      const keys = makeKeyRepository(db, () => {});
      const held = keyFields({ dealerId: north.id });
      const key = made(await keys.insert({ key: held, secret: newSecret(), now: MOMENT, by: OPERATOR }));
      const fields = { ...held, dealerId: south.id };
      made(await changeStoredKey(keys, key, { does: "change", fields, now: TEN }));
      const some = counts({ served: 1 });
      await add({ hours: [NINE, TEN, ELEVEN].map((hour) => ({ keyId: key.id, hour, ...some })) });
      const seen = await usage.visibleKeys({ dealerId: south.id }, [key.id]);
      expect(seen).toEqual([{ id: key.id, after: TEN }]);
      const own = [{ hour: ELEVEN, ...some }];
      expect((await usage.of(made(seen[0] ?? null), ALWAYS)).hours).toEqual(own);
      expect((await usage.byKey(seen, ALWAYS)).map(({ hour }) => hour)).toEqual([ELEVEN]);
      expect(await usage.sums(seen, ALWAYS)).toEqual([{ keyId: key.id, ...some }]);
      expect(await usage.totals({ dealerId: south.id }, ALWAYS)).toEqual(own);
      expect(await usage.totals({ dealerId: north.id }, ALWAYS)).toEqual([{ hour: NINE, ...some }]);
    });

    test("is totalled over visible keys and the hours of the window only, and only visible keys are selected by id", async () => {
      const own = await engine.open();
      const keysOf = makeKeyRepository(own, () => {});
      const dealer = async () => (await makeDealerRepository(own).insert(dealerFields(), OPERATOR)).id;
      const [north, south] = [await dealer(), await dealer()];
      const user = made(
        await makeUserRepository(own, () => {}).insert(userFields({ dealerId: north }), MOMENT, OPERATOR),
      ).id;
      const key = async (fields: Parameters<typeof keyFields>[0]) =>
        made(await keysOf.insert({ key: keyFields(fields), secret: newSecret(), now: MOMENT, by: OPERATOR })).id;
      const ids = [
        await key({ dealerId: north }),
        await key({ userId: user }),
        await key({ dealerId: south }),
        await key({}),
      ];
      const hours = ids.map((keyId, index) => ({ keyId, hour: NINE, ...counts({ served: 10 ** index, denied: 1 }) }));
      const around = [EIGHT, TEN].map((hour) => ({ keyId: made(ids[1] ?? null), hour, ...counts({ served: 5 }) }));
      await add({ hours: [...hours, ...around] }, makeUsageStore(own));
      const read = makeUsageRepository(own);
      for (const [visibility, seen, served] of [
        ["everything", ids, 1111],
        [{ dealerId: north }, ids.slice(0, 2), 11],
        [{ userId: user }, [ids[1]], 10],
        [{ dealerId: 9e9 }, [], 0],
      ] as const) {
        const totals = await read.totals(visibility, AT_NINE);
        expect(totals.map((total) => [total.hour, total.served])).toEqual(served === 0 ? [] : [[NINE, served]]);
        expect((await read.visibleKeys(visibility, [...ids, 9e9])).map(({ id }) => id).sort()).toEqual([
          ...seen,
        ] as number[]);
      }
      const before = await read.totals("everything", AT_NINE);
      await makeUsageStore(own).add(
        "late",
        batch({ hours: [{ keyId: ids[0] as number, hour: TEN, ...counts({ failed: 1 }) }] }),
        MOMENT,
      );
      for (const id of ids.slice(0, 2))
        await changeStoredKey(keysOf, made(await keysOf.find(id, "everything")), { does: "remove" });
      expect(before[0]).toEqual({ hour: NINE, ...counts({ served: 1111, denied: 4 }) });
      expect(await read.totals("everything", ALWAYS)).toEqual([{ hour: NINE, ...counts({ served: 1100, denied: 2 }) }]);
      await own.close();
    });
  });
