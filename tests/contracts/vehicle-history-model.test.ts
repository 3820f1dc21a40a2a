import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeHistoryRepository } from "../../adapters/sql/history/repository.ts";
import { makeSaleRepository } from "../../adapters/sql/history/sales.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { HISTORY_FIELDS, type HistoryField } from "../../core/history/change.ts";
import { makeHistory } from "../../core/history/history.ts";
import { makeSales } from "../../core/history/sales.ts";
import { STAGES } from "../../core/vehicles/fields.ts";
import { STATUSES, type Vehicle } from "../../core/vehicles/vehicle.ts";
import type { VehicleUpdate } from "../../core/vehicles/vehicle-repository.ts";
import { dealerKey, superAdminKey } from "../core/callers.ts";
import { succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, openTwice, type TestDatabase } from "../support/engines.ts";
import { dealerFields, made, momentAfter, OPERATOR, vehicleFields } from "../support/records.ts";
import { expectDocumentsOfAll } from "../support/vehicle-documents.ts";

setDefaultTimeout(600_000);

const DAY_MS = 86_400_000;
const WRITERS = 12;

type Value = string | number | null;

/** A change that the model remembers; `dealer` had the vehicle then, `null` for changes with a move. */
interface RememberedChange {
  readonly at: string;
  readonly field: HistoryField;
  readonly old: Value;
  readonly new: Value;
  readonly dealer: number | null;
}

interface Sold {
  readonly dealer: number;
  readonly at: string | null;
  readonly price: number | null;
  readonly first: number | null;
  readonly listed: string;
  readonly note: string | null;
  readonly present: boolean;
}

/** A vehicle's fields, changes and sales by the contract, in plain code. */
class Model {
  readonly changes: RememberedChange[] = [];
  sales: Sold[] = [];
  first: number;
  drops = 0;

  constructor(public vehicle: Vehicle) {
    this.first = vehicle.price;
    if (vehicle.status === "sold") this.#begin(vehicle.price);
  }

  #begin(first: number | null): void {
    const { dealer_id: dealer, sold_at: at, listed_at } = this.vehicle;
    this.sales.push({ dealer, at, price: null, first, listed: listed_at ?? "", note: null, present: true });
  }

  change({ sold_price: soldFor, ...changes }: VehicleUpdate, at: string): void {
    const before = this.vehicle;
    const moves = (changes.dealer_id ?? before.dealer_id) !== before.dealer_id;
    const status = changes.status ?? before.status;
    const price = changes.price ?? before.price;
    const sells = before.status !== "sold" || moves;
    const soldAt = status !== "sold" ? null : sells ? at : before.sold_at;
    this.vehicle = {
      ...before,
      ...changes,
      updated_at: at,
      stage: changes.stage !== undefined ? changes.stage : status === before.status ? before.stage : null,
      listed_at: changes.listed_at ?? (moves ? at : before.listed_at),
      sold_at: changes.sold_at ?? soldAt,
      previous_price: moves ? null : price === before.price ? before.previous_price : before.price,
      price_changed_at: moves ? null : price === before.price ? before.price_changed_at : at,
    };
    const after = this.vehicle;
    for (const field of HISTORY_FIELDS)
      if (before[field] !== after[field])
        this.changes.push({
          at,
          field,
          old: before[field],
          new: after[field],
          dealer: moves ? null : before.dealer_id,
        });
    if (moves) [this.first, this.drops] = [price, 0];
    else if (price < before.price) this.drops++;
    this.sales = this.sales
      .map((sale) => (sale.present && moves ? { ...sale, present: false } : sale))
      .filter((sale) => !sale.present || after.status === "sold")
      .map((sale) => (sale.present ? { ...sale, at: after.sold_at, listed: after.listed_at ?? "" } : sale));
    if (after.status === "sold" && !this.sales.some(({ present }) => present))
      this.#begin(before.status === "sold" ? null : this.first);
    if (soldFor !== undefined) this.describe({ sold_price: soldFor });
  }

  /** Sets the price or note of the current sale. */
  describe(changes: { sold_price?: number | null; note?: string | null }): void {
    this.sales = this.sales.map((sale) =>
      sale.present
        ? {
            ...sale,
            ...(changes.sold_price !== undefined && { price: changes.sold_price }),
            ...(changes.note !== undefined && { note: changes.note }),
          }
        : sale,
    );
  }

  /** What a dealer sees of the changes, newest first; `null` sees all. */
  seenBy(dealer: number | null): Pick<RememberedChange, "at" | "field" | "old" | "new">[] {
    const own = (value: Value) => (value === dealer ? value : null);
    return this.changes
      .filter(
        (change) =>
          dealer === null ||
          change.dealer === dealer ||
          (change.field === "dealer_id" && [change.old, change.new].includes(dealer)),
      )
      .map(({ at, field, old, new: now }) =>
        field === "dealer_id" && dealer !== null
          ? { at, field, old: own(old), new: own(now) }
          : { at, field, old, new: now },
      )
      .reverse();
  }

  /** The start of the history for the current dealer, or with `false` for a caller who sees everything. */
  since(isBound: boolean): string {
    const { dealer_id: dealer, created_at } = this.vehicle;
    const moves = this.changes.filter(({ field }) => field === "dealer_id");
    if (!isBound || (moves[0]?.old ?? dealer) === dealer) return created_at;
    return moves.find((change) => change.new === dealer)?.at ?? created_at;
  }
}

