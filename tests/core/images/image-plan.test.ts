import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { imagePlan, type PresentImage, type WantedImage } from "../../../core/images/image-plan.ts";

/** Images with these addresses and the ids 1, 2, 3 and so on, of which one may be primary. */
const having = (addresses: string, primary?: number): PresentImage[] =>
  [...addresses].map((image_url, place) => ({
    id: place + 1,
    image_url,
    is_primary: place + 1 === primary,
    display_order: place * 2,
  }));
const wanting = (addresses: string): WantedImage[] => [...addresses].map((image_url) => ({ image_url }));

/** The planned images: an id or an address, with a star behind the primary one. */
const planned = (present: PresentImage[], images: WantedImage[], primary: "first" | "kept" = "first") => {
  const plan = imagePlan(present, { images, primary });
  return [plan.images.map((one) => `${one.id ?? one.image_url}${one.is_primary ? "*" : ""}`).join(" "), plan.removed];
};

describe("the plan of a vehicle's images", () => {
  test("keeps the ids of addresses that stay, adds those that come, and removes the rest", () => {
    expect(planned(having("abc", 1), wanting("cxa"))).toEqual(["3* x 1", [2]]);
    expect(planned([], wanting("ab"))).toEqual(["a* b", []]);
    expect(planned(having("ab", 1), [])).toEqual(["", [1, 2]]);
  });

  test("makes the first image primary, unless the list says another, or the present one is to be kept", () => {
    expect(planned(having("abc", 2), wanting("abc"))).toEqual(["1* 2 3", []]);
    expect(planned(having("abc", 2), wanting("cab"), "kept")).toEqual(["3 1 2*", []]);
    expect(planned(having("abc", 2), wanting("ca"), "kept")).toEqual(["3* 1", [2]]);
    const marked = [{ image_url: "a" }, { image_url: "b", is_primary: true }, { image_url: "c", is_primary: true }];
    expect(planned(having("abc", 3), marked, "kept")).toEqual(["1 2* 3", []]);
    expect(planned([], [{ image_url: "a", is_primary: false }])).toEqual(["a*", []]);
  });

  test("takes an address once, or as often as the vehicle has it", () => {
    expect(planned([], wanting("aba"))).toEqual(["a* b", []]);
    expect(planned(having("aba", 1), wanting("aba"))).toEqual(["1* 2 3", []]);
    expect(planned(having("aba", 1), wanting("aabaa"))).toEqual(["1* 3 2", []]);
    expect(planned(having("aba", 1), wanting("a"))).toEqual(["1*", [2, 3]]);
  });

  test("leaves every place as it is if the list is the present one, and numbers others from 0", () => {
    const places = (images: WantedImage[]) =>
      imagePlan(having("abc", 1), { images, primary: "first" }).images.map(({ display_order }) => display_order);
    expect(places(wanting("abc"))).toEqual([0, 2, 4]);
    expect(places(wanting("abcd"))).toEqual([0, 1, 2, 3]);
    expect(places(wanting("acb"))).toEqual([0, 1, 2]);
  });

  test("takes a list that has the primary image first for the present one, as feeds and exports have it so", () => {
    const plan = imagePlan(having("abc", 3), { images: wanting("cab"), primary: "first" });
    expect(plan.images.map(({ id, is_primary, display_order }) => [id, is_primary, display_order])).toEqual([
      [3, true, 4],
      [1, false, 0],
      [2, false, 2],
    ]);
  });

  test("has each present image exactly once, kept or removed, at most one primary, and every wanted address", () => {
    const addresses = fc.string({ unit: fc.constantFrom("a", "b", "c", "d"), maxLength: 8 });
    const sent = fc.array(fc.record({ image_url: fc.constantFrom("a", "b", "c", "e"), is_primary: fc.boolean() }));
    fc.assert(
      fc.property(addresses, sent, fc.constantFrom("first", "kept"), (had, images, primary) => {
        const present = having(had, 1);
        const plan = imagePlan(present, { images, primary });
        const ids = [...plan.removed, ...plan.images.flatMap(({ id }) => id ?? [])];
        expect(ids.sort((one, other) => one - other)).toEqual(present.map(({ id }) => id));
        expect(plan.images.filter(({ is_primary }) => is_primary).length).toBe(images.length > 0 ? 1 : 0);
        expect(new Set(plan.images.map(({ image_url }) => image_url))).toEqual(
          new Set(images.map(({ image_url }) => image_url)),
        );
      }),
    );
  });
});
