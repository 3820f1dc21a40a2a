import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { BulkAnswer } from "../../core/bulk/bulk.ts";
import type { RevertAnswer } from "../../core/recent-changes/recent-changes.ts";
import type { Vehicle } from "../../core/vehicles/vehicle.ts";
import { inGate } from "../support/depth.ts";
import { ENGINES } from "../support/engines.ts";
import { create, dealerBody, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const RUNS = inGate(6, 150);
const MOST_STEPS = 5;

const price = fc.constantFrom(800, 900, 1000, 1100).map((value) => ({ price: value }));
const status = fc.constantFrom("available", "pending", "sold").map((value) => ({ status: value }));

/** A change; or one that is reverted, with a change of another field before that. */
const steps = fc.array(
  fc.oneof(
    fc.record({ changes: fc.oneof(price, status) }),
    fc.record({ reverted: price, between: status }),
    fc.record({ reverted: status, between: price }),
  ),
  { minLength: 1, maxLength: MOST_STEPS },
);

/** What does not depend on the moments of changes, nor on the ids. */
const OF_MOMENTS = ["id", "dealer_id", "created_at", "updated_at", "listed_at", "sold_at", "days_on_lot", "timestamp"];
const withoutMoments = (key: string, value: unknown): unknown => {
  if (OF_MOMENTS.includes(key)) return undefined;
  return key === "price_changed_at" ? value !== null : value;
};

for (const engine of ENGINES)
  describe(`a reverted change and its reversal on ${engine.name}`, () => {
    const fixture = serviceFixture(engine);

    const bulk = async (id: number, changes: object): Promise<string | null> =>
      (await fixture.api<BulkAnswer>("POST", "/api/vehicles/bulk", { body: { ids: [id], changes } })).body.change_id;
    const figuresOf = async (dealer: number, id: number): Promise<unknown> => {
      const { body: vehicle } = await fixture.api<Vehicle>("GET", `/api/vehicles/${id}`);
      const { body: history } = await fixture.api<object>("GET", `/api/vehicles/${id}/history`);
      const { body: report } = await fixture.api<object>("GET", `/api/dealers/${dealer}/report`);
      const all = { vehicle, history: { ...history, meta: null, changes: null, history_since: null }, report };
      return JSON.parse(JSON.stringify(all, withoutMoments));
    };

    test("change no figure, whatever else changes before, between and after them", async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (made) => {
          const [with_, without] = [
            await create(fixture.api, "/api/dealers", dealerBody()),
            await create(fixture.api, "/api/dealers", dealerBody()),
          ];
          const body = (dealer: number) => vehicleBody(dealer, { price: 1000 });
          const [one, other] = [
            await create(fixture.api, "/api/vehicles", body(with_.id)),
            await create(fixture.api, "/api/vehicles", body(without.id)),
          ];
          for (const step of made) {
            if ("changes" in step) {
              for (const id of [one.id, other.id]) await bulk(id, step.changes);
              continue;
            }
            const named = await bulk(one.id, step.reverted);
            for (const id of [one.id, other.id]) await bulk(id, step.between);
            if (named === null) continue;
            const { body } = await fixture.api<RevertAnswer>("POST", `/api/recent-changes/${named}/revert`);
            expect(body.results).toMatchObject([{ outcome: "reverted" }]);
          }
          expect(await figuresOf(with_.id, one.id)).toEqual(await figuresOf(without.id, other.id));
        }),
        { numRuns: RUNS },
      );
    });
  });
