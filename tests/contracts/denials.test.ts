import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { makeDenialLog } from "../../adapters/sql/audit/denials.ts";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import { DatabaseUnavailable, type SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { DeniedOperation } from "../../core/audit/denials.ts";
import { dealerKey } from "../core/callers.ts";
import { fakeClock } from "../support/clock.ts";
import { ENGINES } from "../support/engines.ts";

const attempt = (fields: Partial<DeniedOperation> = {}): DeniedOperation => ({
  by: dealerKey(7, { keyId: 12, address: "192.0.2.7", requestId: "r-1" }),
  dealerId: 7,
  operation: "vehicle.update",
  resource: "vehicles",
  resourceId: 5,
  code: "not_your_dealer",
  isChange: true,
  ...fields,
});
const read = attempt({ operation: "dealer.list", resourceId: null, code: "permission_missing", isChange: false });

for (const engine of ENGINES)
  describe(`denials on ${engine.name}`, () => {
    let db: SqlDatabase;
    let clock: ReturnType<typeof fakeClock>;
    let denials: ReturnType<typeof makeDenialLog>;

    beforeEach(async () => {
      db = await engine.open();
      clock = fakeClock();
      denials = makeDenialLog(db, clock);
    });
    afterEach(() => db.close());

    const recorded = async () => {
      await denials.flush();
      return (
        await makeAuditLog(db).list({
          visibility: "everything",
          filter: {},
          page: { limit: 1000, offset: 0 },
          after: null,
        })
      ).items;
    };

    test("are recorded with who tried what, from where, and why it was refused", async () => {
      denials.record(attempt());
      expect(await recorded()).toMatchObject([
        {
          actor: { type: "key", id: 12 },
          via: "api",
          action: "access.denied",
          resource: "vehicles",
          resource_id: 5,
          dealer_id: 7,
          before: null,
          after: { operation: "vehicle.update", code: "not_your_dealer" },
          address: "192.0.2.7",
          request_id: "r-1",
        },
      ]);
    });

    test("are recorded for every change, and for a key's reads once an hour and operation", async () => {
      for (let count = 0; count < 3; count++) {
        denials.record(attempt());
        denials.record(read);
        denials.record({ ...read, operation: "user.list" });
      }
      expect(await recorded()).toHaveLength(3 + 2);
      clock.advance(3_600_000);
      denials.record(read);
      expect(await recorded()).toHaveLength(6);
    });

    test("are recorded every time for a signed-in user, reads included", async () => {
      const by = { ...read.by, keyId: null, userId: 3, via: "portal" } as const;
      for (let count = 0; count < 3; count++) denials.record({ ...read, by });
      expect((await recorded()).map(({ actor }) => actor)).toMatchObject([{ id: 3 }, { id: 3 }, { id: 3 }]);
    });

    test("are recorded at most sixty times a minute for each caller, and other callers are not affected", async () => {
      for (let count = 0; count < 500; count++) denials.record(attempt());
      denials.record(attempt({ by: dealerKey(8, { keyId: 13 }) }));
      expect(await recorded()).toHaveLength(61);
      clock.advance(60_000);
      denials.record(attempt());
      expect(await recorded()).toHaveLength(62);
    });

    test("wait while the database is unavailable, and are then each written exactly once", async () => {
      let isAway = true;
      const failing: SqlDatabase = {
        ...db,
        write: (work) => (isAway ? Promise.reject(new DatabaseUnavailable("away")) : db.write(work)),
      };
      denials = makeDenialLog(failing, clock);
      denials.record(attempt({ resourceId: 1 }));
      expect(denials.flush()).rejects.toThrow("away");
      denials.record(attempt({ resourceId: 2 }));
      expect(denials.flush()).rejects.toThrow("away");
      isAway = false;
      expect((await recorded()).map(({ resource_id }) => resource_id).sort()).toEqual([1, 2]);
      expect(await recorded()).toHaveLength(2);
    });

    test("that are still queued are written at shutdown", async () => {
      denials.start(() => {});
      denials.record(attempt());
      await denials.stop();
      expect(await recorded()).toHaveLength(1);
    });
  });
