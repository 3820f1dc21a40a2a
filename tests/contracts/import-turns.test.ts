import { describe, expect, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeRowWork } from "../../adapters/sql/imports/row-steps.ts";
import { nextTurn } from "../../adapters/sql/query/turns.ts";
import { vehicleWordsIn } from "../../adapters/sql/search/vehicle-words.ts";
import { OPERATOR } from "../../core/access/principal.ts";
import { makeBatches } from "../../core/imports/batch.ts";
import { succeeded } from "../core/use-cases.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields } from "../support/records.ts";
import { UNLIMITED } from "../support/unlimited.ts";

for (const engine of ENGINES)
  describe(`rows that are written together on ${engine.name}`, () => {
    test("let readers in between, who see either all of them or none", async () => {
      const db = await engine.open();
      const clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
      let steadyMs = 0;
      const read: number[] = [];
      const vehicles = async (): Promise<number> =>
        (await db.all<{ n: number }>({ text: "SELECT count(*) AS n FROM vehicles", bind: () => [] }, {}))[0]?.n ?? 0;
      const batches = makeBatches({
        ...UNLIMITED,
        work: makeRowWork(db, { words: vehicleWordsIn(db), pause: nextTurn }),
        // Each reading of the clock takes a millisecond.
        clock: { ...clock, steadyMs: () => steadyMs++ },
        images: { max: 100, issuesOf: () => [] },
        maxMs: Number.POSITIVE_INFINITY,
        holdsOthersUp: () => false,
        pause: async () => {
          read.push(await vehicles());
        },
        isUnavailable: () => false,
      });
      const dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const items = Array.from({ length: 12 }, (_, n) => ({
        ...{ dealer_id: dealer, vin: `V${n}`, make: "Kia", model: "Rio", year: 2020, price: n + 1 },
      }));
      const { counts } = succeeded(await batches.write(OPERATOR, { input: { items }, mayGoOn: async () => true }));
      expect(counts.created).toBe(12);
      expect(await vehicles()).toBe(12);
      expect(read.length).toBeGreaterThan(4);
      expect(new Set(read)).toEqual(new Set([0]));
      await db.close();
    });
  });
