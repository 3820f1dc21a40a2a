import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeAuditLog } from "../../adapters/sql/audit/log.ts";
import type { SqlDatabase } from "../../adapters/sql/query/database.ts";
import type { Visibility } from "../../core/access/visibility.ts";
import type { AuditFilter } from "../../core/audit/audit.ts";
import { ENGINES } from "../support/engines.ts";
import { recording } from "../support/recording.ts";
import { MOMENT } from "../support/records.ts";

const EVERYTHING = "everything" as const;
const DEALER = { dealerId: 3 } as const;

// [reader, filter, the columns of which one must come first in each search of the entries].
const LISTS: readonly (readonly [string, Visibility, AuditFilter, readonly string[]])[] = [
  ["an action", EVERYTHING, { action: "key.rotated" }, ["action=?"]],
  ["an action that includes more specific ones", EVERYTHING, { action: "vehicle.changed" }, ["action=?"]],
  ["a person", EVERYTHING, { person: "robin" }, ["actor_user_id=?"]],
  ["an action of a person", EVERYTHING, { person: "robin", action: "vehicle.changed" }, ["actor_user_id=?"]],
  ["an action of a user", EVERYTHING, { userId: 3, action: "key.rotated" }, ["actor_user_id=?"]],
  ["an action of a key", EVERYTHING, { keyId: 3, action: "key.rotated" }, ["actor_key_id=?"]],
  ["a vehicle and its images", EVERYTHING, { resource: "vehicles", resourceId: 3 }, ["resource=?", "<expr>=?"]],
  ["an action of a dealer", EVERYTHING, { dealerId: 3, action: "key.rotated" }, ["dealer_id=?", "<expr>=?"]],
  ["an action, read by a dealer", DEALER, { action: "vehicle.changed" }, ["dealer_id=?", "<expr>=?"]],
  ["a change", EVERYTHING, { changeId: "b-1" }, ["change_id=?"]],
  ["an action of a change", EVERYTHING, { changeId: "b-1", action: "vehicle.changed" }, ["change_id=?"]],
  ["a change, read by a dealer", DEALER, { changeId: "b-1" }, ["change_id=?"]],
  ["a change, read by a user", { userId: 3 }, { changeId: "b-1" }, ["change_id=?", "actor_user_id=?"]],
  ["a vehicle, read by its dealer", DEALER, { resource: "vehicles", resourceId: 3 }, ["resource=?", "<expr>=?"]],
];

for (const engine of ENGINES.filter(({ name }) => name === "SQLite"))
  describe("the audit log on SQLite", () => {
    let db: SqlDatabase;
    let watched: ReturnType<typeof recording>;
    beforeAll(async () => {
      db = await engine.open();
      watched = recording(db);
    });
    afterAll(() => db.close());

    for (const [name, visibility, filter, led] of LISTS)
      test(`finds ${name} through an index that leads to few other entries`, async () => {
        for (const after of [null, { id: 500, at: MOMENT }]) {
          watched.ran();
          await makeAuditLog(watched.db).list({ visibility, filter, page: { limit: 20, offset: 0 }, after });
          const plans = await Promise.all(
            watched
              .ran()
              // Without the statement that decides where to read, which looks at a thousand entries at most.
              .filter(({ text }) => text.includes("audit_entries") && !text.includes("SELECT 1 FROM"))
              .map((ran) => ran.plan()),
          );
          // The union of two searches has the table's name too, and is read as a whole.
          const found = plans.flatMap((plan) =>
            plan.some((step) => /CO-ROUTINE audit_entries|MATERIALIZE audit_entries/.test(step))
              ? plan.filter((step) => step !== "SCAN audit_entries")
              : plan,
          );
          const searches = found.filter((step) => /\b(?:SEARCH|SCAN) audit_entries\b/.test(step));
          expect(searches.length).toBeGreaterThanOrEqual(2);
          expect(searches.filter((step) => !led.some((column) => step.includes(`(${column}`)))).toEqual([]);
        }
      });
  });
