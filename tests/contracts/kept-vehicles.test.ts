import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { sql } from "kysely";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { sqlStatement } from "../../adapters/sql/query/statement.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { VehicleRepository } from "../../core/vehicles/vehicle-repository.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { dealerFields, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const WRITERS = 12;
const CHANGES = 20;
const CARS = 5;

const nextTurn = (): Promise<void> => new Promise((resume) => setImmediate(resume));

for (const engine of ENGINES)
  describe(`a vehicle that was read before, on ${engine.name}`, () => {
    let here: { readonly db: TestDatabase; readonly vehicles: VehicleRepository };
    let elsewhere: typeof here;
    let dealers: readonly number[];
    let now = 0;

    beforeAll(async () => {
      const open = async (url?: string) => {
        const db = await engine.open(url);
        return { db, vehicles: makeVehicleRepository(db) };
      };
      here = await open();
      elsewhere = await open(here.db.url);
      const insert = async () => (await makeDealerRepository(here.db).insert(dealerFields(), OPERATOR)).id;
      dealers = [await insert(), await insert()];
    });
    afterAll(async () => {
      await here.db.close();
      await elsewhere.db.close();
    });

    const madeAndRead = async (): Promise<number> => {
      const { id } = made(await here.vehicles.insert(vehicleFields(dealers[0] ?? 0), OPERATOR));
      // Right after a change of this process, nothing is kept yet.
      await nextTurn();
      for (const { vehicles } of [here, elsewhere]) expect(await vehicles.find(id, null)).not.toBeNull();
      return id;
    };
    const priceNow = async (at: typeof here, id: number, scope: number | null = null) =>
      (await at.vehicles.find(id, scope))?.parse().price ?? null;
    const priceOf: typeof priceNow = async (...asked) => {
      await nextTurn();
      return priceNow(...asked);
    };
    const setPrice = (at: typeof here, id: number, price: number) =>
      at.vehicles.update({
        ...{ id, scope: null, changes: { price }, versions: null, by: OPERATOR },
        now: momentAfter(++now),
      });
    const bySql = (id: number, text: string) =>
      sqlStatement<object>(here.db, sql`${sql.raw(text)} WHERE id = ${sql.lit(id)}`);

    test("is what it was changed to, whichever process changed it", async () => {
      const id = await madeAndRead();
      for (const [price, by] of [
        [1, here],
        [2, elsewhere],
        [3, elsewhere],
        [4, here],
      ] as const) {
        await setPrice(by, id, price);
        expect(await priceOf(here, id)).toBe(price);
        expect(await priceOf(elsewhere, id)).toBe(price);
      }
    });

    test("is what any other statement made of it", async () => {
      const id = await madeAndRead();
      await here.db.write(async (tx) => {
        await tx.all(bySql(id, "UPDATE vehicles SET price_cents = 700"), {});
      });
      for (const at of [here, elsewhere]) expect(await priceOf(at, id)).toBe(7);
    });

    test("is gone once it was removed", async () => {
      const id = await madeAndRead();
      await elsewhere.db.write(async (tx) => {
        await tx.all(bySql(id, "DELETE FROM vehicles"), {});
      });
      for (const at of [here, elsewhere]) expect(await priceOf(at, id)).toBeNull();
    });

    test("is what it was after a change that was undone, and while that change is under way", async () => {
      const id = await madeAndRead();
      const during: (number | null)[] = [];
      const change = here.db.write(async (tx) => {
        await tx.all(bySql(id, "UPDATE vehicles SET price_cents = 900"), {});
        for (const at of [here, elsewhere]) during.push(await priceNow(at, id));
        throw new Error("undone");
      });
      await expect(change).rejects.toThrow("undone");
      expect(during).toEqual([25_999.99, 25_999.99]);
      for (const at of [here, elsewhere]) expect(await priceOf(at, id)).toBe(25_999.99);
    });

    test("is found within its dealer's scope only, before and after it moved", async () => {
      const id = await madeAndRead();
      const [first = 0, second = 0] = dealers;
      expect(await priceOf(here, id, first)).not.toBeNull();
      expect(await priceOf(here, id, second)).toBeNull();
      await here.db.write(async (tx) => {
        await tx.all(bySql(id, `UPDATE vehicles SET dealer_id = ${second}`), {});
      });
      for (const at of [here, elsewhere]) {
        expect(await priceOf(at, id, second)).not.toBeNull();
        expect(await priceOf(at, id, first)).toBeNull();
      }
    });

    test("is never older than an acknowledged change, while twelve writers in two processes change it", async () => {
      const cars = await Promise.all(Array.from({ length: CARS }, madeAndRead));
      const acknowledged = new Map<number, string>();
      const work = async (writer: number): Promise<void> => {
        const at = writer % 2 === 0 ? here : elsewhere;
        for (let change = 0; change < CHANGES; change++) {
          const id = cars[(writer + change) % CARS] ?? 0;
          const { updated_at } = made(await setPrice(at, id, writer * 1000 + change + 1));
          if (updated_at > (acknowledged.get(id) ?? "")) acknowledged.set(id, updated_at);
          // A request comes in a turn of its own, whose reads see what was acknowledged before.
          const before = new Map(acknowledged);
          await nextTurn();
          for (const { vehicles } of [here, elsewhere])
            for (const car of cars) {
              const least = before.get(car) ?? "";
              const { updated_at: seen = "" } = (await vehicles.find(car, null)) ?? {};
              expect(seen >= least).toBe(true);
            }
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(writer)));
      for (const id of cars) {
        const { updated_at } = (await here.vehicles.find(id, null)) ?? {};
        expect(updated_at).toBe(acknowledged.get(id));
        expect(await priceOf(here, id)).toBe(await priceOf(elsewhere, id));
      }
    });
  });
