import { describe, expect, test } from "bun:test";
import { inventDealers } from "../../app/seed/dealers.ts";
import { KINDS, type KindName, kindOf } from "../../app/seed/pictures/kinds.ts";
import { drawn, type Scene } from "../../app/seed/pictures/pictures.ts";
import { inventVehicles } from "../../app/seed/vehicles.ts";
import { Failure } from "../../core/failure.ts";
import { inspectPhoto } from "../../core/photos/inspection.ts";
import { colourOf, pixelsOf } from "../support/photos.ts";

const UNTIL = Date.parse("2026-06-01T00:00:00Z");
const dealers = inventDealers({ seed: 1, count: 3, until: UNTIL });
const vehicles = [...inventVehicles({ seed: 1, count: 800, dealers, until: UNTIL })].map(({ fields }) => fields);

const pictureOf = (scene: Partial<Scene>): string =>
  drawn({ view: "outside", kind: "sedan", color: "Jet Black", ...scene }).toString("latin1");

describe("the pictures of invented vehicles", () => {
  test("know the paint and the seats of each of them", () => {
    for (const [view, colors] of [
      ["outside", new Set(vehicles.map(({ exterior_color }) => exterior_color))],
      ["inside", new Set(vehicles.map(({ interior_color }) => interior_color))],
    ] as const) {
      const unknown = pictureOf({ view, color: "a color that is unknown" });
      expect(colors.size).toBeGreaterThan(7);
      for (const color of colors)
        expect([color, pictureOf({ view, color: color ?? "" }) === unknown]).toEqual([color, false]);
    }
  });

  test("differ by kind, and each kind is invented", () => {
    const kinds = Object.keys(KINDS) as KindName[];
    expect(new Set(kinds.map((kind) => pictureOf({ kind }))).size).toBe(kinds.length);
    expect(new Set(vehicles.map(({ body_style }) => kindOf(body_style)))).toEqual(new Set(kinds));
  });

  test("show a car in its colour, and are photos that the service takes", async () => {
    const picture = drawn({ view: "outside", kind: "suv", color: "Crimson" });
    expect(inspectPhoto(picture)).not.toBeInstanceOf(Failure);
    // The door, in the middle of the lower half.
    const pixels = await pixelsOf(picture, 24, 16);
    expect(colourOf(pixels[10 * 24 + 12] ?? [0, 0, 0, 0])).toBe("red");
  });
});
