import { expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeLotRepository } from "../../adapters/sql/readiness/lots.ts";
import { makeReportRepository } from "../../adapters/sql/report/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { makeReports } from "../../core/report/reports.ts";
import { succeeded } from "../core/use-cases.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, made, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const MANY = 10_000_000;

/** A database that counts the most long reads under way at once since the last call of `mostAtOnce`. */
const watching = (db: SqlDatabase): { db: SqlDatabase; mostAtOnce: () => number } => {
  let [underWay, most] = [0, 0];
  const longReads: SqlDatabase["longReads"] = {
    ...db.longReads,
    async all(statement, values) {
      most = Math.max(most, ++underWay);
      try {
        return await db.longReads.all(statement, values);
      } finally {
        underWay--;
      }
    },
  };
  return {
    db: { ...db, longReads },
    mostAtOnce() {
      const before = most;
      most = 0;
      return before;
    },
  };
};

for (const engine of ENGINES)
  test(`a request on ${engine.name} makes one long read at a time, so that it never waits for its own previous one`, async () => {
    const opened = await engine.open();
    const { db, mostAtOnce } = watching(opened);
    const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
    const vehicle = made(await makeVehicleRepository(db).insert(vehicleFields(dealer), OPERATOR));
    const text = `UPDATE dealer_inventory SET available = ${MANY} WHERE dealer_id = ${dealer}`;
    await db.writeOne({ text, bind: () => [] }, {});

    const lots = makeLotRepository(db);
    await lots.shared(dealer);
    expect(mostAtOnce()).toBe(1);
    await lots.peersOf({ ...made(await lots.find(vehicle.id, null)), id: vehicle.id });
    expect(mostAtOnce()).toBe(1);

    const reports = makeReports({
      reports: makeReportRepository(db),
      dealers: makeDealerRepository(db),
      clock: systemClock,
    });
    succeeded(await reports.ofDealer(OPERATOR, dealer, {}));
    expect(mostAtOnce()).toBe(1);
    succeeded(await reports.overall(OPERATOR, {}));
    expect(mostAtOnce()).toBe(1);
    await opened.close();
  });
