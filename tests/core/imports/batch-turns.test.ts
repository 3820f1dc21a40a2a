import { expect, test } from "bun:test";
import { OPERATOR } from "../../../core/access/principal.ts";
import { makeBatches } from "../../../core/imports/batch.ts";
import { fakeClock } from "../../support/clock.ts";
import { UNLIMITED } from "../../support/unlimited.ts";

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
    pause: async () => void pauses++,
    isUnavailable: () => false,
  });
  const images = Array.from({ length: 100 }, (_, n) => `https://images.example.com/${n}.jpg`);
  const items = Array.from({ length: 60 }, (_, n) => ({ vin: `V${n}`, images }));
  const written = async () => batches.write(OPERATOR, { input: { items }, mayGoOn: () => true });
  expect(await written().catch(String)).toContain("nothing is written");
  expect(pausesBefore).toBeGreaterThanOrEqual(20);
});
