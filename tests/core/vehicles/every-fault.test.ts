import { expect, test } from "bun:test";
import { systemClock } from "../../../adapters/system/clock.ts";
import { Failure } from "../../../core/failure.ts";
import { withEveryFault } from "../../../core/vehicles/every-fault.ts";

const finding = { dealers: { exists: async () => false }, clock: systemClock };
const refusedNew = (refusal: Failure, input: unknown) =>
  withEveryFault(refusal, { input, scope: null, present: null, isNew: true }, finding);

test("nothing is added to a refusal that leaves issues out, as any of the other fields may be at fault", async () => {
  const issues = [{ path: "u1", message: "is not a known field" }];
  const refusal = new Failure({ kind: "invalid", issues, omitted: 2 });
  expect(await refusedNew(refusal, { u1: 1, status: 7, stage: "on_hold", dealer_id: 1.5 })).toBe(refusal);
});

test("a body that is no object is refused as it is, however long it is", async () => {
  const issues = [{ path: "", message: "the body must be a JSON object" }];
  const refusal = new Failure({ kind: "invalid", issues, omitted: 0 });
  for (const input of ["x".repeat(10), 5, null, true]) expect(await refusedNew(refusal, input)).toBe(refusal);
});
