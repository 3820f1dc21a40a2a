import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { Row } from "../../adapters/sql/query/tables.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { makeRecentChangeRepository } from "../../adapters/sql/recent-changes/repository.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { StoredChange } from "../../core/recent-changes/recent-change.ts";
import type { ReversalStep } from "../../core/recent-changes/recent-change-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

const EVERYTHING = { visibility: "everything", since: MOMENT } as const;
const FURTHER = 99;

for (const engine of ENGINES)
  describe(`recent changes on ${engine.name}`, () => {
    let db: SqlDatabase;
    let north = 0;
    let south = 0;
    const repository = () => makeRecentChangeRepository(db, { words: vehicleWordsIn(db), pause: nextTurn });

    const store = (rows: readonly Pick<Row<"recent_changes">, "id" | "dealer_id" | "at">[]) =>
      db.write((tx) =>
        tx
          .insertInto("recent_changes")
          .values(
            rows.map((row) => ({
              ...row,
              ...({ kind: "bulk", actor: JSON.stringify({ name: "Service" }), fields: '{"price":1}' } as const),
              ...{ vehicles: 2, revertible: 2, vehicle_id: 1 },
            })),
          )
          .execute(),
      );

    beforeAll(async () => {
      db = await engine.open();
      const dealers = makeDealerRepository(db);
      north = (await dealers.insert(dealerFields(), OPERATOR)).id;
      south = (await dealers.insert(dealerFields(), OPERATOR)).id;
      await store([
        { id: "shared", dealer_id: north, at: momentAfter(1000) },
        { id: "shared", dealer_id: south, at: momentAfter(1000) },
        { id: "north-1", dealer_id: north, at: momentAfter(2000) },
        { id: "north-2", dealer_id: north, at: momentAfter(2000) },
        { id: "south", dealer_id: south, at: momentAfter(3000) },
        { id: "at-the-bound", dealer_id: north, at: MOMENT },
        { id: "older", dealer_id: south, at: momentAfter(-1) },
      ]);
      await db.write((tx) =>
        tx
          .insertInto("audit_entries")
          .values(
            (
              [
                ["shared", "vehicles", 11, north],
                ["shared", "vehicles", 12, north],
                ["shared", "vehicles", 12, north],
                ["shared", "vehicles", 13, south],
                ["shared", "dealers", north + FURTHER, north],
                ["shared", null, north + FURTHER + 1, north],
                ["north-1", "vehicles", 14, north],
                [null, "vehicles", 15, north],
              ] as const
            ).map(([change_id, resource, resource_id, dealer_id]) => ({
              ...{ change_id, resource, resource_id, dealer_id, created_at: momentAfter(1000) },
              ...({ actor_name: "Service", via: "service", action: "vehicle.changed" } as const),
            })),
          )
          .execute(),
      );
    });
    afterAll(() => db.close());

    test("are those of the dealer in scope and of the dealer that is asked for, since the given time, newest first", async () => {
      for (const [scope, dealerId, expected] of [
        [null, null, ["south", "north-2", "north-1", "shared"]],
        [north, null, ["north-2", "north-1", "shared"]],
        [null, south, ["south", "shared"]],
        [south, south, ["south", "shared"]],
        [north, south, []],
      ] as const) {
        const read = { ...EVERYTHING, scope, dealerId };
        const all = await repository().list({ ...read, limit: 10, after: null });
        expect([scope, dealerId, all.map(({ id }) => id)]).toEqual([scope, dealerId, [...expected]]);
        expect(await repository().count(read)).toBe(expected.length);
      }
    });

    test("go on after the change that was named, also among changes of one time", async () => {
      const read = { ...EVERYTHING, scope: null, dealerId: null };
      const after = { at: momentAfter(2000), id: "north-2" };
      const next = async (limit: number) => (await repository().list({ ...read, limit, after })).map(({ id }) => id);
      expect([await next(10), await next(1)]).toEqual([
        ["north-1", "shared"],
        ["north-1", "shared"],
      ]);
    });

    test("count the vehicles of the dealers in scope alone", async () => {
      const found = async (id: string, scope: number | null) =>
        (await repository().find(id, { ...EVERYTHING, scope }))?.vehicles ?? null;
      expect([await found("shared", null), await found("shared", north), await found("north-1", north)]).toEqual([
        4, 2, 2,
      ]);
      for (const [id, scope] of [
        ["south", north],
        ["older", null],
        ["at-the-bound", null],
      ] as const)
        expect([id, await found(id, scope)]).toEqual([id, null]);
    });

    test("name the vehicles that they changed, of the dealer in scope, in the order of their ids", async () => {
      const of = (scope: number | null, after = 0, limit = 10) =>
        repository().vehiclesOf("shared", scope, { after, limit });
      expect(await of(null)).toEqual([11, 12, 13]);
      expect(await of(north)).toEqual([11, 12]);
      expect(await of(south)).toEqual([13]);
      expect(await of(null, 11)).toEqual([12, 13]);
      expect(await of(null, 0, 2)).toEqual([11, 12]);
    });

    test("are forgotten at once up to a number, with as much of them as is old", async () => {
      const old = Array.from({ length: 21 }, (_, place) => `old-${String(place).padStart(2, "0")}`);
      const long = momentAfter(-40_000);
      await store([
        ...old.map((id) => ({ id, dealer_id: north, at: long })),
        { id: "old-00", dealer_id: south, at: momentAfter(9000) },
      ]);
      const left = async () =>
        (await db.selectFrom("recent_changes").select(["id", "dealer_id"]).where("id", "like", "old-%").execute())
          .map(({ id, dealer_id }) => `${id} ${dealer_id === north ? "north" : "south"}`)
          .sort();
      const sales = [long, momentAfter(9000)].map((at) => ({ vehicle_id: FURTHER, at, dealer_id: north }));
      await db.write((tx) => tx.insertInto("ended_sales").values(sales).execute());
      await repository().purgeSome(long);
      expect(await left()).toEqual(["old-00 south", "old-20 north"]);
      expect(await db.selectFrom("ended_sales").select("at").execute()).toEqual([{ at: momentAfter(9000) }]);
      await repository().purgeSome(long);
      expect(await left()).toEqual(["old-00 south"]);
      expect(await repository().purgeSome(long)).toBe(0);
    });

    describe("are reverted for the dealer in scope", () => {
      const CHANGE = { id: "reverted", at: momentAfter(10_000_000) };
      const at = (seconds: number): string => momentAfter(10_000_000 + seconds * 1000);
      const long = momentAfter(1000);
      const change: StoredChange = {
        ...CHANGE,
        ...{
          kind: "bulk",
          by: { type: "service", id: null, name: "Service" },
          vehicles: 3,
          revertible: 3,
          vehicleId: null,
        },
        ...{ fields: ["price"], reverts: null, revertedAt: null, revertedBy: null },
      };
      const by = { ...OPERATOR, change: { id: "reversal", kind: "reversal", at: at(100) } } as const;
      const [own, former, others, theirs] = [0, 1, 2, 3];
      const ids: number[] = [];
      const idOf = (place: number): number => ids[place] ?? 0;

      const within = <Result>(scope: number | null, work: (step: ReversalStep) => Promise<Result>) =>
        repository().revertPart({ change, scope, now: at(100), by }, work);

      beforeAll(async () => {
        const vehicles = makeVehicleRepository(db);
        for (const dealer of [north, north, north, south])
          ids.push(
            made(
              await vehicles.insert(vehicleFields(dealer, { price: 900, status: "sold", sold_at: MOMENT }), OPERATOR),
            ).id,
          );
        await store([
          { id: CHANGE.id, dealer_id: north, at: CHANGE.at },
          { id: CHANGE.id, dealer_id: south, at: CHANGE.at },
          { id: "next", dealer_id: north, at: CHANGE.at },
        ]);
        const ofChange = JSON.stringify({ name: "Service", changeId: CHANGE.id });
        const history = [
          [own, at(0), "price", north, "100000", "90000", ofChange],
          [own, at(0), "mileage", north, "6", "7", null],
          [own, at(-1), "price", north, "110000", "100000", null],
          [own, at(-2), "price", null, "3", "1", null],
          [own, at(-3), "price", north, "115000", "110000", null],
          [own, at(20), "status", south, "available", "sold", ofChange],
          [own, at(-9), "dealer_id", null, String(south), String(north), null],
          [own, at(-10), "price", north, "130000", "110000", null],
          [own, at(4), "mileage", north, "7", "8", null],
          [own, at(5), "price", south, "5", "6", null],
          [former, at(0), "price", north, "100000", "90000", ofChange],
          [former, at(-1), "price", north, "120000", "100000", null],
          [former, at(1), "dealer_id", null, String(north), String(south), null],
          [former, at(2), "dealer_id", null, String(south), String(north), null],
          [others, at(0), "price", north, "100000", "90000", null],
          [others, at(6), "price", north, "6", "7", null],
          [others, at(0), "stage", north, "reserved", null, ofChange],
          [others, at(0), "status", north, "sold", "available", ofChange],
          [theirs, at(0), "price", south, "100000", "90000", ofChange],
          [theirs, at(-5), "price", north, "140000", "100000", null],
        ] as const;
        await db.write(async (tx) => {
          for (const [place, when, field, dealer_id, old_value, new_value, actor] of history)
            await tx
              .insertInto("vehicle_history")
              .values({ vehicle_id: idOf(place), at: when, field, dealer_id, old_value, new_value, actor })
              .execute();
          const entry = {
            resource: "vehicles",
            actor_name: "Service",
            via: "service",
            action: "vehicle.changed",
          } as const;
          for (const [place, created_at, dealer_id, before, resource] of [
            [own, at(0), north, '{"price":1000}', "vehicles"],
            [own, long, north, '{"price":1}', "vehicles"],
            [own, at(0), south, '{"price":2}', "vehicles"],
            [own, at(0), north, '{"price":3}', "users"],
            [others, at(0), north, '{"price":4}', "vehicles"],
            [theirs, at(0), south, '{"price":5}', "vehicles"],
          ] as const)
            await tx
              .insertInto("audit_entries")
              .values({
                ...entry,
                resource,
                resource_id: idOf(place),
                created_at,
                dealer_id,
                before,
                change_id: CHANGE.id,
              })
              .execute();
          for (const [place, made_at, dealer_id, present, sold_cents] of [
            [own, momentAfter(-2000), north, 0, 1],
            [own, momentAfter(-1000), south, 0, 2],
          ] as const)
            await tx
              .insertInto("vehicle_sales")
              .values({ vehicle_id: idOf(place), made_at, dealer_id, present, sold_cents, listed_at: MOMENT })
              .execute();
          await tx.updateTable("vehicle_sales").set({ sold_cents: 90_000 }).where("present", "=", 1).execute();
          for (const [place, dealer_id, note] of [
            [own, north, "not of the change"],
            [others, north, "of the change"],
            [theirs, south, "of another dealer"],
          ] as const)
            await tx
              .insertInto("ended_sales")
              .values({ vehicle_id: idOf(place), at: at(0), dealer_id, note })
              .execute();
          for (const [place, change_id, before] of [
            [own, CHANGE.id, '{"description":"own"}'],
            [own, "next", '{"description":"of another change"}'],
            [others, "next", '{"description":"of another change"}'],
            [theirs, CHANGE.id, '{"description":"theirs"}'],
          ] as const)
            await tx
              .insertInto("replaced_values")
              .values({ vehicle_id: idOf(place), change_id, before })
              .execute();
        });
      });

      const told = async (scope: number | null) => {
        const trails = await within(scope, (step) => step.trails([idOf(own), idOf(others), idOf(theirs)]));
        return trails.map(({ id, present, shown, entries, replaced, clearedStage, endedSale }) => [
          ids.indexOf(id),
          present?.id === id,
          shown.sold_price ?? null,
          (entries ?? []).map(({ before }) => before?.price),
          replaced.description ?? null,
          clearedStage,
          endedSale?.note ?? null,
        ]);
      };

      test("by what the change and all since did to each vehicle, and to no other", async () => {
        expect(await told(north)).toEqual([
          [own, true, 900, [1000], "own", null, null],
          [others, true, 900, [4], null, "reserved", "of the change"],
          [theirs, false, null, [], null, null, null],
        ]);
        expect(await told(null)).toEqual([
          [own, true, 900, [1000, 2], "own", null, null],
          [others, true, 900, [4], null, "reserved", "of the change"],
          [theirs, true, 900, [5], "theirs", null, null],
        ]);
      });

      test("with what was entered of the sale and the former price of that vehicle, and of no other", async () => {
        const state = async () => {
          const named = <Kept extends { readonly vehicle_id: number }>(rows: readonly Kept[]) =>
            rows.map(({ vehicle_id, ...row }) => [ids.indexOf(vehicle_id), ...Object.values(row)]);
          const columns = ["id as vehicle_id", "previous_price_cents", "price_changed_at"] as const;
          return {
            prices: named(await db.selectFrom("vehicles").select(columns).orderBy("id").execute()),
            sales: named(
              await db
                .selectFrom("vehicle_sales")
                .select(["vehicle_id", "sold_cents"])
                .orderBy("vehicle_id")
                .orderBy("made_at")
                .execute(),
            ),
            pairs: named(
              await db
                .selectFrom("vehicle_history")
                .select(["vehicle_id", "at", "field"])
                .where("pair_dealer_id", "is not", null)
                .orderBy("vehicle_id")
                .execute(),
            ),
            reverted: await db
              .selectFrom("recent_changes")
              .select(["id", "dealer_id"])
              .where("reverted_at", "is not", null)
              .execute(),
          };
        };
        const revert = (place: number, dealer_id: number) =>
          within(null, async (step) => {
            const [trail] = await step.trails([idOf(place)]);
            if (trail?.present == null) throw new Error("the vehicle is not there");
            const sale = { sold_price: 500 };
            const reversal = { outcome: "reverted", fields: ["price"], changes: {}, sale, resumedSale: null } as const;
            return step.revert({ ...trail, present: { ...trail.present, dealer_id } }, reversal, []);
          });
        const before = await state();
        const untouched = { others: before.prices[others], theirs: before.prices[theirs] };
        expect(await revert(own, north)).toBe(true);
        expect(await state()).toEqual({
          prices: [[own, 110_000, at(-1)], before.prices[former] ?? [], untouched.others ?? [], untouched.theirs ?? []],
          sales: before.sales.map((sale) => (sale[0] === own && sale[1] === 90_000 ? [own, 50_000] : sale)),
          pairs: [[own, at(0), "price"]],
          reverted: [{ id: CHANGE.id, dealer_id: north }],
        });
        expect(await revert(former, north)).toBe(true);
        expect((await state()).prices[former]).toEqual([former, null, null]);
        // Whatever the part believes, nothing changes at another dealer.
        const present = await state();
        await revert(theirs, north);
        expect(await state()).toEqual(present);
      });
    });
  });
