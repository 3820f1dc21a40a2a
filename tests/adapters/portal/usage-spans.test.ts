import { describe, expect, test } from "bun:test";
import { requestsIn, spansOf, WINDOWS, type WindowName } from "../../../adapters/portal/keys/usage-spans.ts";

const NOW = Date.parse("2026-11-20T09:41:00.000Z");
const hour = (at: string, served: number, unauthorized = 0) => ({
  hour: at,
  served,
  denied: 1,
  limited: 2,
  failed: 3,
  unauthorized,
});
const NAMES = Object.keys(WINDOWS) as WindowName[];

describe("the bars of a chart of requests", () => {
  test("cover the whole window without a gap, the current hour last", () => {
    for (const name of NAMES) {
      const { hours, hoursABar } = WINDOWS[name];
      const spans = spansOf([], name, NOW);
      expect(spans).toHaveLength(hours / hoursABar);
      const starts = spans.map(({ at }) => Date.parse(at));
      for (const [index, start] of starts.entries())
        expect(start).toBe((starts[0] ?? 0) + index * hoursABar * 3_600_000);
      expect((starts.at(-1) ?? 0) + hoursABar * 3_600_000).toBe(Date.parse("2026-11-20T10:00:00.000Z"));
    }
  });

  test("lose no request, and count those of a revoked key as denied", () => {
    const hours = [hour("2026-11-20T09:00:00.000Z", 10, 5), hour("2026-11-19T10:00:00.000Z", 7)];
    for (const name of NAMES) {
      const spans = spansOf(hours, name, NOW);
      const sum = (end: "served" | "denied" | "limited" | "failed") => spans.reduce((all, span) => all + span[end], 0);
      expect([sum("served"), sum("denied"), sum("limited"), sum("failed")]).toEqual([17, 7, 4, 6]);
    }
    expect(requestsIn(hours)).toBe(34);
  });

  test("leave out requests before the window", () => {
    expect(requestsIn([])).toBe(0);
    expect(spansOf([hour("2026-11-19T09:00:00.000Z", 9)], "24h", NOW).every(({ served }) => served === 0)).toBe(true);
  });
});
