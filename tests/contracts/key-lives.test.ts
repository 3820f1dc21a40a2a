import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyLives } from "../../adapters/sql/keys/lives.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { param, sqlStatement } from "../../adapters/sql/query/statement.ts";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { makeWebhookRepository } from "../../adapters/sql/webhooks/repository.ts";
import { sealingOf } from "../../adapters/system/sealing.ts";
import { webhookSigning } from "../../adapters/system/webhook-signing.ts";
import { presentKey } from "../../core/keys/key.ts";
import { type KeyNotice, makeKeyLife } from "../../core/keys/life.ts";
import { changedRows, type NamedRows } from "../support/changed-rows.ts";
import { type FakeClock, fakeClock } from "../support/clock.ts";
import { ENGINES, openTwice, type TestDatabase } from "../support/engines.ts";
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

setDefaultTimeout(300_000);

const DAY_MS = 86_400_000;
const EVERYTHING = "everything";

/** A webhook that is told of expiring keys of all dealers. */
const addWebhook = async (on: SqlDatabase, clock: FakeClock, active: boolean): Promise<void> => {
  const parts = { clock, sealing: async () => sealingOf(new Uint8Array(32), []), signing: webhookSigning };
  await makeWebhookRepository(on, parts).insert({
    dealerId: null,
    most: 10,
    webhook: {
      url: "https://hooks.example.com/",
      events: ["key.expiring"],
      description: null,
      max_per_second: 10,
      active,
      endedBy: null,
    },
    secret: webhookSigning.newSecret(),
    now: clock.now(),
    by: OPERATOR,
  });
};

