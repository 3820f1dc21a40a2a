import { describe, expect, test } from "bun:test";
import { Failure, type Outcome } from "../../../core/failure.ts";
import { MAX_DISPLAY_ORDER, type StoredImage } from "../../../core/images/image.ts";
import {
  imageAdded,
  imageChanged,
  imageRemoved,
  imagesOrdered,
  imagesSet,
} from "../../../core/images/image-changes.ts";
import type { ImageDecision } from "../../../core/images/image-repository.ts";
import { isPrimaryWhenAdded, nextPrimary } from "../../../core/images/primary-image.ts";
import { causeOf } from "../use-cases.ts";

/** Images with these addresses, the ids 1, 2, 3 and so on and the places 0, 2, 4 and so on. */
const having = (addresses: string, primary?: number): StoredImage[] =>
  [...addresses].map((image_url, place) => ({
    id: place + 1,
    vehicle_id: 7,
    image_url,
    is_primary: place + 1 === primary,
    display_order: place * 2,
    created_at: "2026-11-20T09:11:00.000Z",
    alt: null,
    width: null,
    height: null,
    placeholder: null,
  }));

const stepsOf = (decision: Outcome<ImageDecision>): unknown =>
  decision instanceof Failure ? decision : decision.steps;
const MOST = 3;

describe("which image is primary", () => {
  test("a new one is if it is the first, unless it was sent otherwise", () => {
    const cases = [having(""), having("a")].map((present) =>
      [undefined, true, false].map((sent) => isPrimaryWhenAdded(present, sent)),
    );
    expect(cases).toEqual([
      [true, true, false],
      [false, true, false],
    ]);
  });

  test("after a removal of the primary one, the first of those that stay is; after another removal, nothing changes", () => {
    const present = having("abc", 2);
    const after = present.map((removed) => nextPrimary(present, removed)?.id ?? null);
    expect(after).toEqual([null, 1, null]);
    const [only] = having("a", 1);
    expect(only && nextPrimary([only], only)).toBeNull();
    expect(stepsOf(imageRemoved(present, 2))).toEqual([
      { does: "remove", id: 2 },
      { does: "mark", id: 1 },
    ]);
    expect(stepsOf(imageRemoved(present, 3))).toEqual([{ does: "remove", id: 3 }]);
  });
});

describe("a new image", () => {
  test("comes behind the last one, at the last place that there is, or where it is sent", () => {
    const placesOf = (present: StoredImage[], display_order?: number) => {
      const draft = { image_url: "x", ...(display_order !== undefined && { display_order }) };
      return stepsOf(imageAdded(present, draft, MOST));
    };
    const added = (is_primary: boolean, display_order: number) => [
      { does: "add", id: -1, image: { image_url: "x", is_primary, display_order } },
    ];
    expect(placesOf([])).toEqual(added(true, 0));
    expect(placesOf(having("ab", 1))).toEqual(added(false, 3));
    expect(placesOf(having("ab", 1), 0)).toEqual(added(false, 0));
    const last = having("a", 1).map((image) => ({ ...image, display_order: MAX_DISPLAY_ORDER }));
    expect(placesOf(last)).toEqual(added(false, MAX_DISPLAY_ORDER));
  });

  test("is refused if the vehicle has as many as it may have, unless it has this address", () => {
    expect(causeOf(imageAdded(having("abc", 1), { image_url: "x" }, MOST))).toMatchObject({
      kind: "invalid",
      issues: [{ path: "", message: "the vehicle has the 3 images that one may have: remove one first" }],
    });
    expect(imageAdded(having("abc", 1), { image_url: "b" }, MOST)).toEqual({ named: 2, steps: [] });
  });

  test("with an address that the vehicle has changes that image, where the mark, the place or the text differs", () => {
    const present = having("abc", 1);
    expect(imageAdded(present, { image_url: "b", is_primary: false, display_order: 2, alt: null }, 9)).toEqual({
      named: 2,
      steps: [],
    });
    for (const changes of [
      { image_url: "b", is_primary: true },
      { image_url: "b", display_order: 0 },
      { image_url: "b", alt: "a car" },
    ])
      expect(imageAdded(present, changes, 9)).toEqual({ named: 2, steps: [{ does: "change", id: 2, changes }] });
  });
});

