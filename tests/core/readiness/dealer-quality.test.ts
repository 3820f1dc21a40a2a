import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { issueOf } from "../../../core/channels/issue.ts";
import { countReadiness } from "../../../core/readiness/count.ts";
import { dealerQuality, type LotVehicle, qualityCounter } from "../../../core/readiness/dealer-quality.ts";
import { besidePeers, isFarFromPeers } from "../../../core/readiness/peers.ts";
import { feedVehicle } from "../channels/invented.ts";

const { vehicle, images } = feedVehicle();
const onLot = (changes: Partial<LotVehicle> = {}): LotVehicle => ({
  ...vehicle,
  images,
  imageCount: images.length,
  make_folded: "honda",
  model_folded: "accord",
  ...changes,
});
const JUDGING = { now: "2026-04-02T00:00:00.000Z", distanceUnit: "mi" } as const;
const NOTHING = { photos: new Set<string>(), vins: new Set<string>() };

/** What is told of everything on these lots. */
const qualityOf = async (...lots: readonly ReturnType<typeof dealerQuality>[]) => {
  const counter = qualityCounter();
  for (const lot of lots) await lot.addTo(counter, async () => {});
  return counter.quality();
};

const priced = (...prices: readonly number[]) => prices.map((price) => ({ year: 2020, cents: price * 100 }));
const farOf = (vehicles: readonly { readonly year: number; readonly cents: number }[]): number[] =>
  [...besidePeers(vehicles)].flatMap(({ vehicle, isFar }) => (isFar ? [vehicle.cents / 100] : []));

const USUAL = [20_000, 20_200, 20_400, 20_600, 20_800, 21_000, 21_200, 21_400];

/** The rule as the contract words it, by sorting. */
const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((one, other) => one - other);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
};

describe("a price", () => {
  test("far from those of 8 peers is found, above and below; with 7 peers it is not", () => {
    expect(farOf(priced(...USUAL, 40_000))).toEqual([40_000]);
    expect(farOf(priced(...USUAL, 2000))).toEqual([2000]);
    expect(farOf(priced(...USUAL.slice(1), 40_000))).toEqual([]);
    expect(farOf(priced(...USUAL, 21_500))).toEqual([]);
  });

  test("has peers of the year before and the year after, and of no other year", () => {
    const [outlier] = priced(40_000);
    const other = (year: number) => priced(...USUAL).map(({ cents }) => ({ cents, year }));
    for (const [year, far] of [
      [2018, 0],
      [2019, 1],
      [2020, 1],
      [2021, 1],
      [2022, 0],
    ] as const)
      expect([year, farOf([...other(year), ...(outlier === undefined ? [] : [outlier])]).length]).toEqual([year, far]);
  });

  test("of zero is no peer of other prices, and is far from none", () => {
    expect(farOf(priced(...USUAL.slice(1), 0, 40_000))).toEqual([]);
    expect(farOf(priced(...USUAL, 0))).toEqual([]);
  });

  test("that differs a little from 8 identical ones is not far", () => {
    const same = Array.from({ length: 8 }, () => 20_000);
    expect(farOf(priced(...same, 20_100))).toEqual([]);
    expect(farOf(priced(...same, 20_300))).toEqual([20_300]);
  });

  test("is far exactly when it is more than 3.5 median deviations from the median of the others", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 2, maxLength: 40, size: "max" }),
        (prices) => {
          const vehicles = priced(...prices);
          const expected = vehicles.filter((one) => {
            const others = vehicles.filter((other) => other !== one).map(({ cents }) => Math.log(cents));
            if (others.length < 8) return false;
            const center = median(others);
            const deviation = median(others.map((log) => Math.abs(log - center)));
            return Math.abs(Math.log(one.cents) - center) > (deviation === 0 ? 0.01 : 3.5 * deviation);
          });
          const judged = [...besidePeers(vehicles)];
          expect(judged.filter(({ isFar }) => isFar).map(({ vehicle }) => vehicle)).toEqual(expected);
          expect(judged).toHaveLength(vehicles.length);
          for (const { vehicle, isFar } of judged) {
            const peers = vehicles.filter((other) => other !== vehicle).map(({ cents }) => cents);
            expect(
              isFarFromPeers(
                vehicle.cents,
                peers.sort((one, other) => one - other),
              ),
            ).toBe(isFar);
          }
        },
      ),
    );
  });
});

