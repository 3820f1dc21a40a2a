import { afterAll, beforeAll, expect, test } from "bun:test";
import { firstProgress } from "../../../core/imports/after-step.ts";
import { optionsOf } from "../../../core/imports/import.ts";
import { type Permission, permissionSet } from "../../../core/permissions.ts";
import { MOST_VISITED } from "../../../core/today/today.ts";
import { counts } from "../../support/usage.ts";
import { dealerKey, superAdminKey } from "../callers.ts";
import { createDealerRecords, type DealerRecords, NOW, openUseCases, succeeded, type UseCases } from "../use-cases.ts";

const NEEDED = ["dealers:read", "vehicles:read"] as const;

let core: UseCases;
let estate: DealerRecords;
const run = (text: string) => core.db.writeOne({ text, bind: () => [] }, {});

/** A dealer with everything that is to be done: its vehicle was sold just now, and nobody said for what. */
beforeAll(async () => {
  core = await openUseCases();
  estate = await createDealerRecords(core);
  const { feedId, importId, keyId } = estate;
  const reason = '{"state": "now", "rule": "required_empty", "field": "condition", "count": 2}';
  await run(`UPDATE feeds SET counted_state = 'now', counted_rows = 3, counted_left_out = 2, counted_reason = '${reason}'
    WHERE id = ${feedId}`);
  const progress = firstProgress(optionsOf({}, {}));
  const failed = JSON.stringify({ ...progress, done: 9, counts: { ...progress.counts, failed: 4 } });
  await run(`UPDATE imports SET state = 'completed', progress = '${failed}' WHERE id = ${importId}`);
  const refused = counts({ limited: 25 });
  await run(`INSERT INTO key_usage_hours (key_id, hour, ${Object.keys(refused)})
    VALUES (${keyId}, '2026-11-20T08:00:00.000Z', ${Object.values(refused)})`);
  await run(`UPDATE api_keys SET bound_since = NULL WHERE id = ${keyId}`);
});
afterAll(() => core.db.close());

const asked = async (...also: readonly Permission[]) => {
  const caller = dealerKey(estate.dealerId, { permissions: permissionSet([...NEEDED, ...also]) });
  return succeeded(await core.today.ofDealer(caller, estate.dealerId));
};

test("a caller who may see everything gets each kind of what is to be done", async () => {
  const { do_next, left_out, timestamp } = succeeded(await core.today.ofDealer(superAdminKey(), estate.dealerId));
  expect(do_next.map(({ kind, count, of, id, vehicle_ids }) => [kind, count, of, id, vehicle_ids])).toEqual([
    ["left_out", 2, 5, estate.feedId, []],
    ["failed_rows", 4, 9, estate.importId, []],
    ["no_sale_price", 1, null, null, [estate.vehicleId]],
    ["refused_key", 25, 25, estate.keyId, []],
  ]);
  const reason = { rule: "required_empty", field: "condition", count: 2 } as const;
  expect(left_out).toEqual([{ feed_id: estate.feedId, name: "Google", channel: "csv", rows: 3, left_out: 2, reason }]);
  expect(timestamp).toBe(NOW);
});

for (const [permission, kinds] of [
  ["feeds:read", ["left_out"]],
  ["vehicles:write", ["failed_rows", "no_sale_price"]],
  ["keys:read", ["refused_key"]],
] as const)
  test(`only with ${permission} it has ${kinds.join(" and ")}`, async () => {
    const [without, with_] = [await asked(), await asked(permission)];
    expect(without.do_next).toEqual([]);
    expect(without.left_out).toBeNull();
    expect(with_.do_next.map(({ kind }) => kind)).toEqual([...kinds]);
    expect(with_.left_out === null).toBe(permission !== "feeds:read");
  });

test("vehicles without images are not counted on a very large lot; all else is answered", async () => {
  const figuresWith = async (available: number) => {
    await run(`UPDATE dealer_inventory SET available = ${available} WHERE dealer_id = ${estate.dealerId}`);
    const { average_age, without_images, do_next } = await asked("vehicles:write");
    return [average_age.week_ago, without_images, do_next.some(({ kind }) => kind === "no_sale_price")];
  };
  expect(await figuresWith(MOST_VISITED)).toEqual([expect.any(Number), 0, true]);
  expect(await figuresWith(MOST_VISITED + 1)).toEqual([expect.any(Number), null, true]);
});
