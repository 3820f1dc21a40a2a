import { describe, expect, test } from "bun:test";
import { MAX_SCHEDULED, scheduleRequestIn } from "../../../core/scheduled-changes/schedule.ts";
import { fakeClock } from "../../support/clock.ts";
import { causeOf, succeeded } from "../use-cases.ts";

const clock = fakeClock(Date.parse("2026-11-20T09:11:00.000Z"));
const FRIDAY = { at: "2026-11-27T17:00:00+01:00", changes: { price: 19_990 } };
const VALID = { vehicle_id: 7, ...FRIDAY };

/** What is wrong with a body, by the paths of its issues. */
const faultsOf = (input: unknown): Readonly<Record<string, string>> => {
  const cause = causeOf(scheduleRequestIn(input, clock));
  return Object.fromEntries(cause?.kind === "invalid" ? cause.issues.map(({ path, message }) => [path, message]) : []);
};

describe("the body of a scheduled change", () => {
  test("names one vehicle or many, a moment, and a price, a status or both", () => {
    expect(scheduleRequestIn(VALID, clock)).toEqual({
      vehicleIds: [7],
      sentList: null,
      at: "2026-11-27T16:00:00.000Z",
      changes: { price: 19_990 },
    });
    const many = { ...FRIDAY, vehicle_ids: [9, 7, 9], changes: { status: "sold", price: 1 } };
    expect(scheduleRequestIn(many, clock)).toMatchObject({
      vehicleIds: [9, 7],
      sentList: [9, 7, 9],
      changes: { status: "sold", price: 1 },
    });
    for (const changes of [{ price: 1 }, { status: "sold" }])
      expect(Object.keys(succeeded(scheduleRequestIn({ ...VALID, changes }, clock)).changes)).toEqual(
        Object.keys(changes),
      );
  });

  test("takes the price as a difference, as bulk changes do", () => {
    for (const price of [{ percent: -2.5 }, { add: -500 }])
      expect(succeeded(scheduleRequestIn({ ...VALID, changes: { price } }, clock)).changes).toEqual({ price });
    expect(Object.keys(faultsOf({ ...VALID, changes: { price: { times: 2 } } }))).toEqual(["changes.price"]);
  });

  test("has its moment ahead, and no more than 366 days ahead", () => {
    const at = (moment: string) => faultsOf({ ...VALID, at: moment }).at;
    expect(at("2026-11-20T09:11:00Z")).toBe("must be in the future");
    expect(at("2026-11-20T09:11:00.001Z")).toBeUndefined();
    expect(at("2027-11-21T09:11:00Z")).toBeUndefined();
    expect(at("2027-11-21T09:11:00.001Z")).toBe("must be at most 366 days ahead");
  });

  test("changes no other field, and at least one of these", () => {
    expect(faultsOf({ ...VALID, changes: { price: 1, mileage: 2, dealer_id: 3 } })).toEqual({
      "changes.mileage": "cannot be scheduled: only price and status can",
      "changes.dealer_id": "cannot be scheduled: only price and status can",
    });
    expect(Object.keys(faultsOf({ ...VALID, changes: { price: -1, mileage: 2 } })).sort()).toEqual([
      "changes.mileage",
      "changes.price",
    ]);
    for (const changes of [{}, [], null, "price"])
      expect(Object.keys(faultsOf({ ...VALID, changes }))).toEqual(["changes"]);
    expect(Object.keys(faultsOf({ ...VALID, changes: { mileage: 2 } }))).toEqual(["changes.mileage"]);
  });

  test("is refused with every field that is wrong", () => {
    const faults = faultsOf({
      vehicle_id: 0,
      vehicle_ids: [],
      at: "Friday",
      changes: { price: -1, status: "gone" },
      when: "soon",
    });
    expect(Object.keys(faults).sort()).toEqual(
      ["at", "changes.price", "changes.status", "vehicle_id", "vehicle_ids", "when"].sort(),
    );
    expect(Object.keys(faultsOf({})).sort()).toEqual(["at", "changes", "vehicle_id"]);
    expect(Object.keys(faultsOf({ ...VALID, vehicle_ids: [8] }))).toEqual(["vehicle_id"]);
    for (const none of [null, [], "x", 3]) expect(faultsOf(none)).not.toEqual({});
  });

  test("names up to 1000 vehicles", () => {
    const of = (count: number) => ({
      ...FRIDAY,
      vehicle_ids: Array.from({ length: count }, (_, index) => index + 1),
    });
    expect(faultsOf(of(MAX_SCHEDULED))).toEqual({});
    expect(Object.keys(faultsOf(of(MAX_SCHEDULED + 1)))).toEqual(["vehicle_ids"]);
  });
});
