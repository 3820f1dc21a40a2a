import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeUsageStore } from "../../adapters/sql/usage/store.ts";
import type { Core } from "../../app/compose-core.ts";
import type { Principal } from "../../core/access/principal.ts";
import { hourOf } from "../../core/clock.ts";
import { presentKey } from "../../core/keys/key.ts";
import { requestsOf } from "../../core/keys/refusals.ts";
import { dealerKey, superAdminKey } from "../core/callers.ts";
import { newDealerBody, newKeyBody, newUserBody, succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { accountsOn, coreOn } from "../support/core.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { denial } from "../support/usage.ts";

setDefaultTimeout(300_000);

const HOUR_MS = 3_600_000;
const START_MS = Date.parse("2026-11-20T09:11:00.000Z");
const DAY_MS = 24 * HOUR_MS;

for (const engine of ENGINES)
  describe(`usage of keys that move to another dealer, on ${engine.name}`, () => {
    const admin = superAdminKey();
    const clock = fakeClock(START_MS);
    let db: TestDatabase;
    let core: Core;
    let leaving: ReturnType<typeof accountsOn>["leaving"];
    let emails = 0;

    beforeAll(async () => {
      db = await engine.open();
      core = coreOn(db, clock);
      leaving = accountsOn(core, { db, clock }).leaving;
    });
    afterAll(() => db.close());

    const newDealer = async () => succeeded(await core.dealers.create(admin, newDealerBody("A dealer"))).id;
    const newUser = async (dealer_id: number) =>
      succeeded(await core.users.create(admin, newUserBody(`kim-${++emails}@example.com`, { dealer_id }))).id;
    const newKey = async (fields: object) =>
      succeeded(await core.keys.create(admin, newKeyBody({ ...fields }))).record.id;
    const put = async (id: number, fields: object) => succeeded(await core.keys.update(admin, id, fields));

    const use = (keyId: number, from: string): void => {
      const { meter } = core.usageWritten;
      meter.count(keyId, "denied");
      meter.recordClient(keyId, from, from);
      meter.deny(keyId, denial({ address: from }));
    };
    const NEVER_REFUSED = { refused: 0, day: 0, isFoundRefused: false };
    /** Everything a caller can read about the use of one key, and of all keys. */
    const usageSeenBy = async (id: number, to: Principal) => {
      const usage = succeeded(await core.usage.read(to, id, {}));
      const [line] = succeeded(await core.usage.sparklines(to, [id]));
      const listed = succeeded(await core.keys.list(to, { sort: "last_used", limit: 100 })).items;
      const refused_since = clock.after(-DAY_MS / 1000);
      const listedAsRefused = succeeded(await core.keys.list(to, { refused_since, limit: 100 })).items;
      return {
        requests: usage.hours.reduce((sum, hour) => sum + requestsOf(hour), 0),
        line: line?.hours.reduce((sum, count) => sum + count, 0),
        refused: line?.refused.reduce((sum, count) => sum + count, 0),
        day: (await core.usage.addLastDays(to, [{ id }]))[0]?.refused_24h,
        isFoundRefused: listedAsRefused.some((key) => key.id === id),
        from: usage.last_use?.user_agent ?? null,
        denials: usage.recent_denials.map(({ address }) => address),
        wasUsed: [succeeded(await core.keys.get(to, id)), ...listed.filter((key) => key.id === id)].map(
          ({ lastUsedAt }) => lastUsedAt !== null,
        ),
      };
    };
    const NOTHING = { requests: 0, line: 0, ...NEVER_REFUSED, from: null, denials: [], wasUsed: [false, false] };
    const total = async (to: Principal): Promise<number> =>
      succeeded(await core.overview.read(to)).requests.reduce((sum, hour) => sum + requestsOf(hour), 0);

    /** A key at the first dealer, and what moves it to the second. */
    const MOVES: Readonly<Record<string, (from: number, to: number) => Promise<[number, () => Promise<unknown>]>>> = {
      "by a new binding": async (dealer_id, to) => {
        const key = await newKey({ dealer_id });
        return [key, () => put(key, { dealer_id: to })];
      },
      "to a user there": async (dealer_id, to) => {
        const key = await newKey({ dealer_id });
        return [key, async () => put(key, { dealer_id: null, user_id: await newUser(to) })];
      },
      "with its user": async (dealer_id, to) => {
        const user_id = await newUser(dealer_id);
        const key = await newKey({ user_id });
        return [key, async () => succeeded(await core.users.update(admin, user_id, { dealer_id: to }))];
      },
      "to a new owner when its user leaves": async (dealer_id, to) => {
        const user = await newUser(dealer_id);
        const key = await newKey({ user_id: user });
        const newOwner = await newUser(to);
        return [
          key,
          async () => succeeded(await leaving.leave(admin, user, { keys: "transfer", to_user_id: newOwner })),
        ];
      },
    };

    for (const [name, prepare] of Object.entries(MOVES))
      for (const isWritten of [true, false])
        test(`stays with the old dealer if a key moves ${name}, ${isWritten ? "stored" : "in memory"}`, async () => {
          clock.advance(DAY_MS);
          const [north, south] = [await newDealer(), await newDealer()];
          const [atNorth, atSouth] = [dealerKey(north), dealerKey(south)];
          const [key, move] = await prepare(north, south);
          use(key, "north, an hour ago");
          await core.usageWritten.write();
          clock.advance(HOUR_MS);
          use(key, "north, right before");
          if (isWritten) await core.usageWritten.write();
          await move();
          expect(await usageSeenBy(key, atSouth)).toEqual(NOTHING);
          expect(await total(atSouth)).toBe(0);
          // The recorded last use is at most a minute old.
          const past = {
            requests: 2,
            line: 2,
            refused: 2,
            day: 2,
            isFoundRefused: true,
            from: "north, right before",
            denials: ["north, right before", "north, an hour ago"],
            wasUsed: [true, true],
          };
          expect(await usageSeenBy(key, admin)).toEqual(past);
          // The hour of the move has requests of both dealers, and is in neither's totals.
          expect(await total(atNorth)).toBe(1);

          clock.advance(HOUR_MS);
          use(key, "south");
          expect(await usageSeenBy(key, atSouth)).toMatchObject({
            requests: 1,
            line: 1,
            from: "south",
            denials: ["south"],
          });
          expect([await total(atNorth), await total(atSouth)]).toEqual([1, 1]);
          await core.usageWritten.write();
          expect(await usageSeenBy(key, atSouth)).toMatchObject({
            requests: 1,
            line: 1,
            from: "south",
            denials: ["south"],
          });
          expect([await total(atNorth), await total(atSouth)]).toEqual([1, 1]);
        });

    test("of an old secret stays with the old dealer, but that of the day of the move with neither", async () => {
      clock.advance(DAY_MS);
      const [north, south] = [await newDealer(), await newDealer()];
      const key = await newKey({ dealer_id: north });
      succeeded(await core.keys.rotate(admin, key, { grace_seconds: 3 * 86_400 }));
      const [old] = await queryDatabase<{ hash: string }>(
        db.url,
        `SELECT hash FROM key_secrets WHERE key_id = ${key} AND ends_at IS NOT NULL`,
      );
      const seenBy = async (to: Principal) => {
        const found = presentKey(succeeded(await core.keys.get(to, key)), clock.now());
        const [listed] = succeeded(await core.keys.list(to, {})).items.filter(({ id }) => id === key);
        expect(listed && presentKey(listed, clock.now())).toEqual(found);
        return [found.grace_last_used_at, found.grace_uses_today];
      };
      const countOld = async (): Promise<string> => {
        core.usageWritten.meter.countOldSecret(old?.hash ?? "");
        await core.usageWritten.write();
        return clock.now();
      };
      const atNorth = await countOld();
      expect(await seenBy(dealerKey(north))).toEqual([atNorth, 1]);
      await put(key, { dealer_id: south });
      expect([await seenBy(dealerKey(south)), await seenBy(admin)]).toEqual([
        [null, 0],
        [atNorth, 1],
      ]);
      clock.advance(1000);
      const sameDay = await countOld();
      expect([await seenBy(dealerKey(south)), await seenBy(admin)]).toEqual([
        [sameDay, 0],
        [sameDay, 2],
      ]);
      clock.advance(DAY_MS);
      const nextDay = await countOld();
      expect(await seenBy(dealerKey(south))).toEqual([nextDay, 1]);
    });

    test("is unaffected if another key moves", async () => {
      const [north, south] = [await newDealer(), await newDealer()];
      const [staying, moving] = [await newKey({ dealer_id: north }), await newKey({ dealer_id: north })];
      for (const key of [staying, moving]) use(key, "north");
      await core.usageWritten.write();
      const before = await usageSeenBy(staying, dealerKey(north));
      clock.advance(HOUR_MS);
      await put(moving, { dealer_id: south });
      expect(before.requests).toBe(1);
      expect(await usageSeenBy(staying, dealerKey(north))).toEqual(before);
    });

    test("from the time without a dealer is hidden from a later dealer", async () => {
      const south = await newDealer();
      const key = await newKey({});
      use(key, "an operator");
      await core.usageWritten.write();
      await put(key, { dealer_id: south });
      expect(await usageSeenBy(key, dealerKey(south))).toEqual(NOTHING);
    });

    test("counts once for each of a key's periods at a dealer, even if the key returns", async () => {
      clock.advance(DAY_MS);
      const [north, south] = [await newDealer(), await newDealer()];
      const key = await newKey({ dealer_id: north });
      for (const dealer_id of [south, north, south, north]) {
        use(key, "somebody");
        await core.usageWritten.write();
        clock.advance(HOUR_MS);
        await put(key, { dealer_id });
        // Away and back within the hour.
        await put(key, { dealer_id: dealer_id === north ? south : north });
        await put(key, { dealer_id });
        clock.advance(HOUR_MS);
      }
      expect(await Promise.all([north, south].map((dealer) => total(dealerKey(dealer))))).toEqual([2, 2]);
      expect(await usageSeenBy(key, dealerKey(north))).toMatchObject({ requests: 0, from: null });
    });

    test("shows no address from before the move together with a use right after it", async () => {
      const [north, south] = [await newDealer(), await newDealer()];
      const key = await newKey({ dealer_id: north });
      use(key, "north");
      await put(key, { dealer_id: south });
      clock.advance(500);
      core.usageWritten.meter.count(key, "served");
      const { last_use } = succeeded(await core.usage.read(dealerKey(south), key, {}));
      expect(last_use).toEqual({ at: clock.now(), address: null, user_agent: null });
    });

    test("stays visible after changes that keep the dealer, and after a move of another user", async () => {
      const [north, south] = [await newDealer(), await newDealer()];
      const [user, other] = [await newUser(north), await newUser(north)];
      const key = await newKey({ dealer_id: north });
      use(key, "north");
      await put(key, { name: "Renamed" });
      await put(key, { dealer_id: null, user_id: user });
      await put(key, { user_id: other });
      succeeded(await core.users.update(admin, user, { dealer_id: south }));
      succeeded(await core.users.update(admin, other, { name: "Renamed" }));
      expect(await usageSeenBy(key, dealerKey(north))).toMatchObject({
        requests: 1,
        from: "north",
        denials: ["north"],
      });
    });

    test("from before the move stays hidden if the clock is set back", async () => {
      const [north, south, east] = [await newDealer(), await newDealer(), await newDealer()];
      const key = await newKey({ dealer_id: north });
      clock.advance(HOUR_MS);
      await put(key, { dealer_id: south });
      clock.advance(-HOUR_MS);
      use(key, "south");
      await put(key, { dealer_id: east });
      expect(await usageSeenBy(key, dealerKey(east))).toEqual(NOTHING);
      clock.advance(HOUR_MS);
    });

    test("counts as idle since the key's move, not since its use at another dealer", async () => {
      const [north, south] = [await newDealer(), await newDealer()];
      const key = await newKey({ dealer_id: north });
      clock.advance(80 * DAY_MS);
      await put(key, { dealer_id: south });
      const idle = async () => succeeded(await core.overview.read(dealerKey(south))).idle_total;
      clock.advance(30 * DAY_MS);
      expect(await idle()).toBe(0);
      clock.advance(70 * DAY_MS);
      expect(await idle()).toBe(1);
    });

    test("is deleted together with the periods at a dealer, and none that ends later", async () => {
      const [north, south] = [await newDealer(), await newDealer()];
      const key = await newKey({ dealer_id: north });
      // The period ends with the hour before that of the move.
      const end = hourOf(clock.now());
      await put(key, { dealer_id: south });
      const kept = async () =>
        (await queryDatabase<{ key_id: number }>(db.url, "SELECT key_id FROM past_bindings")).some(
          ({ key_id }) => key_id === key,
        );
      await makeUsageStore(db).removeBefore(end);
      expect(await kept()).toBe(true);
      for (const isKept of [true, false]) {
        await core.usageWritten.writeAndClean();
        expect(await kept()).toBe(isKept);
        clock.advance(91 * DAY_MS);
      }
    });
  });
