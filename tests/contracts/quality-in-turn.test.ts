import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFeedsOfVehicle } from "../../adapters/sql/feeds/of-vehicle.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { makeLotRepository } from "../../adapters/sql/readiness/lots.ts";
import { makeSettingsRepository } from "../../adapters/sql/settings/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { OPERATOR, type Principal } from "../../core/access/principal.ts";
import type { PendingRequest } from "../../core/access/turns.ts";
import { makeReadiness } from "../../core/readiness/readiness.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const DEALERS = 3;
const CONCURRENT = 5;
const GONE = new Error("nobody waits");

for (const engine of ENGINES)
  describe(`the quality of lots on ${engine.name}`, () => {
    let db: SqlDatabase;
    beforeAll(async () => {
      db = await engine.open();
    });
    afterAll(() => db.close());

    test("is computed for two lots at a time, once for each dealer, and for none that nobody waits for", async () => {
      const [dealers, vehicles, lots] = [makeDealerRepository(db), makeVehicleRepository(db), makeLotRepository(db)];
      const ids: number[] = [];
      for (let made = 0; made < DEALERS; made++) {
        const { id } = await dealers.insert(dealerFields(), OPERATOR);
        await vehicles.insert(vehicleFields(id), OPERATOR);
        ids.push(id);
      }
      const underWay: number[] = [];
      let most = 0;
      let asking: () => PendingRequest | undefined = () => undefined;
      const two = Promise.withResolvers<void>();
      let held: Promise<void> = two.promise;
      const readiness = makeReadiness({
        lots: {
          ...lots,
          async *lot(dealer) {
            expect(underWay).not.toContain(dealer);
            underWay.push(dealer);
            most = Math.max(most, underWay.length);
            if (most === 2) two.resolve();
            await held;
            yield* lots.lot(dealer);
            underWay.splice(underWay.indexOf(dealer), 1);
          },
        },
        feeds: makeFeedsOfVehicle(db, systemClock),
        vehicles,
        settings: makeSettingsRepository(db, { clear: () => {}, cacheValue: (read) => read }),
        clock: systemClock,
        pause: nextTurn,
        currentRequest: () => asking(),
      });
      const keyOf = (dealerId: number): Principal => ({ ...OPERATOR, association: "dealer", dealerId });
      const ask = (dealerId: number) => readiness.quality(keyOf(dealerId), {});
      const asked = ids.flatMap((dealerId) => Array.from({ length: CONCURRENT }, () => ask(dealerId)));
      expect(await Promise.all(asked)).toMatchObject(asked.map(() => ({ vehicles: 1 })));
      expect(most).toBe(2);
      const waiting = Promise.withResolvers<void>();
      held = waiting.promise;
      asking = () => {
        waiting.resolve();
        return { isOver: () => true, timeOver: () => GONE };
      };
      const came = await Promise.allSettled(ids.slice(0, 1).flatMap((dealerId) => [ask(dealerId), ask(dealerId)]));
      // The database decides which of the two comes first.
      expect(came.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(came).toContainEqual({ status: "rejected", reason: GONE });
    });
  });
