import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { makeRecentChangeRepository } from "../../adapters/sql/recent-changes/repository.ts";
import { reversalReads } from "../../adapters/sql/recent-changes/statements.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { NamedChange } from "../../core/changes/named-change.ts";
import { makeRecentChanges } from "../../core/recent-changes/recent-changes.ts";
import { dealerKey, superAdminKey } from "../core/callers.ts";
import { succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(1_800_000);

/** The number of vehicles that are reverted in one transaction. */
const PART = 20;
/** More than two parts. */
const SOME = 45;
/** Fewer on PostgreSQL, where each vehicle takes six round trips. */
const MANY = { SQLite: inGate(120, 50_000), PostgreSQL: inGate(120, 5_000) } as const;
const AT_ONCE = 50;
const ADMIN = superAdminKey({ keyId: 42, name: "Front desk" });

/** What the rows say of a change of the price from 1000 to 900: each vehicle has all of it, or nothing. */
const STATE = sql<{ changed: number; reverted: number; drops: number }>`SELECT
  (SELECT COUNT(*) FROM vehicles WHERE price_cents = 90000 AND previous_price_cents = 100000
    AND price_changed_at IS NOT NULL) AS changed,
  (SELECT COUNT(*) FROM vehicles WHERE price_cents = 100000 AND previous_price_cents IS NULL
    AND price_changed_at IS NULL) AS reverted,
  (SELECT CAST(COALESCE(SUM(price_drops), 0) AS BIGINT) FROM daily_figures) AS drops`;

const clock = fakeClock(Date.parse(momentAfter(60_000)));

const reversalsIn = (db: SqlDatabase, parts: Partial<Parameters<typeof makeRecentChanges>[0]> = {}) =>
  makeRecentChanges({
    changes: makeRecentChangeRepository(db, { words: vehicleWordsIn(db), pause: nextTurn }),
    clock,
    maxMs: 1000,
    holdsOthersUp: () => false,
    pause: nextTurn,
    isUnavailable: () => false,
    ...parts,
  });

/** Changes these vehicles as one change, some at a time. */
const changeAll = async (
  db: SqlDatabase,
  ids: readonly number[],
  change: NamedChange,
  changes: object,
): Promise<void> => {
  const vehicles = makeVehicleRepository(db);
  const one = (id: number) =>
    vehicles.update({ id, scope: null, changes, now: change.at, versions: null, by: { ...OPERATOR, change } });
  for (let start = 0; start < ids.length; start += AT_ONCE)
    await Promise.all(ids.slice(start, start + AT_ONCE).map(one));
};

/** New vehicles of a new dealer at 1000, which one change lowers to 900. */
const lowered = async (db: SqlDatabase, count: number) => {
  const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
  const vehicles = makeVehicleRepository(db);
  const ids: number[] = [];
  const next = async () => made(await vehicles.insert(vehicleFields(dealer, { price: 1000 }), OPERATOR)).id;
  while (ids.length < count)
    ids.push(...(await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - ids.length) }, next))));
  ids.sort((one, other) => one - other);
  const change: NamedChange = { id: `lowered-${dealer}`, kind: "bulk", at: momentAfter(1000) };
  await changeAll(db, ids, change, { price: 900 });
  return { dealer, ids, id: change.id };
};

