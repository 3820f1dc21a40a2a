import { describe, expect, test } from "bun:test";
import { doubtedAgainst } from "../../../core/vehicles/price-doubt.ts";

const CASES: readonly (readonly [
  what: string,
  price: number,
  known: Parameters<typeof doubtedAgainst>[1],
  against: number | null,
])[] = [
  ["a fifth below the last one", 26_792, { before: 33_490, peers: [] }, null],
  ["more than a fifth below the last one", 26_791, { before: 33_490, peers: [] }, 33_490],
  ["more than a fifth above the last one", 40_189, { before: 33_490, peers: [] }, 33_490],
  ["of 0, after another", 0, { before: 33_490, peers: [] }, 33_490],
  ["after one of 0", 33_490, { before: 0, peers: [] }, null],
  ["with a tenth of what its peers cost", 2500, { before: null, peers: [24_000, 26_000, 25_000] }, null],
  ["below a tenth of what its peers cost", 2499, { before: null, peers: [24_000, 26_000, 25_000] }, 25_000],
  ["with too few peers", 100, { before: null, peers: [24_000, 26_000] }, null],
  ["whose peers have no price", 100, { before: null, peers: [24_000, 26_000, 0] }, null],
  ["of 0, beside its peers", 0, { before: null, peers: [24_000, 26_000, 25_000] }, null],
  ["near its last one, though far below its peers", 2000, { before: 2100, peers: [24_000, 26_000, 25_000] }, 25_000],
];

describe("a price", () => {
  for (const [what, price, known, against] of CASES)
    test(`${what} is ${against === null ? "taken as it is" : `to be confirmed against ${against}`}`, () => {
      expect(doubtedAgainst(price, known)).toBe(against);
    });
});
