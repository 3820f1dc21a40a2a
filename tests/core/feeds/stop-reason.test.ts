import { describe, expect, test } from "bun:test";
import { isLargeDrop } from "../../../core/feeds/stop-reason.ts";

describe("a feed has lost too many rows", () => {
  for (const [before, rows, percent, isTooMany] of [
    [10, 6, 30, true],
    [10, 7, 20, false],
    [4, 0, 50, true],
    [3, 0, 0, false],
    [100, 50, 50, false],
    [100, 49, 50, true],
    [100, 0, 100, false],
    [10, 20, 0, false],
  ] as const)
    test(`if of ${before} there are ${rows}, with ${percent} % allowed: ${isTooMany}`, () => {
      expect(isLargeDrop(before, rows, percent)).toBe(isTooMany);
    });
});