for (const engine of ENGINES)
  describe(`reversals on ${engine.name}`, () => {
    let db: SqlDatabase;
    let second: SqlDatabase;
    beforeAll(async () => {
      [db, second] = await openTwice(engine);
    });
    afterAll(async () => {
      await db.close();
      await second.close();
    });

    const priceOf = async (id: number): Promise<number | undefined> =>
      (await makeVehicleRepository(db).find(id, null))?.parse().price;

    test("of many vehicles are made part by part, and other processes see each vehicle changed or reverted as a whole", async () => {
      const many = MANY[engine.name];
      const [fresh, other] = await openTwice(engine);
      const { id } = await lowered(fresh, many);
      const look = async () => {
        const state = await other.first(sqlStatement(other, STATE), {});
        return state ?? { changed: 0, reverted: 0, drops: 0 };
      };
      expect(await look()).toEqual({ changed: many, reverted: 0, drops: many });
      let pauses = 0;
      const seen: number[] = [];
      const pause = async (): Promise<void> => {
        if (pauses++ % inGate(1, 100) === 0) {
          const { changed, reverted, drops } = await look();
          expect({ all: changed + reverted, drops }).toEqual({ all: many, drops: changed });
          seen.push(reverted);
        }
        await nextTurn();
      };
      const { results, next } = succeeded(
        await reversalsIn(fresh, { pause }).revert(ADMIN, { id, mayGoOn: () => true }),
      );
      expect([results.length, next]).toEqual([many, null]);
      expect(results.filter(({ outcome }) => outcome !== "reverted")).toEqual([]);
      expect(await look()).toEqual({ changed: 0, reverted: many, drops: 0 });
      // Other work runs between any two parts, and sees how far it got.
      expect(pauses).toBe(Math.ceil(many / PART) - 1);
      expect(seen[0]).toBe(PART);
      expect(seen).toEqual(seen.toSorted((one, another) => one - another));
      await fresh.close();
      await other.close();
    });

    test("end in time or when the caller loses a right, and go on where they ended: as one change, if the caller is the same", async () => {
      const { ids, id, dealer } = await lowered(db, SOME);
      const principal = dealerKey(dealer, { keyId: 42 });
      const late = reversalsIn(db, { pause: async () => clock.advance(1001) });
      const first = succeeded(await late.revert(principal, { id, mayGoOn: () => true }));
      expect([first.total, first.next]).toEqual([PART, ids[PART - 1] ?? 0]);
      expect([await priceOf(ids[PART - 1] ?? 0), await priceOf(ids[PART] ?? 0)]).toEqual([1000, 900]);
      let asked = 0;
      const losing = () => ++asked < 1;
      const reversals = reversalsIn(db);
      const lost = succeeded(
        await reversals.revert(principal, { id, query: { after: first.next ?? 0 }, mayGoOn: losing }),
      );
      expect([lost.total, lost.next]).toEqual([PART, ids[2 * PART - 1] ?? 0]);
      expect(await priceOf(ids[2 * PART] ?? 0)).toBe(900);
      // Another caller's part is a reversal of its own.
      const colleague = dealerKey(dealer, { keyId: 43 });
      const last = succeeded(
        await reversals.revert(colleague, { id, query: { after: lost.next ?? 0 }, mayGoOn: () => true }),
      );
      expect([last.total, last.next]).toEqual([SOME - 2 * PART, null]);
      expect(lost.change_id).toBe(first.change_id);
      const { changes } = succeeded(await reversals.list(principal, {}));
      const ofKey = (key: number) => ({
        kind: "reversal",
        reverts: id,
        by: { type: "key", id: key },
        revertible: false,
      });
      expect(changes).toHaveLength(3);
      expect(changes).toContainEqual(expect.objectContaining({ id, vehicles: SOME, reverted_at: expect.any(String) }));
      expect(changes.find((one) => one.id === first.change_id)).toMatchObject({ ...ofKey(42), vehicles: 2 * PART });
      expect(changes.find((one) => one.id === last.change_id)).toMatchObject({
        ...ofKey(43),
        vehicles: SOME - 2 * PART,
      });
    });

    test("look for what happened to a vehicle by its id, however much happened to others since", async () => {
      const [fresh, other] = await openTwice(engine);
      await other.close();
      const numbers = sql`WITH RECURSIVE numbers (number) AS
        (SELECT 1000 UNION ALL SELECT number + 1 FROM numbers WHERE number < 6000)`;
      const at = sql.lit(momentAfter(2000));
      for (const filled of [
        sql<object>`INSERT INTO audit_entries (created_at, actor_name, via, action, resource, resource_id, dealer_id)
          ${numbers} SELECT ${at}, 'Service', 'service', 'vehicle.changed', 'vehicles', number, 1 FROM numbers`,
        sql<object>`INSERT INTO vehicle_history (vehicle_id, at, field, dealer_id, old_value, new_value)
          ${numbers} SELECT number, ${at}, 'price', 1, '1', '2' FROM numbers`,
      ])
        await fresh.writeOne(sqlStatement(fresh, filled), {});
      const { counted, entries, history } = reversalReads(fresh);
      const explain = engine.name === "SQLite" ? "EXPLAIN QUERY PLAN" : "EXPLAIN (COSTS OFF)";
      const values = { ids: JSON.stringify([[2000], [2001]]), since: MOMENT, scope: 1, change: "" };
      for (const [{ text, bind }, column] of [
        [counted(null), "resource_id"],
        [counted(1), "resource_id"],
        [entries(null), "resource_id"],
        [entries(1), "resource_id"],
        [history(null), "vehicle_id"],
        [history(1), "vehicle_id"],
      ] as const) {
        const rows = await fresh.all<object>({ text: `${explain} ${text}`, bind }, values);
        const steps = rows.map((row) => Object.values(row).join(" "));
        expect(steps.filter((step) => /Cond: |USING/.test(step)).join("\n")).toMatch(new RegExp(`\\b${column} ?=`));
        expect(steps.join("\n")).not.toContain("Hash");
      }
      await fresh.close();
    });

    test("by two callers at once revert each vehicle once, whoever comes first", async () => {
      const { ids, id, dealer } = await lowered(db, SOME);
      const answers = await Promise.all(
        [db, second].map((one, place) =>
          reversalsIn(one).revert(superAdminKey({ keyId: 42 + place }), { id, mayGoOn: () => true }),
        ),
      );
      const [one, other] = answers.map(
        (answer) => new Map(succeeded(answer).results.map((row) => [row.id, row.outcome])),
      );
      for (const vehicle of ids)
        expect([vehicle, ...[one?.get(vehicle), other?.get(vehicle)].sort()]).toEqual([
          vehicle,
          "reverted",
          "unchanged",
        ]);
      const state = sql<{ standing: number; pairs: number; drops: number }>`SELECT
        (SELECT COUNT(*) FROM vehicles WHERE dealer_id = ${sql.lit(dealer)} AND price_cents <> 100000) AS standing,
        (SELECT COUNT(*) FROM vehicle_history WHERE pair_dealer_id = ${sql.lit(dealer)}) AS pairs,
        (SELECT CAST(SUM(price_drops) AS BIGINT) FROM daily_figures WHERE dealer_id = ${sql.lit(dealer)}) AS drops`;
      expect(await db.first(sqlStatement(db, state), {})).toEqual({ standing: 0, pairs: 2 * SOME, drops: 0 });
    });

    test("are forgotten with their changes after 30 days, some at a time, and nothing younger with them", async () => {
      const [fresh, other] = await openTwice(engine);
      await other.close();
      const dealer = (await makeDealerRepository(fresh).insert(dealerFields(), OPERATOR)).id;
      const vehicles = makeVehicleRepository(fresh);
      const long = { description: "long ".repeat(300), status: "sold" } as const;
      const { id } = made(await vehicles.insert(vehicleFields(dealer, { ...long, sold_at: MOMENT }), OPERATOR));
      // Of a vehicle with short texts, the entry has everything, and nothing is kept besides.
      const short = made(await vehicles.insert(vehicleFields(dealer), OPERATOR)).id;
      const old = 25;
      for (let place = 0; place <= old; place++) {
        const change: NamedChange = { id: `c-${place}`, kind: "bulk", at: momentAfter((place + 1) * 1000) };
        const status = place % 2 === 0 ? "available" : "sold";
        await changeAll(fresh, place === 0 ? [id, short] : [id], change, {
          description: `${long.description}${place}`,
          status,
        });
      }
      const further = sql<object>`INSERT INTO replaced_values (change_id, vehicle_id, before)
        WITH RECURSIVE numbers (number) AS (SELECT 1000 UNION ALL SELECT number + 1 FROM numbers WHERE number < 1599)
        SELECT 'c-0', number, '{}' FROM numbers`;
      await fresh.writeOne(sqlStatement(fresh, further), {});
      const kept = sql<{ changes: number; texts: number; sales: number }>`SELECT
        (SELECT COUNT(*) FROM recent_changes) AS changes, (SELECT COUNT(*) FROM replaced_values) AS texts,
        (SELECT COUNT(*) FROM ended_sales) AS sales`;
      const now = async () => fresh.first(sqlStatement(fresh, kept), {});
      expect(await now()).toEqual({ changes: old + 1, texts: old + 601, sales: 13 });
      const repository = makeRecentChangeRepository(fresh, {
        words: vehicleWordsIn(fresh),
        pause: nextTurn,
      });
      const before = momentAfter(old * 1000);
      // The first of them has more texts than are forgotten at once, and goes last of all that it has.
      expect(await repository.purgeSome(before)).toBeGreaterThan(0);
      expect((await now())?.changes).toBe(old + 1);
      let steps = 1;
      while ((await repository.purgeSome(before)) > 0) steps++;
      expect(steps).toBe(3);
      expect(await now()).toEqual({ changes: 1, texts: 1, sales: 0 });
      const { changes } = succeeded(await reversalsIn(fresh).list(ADMIN, {}));
      expect(changes.map((one) => one.id)).toEqual([`c-${old}`]);
      await fresh.close();
    });
  });
