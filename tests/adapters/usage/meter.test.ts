import { describe, expect, test } from "bun:test";
import { usageCounter } from "../../../adapters/usage/meter.ts";
import { sumByHour } from "../../../core/keys/usage.ts";
import { OUTCOMES } from "../../../core/keys/usage-repository.ts";
import { fakeClock } from "../../support/clock.ts";
import { counts, denial } from "../../support/usage.ts";

const NINE = "2026-11-20T09:00:00.000Z";
const TEN = "2026-11-20T10:00:00.000Z";
const BEFORE_TEN = Date.parse(TEN) - 1;

const counter = (startMs = BEFORE_TEN) => {
  const clock = fakeClock(startMs);
  return { clock, meter: usageCounter(clock) };
};

describe("a usage counter", () => {
  for (const outcome of OUTCOMES)
    test(`counts ${outcome} requests as such and nothing else`, () => {
      const { meter } = counter();
      meter.count(7, outcome);
      meter.count(7, outcome);
      meter.count(8, outcome);
      expect(meter.take().hours).toEqual([
        { keyId: 7, hour: NINE, ...counts({ [outcome]: 2 }) },
        { keyId: 8, hour: NINE, ...counts({ [outcome]: 1 }) },
      ]);
    });

  test("separates hours exactly at the boundary", () => {
    const { clock, meter } = counter();
    meter.count(7, "served");
    clock.advance(1);
    meter.count(7, "served");
    meter.count(7, "failed");
    expect(meter.take().hours).toEqual([
      { keyId: 7, hour: NINE, ...counts({ served: 1 }) },
      { keyId: 7, hour: TEN, ...counts({ served: 1, failed: 1 }) },
    ]);
  });

  test("counts in the right hour even if the clock is set back", () => {
    const { clock, meter } = counter(Date.parse(TEN));
    meter.count(7, "served");
    clock.advance(-1);
    meter.count(7, "served");
    expect(meter.take().hours.map(({ hour }) => hour)).toEqual([TEN, NINE]);
  });

  test("resets what was taken, and can be read without a reset", () => {
    const { meter } = counter();
    expect(meter.isEmpty).toBe(true);
    meter.count(7, "served");
    meter.deny(7, denial());
    expect(meter.isEmpty).toBe(false);
    const shown = meter.peek();
    expect(meter.peek(7)).toEqual(shown);
    expect(meter.peek(8)).toEqual({ hours: [], uses: [], denials: [] });
    expect(meter.take()).toEqual({ ...shown, oldSecrets: [] });
    expect(meter.isEmpty).toBe(true);
    expect(meter.take()).toEqual({ hours: [], uses: [], denials: [], oldSecrets: [] });
  });

  test("counts the uses of an old secret by day, and returns them once", () => {
    const { clock, meter } = counter(Date.parse("2026-11-20T23:59:59.999Z"));
    const day = (date: string) => `2026-11-${date}T00:00:00.000Z`;
    meter.countOldSecret("one");
    meter.countOldSecret("one");
    expect(meter.isEmpty).toBe(false);
    expect(meter.take().oldSecrets).toEqual([{ hash: "one", day: day("20"), uses: 2, at: clock.now() }]);
    expect([meter.isEmpty, meter.take().oldSecrets]).toEqual([true, []]);
    meter.countOldSecret("one");
    clock.advance(1);
    meter.countOldSecret("one");
    meter.countOldSecret("two");
    expect(meter.take().oldSecrets).toEqual([
      { hash: "one", day: day("21"), uses: 1, at: clock.now() },
      { hash: "two", day: day("21"), uses: 1, at: clock.now() },
    ]);
  });

  test("returns a last use at most once a minute for each key, but shows it at once", () => {
    const { clock, meter } = counter();
    const use = () => meter.take().uses.map(({ at }) => at);
    meter.count(7, "served");
    const first = clock.now();
    expect(use()).toEqual([first]);
    clock.advance(30_000);
    meter.count(7, "denied");
    const second = clock.now();
    expect(use()).toEqual([]);
    expect(meter.peek(7).uses.map(({ at }) => at)).toEqual([second]);
    clock.advance(29_999);
    expect(use()).toEqual([]);
    clock.advance(1);
    expect(use()).toEqual([second]);
    clock.advance(120_000);
    expect(use()).toEqual([]);
  });

  test("does not count a request with an ended secret as a use of the key", () => {
    const { meter } = counter();
    expect(meter.count(7, "unauthorized")).toBe(false);
    expect(meter.take().uses).toEqual([]);
  });

  test("records the client of a key's requests once a second", () => {
    const { clock, meter } = counter();
    const asks = (keyId: number): boolean => {
      const recordsClient = meter.count(keyId, "served");
      if (recordsClient) meter.recordClient(keyId, "198.51.100.1", "curl/8");
      return recordsClient;
    };
    expect([asks(7), asks(7), asks(8)]).toEqual([true, false, true]);
    clock.advance(999);
    expect(asks(7)).toBe(false);
    clock.advance(1);
    expect(asks(7)).toBe(true);
    expect(meter.take().uses[0]).toMatchObject({ address: "198.51.100.1", user_agent: "curl/8" });
  });

  for (const [sent, kept] of [
    ["curl/8", "curl/8"],
    ["a\u0000b\u001b[31mc\r\nd\u0085e\u007f", "ab[31mcde"],
    ["x".repeat(300), "x".repeat(200)],
    [`${"x".repeat(199)}😀`, `${"x".repeat(199)}\ufffd`],
    ["", ""],
  ] as const)
    test(`limits a user agent of ${sent.length} characters and removes control characters: ${JSON.stringify(kept.slice(0, 20))}`, () => {
      const { meter } = counter();
      meter.count(7, "served");
      meter.recordClient(7, "198.51.100.1", sent);
      expect(meter.take().uses[0]?.user_agent).toBe(kept);
    });

  test("keeps a key's latest twenty denials", () => {
    const { clock, meter } = counter();
    meter.count(7, "denied");
    for (let number = 1; number <= 25; number++) {
      clock.advance(1);
      meter.deny(7, denial({ address: `198.51.100.${number}` }));
    }
    const kept = meter.take().denials;
    expect(kept.map(({ address }) => address)).toEqual(
      Array.from({ length: 20 }, (_, index) => `198.51.100.${index + 6}`),
    );
    expect(kept.at(-1)?.at).toBe(clock.now());
  });

  test("is bounded, however many keys there are and however long nothing is taken", () => {
    const { clock, meter } = counter();
    for (let hour = 0; hour < 8; hour++) {
      for (let keyId = 1; keyId <= 30_000; keyId++) {
        meter.count(keyId, "denied");
        meter.deny(keyId, denial());
        meter.deny(keyId, denial());
      }
      clock.advance(3_600_000);
    }
    const { hours, uses, denials } = meter.take();
    expect(hours.length).toBe(100_000);
    expect(uses.length).toBe(20_000);
    expect(denials.length).toBe(20_000);
    // The latest hours remain, and keys that are no longer used make room.
    expect(hours.at(-1)?.hour).toBe("2026-11-20T16:00:00.000Z");
    clock.advance(60_000);
    meter.take();
    meter.count(30_000, "served");
    expect(meter.take().hours).toHaveLength(1);
  });
});

test("counts of the same hour are added up, oldest hour first", () => {
  expect(
    sumByHour([
      { hour: TEN, ...counts({ served: 1, limited: 2 }) },
      { hour: NINE, ...counts({ failed: 1 }) },
      { hour: TEN, ...counts({ served: 3, unauthorized: 4, denied: 5 }) },
    ]),
  ).toEqual([
    { hour: NINE, ...counts({ failed: 1 }) },
    { hour: TEN, ...counts({ served: 4, limited: 2, unauthorized: 4, denied: 5 }) },
  ]);
});
