import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import { makeFeedRepository } from "../../adapters/sql/feeds/repository.ts";
import { makeHistoryRepository } from "../../adapters/sql/history/repository.ts";
import { makeMappingRepository } from "../../adapters/sql/imports/mappings.ts";
import { makeImportRepository } from "../../adapters/sql/imports/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeRemovedRepository } from "../../adapters/sql/removed/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { ENGINES } from "../support/engines.ts";
import { dealerFields, MOMENT, made, OPERATOR, vehicleFields } from "../support/records.ts";

setDefaultTimeout(300_000);

const MANY = 1100;
const NUMBERS = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})`;
const page = { limit: 2, offset: MANY - 10 };

for (const engine of ENGINES)
  describe(`growing lists on ${engine.name}`, () => {
    let db: SqlDatabase;
    let watched: SqlDatabase;
    let longReadCount = 0;
    let crowded = 0;
    let quiet = 0;

    beforeAll(async () => {
      db = await engine.open();
      watched = {
        ...db,
        longReads: {
          ...db.longReads,
          all(query, values) {
            longReadCount++;
            return db.longReads.all(query, values);
          },
        },
      };
      const dealers = makeDealerRepository(db);
      const vehicles = makeVehicleRepository(db);
      [crowded, quiet] = [
        made(await dealers.insert(dealerFields(), OPERATOR)).id,
        made(await dealers.insert(dealerFields(), OPERATOR)).id,
      ];
      for (const [dealer, count] of [
        [quiet, 3],
        [crowded, 1],
      ] as const)
        for (let number = 0; number < count; number++) {
          const { id } = made(await vehicles.insert(vehicleFields(dealer), OPERATOR));
          await vehicles.remove({ id, scope: dealer, versions: null, now: MOMENT, by: OPERATOR });
        }
      const own = `SELECT ${crowded} AS dealer FROM numbers UNION ALL SELECT ${quiet} FROM numbers WHERE n <= 3`;
      const removal = "dealer_id, created_at, actor_name, via, document, vehicle, images, words";
      const entry = "created_at, actor_name, via, action, resource, dealer_id";
      for (const text of [
        `INSERT INTO removed_vehicles (id, ${removal})
          ${NUMBERS} SELECT id + n, ${removal} FROM removed_vehicles, numbers WHERE dealer_id = ${crowded} AND n < ${MANY}`,
        `INSERT INTO audit_entries (${entry})
          ${NUMBERS} SELECT ${entry} FROM audit_entries, numbers
          WHERE action = 'vehicle.removed' AND dealer_id = ${crowded} AND n < ${MANY}`,
        `INSERT INTO vehicle_history (vehicle_id, at, field, dealer_id, old_value, new_value)
          ${NUMBERS} SELECT 1, 'moment ' || n, 'price', ${crowded}, '2', '1' FROM numbers`,
        `INSERT INTO imports (created_at, dealer_id, state, options, file, columns, progress, actor_name, via)
          ${NUMBERS} SELECT '${MOMENT}', dealer, 'completed', '{}', '{}', '{"warnings":[]}', '{}', '', 'api' FROM (${own}) AS own`,
        `INSERT INTO import_mappings (dealer_id, name, columns, created_at, updated_at)
          ${NUMBERS} SELECT dealer, 'ours', '{}', '${MOMENT}', '${MOMENT}' FROM (${own}) AS own`,
        `INSERT INTO feeds (created_at, updated_at, name, channel, dealer_id, settings, active, actor_name, via)
          ${NUMBERS} SELECT '${MOMENT}', '${MOMENT}', 'ours', 'csv', dealer, '{}', 1, '', 'api' FROM (${own}) AS own`,
      ])
        await db.writeOne({ text, bind: () => [] }, {});
    });
    afterAll(() => db.close());

    /** Reads each list, within a dealer's scope. */
    const LISTS: Readonly<Record<string, (dealer: number) => Promise<{ readonly total: number }>>> = {
      "entries of the audit log": (dealerId) =>
        makeAuditLog(watched).list({
          visibility: { dealerId },
          filter: { action: "vehicle.removed" },
          page,
          after: null,
        }),
      "removed vehicles": (scope) =>
        makeRemovedRepository(watched).list({
          scope,
          visibility: { dealerId: scope },
          since: "2000-01-01T00:00:00.000Z",
          filter: { search: "camry" },
          page,
        }),
      "changes of a vehicle": async (scope) =>
        makeHistoryRepository(watched).read({
          ...{ vehicleId: scope === crowded ? 1 : 2, dealerId: scope, scope },
          ...{ field: null, page, after: null },
        }),
      imports: (scope) =>
        makeImportRepository(watched, systemClock).list({
          ...{ scope, visibility: { dealerId: scope }, state: "completed" },
          ...{ limit: 2, after: null },
        }),
      mappings: (scope) => makeMappingRepository(watched).list({ scope, limit: 2, after: null }),
      feeds: (scope) =>
        makeFeedRepository(watched).list({
          ...{ scope, visibility: { dealerId: scope }, now: MOMENT },
          ...{ limit: 2, after: null },
        }),
    };
    for (const [name, read] of Object.entries(LISTS))
      test(`of ${name} are long reads on SQLite if they have many rows, and otherwise short ones`, async () => {
        longReadCount = 0;
        expect((await read(quiet)).total).toBe(name === "changes of a vehicle" ? 0 : 3);
        expect(longReadCount).toBe(0);
        expect((await read(crowded)).total).toBe(MANY);
        expect(longReadCount > 0).toBe(engine.name === "SQLite");
      });

    test("of the whole audit log are long reads on SQLite", async () => {
      longReadCount = 0;
      const all = await makeAuditLog(watched).list({ visibility: "everything", filter: {}, page, after: null });
      expect(all.total).toBeGreaterThan(MANY);
      expect(longReadCount > 0).toBe(engine.name === "SQLite");
    });
  });
