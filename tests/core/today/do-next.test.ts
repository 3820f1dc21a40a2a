import { expect, test } from "bun:test";
import { doNext, type FoundWork, isRefusedOften } from "../../../core/today/do-next.ts";
import type { FeedCount, KeyRequests } from "../../../core/today/today-repository.ts";

const feed = (id: number, left_out: number): FeedCount => ({
  id,
  name: `Feed ${id}`,
  channel: "meta",
  rows: 9,
  left_out,
});
const key = (id: number, some: Partial<KeyRequests>): KeyRequests => ({
  ...{ id, name: `Key ${id}`, code: "rate_limited", served: 0, denied: 0, limited: 0, failed: 0, unauthorized: 0 },
  ...some,
});
const NOTHING: FoundWork = { feeds: [], lastImport: null, withoutPrice: null, keys: [] };
const ALL: FoundWork = {
  feeds: [feed(1, 5), feed(2, 4), feed(3, 3)],
  lastImport: { id: 7, rows: 38, failed: 3 },
  withoutPrice: { total: 4, items: [11, 12] },
  keys: [key(21, { limited: 30, served: 10 }), key(22, { limited: 20, denied: 20, unauthorized: 1, failed: 9 })],
};

test("nothing is to be done if nothing was found, or if all is well", () => {
  expect(doNext(NOTHING)).toEqual([]);
  const well = {
    feeds: [feed(1, 0)],
    lastImport: { id: 7, rows: 38, failed: 0 },
    withoutPrice: { total: 0, items: [] },
  };
  expect(doNext({ ...well, keys: [key(21, { served: 1000 })] })).toEqual([]);
});

test("at most five things are to be done: two feeds, the import, the sales, and the key that was refused most", () => {
  const none = { of: null, id: null, name: null, code: null, vehicle_ids: [] };
  expect(doNext(ALL)).toEqual([
    { ...none, kind: "left_out", count: 5, of: 14, id: 1, name: "Feed 1", code: "meta" },
    { ...none, kind: "left_out", count: 4, of: 13, id: 2, name: "Feed 2", code: "meta" },
    { ...none, kind: "failed_rows", count: 3, of: 38, id: 7 },
    { ...none, kind: "no_sale_price", count: 4, vehicle_ids: [11, 12] },
    { ...none, kind: "refused_key", count: 41, of: 50, id: 22, name: "Key 22", code: "rate_limited" },
  ]);
});

test("a key is refused often from 20 requests and a tenth of all on", () => {
  expect(isRefusedOften(key(1, { denied: 19 }))).toBe(false);
  expect(isRefusedOften(key(1, { denied: 20, served: 180 }))).toBe(true);
  expect(isRefusedOften(key(1, { denied: 20, served: 181 }))).toBe(false);
  expect(isRefusedOften(key(1, { failed: 50 }))).toBe(false);
});