const price = fc.oneof(
  fc.constantFrom(100, 100.5),
  fc.integer({ min: 0, max: 10_000_000_000 }).map((cents) => cents / 100),
);
const changes = fc
  .record(
    {
      dealer: fc.nat(1),
      status: fc.constantFrom(...STATUSES),
      price,
      mileage: fc.option(fc.nat(2)),
      stage: fc.option(fc.nat(1)),
      seats: fc.integer({ min: 1, max: 3 }),
      listedBefore: fc.nat(100),
      soldBefore: fc.nat(50),
      soldFor: price,
    },
    { requiredKeys: [] },
  )
  .filter((sent) => Object.keys(sent).length > 0);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ changes, wait: fc.integer({ min: 1, max: 3 * DAY_MS }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        sale: fc.record({ sold_price: fc.option(price), note: fc.option(fc.string()) }, { requiredKeys: [] }),
      }),
    },
  ),
  { maxLength: 25, size: "max" },
);

for (const engine of ENGINES)
  describe(`the history of a vehicle on ${engine.name}`, () => {
    let db: TestDatabase;
    let dealers: readonly number[];
    beforeAll(async () => {
      db = await engine.open();
      const repository = makeDealerRepository(db);
      const added = [
        await repository.insert(dealerFields(), OPERATOR),
        await repository.insert(dealerFields(), OPERATOR),
      ];
      dealers = added.map((dealer) => made(dealer).id);
    });
    afterAll(async () => {
      await expectDocumentsOfAll(db, db.url);
      await db.close();
    });

    const salesOf = async (id: number): Promise<Sold[]> => {
      const text = `SELECT dealer_id, sold_at, sold_cents, first_cents, listed_at, note, present FROM vehicle_sales
        WHERE vehicle_id = ${id} ORDER BY made_at`;
      const units = (cents: number | null) => (cents === null ? null : cents / 100);
      const rows = await db.all<{
        dealer_id: number;
        sold_at: string | null;
        sold_cents: number | null;
        first_cents: number | null;
        listed_at: string;
        note: string | null;
        present: number;
      }>({ text, bind: () => [] }, {});
      return rows.map((row) => ({
        dealer: row.dealer_id,
        at: row.sold_at,
        price: units(row.sold_cents),
        first: units(row.first_cents),
        listed: row.listed_at,
        note: row.note,
        present: row.present === 1,
      }));
    };

    test("agrees with a model in its fields, its changes for each reader and its sales after any changes", async () => {
      const vehicles = makeVehicleRepository(db);
      const clock = fakeClock();
      const histories = makeHistory({ history: makeHistoryRepository(db), vehicles, clock });
      const sales = makeSales({
        sales: makeSaleRepository(db),
        vehicles,
        changeVehicle: () => {
          throw new Error("no sale is ended here");
        },
        clock,
      });
      const admin = superAdminKey();

      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...STATUSES), steps, async (status, sequence) => {
          let now = 0;
          clock.set(Date.parse(momentAfter(0)));
          const fields = vehicleFields(dealers[0] ?? 0, {
            price: 100,
            status,
            ...(status === "sold" && { sold_at: momentAfter(0) }),
          });
          const { id, ...rest } = made(await vehicles.insert(fields, OPERATOR)).parse();
          const model = new Model({ id, ...rest });
          for (const step of sequence) {
            if ("sale" in step) {
              if (model.vehicle.status !== "sold" || Object.keys(step.sale).length === 0) continue;
              succeeded(await sales.update(admin, id, step.sale));
              model.describe(step.sale);
              continue;
            }
            now += step.wait;
            clock.set(Date.parse(momentAfter(now)));
            const { dealer, stage, listedBefore, soldBefore, soldFor, ...plain } = step.changes;
            const becomes = plain.status ?? model.vehicle.status;
            const sent: VehicleUpdate = {
              ...plain,
              ...(dealer !== undefined && { dealer_id: dealers[dealer] ?? 0 }),
              ...(stage !== undefined && { stage: stage === null ? null : (STAGES[becomes][stage] ?? null) }),
              ...(listedBefore !== undefined && { listed_at: momentAfter(now - listedBefore * DAY_MS) }),
              ...(soldBefore !== undefined &&
                becomes === "sold" && { sold_at: momentAfter(now - soldBefore * DAY_MS) }),
              ...(soldFor !== undefined && becomes === "sold" && { status: "sold", sold_price: soldFor }),
            };
            const change = { id, scope: null, changes: sent, now: momentAfter(now), versions: null, by: admin };
            model.change(sent, momentAfter(now));
            expect(made(await vehicles.update(change)).parse()).toEqual(model.vehicle);
          }
          expect(made(await vehicles.find(id, null)).parse()).toEqual(model.vehicle);
          expect(await salesOf(id)).toEqual(model.sales);

          const dealer = model.vehicle.dealer_id;
          for (const reader of [null, dealer]) {
            const principal = reader === null ? admin : dealerKey(reader);
            const read = async (field: HistoryField | undefined, limit: number) =>
              succeeded(await histories.read(principal, { id, query: { ...(field && { field }), limit } }));
            const seen = model.seenBy(reader);
            for (const field of [undefined, ...HISTORY_FIELDS]) {
              const own = seen.filter((change) => field === undefined || change.field === field);
              const history = await read(field, 1000);
              expect(history.changes.map(({ at, field, old, new: now }) => ({ at, field, old, new: now }))).toEqual(
                own,
              );
              expect([history.total, history.last]).toEqual([own.length, null]);
            }
            const { firstPrice, priceDrops, since } = await read(undefined, 1);
            expect([firstPrice, priceDrops, since]).toEqual([model.first, model.drops, model.since(reader !== null)]);
          }
        }),
        { numRuns: inGate(30, 150) },
      );
    });

    test("has each concurrent change of two processes with the price before it", async () => {
      const [one, other] = await openTwice(engine);
      const dealer = made(await makeDealerRepository(one).insert(dealerFields(), OPERATOR)).id;
      const { id } = made(await makeVehicleRepository(one).insert(vehicleFields(dealer, { price: 0 }), OPERATOR));
      const EACH = 10;
      await Promise.all(
        Array.from({ length: WRITERS }, async (_, writer) => {
          const vehicles = makeVehicleRepository(writer % 2 ? one : other);
          for (let round = 1; round <= EACH; round++) {
            const changes = { price: writer * EACH + round, status: STATUSES[(writer + round) % 3] ?? "sold" };
            await vehicles.update({ id, scope: null, changes, now: momentAfter(round), versions: null, by: OPERATOR });
          }
        }),
      );
      const { changes: recorded } = await makeHistoryRepository(one).read({
        vehicleId: id,
        dealerId: dealer,
        scope: null,
        field: "price",
        page: { limit: 1000, offset: 0 },
        after: null,
      });
      const inOrder = recorded.toReversed();
      expect(inOrder).toHaveLength(WRITERS * EACH);
      expect(inOrder.map(({ old_value }) => old_value)).toEqual([
        "0",
        ...inOrder.slice(0, -1).map((change) => change.new_value),
      ]);
      expect(inOrder.map(({ at }) => at)).toEqual([...new Set(inOrder.map(({ at }) => at))].toSorted());
      const vehicle = made(await makeVehicleRepository(one).find(id, null)).parse();
      const last = inOrder.at(-1);
      expect([vehicle.price, vehicle.previous_price, vehicle.price_changed_at]).toEqual([
        Number(last?.new_value) / 100,
        Number(last?.old_value) / 100,
        last?.at ?? null,
      ]);
      const present = await makeSaleRepository(one).find(id, null);
      expect(present?.sold_at ?? null).toBe(vehicle.sold_at);
      const kept = { text: `SELECT count(*) AS n FROM vehicle_sales WHERE vehicle_id = ${id}`, bind: () => [] };
      expect(Number((await one.all<{ n: number }>(kept, {}))[0]?.n)).toBe(vehicle.status === "sold" ? 1 : 0);
      await Promise.all([one.close(), other.close()]);
    });
  });
