import { expect, test } from "bun:test";
import { dealerChanges, newDealer } from "../../../core/dealers/dealer.ts";
import { located, placeOfDealer, requireBothCoordinates } from "../../../core/dealers/location.ts";
import { placeOfZip } from "../../../core/places/places.ts";
import { newDealerBody, pathsOf } from "../use-cases.ts";

test("a dealer's location is its coordinates, otherwise its ZIP code, otherwise unknown", () => {
  const set = { latitude: 10.5, longitude: -20.25 };
  expect(placeOfDealer({ zip: "97201", ...set })).toEqual(set);
  const unset = { latitude: null, longitude: null };
  expect(placeOfDealer({ zip: "97201-1234", ...unset })).toEqual(placeOfZip("97201"));
  expect(placeOfDealer({ zip: "SW1A 1AA", ...unset })).toBeNull();
  expect(located({ zip: "SW1A 1AA", ...unset })).toEqual({ zip: "SW1A 1AA", ...unset });
  expect(located({ zip: "97201", ...set })).toEqual({ zip: "97201", ...set });
});

test("coordinates are accepted only as a pair, and the missing one is named", () => {
  for (const [sent, missing] of [
    [{}, null],
    [{ latitude: 1, longitude: 2 }, null],
    [{ latitude: 0, longitude: 0 }, null],
    [{ latitude: null, longitude: null }, null],
    [{ latitude: 1 }, ["longitude"]],
    [{ longitude: 1 }, ["latitude"]],
    [{ latitude: 1, longitude: null }, ["longitude"]],
    [{ latitude: null, longitude: 1 }, ["latitude"]],
    [{ latitude: null }, ["longitude"]],
    [{ longitude: null }, ["latitude"]],
  ] as const) {
    expect([sent, pathsOf(newDealer.parse({ ...newDealerBody(), ...sent }, requireBothCoordinates))]).toEqual([
      sent,
      missing === null ? null : [...missing],
    ]);
    if (Object.keys(sent).length > 0)
      expect([sent, pathsOf(dealerChanges.parse(sent, requireBothCoordinates))]).toEqual([
        sent,
        missing === null ? null : [...missing],
      ]);
  }
});
