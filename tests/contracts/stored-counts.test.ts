import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { STATUSES } from "../../core/vehicles/vehicle.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES, type TestDatabase } from "../support/engines.ts";
import { queryDatabase } from "../support/inspect-database.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";
import { expectDocumentsOfAll } from "../support/vehicle-documents.ts";

setDefaultTimeout(300_000);

const DEALERS = 3;
const NOBODY = 999_999;

const status = fc.constantFrom(...STATUSES);
const price = fc.integer({ min: 0, max: 10_000_000_000 }).map((cents) => cents / 100);
const dealer = fc.nat(DEALERS - 1);
/** Times up to the end of the range of timestamps, and before 1970, whose milliseconds are negative. */
const listedAt = fc
  .integer({ min: Date.parse("0001-01-01T00:00:00.000Z"), max: Date.parse("9999-12-31T23:59:59.999Z") })
  .map((ms) => new Date(ms).toISOString());
/** An index into the vehicles; a larger one stands for a missing vehicle. */
const place = fc.nat(12);

const operations = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("insert" as const), dealer, status, price, listedAt }),
    fc.record({
      kind: fc.constant("update" as const),
      place,
      changes: fc.record({ status, price, listed_at: listedAt }, { requiredKeys: [] }),
    }),
    fc.record({ kind: fc.constant("reassign" as const), place, dealer, status }),
    fc.record({ kind: fc.constant("reassign to nobody" as const), place }),
    fc.record({ kind: fc.constant("remove" as const), place }),
  ),
  { maxLength: 40, size: "max" },
);
type Operation = typeof operations extends fc.Arbitrary<(infer One)[]> ? One : never;

for (const engine of ENGINES)
  describe(`stored counts and documents on ${engine.name}`, () => {
    let db: TestDatabase;

    beforeAll(async () => {
      db = await engine.open();
    });
    afterAll(() => db.close());

    interface Row {
      readonly dealer_id: number;
      readonly status: string;
      readonly price_cents: number;
      readonly listed_at: string;
    }

    /** The counts of a dealer's vehicles, computed from all rows. */
    const recounted = (rows: readonly Row[], dealerId: number) => {
      const own = rows.filter((row) => row.dealer_id === dealerId);
      return Object.fromEntries(
        STATUSES.map((of) => {
          const matching = own.filter((row) => row.status === of);
          return [of, { vehicles: matching.length, cents: matching.reduce((sum, row) => sum + row.price_cents, 0) }];
        }),
      );
    };

    /** The mean time of listing of a dealer's unsold vehicles, rounded up, computed from all rows in whole numbers. */
    const meanListedMs = (rows: readonly Row[], dealerId: number): number | null => {
      const times = rows
        .filter((row) => row.dealer_id === dealerId && row.status !== "sold")
        .map((row) => BigInt(Date.parse(row.listed_at)));
      const [sum, number] = [times.reduce((total, ms) => total + ms, 0n), BigInt(times.length)];
      if (number === 0n) return null;
      return Number(sum / number + (sum > 0n && sum % number !== 0n ? 1n : 0n));
    };

    const run = async (operation: Operation, dealers: readonly number[], ids: number[]): Promise<void> => {
      const vehicles = makeVehicleRepository(db);
      const id = "place" in operation ? (ids[operation.place] ?? NOBODY) : NOBODY;
      switch (operation.kind) {
        case "insert": {
          const { dealer, status, price, listedAt: listed_at } = operation;
          const fields = vehicleFields(dealers[dealer] ?? NOBODY, { status, price, listed_at });
          ids.push(made(await vehicles.insert(fields, OPERATOR)).id);
          return;
        }
        case "update":
          await vehicles.update({
            id,
            scope: null,
            changes: operation.changes,
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          });
          return;
        case "reassign": {
          const { dealer, status } = operation;
          await vehicles.update({
            id,
            scope: null,
            changes: { dealer_id: dealers[dealer] ?? NOBODY, status },
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          });
          return;
        }
        case "reassign to nobody":
          await vehicles.update({
            id,
            scope: null,
            changes: { dealer_id: NOBODY, status: "sold" },
            now: MOMENT,
            versions: null,
            by: OPERATOR,
          });
          return;
        case "remove":
          await vehicles.remove({ id, scope: null, versions: null, now: MOMENT, by: OPERATOR });
      }
    };

    test("equal a recount of the vehicles after any operations, sequential or concurrent", async () => {
      await fc.assert(
        fc.asyncProperty(operations, operations, async (first, second) => {
          const repository = makeDealerRepository(db);
          const dealers: number[] = [];
          for (let number = 0; number < DEALERS; number++)
            dealers.push((await repository.insert(dealerFields(), OPERATOR)).id);
          const ids: number[] = [];
          for (const operation of first) await run(operation, dealers, ids);
          await Promise.all(second.map((operation) => run(operation, dealers, ids)));
          await expectDocumentsOfAll(db, db.url);
          const rows = await queryDatabase<Row>(
            db.url,
            "SELECT dealer_id, status, price_cents, listed_at FROM vehicles",
          );
          for (const id of dealers) {
            const counted = recounted(rows, id);
            const inventory = made(await repository.inventory(id, null));
            expect<unknown>(inventory.byStatus).toEqual(counted);
            expect(inventory.listedMs).toBe(meanListedMs(rows, id));
            const vehicles = makeVehicleRepository(db);
            for (const of of STATUSES) {
              const { total } = await vehicles.list({
                scope: id,
                filter: { status: [of] },
                page: { limit: 1, offset: 0 },
                from: null,
              });
              expect(total).toBe(counted[of]?.vehicles ?? -1);
            }
          }
        }),
        { numRuns: inGate(5, 25) },
      );
    });
  });
