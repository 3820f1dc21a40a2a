import { expect, test } from "bun:test";
import { SAMPLERS, type SamplerName } from "../../../adapters/tracing/sampling.ts";

const trace = (start: string, isSampled: boolean) => ({
  traceId: `${"f".repeat(18)}${start.padEnd(14, "0")}`,
  isSampled,
});
const [LOW, HIGH] = ["1", "c"];

/** For a share of a half: what is decided without a sender, and for its low and high traces, recorded or not. */
const DECISIONS: Readonly<Record<SamplerName, readonly (boolean | "by chance")[]>> = {
  always_on: [true, true, true, true, true],
  always_off: [false, false, false, false, false],
  traceidratio: ["by chance", true, true, false, false],
  parentbased_always_on: [true, true, false, true, false],
  parentbased_always_off: [false, true, false, true, false],
  parentbased_traceidratio: ["by chance", true, false, true, false],
};

for (const [name, [alone, ...sent]] of Object.entries(DECISIONS))
  test(`the sampler ${name} decides by its share, its chance or what the sender says`, () => {
    const sampler = SAMPLERS[name as SamplerName](0.5);
    const senders = [trace(LOW, true), trace(LOW, false), trace(HIGH, true), trace(HIGH, false)];
    expect(senders.map(sampler)).toEqual(sent as boolean[]);
    if (alone !== "by chance") expect<boolean | undefined>(sampler(null)).toBe(alone);
    else
      for (const [ratio, decision] of [
        [0, false],
        [1, true],
      ] as const)
        expect(SAMPLERS[name as SamplerName](ratio)(null)).toBe(decision);
  });
