import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import type { Page } from "../../core/page.ts";
import type { VehicleFilter } from "../../core/vehicles/vehicle-filter.ts";
import type { VehicleRepository } from "../../core/vehicles/vehicle-repository.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const LONG_TEXT = "\u0001".repeat(20_000);
const VEHICLES = 12;
const SLICE_BYTES = 250_000;
const PAGE: Page = { limit: 1000, offset: 0, sliceBytes: SLICE_BYTES };

for (const engine of ENGINES)
  describe(`long pages on ${engine.name}`, () => {
    let db: SqlDatabase;
    let vehicles: VehicleRepository;
    let dealer: number;
    let other: number;

    beforeAll(async () => {
      db = await engine.open();
      vehicles = makeVehicleRepository(db);
    });
    afterAll(() => db.close());

    const filled = async (): Promise<number[]> => {
      dealer = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      other = (await makeDealerRepository(db).insert(dealerFields(), OPERATOR)).id;
      const ids: number[] = [];
      for (let count = 0; count < VEHICLES; count++)
        ids.unshift(made(await vehicles.insert(vehicleFields(dealer, { description: LONG_TEXT }), OPERATOR)).id);
      return ids;
    };

    const listed = async (filter: VehicleFilter = {}) => {
      const page = await vehicles.list({ scope: dealer, filter, page: PAGE, from: null });
      if (page.long === undefined) throw new Error("the page is not long");
      return { ...page, long: page.long };
    };

    const idsOf = (texts: readonly string[]): number[] => texts.map((text) => JSON.parse(text).id);

    test("are read slice by slice on request, each slice of at most its size or of one vehicle", async () => {
      const ids = await filled();
      const { long, vehicles: whole, total } = await listed();
      expect([total, whole.items]).toEqual([VEHICLES, []]);
      const slices = await Promise.all(long.slices.map((read) => read()));
      expect(slices.flatMap(idsOf)).toEqual(ids);
      for (const texts of slices) {
        const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
        expect(bytes <= SLICE_BYTES || texts.length === 1).toBe(true);
      }
    });

    test("leave out a vehicle that moved, was removed or no longer matches after the list was fixed", async () => {
      const [newest = 0, given = 0, removed = 0, sold = 0, ...rest] = await filled();
      const { long } = await listed({ status: ["available"] });
      made(
        await vehicles.update({
          id: given,
          scope: null,
          changes: { dealer_id: other, trim: "Secret" },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        }),
      );
      await vehicles.remove({ id: removed, scope: null, versions: null, now: MOMENT, by: OPERATOR });
      made(
        await vehicles.update({
          id: sold,
          scope: null,
          changes: { status: "sold" },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        }),
      );
      made(
        await vehicles.update({
          id: newest,
          scope: null,
          changes: { trim: "Changed" },
          now: MOMENT,
          versions: null,
          by: OPERATOR,
        }),
      );
      const texts = (await Promise.all(long.slices.map((read) => read()))).flat();
      expect(idsOf(texts)).toEqual([newest, ...rest]);
      expect(texts[0]).toContain('"trim":"Changed"');
      expect(texts.join()).not.toContain("Secret");
    });

    test("are answered as a whole if they are short or if the caller takes no slices", async () => {
      await filled();
      const few = await vehicles.list({ scope: dealer, filter: {}, page: { ...PAGE, limit: 8 }, from: null });
      expect([few.long, few.vehicles.items.length]).toEqual([undefined, 8]);
      const whole = await vehicles.list({ scope: dealer, filter: {}, page: { limit: 1000, offset: 0 }, from: null });
      expect([whole.long, whole.vehicles.items.length]).toEqual([undefined, VEHICLES]);
    });
  });
