import { beforeEach, describe, expect, test } from "bun:test";
import { superAdminKey } from "../callers.ts";
import { openFixture } from "../use-case-fixture.ts";
import { causeOf, NOW, pathsOf, succeeded } from "../use-cases.ts";

const BASE = "https://delivery.example.com/images";

const core = openFixture({ base: BASE });
let vehicleId: number;
beforeEach(async () => {
  vehicleId = (await core.newVehicle()).id;
});

const admin = superAdminKey();
const FRONT = "https://images.example.com/front.jpg";
let photos = 0;
const add = async (fields: Readonly<Record<string, unknown>> = {}) =>
  succeeded(await core.images.add(admin, vehicleId, { image_url: `${FRONT}?${++photos}`, ...fields })).image;

/** The vehicle's images in order: id, position and whether it is primary. */
const listed = async () =>
  succeeded(await core.images.list(admin, vehicleId, {})).items.map(({ id, display_order, is_primary }) => [
    id,
    display_order,
    is_primary,
  ]);

describe("a new image", () => {
  test("is primary if it is the first, comes last in order, and is answered as stored", async () => {
    const first = await add({ image_url: FRONT });
    expect<object>(first).toEqual({
      id: first.id,
      vehicle_id: vehicleId,
      image_url: FRONT,
      is_primary: true,
      display_order: 0,
      created_at: NOW,
      alt: null,
    });
    const second = await add({ is_primary: null, display_order: null });
    const third = await add({ display_order: 10 });
    const fourth = await add({ is_primary: false });
    expect(await listed()).toEqual([
      [first.id, 0, true],
      [second.id, 1, false],
      [third.id, 10, false],
      [fourth.id, 11, false],
    ]);
  });

  test("may be the first without being primary", async () => {
    expect(await add({ is_primary: false })).toMatchObject({ is_primary: false });
  });

  test("that is primary replaces the previous primary one", async () => {
    const first = await add();
    const second = await add({ is_primary: true });
    expect(await listed()).toEqual([
      [first.id, 0, false],
      [second.id, 1, true],
    ]);
  });

  test("on the delivery service carries its id and variants in every answer", async () => {
    const image_url = `${BASE}/acme/front/large`;
    const image = await add({ image_url });
    expect(image).toMatchObject({ delivery_id: "front", variants: { thumbnail: `${BASE}/acme/front/thumbnail` } });
    expect(succeeded(await core.images.list(admin, vehicleId, {})).items).toEqual([image]);
    expect(succeeded(await core.images.update(admin, { vehicleId, imageId: image.id, input: { image_url } }))).toEqual(
      image,
    );
    expect(succeeded(await core.images.reorder(admin, vehicleId, { image_ids: [image.id] }))).toEqual([image]);
  });

  test("with a malformed delivery address is refused, when created and when changed", async () => {
    const image = await add();
    const body = { image_url: `${BASE}/acme/front/huge` };
    expect(pathsOf(await core.images.add(admin, vehicleId, body))).toEqual(["image_url"]);
    expect(pathsOf(await core.images.update(admin, { vehicleId, imageId: image.id, input: body }))).toEqual([
      "image_url",
    ]);
  });
});

describe("a change of an image", () => {
  test("leaves fields unchanged that it does not name, and moves the primary mark if it names it", async () => {
    const [first, second] = [await add(), await add()];
    const changed = succeeded(
      await core.images.update(admin, { vehicleId, imageId: second.id, input: { is_primary: true } }),
    );
    expect(changed).toEqual({ ...second, is_primary: true });
    expect(await listed()).toEqual([
      [first.id, 0, false],
      [second.id, 1, true],
    ]);
  });

  test("that sends back what was read changes nothing", async () => {
    const image = await add();
    expect(succeeded(await core.images.update(admin, { vehicleId, imageId: image.id, input: image }))).toEqual(image);
  });

  test("must name a changeable field", async () => {
    const { id } = await add();
    expect(pathsOf(await core.images.update(admin, { vehicleId, imageId: id, input: { id, vehicle_id: 1 } }))).toEqual([
      "",
    ]);
  });

  test("of a missing image or of another vehicle's image finds nothing", async () => {
    const { id } = await add();
    const other = await core.newVehicle();
    for (const [of, imageId] of [
      [vehicleId, 9_999_999],
      [other.id, id],
    ] as const) {
      const missing = { kind: "not-found", subject: "image", id: imageId };
      expect<unknown>(
        causeOf(await core.images.update(admin, { vehicleId: of, imageId, input: { display_order: 1 } })),
      ).toEqual(missing);
      expect<unknown>(causeOf(await core.images.remove(admin, of, imageId))).toEqual(missing);
    }
  });
});

describe("a new order of images", () => {
  test("numbers them as listed and leaves the primary one primary", async () => {
    const [one, two, three] = [await add(), await add(), await add({ display_order: 9 })];
    const image_ids = [three.id, one.id, two.id];
    const ordered = succeeded(await core.images.reorder(admin, vehicleId, { image_ids }));
    expect(ordered.map(({ id }) => id)).toEqual(image_ids);
    expect(await listed()).toEqual([
      [three.id, 0, false],
      [one.id, 1, true],
      [two.id, 2, false],
    ]);
  });

  test("must name all the vehicle's images exactly once, and otherwise changes nothing", async () => {
    const [one, two] = [await add(), await add()];
    const before = await listed();
    for (const image_ids of [[], [one.id], [one.id, one.id], [one.id, two.id, two.id], [one.id, two.id, 9_999_999]])
      expect(pathsOf(await core.images.reorder(admin, vehicleId, { image_ids }))).toEqual(["image_ids"]);
    expect(await listed()).toEqual(before);
  });
});

describe("the removal of an image", () => {
  test("of the primary one makes the first remaining one primary; of another one leaves it", async () => {
    const [one, two, three] = [await add(), await add({ display_order: 5 }), await add({ display_order: 3 })];
    expect(succeeded(await core.images.remove(admin, vehicleId, one.id))).toBe(true);
    expect(await listed()).toEqual([
      [three.id, 3, true],
      [two.id, 5, false],
    ]);
    succeeded(await core.images.remove(admin, vehicleId, two.id));
    succeeded(await core.images.remove(admin, vehicleId, three.id));
    expect(await listed()).toEqual([]);
  });
});

test("every operation on the images of a missing vehicle reports it as missing", async () => {
  const missing = { kind: "not-found", subject: "vehicle", id: 9_999_999 };
  const { id } = await add();
  for (const outcome of [
    await core.images.list(admin, 9_999_999, {}),
    await core.images.add(admin, 9_999_999, { image_url: FRONT }),
    await core.images.update(admin, { vehicleId: 9_999_999, imageId: id, input: { image_url: FRONT } }),
    await core.images.reorder(admin, 9_999_999, { image_ids: [] }),
    await core.images.remove(admin, 9_999_999, id),
  ])
    expect<unknown>(causeOf(outcome)).toEqual(missing);
});

test("a list of images is answered page by page, with the total of all", async () => {
  const ids = [await add(), await add(), await add()].map(({ id }) => id);
  const page = succeeded(await core.images.list(admin, vehicleId, { limit: 1, offset: 1 }));
  expect([page.total, page.items.map(({ id }) => id)]).toEqual([3, ids.slice(1, 2)]);
});
