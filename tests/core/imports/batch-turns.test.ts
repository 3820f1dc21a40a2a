import { expect, test } from "bun:test";
import { OPERATOR } from "../../../core/access/principal.ts";
import { makeBatches } from "../../../core/imports/batch.ts";
import { fakeClock } from "../../support/clock.ts";
import { UNLIMITED } from "../../support/unlimited.ts";
import { succeeded } from "../use-cases.ts";

test("the items of a batch are read with pauses in between, before anything is written", async () => {
  let [steadyMs, pauses, pausesBefore] = [0, 0, -1];
  const batches = makeBatches({
    ...UNLIMITED,
    work: {
      begin() {
        pausesBefore = pauses;
        throw new Error("nothing is written");
      },
    },
    // Each reading of the clock takes a millisecond.
    clock: { ...fakeClock(), steadyMs: () => steadyMs++ },
    images: { max: 100, issuesOf: () => [] },
    maxMs: Number.POSITIVE_INFINITY,
    holdsOthersUp: () => false,
    pause: async () => void pauses++,
    isUnavailable: () => false,
  });
  const images = Array.from({ length: 100 }, (_, n) => `https://images.example.com/${n}.jpg`);
  const items = Array.from({ length: 60 }, (_, n) => ({ vin: `V${n}`, images }));
  const written = async () => batches.write(OPERATOR, { input: { items }, mayGoOn: () => true });
  expect(await written().catch(String)).toContain("nothing is written");
  expect(pausesBefore).toBeGreaterThanOrEqual(20);
});

test("a batch stops when it keeps everybody else from changing anything, and says which items were not reached", async () => {
  const made = { outcome: "created", vehicle_id: 1, errors: [], warnings: [] } as const;
  const batches = makeBatches({
    ...UNLIMITED,
    // Whatever is asked for is done for a hundred items.
    work: { begin: () => async () => Array(100).fill(made) as never },
    clock: fakeClock(),
    images: { max: 100, issuesOf: () => [] },
    maxMs: Number.POSITIVE_INFINITY,
    holdsOthersUp: () => true,
    pause: async () => {},
    isUnavailable: () => false,
  });
  const items = Array.from({ length: 101 }, (_, n) => ({ vin: `V${n}` }));
  const { counts, results } = succeeded(await batches.write(OPERATOR, { input: { items }, mayGoOn: () => true }));
  expect([counts.created, results.at(-1)?.errors[0]?.code]).toEqual([100, "not_reached"]);
});
