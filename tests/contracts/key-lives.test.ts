import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeKeyLives } from "../../adapters/sql/keys/lives.ts";
import { makeKeyRepository } from "../../adapters/sql/keys/repository.ts";
import { param, sqlStatement } from "../../adapters/sql/query/statement.ts";
import { makeUserRepository } from "../../adapters/sql/users/repository.ts";
import { type KeyNotice, makeKeyLife } from "../../core/keys/life.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES, openTwice, type TestDatabase } from "../support/engines.ts";
import { dealerFields, keyFields, made, newSecret, OPERATOR, userFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const DAY_MS = 86_400_000;
const EVERYTHING = "everything";

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
        user: { id: user.id, name: user.name, email: user.email },
      });
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
      await keys.update({ seen, visibility: EVERYTHING, fields, now: clock.now(), by: OPERATOR });
      expect(await tellOn(id, 0, 15.9, 16)).toEqual([[16, "idle"]]);
    });

    test("one of the first start, one that expired, and any where the operator sets no days are left alone", async () => {
      const { clock, keys, insert, tellOn } = begin();
      await keys.setBootstrap(keyFields(), newSecret(), clock.now());
      const [first] = await db.all(
        sqlStatement(db, sql<{ id: number }>`SELECT id FROM api_keys WHERE bootstrap = 1`),
        {},
      );
      const expired = await insert({ expiresAt: new Date(clock.nowMs() + 10 * DAY_MS).toISOString() });
      expect(first).toBeDefined();
      for (const id of [first?.id ?? 0, expired.id]) expect(await tellOn(id, 16, 30, 60)).toEqual([]);
      const unwatched = begin(null);
      const { id } = await unwatched.insert();
      expect(await unwatched.tellOn(id, 16, 30, 100)).toEqual([]);
    });
  });
