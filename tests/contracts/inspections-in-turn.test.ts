import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFeedRepository } from "../../adapters/sql/feeds/repository.ts";
import { makeFeedService } from "../../adapters/sql/feeds/service.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import type { PendingRequest } from "../../core/access/turns.ts";
import { fieldsAfter } from "../../core/feeds/feed.ts";
import { makeFeedInspections } from "../../core/feeds/inspections.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const DEALERS = 3;
const GONE = new Error("nobody waits");

for (const engine of ENGINES)
  describe(`the inspection of feeds on ${engine.name}`, () => {
    let db: SqlDatabase;
    let asking: () => PendingRequest | undefined = () => undefined;
    const two = Promise.withResolvers<void>();
    /** What inspections wait for: at first, for a second one. */
    let held: Promise<void> = two.promise;
    const underWay: (number | undefined)[] = [];
    let most = 0;
    /** Every inspection of a whole feed, requested by its dealer. */
    const requests: (() => unknown)[] = [];

    beforeAll(async () => {
      db = await engine.open();
      const [dealers, vehicles, feeds] = [makeDealerRepository(db), makeVehicleRepository(db), makeFeedRepository(db)];
      const service = makeFeedService(db, { clock: systemClock, cache: { cacheValue: (read) => read } });
      const inspections = makeFeedInspections({
        feeds,
        service: {
          read(wanted) {
            const [dealer] = wanted.dealerIds ?? [];
            expect(underWay).not.toContain(dealer);
            underWay.push(dealer);
            most = Math.max(most, underWay.length);
            if (most === 2) two.resolve();
            const { vehicles, release } = service.read(wanted);
            return {
              vehicles,
              release() {
                underWay.splice(underWay.indexOf(dealer), 1);
                release();
              },
            };
          },
        },
        clock: systemClock,
        maxMs: 300_000,
        pause: () => held.then(nextTurn),
        currentRequest: () => asking(),
      });
      for (let made = 0; made < DEALERS; made++) {
        const { id: dealerId } = await dealers.insert(dealerFields(), OPERATOR);
        await vehicles.insert(vehicleFields(dealerId), OPERATOR);
        const fields = fieldsAfter(
          { name: "Own", channel: "csv", currency: "USD", mileage_unit: "mi" },
          { dealer_ids: [dealerId] },
        );
        const feed = await feeds.insert({ fields, tokenHash: `${made}`, now: systemClock.now(), by: OPERATOR });
        const dealer = { ...OPERATOR, association: "dealer", dealerId } as const;
        requests.push(
          () => inspections.preview(dealer, Number(feed), {}),
          () => inspections.readiness(dealer, Number(feed)),
          () => inspections.findings(dealer, Number(feed), {}),
        );
      }
    });
    afterAll(() => db.close());

    test("runs for two feeds at a time and for one of each dealer, however many callers ask at once", async () => {
      const seen = await Promise.all([...requests, ...requests].map((request) => request()));
      expect(seen.slice(0, 3)).toMatchObject([{ looked_at: 1 }, { ready: 1 }, { total: 0 }]);
      expect(seen.slice(requests.length)).toEqual(seen.slice(0, requests.length));
      expect(most).toBe(2);
    });

    test("does not run if nobody waits for it any more", async () => {
      const waiting = Promise.withResolvers<void>();
      held = waiting.promise;
      asking = () => {
        waiting.resolve();
        return { isOver: () => true, timeOver: () => GONE };
      };
      const came = await Promise.allSettled(requests.slice(1, 3).map((request) => request()));
      // The database decides which of the two comes first.
      expect(came.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(came).toContainEqual({ status: "rejected", reason: GONE });
    });
  });
