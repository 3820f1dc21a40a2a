import { expect, test } from "bun:test";
import { RULES } from "../../../core/channels/issue.ts";
import { doNext, type FoundWork, isRefusedOften, TODO_KINDS } from "../../../core/today/do-next.ts";
import { priceCorrections } from "../../../core/today/price-corrections.ts";
import type { FeedCount, KeyRequests } from "../../../core/today/today-repository.ts";

const feed = (id: number, left_out: number): FeedCount => ({
  id,
  name: `Feed ${id}`,
  channel: "meta",
  rows: 9,
  left_out,
  reason: null,
});
const key = (id: number, some: Partial<KeyRequests>): KeyRequests => ({
  ...{ id, name: `Key ${id}`, code: "rate_limited", served: 0, denied: 0, limited: 0, failed: 0, unauthorized: 0 },
  ...some,
});
const NOTHING: FoundWork = { feeds: [], lastImport: null, withoutPrice: null, corrections: [], keys: [] };
const ALL: FoundWork = {
  feeds: [feed(1, 5), feed(2, 4), feed(3, 3)],
  lastImport: { id: 7, rows: 38, failed: 3 },
  withoutPrice: { total: 4, items: [11, 12] },
  corrections: [],
  keys: [key(21, { limited: 30, served: 10 }), key(22, { limited: 20, denied: 20, unauthorized: 1, failed: 9 })],
};

test("nothing is to be done if nothing was found, or if all is well", () => {
  expect(doNext(NOTHING)).toEqual([]);
  const well = {
    feeds: [feed(1, 0)],
    lastImport: { id: 7, rows: 38, failed: 0 },
    withoutPrice: { total: 0, items: [] },
    corrections: [],
  };
  expect(doNext({ ...well, keys: [key(21, { served: 1000 })] })).toEqual([]);
});

test("at most five things are to be done: two feeds, the import, the sales, and the key that was refused most", () => {
  const none = { of: null, id: null, name: null, code: null, reason: null, vehicle_ids: [], file_prices: [] };
  expect(doNext(ALL)).toEqual([
    { ...none, kind: "left_out", count: 5, of: 14, id: 1, name: "Feed 1", code: "meta" },
    { ...none, kind: "left_out", count: 4, of: 13, id: 2, name: "Feed 2", code: "meta" },
    { ...none, kind: "failed_rows", count: 3, of: 38, id: 7 },
    { ...none, kind: "no_sale_price", count: 4, vehicle_ids: [11, 12] },
    { ...none, kind: "refused_key", count: 41, of: 50, id: 22, name: "Key 22", code: "rate_limited" },
  ]);
});

test("with corrected prices, there is room for one feed, which has its reason in words", () => {
  const corrections = [
    { id: 31, filePrice: 24_100 },
    { id: 32, filePrice: 31_000 },
  ];
  const reason = { rule: "required_empty", field: "condition", count: 5 } as const;
  const found = doNext({ ...ALL, feeds: [{ ...feed(1, 5), reason }, feed(2, 4)], corrections });
  expect(found.map(({ kind }) => kind)).toEqual([...TODO_KINDS]);
  expect(found[0]?.reason).toEqual({ ...reason, ...RULES.required_empty });
  expect(found[3]).toMatchObject({ count: 2, vehicle_ids: [31, 32], file_prices: [24_100, 31_000] });
});

test("a price that any file has is no correction; otherwise it stands beside the latest file's", () => {
  expect(priceCorrections([])).toEqual([]);
  const repriced = [
    { id: 1, price: 100, said: [120, 100] },
    { id: 2, price: 100, said: [110, 120] },
    { id: 3, price: 100, said: [] },
  ];
  expect(priceCorrections(repriced)).toEqual([{ id: 2, filePrice: 110 }]);
});

test("a key is refused often from 20 requests and a tenth of all on", () => {
  expect(isRefusedOften(key(1, { denied: 19 }))).toBe(false);
  expect(isRefusedOften(key(1, { denied: 20, served: 180 }))).toBe(true);
  expect(isRefusedOften(key(1, { denied: 20, served: 181 }))).toBe(false);
  expect(isRefusedOften(key(1, { failed: 50 }))).toBe(false);
});