describe("the quality of a lot", () => {
  test("without vehicles has no score", async () => {
    expect(await qualityOf(dealerQuality(JUDGING, NOTHING))).toEqual({ vehicles: 0, score: null, rules: [] });
  });

  test("is the mean of the scores, with the rules by the number of vehicles that break them", async () => {
    const lot = dealerQuality(JUDGING, NOTHING);
    for (const changes of [{}, { trim: null }, { trim: null, price: 0 }]) lot.add(onLot(changes));
    expect(await qualityOf(lot)).toEqual({
      vehicles: 3,
      score: Math.round((100 + 90 + 65) / 3),
      rules: [
        expect.objectContaining({ rule: "price_zero", severity: "error", field: "price", count: 1 }),
        expect.objectContaining({ rule: "trim_missing", severity: "warning", field: "trim", count: 2 }),
      ],
    });
  });

  test("of several dealers covers all their vehicles, each compared to its own dealer's", async () => {
    const [one, other] = [dealerQuality(JUDGING, NOTHING), dealerQuality(JUDGING, NOTHING)];
    for (const price of USUAL) one.add(onLot({ price }));
    other.add(onLot({ price: 40_000, trim: null }));
    expect(await qualityOf(one, other)).toMatchObject({
      vehicles: 9,
      score: 99,
      rules: [{ rule: "trim_missing", count: 1 }],
    });
  });

  test("compares prices only among vehicles of one make and model", async () => {
    const lot = dealerQuality(JUDGING, NOTHING);
    for (const price of USUAL) lot.add(onLot({ price }));
    lot.add(onLot({ price: 40_000 }));
    lot.add(onLot({ price: 40_000, model_folded: "civic" }));
    expect(await qualityOf(lot)).toMatchObject({
      vehicles: 10,
      score: 99,
      rules: [{ rule: "price_off_peers", count: 1 }],
    });
  });

  test("knows the photos and VINs that several vehicles share", async () => {
    const lot = dealerQuality(JUDGING, { photos: new Set(images.slice(3)), vins: new Set(["1hgbh41jxmn109186"]) });
    lot.add(onLot());
    lot.add(onLot({ vin: null, images: images.slice(0, 3) }));
    expect((await qualityOf(lot)).rules.map(({ rule, count }) => [rule, count])).toEqual([
      ["photo_shared", 1],
      ["vin_repeated", 1],
    ]);
  });
});

describe("a large lot", () => {
  test("lets other requests run after every few hundred vehicles", async () => {
    const lot = dealerQuality(JUDGING, NOTHING);
    for (let place = 0; place < 2000; place++) lot.add(onLot({ model_folded: `model ${place % 20}` }));
    let turns = 0;
    await lot.addTo(qualityCounter(), async () => void turns++);
    expect(turns).toBe(4);
    const alike = dealerQuality(JUDGING, NOTHING);
    for (let place = 0; place < 2000; place++) alike.add(onLot({ price: 9000 + place }));
    await alike.addTo(qualityCounter(), async () => void turns++);
    expect(turns).toBe(8);
  });
});

describe("a count", () => {
  test("distinguishes ready, blocked and warned, and counts a vehicle once for each rule and field", () => {
    const counting = countReadiness();
    const error = issueOf({ rule: "required_empty", severity: "error", field: "mileage", message: "of this one" });
    const other = issueOf({ rule: "required_empty", severity: "error", field: "vin" });
    const warning = issueOf({ rule: "body_unknown", severity: "warning", field: "body_style" });
    for (const issues of [[], [warning], [warning, warning], [error, error, warning], [error, other]])
      counting.add(issues);
    const { rules, ...counts } = counting.counts();
    expect(counts).toEqual({ ready: 3, blocked: 2, warned: 2 });
    expect(rules.map(({ rule, field, count }) => [rule, field, count])).toEqual([
      ["required_empty", "mileage", 2],
      ["required_empty", "vin", 1],
      ["body_unknown", "body_style", 3],
    ]);
    expect(rules[0]?.message).toBe("A field that the channel requires is empty.");
  });
});
