import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import { makeDealerRepository } from "../../adapters/sql/dealers/repository.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import { makeRemovedRepository } from "../../adapters/sql/removed/repository.ts";
import { makeVehicleRepository } from "../../adapters/sql/vehicles/repository.ts";
import { cutText as cut } from "../support/cut-text.ts";
import { ENGINES } from "../support/engines.ts";
import { actingKey, dealerFields, MOMENT, made, momentAfter, vehicleFields } from "../support/records.ts";

const KEPT = 1000;
/** Each character takes two UTF-16 units, or four bytes, and counts once. */
const CAR = "\u{1F697}";
const LONG = `"${CAR.repeat(KEPT)}\\`;
const OTHER = `${LONG}!`;

for (const engine of ENGINES)
  describe(`long texts in the audit log on ${engine.name}`, () => {
    const by = actingKey(7);
    let db: SqlDatabase;
    let dealerId: number;

    beforeAll(async () => {
      db = await engine.open();
      dealerId = made(await makeDealerRepository(db).insert(dealerFields(), by)).id;
    });
    afterAll(() => db.close());

    const descriptions = async (resource: "vehicles" | "dealers", resourceId: number) => {
      const { items } = await makeAuditLog(db).list({
        visibility: "everything",
        filter: { resource, resourceId },
        page: { limit: 10, offset: 0 },
        after: null,
      });
      return items.map(({ before, after }) => [before?.description, after?.description]).reverse();
    };
    const change = { scope: null, versions: null, by };

    test("keep their first 1 000 characters, length and hash; the record, its removal and restoration have all of it", async () => {
      const vehicles = makeVehicleRepository(db);
      const { id } = made(await vehicles.insert(vehicleFields(dealerId, { description: LONG }), by));
      const later = momentAfter(1);
      await vehicles.update({ ...change, id, changes: { description: OTHER, trim: "Red" }, now: later });
      await vehicles.remove({ ...change, id, now: later });
      await makeRemovedRepository(db).restore({ id, scope: null, since: MOMENT, now: momentAfter(2), by });
      expect((await vehicles.find(id, null))?.text).toContain(JSON.stringify(OTHER).slice(1, -1));
      expect(await descriptions("vehicles", id)).toEqual([
        [undefined, cut(LONG)],
        [cut(LONG), cut(OTHER)],
        [cut(OTHER), undefined],
        [undefined, cut(OTHER)],
      ]);
    });

    test("of dealers are cut, too; those of up to 1 000 characters are whole", async () => {
      const dealers = makeDealerRepository(db);
      const whole = CAR.repeat(KEPT);
      for (const [description, second] of [whole, LONG, whole].entries())
        await dealers.update({
          ...change,
          id: dealerId,
          changes: { description: second },
          now: momentAfter(description + 1),
        });
      expect((await descriptions("dealers", dealerId)).slice(1)).toEqual([
        [null, whole],
        [whole, cut(LONG)],
        [cut(LONG), whole],
      ]);
    });
  });
