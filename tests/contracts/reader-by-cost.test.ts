import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { SQL } from "bun";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { readerByCost } from "../../adapters/sql/query/reader-by-cost.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { connect, ENGINES, type TestDatabase } from "../support/engines.ts";
import { postgres } from "../support/postgres.ts";
import { dealerFields, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const LOCK = 4711;
/** More reads than there are connections. */
const MANY = 60;

const FEW = 2;
const MORE = 4;
/** With this many µs for each vehicle, reading two is short, and reading three is long. */
const MICROSECONDS = { SQLite: 1000, PostgreSQL: 25_000 };

for (const engine of ENGINES)
  describe(`a read of vehicles on ${engine.name}`, () => {
    let db: TestDatabase;
    const dealers: number[] = [];

    beforeAll(async () => {
      db = await engine.open();
      const vehicles = makeVehicleRepository(db);
      for (const count of [FEW, MORE]) {
        const { id } = await makeDealerRepository(db).insert(dealerFields(), OPERATOR);
        dealers.push(id);
        for (let number = 0; number < count; number++) await vehicles.insert(vehicleFields(id), OPERATOR);
      }
    });
    afterAll(() => db.close());

    const isLong = async (dealer: number | null, microseconds = MICROSECONDS[engine.name]): Promise<boolean> =>
      (await readerByCost(db)(dealer, microseconds)) === db.longReads;

    test("is a long read if there are many vehicles and each is expensive, and otherwise a short one", async () => {
      const [few = 0, more = 0] = dealers;
      expect([await isLong(few), await isLong(more), await isLong(null)]).toEqual([false, true, true]);
      expect(await isLong(null, 0.001)).toBe(false);
    });

    test("is a short one for a dealer without vehicles or a missing dealer", async () => {
      expect(await isLong(999_999)).toBe(false);
    });
  });

test("long reads on PostgreSQL leave connections to short ones, however many are requested", async () => {
  const url = await (await postgres()).freshDatabase();
  const [db, holder] = [connect(url), new SQL(url, { max: 1 })];
  await holder.unsafe(`SELECT pg_advisory_lock(${LOCK})`);
  let ended = 0;
  const reads = Array.from({ length: MANY }, () =>
    Promise.resolve(
      db.longReads.all({ text: `SELECT pg_advisory_xact_lock_shared(${LOCK})`, bind: () => [] }, {}),
    ).finally(() => ended++),
  );
  const outcomes = Promise.allSettled(reads);
  expect(await db.all<{ one: number }>({ text: "SELECT 1 AS one", bind: () => [] }, {})).toEqual([{ one: 1 }]);
  expect(ended).toBe(0);
  await holder.unsafe(`SELECT pg_advisory_unlock(${LOCK})`);
  await outcomes;
  await Promise.all([db.close(), holder.close()]);
});
