import { describe, expect, test } from "bun:test";
import {
  type Change,
  type Kept,
  LIMITS,
  type WalkedVehicle,
  type WalkState,
  whyFull,
  withHold,
  withoutLast,
  withPhoto,
  withPrice,
  withRefused,
  withSent,
  withTried,
} from "../../../adapters/portal/walk/walk-state.ts";

const VEHICLE: WalkedVehicle = {
  ...{ id: 1, title: "Car", year: 2022, make: "Toyota", model: "Camry", stock_number: "A1" },
  ...{ price: 20_000, status: "available", listed_at: null, updated_at: "v1", image: null },
};
const NAMED = { vehicle: VEHICLE, name: "Car" };

const KEPT: Kept = {
  ...{ userId: 7, dealerId: 1, dealerName: "Harbor Motors", day: "2026-11-27", currency: "USD" },
  ...{ isOwn: true, mayChange: true, vehicles: [VEHICLE], steps: [], lastKey: 0, touched: [] },
};
const EMPTY: WalkState = { kept: KEPT, actions: [] };

/** The state after `times` of the same. */
const after = (times: number, change: (state: WalkState) => Change): WalkState => {
  let state = EMPTY;
  while (state.actions.length < times) ({ state } = change(state));
  return state;
};
const photoOf = (bytes: ArrayBuffer) => (state: WalkState) =>
  withPhoto(state, NAMED, { name: "p.jpg", type: "image/jpeg", bytes });

describe("a device", () => {
  test("keeps so many photos, and prices beside them", () => {
    const photos = after(LIMITS.photos, photoOf(new ArrayBuffer(1)));
    expect(whyFull(photos, 1)).toStartWith(`${LIMITS.photos} photos wait`);
    expect(whyFull(photos, null)).toBeNull();
    expect(whyFull(after(LIMITS.photos - 1, photoOf(new ArrayBuffer(1))), 1)).toBeNull();
  });

  test("keeps so many bytes of photos, and prices beside them", () => {
    const half = photoOf(new ArrayBuffer(LIMITS.bytes / 2));
    const full = after(2, half);
    expect(whyFull(full, 1)).toStartWith("The photos that wait would take more than 200 MB");
    expect(whyFull(full, 0)).toBeNull();
    expect(whyFull(after(3, half), null)).toBeNull();
  });

  test("keeps so many actions", () => {
    const priced = (state: WalkState) => withPrice(state, NAMED, 19_600);
    expect(whyFull(after(LIMITS.actions - 1, priced), null)).toBeNull();
    expect(whyFull(after(LIMITS.actions, priced), null)).toStartWith(`${LIMITS.actions} actions wait`);
  });
});

describe("the last step of a walk is taken back", () => {
  const priced = withPrice(EMPTY, NAMED, 19_600).state;
  const [action] = priced.actions;
  if (action === undefined) throw new Error("a price is an action");

  test("if there is one", () => {
    expect(withoutLast(EMPTY).state).toEqual(EMPTY);
    expect(withoutLast(withHold(EMPTY, NAMED).state).state).toEqual(EMPTY);
  });

  test("with its action, if it was refused", () => {
    const refused = withRefused(priced, action, "Somebody changed it.").state;
    expect(refused.actions).toMatchObject([{ wasTried: true, refused: "Somebody changed it." }]);
    expect(withoutLast(refused)).toMatchObject({ state: { kept: { steps: [] }, actions: [] }, put: [], remove: [1] });
  });

  test("before it is tried, and then nobody tries it", () => {
    expect(withTried(priced, action)?.put).toEqual([{ ...action, wasTried: true }]);
    expect(withTried(withoutLast(priced).state, action)).toBeNull();
  });

  test("without another action, if it was sent and nothing can be taken back", () => {
    const sent = withSent(priced, action, null).state;
    expect(withoutLast(sent)).toMatchObject({ state: { kept: { steps: [] }, actions: [] }, put: [], remove: [] });
  });
});