for (const engine of ENGINES)
  describe(`keys that end by themselves on ${engine.name}`, () => {
    let db: TestDatabase;
    let elsewhere: TestDatabase;
    let dealer = 0;

    beforeAll(async () => {
      [db, elsewhere] = await openTwice(engine);
      dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    });
    afterAll(() => Promise.all([db.close(), elsewhere.close()]));

    /** Two instances that look after keys with one clock, and what they have told of each key. */
    const begin = (idleDays: number | null = 30) => {
      const clock = fakeClock();
      const keys = makeKeyRepository(db, () => {});
      const told: KeyNotice[] = [];
      let cleared = 0;
      const lives = [db, elsewhere].map((on) =>
        makeKeyLife({
          lives: makeKeyLives(on, () => cleared++),
          clock,
          idleDays,
          tell: (notice) => void told.push(notice),
        }),
      );
      const used = sqlStatement(
        db,
        sql<object>`INSERT INTO key_usage (key_id, last_used_at) VALUES (${param("id")}, ${param("now")})`,
      );
      const noted = sqlStatement(
        db,
        sql<{ action: string }>`SELECT action FROM audit_entries
          WHERE resource = 'keys' AND resource_id = ${param("id")} ORDER BY id`,
      );
      return {
        clock,
        keys,
        cleared: () => cleared,
        insert: async (fields: Parameters<typeof keyFields>[0] = {}) =>
          made(await keys.insert({ key: keyFields(fields), secret: newSecret(), now: clock.now(), by: OPERATOR })),
        use: (id: number) => db.write(async (tx) => tx.all(used, { id, now: clock.now() })),
        read: async (id: number) => made(await keys.find(id, EVERYTHING)),
        noted: async (id: number) => (await db.all(noted, { id })).map(({ action }) => action),
        /** Lets both instances look at once on each of these days, and returns what they told of the key. */
        async tellOn(id: number, ...days: readonly number[]) {
          const found: (readonly [day: number, kind: string])[] = [];
          const start = clock.nowMs();
          for (const day of days) {
            clock.set(start + day * DAY_MS);
            told.length = 0;
            await Promise.all(lives.map((run) => run()));
            for (const notice of told) if (notice.keyId === id) found.push([day, notice.kind]);
          }
          clock.set(start);
          return found;
        },
        told,
      };
    };

    test("one that nobody uses is noted 14 days before, once over all instances, and then switched off", async () => {
      const { insert, tellOn, read, noted, cleared } = begin();
      const { id } = await insert({ dealerId: dealer });
      expect(await tellOn(id, 1, 15.9, 16, 17, 29.9, 30, 31)).toEqual([
        [16, "idle"],
        [30, "switched-off"],
      ]);
      expect(await read(id)).toMatchObject({ active: false, disabledReason: "idle", endedBy: "user" });
      expect(await noted(id)).toEqual(["key.created", "key.idle", "key.revoked"]);
      expect(cleared()).toBeGreaterThan(0);
    });

    test("one that expires is noted 30, 7, 1 and 0 days before, once each over all instances, and anew for another expiry", async () => {
      const { clock, keys, insert, tellOn, noted, read } = begin(null);
      const inDays = (days: number) => new Date(clock.nowMs() + days * DAY_MS).toISOString();
      const { id } = await insert({ dealerId: dealer, expiresAt: inDays(40) });
      const days = [9, 10, 20, 32.9, 33, 38, 39, 39.5, 40, 41];
      const told = [10, 33, 39, 40].map((day) => [day, "expiring"] as const);
      expect(await tellOn(id, ...days)).toEqual(told);
      expect(await noted(id)).toEqual(["key.created", ...told.map(() => "key.expiring")]);
      const seen = await read(id);
      const fields = { ...seen, expiresAt: inDays(41) };
      await changeStoredKey(keys, seen, { does: "change", fields, now: clock.now() });
      expect(await tellOn(id, 10, 11, 34)).toEqual([
        [11, "expiring"],
        [34, "expiring"],
      ]);
    });

    test("one that expires is told to webhooks in the same transaction, where there is one", async () => {
      const { clock, insert, tellOn } = begin(null);
      const queued = async () =>
        (
          await db.all(
            sqlStatement(db, sql<{ id: number }>`SELECT subject_id AS id FROM webhook_events WHERE kind = 'expiring'`),
            {},
          )
        ).map(({ id }) => id);
      const expiresAt = new Date(clock.nowMs() + 10 * DAY_MS).toISOString();
      // Neither where there is none, nor where it is switched off.
      for (const add of [async () => {}, () => addWebhook(db, clock, false)]) {
        await add();
        await tellOn((await insert({ expiresAt })).id, 3);
        expect(await queued()).toEqual([]);
      }
      await addWebhook(db, clock, true);
      const { id } = await insert({ expiresAt });
      expect(await tellOn(id, 0, 3)).toEqual([[3, "expiring"]]);
      expect((await queued()).filter((one) => one === id)).toEqual([id]);
    });

    test("a notice names the key, its dealer, when it ends, and its user", async () => {
      const { insert, clock, tellOn, told } = begin();
      const users = makeUserRepository(db, () => {});
      const user = made(await users.insert(userFields({ dealerId: dealer }), clock.now(), OPERATOR));
      const { id, name } = await insert({ userId: user.id });
      await tellOn(id, 16);
      expect(told.find(({ keyId }) => keyId === id)).toEqual({
        keyId: id,
        name,
        dealerId: dealer,
        kind: "idle",
        endsAt: new Date(clock.nowMs() + 30 * DAY_MS).toISOString(),
        receiver: { userId: user.id, name: user.name, email: user.email },
      });
      // Its owner is told instead, if it has one. Nobody is told for a user who left.
      const owned = await insert({ userId: user.id, ownerEmail: "owner@harbor.example.com" });
      await db.migrate(async (run) => void (await run(`UPDATE users SET active = 0 WHERE id = ${user.id}`)));
      const left = await insert({ userId: user.id });
      await tellOn(owned.id, 16);
      const receiverOf = (key: number) => told.find(({ keyId }) => keyId === key)?.receiver;
      expect([receiverOf(owned.id), receiverOf(left.id)]).toEqual([
        { userId: null, name: "", email: "owner@harbor.example.com" },
        null,
      ]);
    });

    test("the answer says when one that nobody uses is switched off, until it is used or changed", async () => {
      const { clock, keys, insert, use, tellOn, read } = begin();
      const { id } = await insert();
      const other = await insert();
      const isListed = async (key: number) => {
        const page = { limit: 100, offset: 0 };
        const { items } = await keys.list({ visibility: EVERYTHING, filter: { isUnused: true }, page });
        return items.some((one) => one.id === key);
      };
      const ends = async (key: number) => presentKey(await read(key), clock.now()).idle_ends_at;
      expect([await ends(id), await isListed(id)]).toEqual([null, false]);
      const start = clock.nowMs();
      await tellOn(id, 16);
      expect([await ends(id), await isListed(id)]).toEqual([new Date(start + 30 * DAY_MS).toISOString(), true]);
      clock.set(start + 20 * DAY_MS);
      await use(id);
      expect([await ends(id), await isListed(id)]).toEqual([null, false]);
      expect(await ends(other.id)).toBe(new Date(start + 30 * DAY_MS).toISOString());
      clock.set(start);
      await tellOn(other.id, 30);
      expect([await ends(other.id), await isListed(other.id)]).toEqual([null, true]);
    });

    test("one that is used after its notice stays, and is noted anew once it is not used again", async () => {
      const { clock, insert, use, tellOn, read } = begin();
      const { id } = await insert();
      const start = clock.nowMs();
      expect(await tellOn(id, 16)).toEqual([[16, "idle"]]);
      clock.set(start + 20 * DAY_MS);
      await use(id);
      expect(await tellOn(id, 10, 15.9, 16, 29.9)).toEqual([[16, "idle"]]);
      expect(await read(id)).toMatchObject({ active: true });
      expect(await tellOn(id, 30)).toEqual([[30, "switched-off"]]);
    });

    test("one that was idle long before has 14 days from its notice", async () => {
      const { insert, tellOn } = begin();
      const { id } = await insert();
      expect(await tellOn(id, 100, 113.9, 114)).toEqual([
        [100, "idle"],
        [114, "switched-off"],
      ]);
    });

    test("one that was activated again has no reason any more, and its days begin anew", async () => {
      const { clock, keys, insert, tellOn, read } = begin();
      const { id } = await insert();
      expect(await tellOn(id, 16, 30)).toHaveLength(2);
      clock.advance(40 * DAY_MS);
      const seen = await read(id);
      const fields = { ...seen, active: true, endedBy: null, disabledReason: null };
      await changeStoredKey(keys, seen, { does: "change", fields, now: clock.now() });
      expect(await tellOn(id, 0, 15.9, 16)).toEqual([[16, "idle"]]);
    });

    test("one of the first start, one that expired, and any where the operator sets no days are left alone", async () => {
      const { clock, keys, insert, tellOn } = begin();
      await keys.setBootstrap(keyFields(), newSecret(), clock.now());
      const [first] = await db.all(
        sqlStatement(db, sql<{ id: number }>`SELECT id FROM api_keys WHERE bootstrap = 1`),
        {},
      );
      expect(first).toBeDefined();
      expect(await tellOn(first?.id ?? 0, 16, 30, 60)).toEqual([]);
      const expired = await insert({ expiresAt: new Date(clock.nowMs() + 10 * DAY_MS).toISOString() });
      expect(await tellOn(expired.id, 16, 30, 60)).toEqual([[16, "expiring"]]);
      const unwatched = begin(null);
      const { id } = await unwatched.insert();
      expect(await unwatched.tellOn(id, 16, 30, 100)).toEqual([]);
    });

    test("one is noted and switched off without any other, and not again for a notice from before its last use", async () => {
      const own = await engine.open();
      const [keys, lives] = [makeKeyRepository(own, () => {}), makeKeyLives(own, () => {})];
      const day = (days: number) => momentAfter(days * DAY_MS);
      const insert = async (fields: Parameters<typeof keyFields>[0]) =>
        made(await keys.insert({ key: keyFields(fields), secret: newSecret(), now: MOMENT, by: OPERATOR })).id;
      const due = await insert({});
      const expiring = await insert({ expiresAt: day(40) });
      const expired = await insert({ expiresAt: day(10) });
      const [again, used] = [await insert({}), await insert({})];
      await insert({ active: false, expiresAt: day(40) });
      const use = async (keyId: number, at: string) => {
        const uses = [{ keyId, at, address: null, user_agent: null }];
        const batch = { number: 1, hours: [], uses, denials: [], oldSecrets: [] };
        await makeUsageStore(own).add(`a process on ${at}`, batch, at);
      };
      await use(used, day(15));
      await addWebhook(own, fakeClock(), true);
      const state = async (): Promise<NamedRows> => {
        const stored = await own.selectFrom("api_keys").selectAll().execute();
        const events = await own.selectFrom("webhook_events").selectAll().where("kind", "=", "expiring").execute();
        return new Map([
          ...stored.map((row) => [`key ${row.id}`, JSON.stringify(row)] as const),
          ...events.map((row) => [`event of key ${row.subject_id}`, JSON.stringify(row)] as const),
        ]);
      };
      const changedBy = (step: () => Promise<unknown>) => changedRows(state, step);

      const noteIdle = (on: number) => () =>
        lives.noteIdle({ since: day(on - 16), now: day(on), endsAt: day(on + 14) });
      expect(await changedBy(noteIdle(16))).toEqual([due, expiring, again].map((id) => `key ${id}`));
      expect(await changedBy(noteIdle(17))).toEqual([]);
      const noteExpiring = () => lives.noteExpiring({ days: 30, since: day(8), until: day(40), now: day(10) });
      // The expired one was made too late for this notice.
      expect(await changedBy(noteExpiring)).toEqual([`event of key ${expiring}`, `key ${expiring}`, `key ${expired}`]);
      await use(again, day(20));
      const switchOff = (on: number) => () =>
        lives.switchOffIdle({ since: day(on - 30), notedBy: day(on - 14), now: day(on) });
      expect(await changedBy(switchOff(30))).toEqual([`key ${due}`, `key ${expiring}`]);
      expect(await changedBy(switchOff(52))).toEqual([]);
      expect(await changedBy(noteIdle(52))).toEqual([`key ${again}`, `key ${used}`]);
      await own.close();
    });
  });
