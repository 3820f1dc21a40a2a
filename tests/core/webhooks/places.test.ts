import { expect, test } from "bun:test";
import fc from "fast-check";
import { SendingPlaces } from "../../../core/webhooks/places.ts";

test("there are never more messages than places, and a dealer that sends nothing finds one while fewer dealers send than a quarter of the places", () => {
  const steps = fc.array(fc.record({ dealer: fc.integer({ min: 1, max: 6 }), gives: fc.boolean() }), {
    maxLength: 300,
  });
  fc.assert(
    fc.property(steps, (all) => {
      const places = new SendingPlaces(16);
      const held = new Map<number, number>();
      for (const { dealer, gives } of all) {
        const before = held.get(dealer) ?? 0;
        if (gives && before > 0) {
          places.giveBack(dealer);
          held.set(dealer, before - 1);
        } else if (places.roomOf(dealer) > 0) {
          places.take(dealer);
          held.set(dealer, before + 1);
        }
        const taken = [...held.values()].reduce((sum, one) => sum + one, 0);
        expect(places.free).toBe(16 - taken);
        expect(places.free).toBeGreaterThanOrEqual(0);
        const sending = [...held.values()].filter((one) => one > 0).length;
        if (sending < 4) expect(places.roomOf(7)).toBeGreaterThan(0);
        expect(places.roomOf(7)).toBeLessThanOrEqual(places.free);
      }
    }),
  );
});

test("dealers whose receivers do not answer leave places to dealers that send nothing, one each", () => {
  const places = new SendingPlaces(64);
  for (let dealer = 1; dealer <= 7; dealer++) while (places.roomOf(dealer) > 0) places.take(dealer);
  const found: number[] = [];
  for (let dealer = 8; places.roomOf(dealer) > 0; dealer++) {
    found.push(places.roomOf(dealer));
    places.take(dealer);
  }
  expect(found).toEqual(Array(11).fill(1));
  expect(places.free).toBe(0);
});

test("of the last quarter nobody takes a second", () => {
  const places = new SendingPlaces(16);
  for (let taken = 0; taken < 11; taken++) places.take(1);
  // One place is outside the last quarter.
  expect(places.roomOf(2)).toBe(1);
  places.take(2);
  expect([places.roomOf(2), places.roomOf(3)]).toEqual([0, 1]);
});

test("a dealer alone takes half of the places", () => {
  const places = new SendingPlaces(64);
  let taken = 0;
  for (; places.roomOf(1) > 0; taken++) places.take(1);
  expect([taken, places.roomOf(2)]).toEqual([32, 16]);
});

test("a dealer that has given a place back finds as many as if it had never taken it", () => {
  const places = new SendingPlaces(8);
  for (let time = 0; time < 2; time++) places.take(1);
  for (const left of [1, 0]) {
    places.giveBack(1);
    const fresh = new SendingPlaces(8);
    for (let time = 0; time < left; time++) fresh.take(1);
    expect([places.roomOf(1), places.free]).toEqual([fresh.roomOf(1), fresh.free]);
  }
});