test("an image that the vehicle does not have is neither changed nor removed", () => {
  const missing = { kind: "not-found", subject: "image", id: 4 } as const;
  expect(causeOf(imageChanged(having("abc"), 4, { display_order: 1 }))).toEqual(missing);
  expect(causeOf(imageRemoved(having("abc"), 4))).toEqual(missing);
  expect(imageChanged(having("abc"), 3, { display_order: 1 })).toEqual({
    named: 3,
    steps: [{ does: "change", id: 3, changes: { display_order: 1 } }],
  });
});

test("an image that is not to be primary any more leaves that to the first of the others, if it was and there are any", () => {
  const changes = { is_primary: false };
  const change = (id: number) => ({ does: "change", id, changes });
  for (const [present, id, steps] of [
    [having("abc", 1), 1, [change(1), { does: "mark", id: 2 }]],
    [having("abc", 3), 3, [change(3), { does: "mark", id: 1 }]],
    [having("abc", 1), 2, [change(2)]],
    [having("a", 1), 1, [change(1)]],
  ] as const)
    expect([id, stepsOf(imageChanged(present, id, changes))]).toEqual([id, steps]);
  const again = { image_url: "a", ...changes };
  expect(stepsOf(imageAdded(having("ab", 1), again, MOST))).toEqual([
    { does: "change", id: 1, changes: again },
    { does: "mark", id: 2 },
  ]);
});

test("an order names all images once each, and numbers them from 0", () => {
  for (const ids of [[], [1], [1, 1], [1, 2, 2], [1, 3], [1, 2, 3]])
    expect([ids, causeOf(imagesOrdered(having("ab"), ids))?.kind]).toEqual([ids, "invalid"]);
  expect(stepsOf(imagesOrdered(having("ab"), [2, 1]))).toEqual([
    {
      does: "order",
      images: [
        { id: 2, display_order: 0 },
        { id: 1, display_order: 1 },
      ],
    },
  ]);
});

describe("a list of images", () => {
  const set = (present: StoredImage[], addresses: string, most = 9) =>
    stepsOf(imagesSet(present, { images: [...addresses].map((image_url) => ({ image_url })), primary: "first" }, most));

  test("takes no step if it is the present one", () => {
    expect(set(having("abc", 1), "abc")).toEqual([]);
    expect(set([], "")).toEqual([]);
  });

  test("removes and adds first, then orders, and marks the primary one last", () => {
    expect(set(having("ab", 1), "xb")).toEqual([
      { does: "remove", id: 1 },
      { does: "add", id: -1, image: { image_url: "x", is_primary: false, display_order: 0 } },
      {
        does: "order",
        images: [
          { id: -1, display_order: 0 },
          { id: 2, display_order: 1 },
        ],
      },
      { does: "change", id: -1, changes: { is_primary: true } },
    ]);
    expect(set(having("a", 1), "")).toEqual([{ does: "remove", id: 1 }]);
    expect(set(having("a"), "a")).toEqual([{ does: "change", id: 1, changes: { is_primary: true } }]);
    expect(set(having("a", 1), "axy")).toMatchObject([{ id: -1 }, { id: -2 }]);
    expect(set([], "x")).toEqual([
      { does: "add", id: -1, image: { image_url: "x", is_primary: false, display_order: 0 } },
      { does: "change", id: -1, changes: { is_primary: true } },
    ]);
  });

  test("of more images than a vehicle may have is taken only if it has as many already", () => {
    expect(set(having("abcd", 1), "abce", MOST)).toHaveLength(3);
    expect(causeOf(set(having("abcd", 1), "abcde", MOST))?.kind).toBe("invalid");
    expect(causeOf(set(having("ab", 1), "abcd", MOST))?.kind).toBe("invalid");
    expect(causeOf(set(having("ab", 1), "abc", MOST))).toBeNull();
  });
});
