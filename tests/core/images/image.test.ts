import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  deliveryIssues,
  ImageChanges,
  ImageOrder,
  imageChanges,
  imageOrder,
  NewImage,
  newImage,
  presentImage,
  VARIANTS,
} from "../../../core/images/image.ts";
import { FLAG, testBody, textOf, WEB_ADDRESS, wholeNumberOf } from "../field-rules.ts";

const READ_ONLY = ["id", "vehicle_id", "created_at", "delivery_id", "variants", "width", "height", "placeholder"];
const ALT = textOf(0, 250);
const FIELDS = { image_url: WEB_ADDRESS, is_primary: FLAG, display_order: wholeNumberOf(0, 2_147_483_647), alt: ALT };

testBody("a new image", {
  parse: (input) => newImage.parse(input),
  schema: NewImage,
  base: { image_url: "https://images.example.com/front.jpg" },
  fields: FIELDS,
  required: ["image_url"],
  notNull: [],
  readOnly: READ_ONLY,
});

testBody("a change of an image", {
  parse: (input) => imageChanges.parse(input),
  schema: ImageChanges,
  base: {},
  fields: FIELDS,
  required: [],
  notNull: ["image_url", "is_primary", "display_order"],
  readOnly: READ_ONLY,
});

testBody("a new order of images", {
  parse: (input) => imageOrder.parse(input),
  schema: ImageOrder,
  base: { image_ids: [3, 1, 2] },
  fields: {
    image_ids: {
      accepts: [[], [1], [3, 1, 2], [Number.MAX_SAFE_INTEGER], Array(10_000).fill(1)],
      refuses: [Array(10_001).fill(1), [0], [1, "2"], [1, null], [1.5], [-1], [2 ** 53], 1, "1,2", {}],
    },
  },
  required: ["image_ids"],
  notNull: [],
  readOnly: [],
});

const BASE = "https://delivery.example.com/images";
const DELIVERY = { base: BASE };
const image = (image_url: string) => ({
  id: 1,
  vehicle_id: 2,
  image_url,
  is_primary: true,
  display_order: 0,
  created_at: "2026-11-20T09:11:00.000Z",
  alt: null,
  width: null,
  height: null,
  placeholder: null,
});
/** The same as it is answered. */
const shown = ({ width: _width, height: _height, placeholder: _placeholder, ...plain }: ReturnType<typeof image>) =>
  plain;

const segment = fc.stringMatching(/^[A-Za-z0-9_~.-]{1,20}$/);

describe("an image on the delivery service", () => {
  test("has a public, a thumbnail, a medium and a large variant", () => {
    expect(VARIANTS).toEqual(["public", "thumbnail", "medium", "large"]);
  });

  test("carries its delivery id and the addresses of all variants, whichever of them was sent", () => {
    fc.assert(
      fc.property(segment, segment, fc.constantFrom(...VARIANTS), (account, id, variant) => {
        const address = `${BASE}/${account}/${id}/${variant}`;
        expect(deliveryIssues(DELIVERY, address)).toEqual([]);
        expect(presentImage(DELIVERY, image(address))).toEqual({
          ...shown(image(address)),
          delivery_id: id,
          variants: {
            public: `${BASE}/${account}/${id}/public`,
            thumbnail: `${BASE}/${account}/${id}/thumbnail`,
            medium: `${BASE}/${account}/${id}/medium`,
            large: `${BASE}/${account}/${id}/large`,
          },
        });
      }),
    );
  });

  for (const behind of [
    "",
    "/",
    "/acme",
    "/acme/front",
    "/acme/front/",
    "/acme/front/huge",
    "/acme/front/Public",
    "/acme/front/public/",
    "/acme/front/public/more",
    "/acme/front/public?width=1",
    "/acme/front/public#top",
    "/acme//public",
    "//front/public",
    "/acme/fr?nt/public",
    "/acme/fr#nt/public",
    "/acme/fr nt/public",
  ])
    test(`is refused under the address <base>${behind}`, () => {
      expect(deliveryIssues(DELIVERY, BASE + behind).map(({ path }) => path)).toEqual(["image_url"]);
    });
});

test("with an address that is not text is left to the field's validation", () => {
  for (const address of [undefined, null, 5, {}]) expect(deliveryIssues(DELIVERY, address)).toEqual([]);
});

test("that is stored with a malformed delivery address is answered unchanged", () => {
  for (const behind of ["", "/acme", "/acme/front", "/acme/front/public/more"])
    expect(presentImage(DELIVERY, image(BASE + behind))).toEqual(shown(image(BASE + behind)));
});

describe("an image elsewhere", () => {
  for (const address of [
    "https://images.example.com/front.jpg",
    "https://delivery.example.com/imagesque/acme/front/public",
    "https://delivery.example.com/other/acme/front/huge",
    "https://delivery.example.com.example.org/images/acme/front/public",
  ])
    test(`at ${address} is accepted and answered unchanged`, () => {
      expect(deliveryIssues(DELIVERY, address)).toEqual([]);
      expect(presentImage(DELIVERY, image(address))).toEqual(shown(image(address)));
    });

  test("is every image if no delivery service is configured", () => {
    expect(deliveryIssues(null, `${BASE}/acme`)).toEqual([]);
    expect(presentImage(null, image(`${BASE}/acme/front/public`))).toEqual(shown(image(`${BASE}/acme/front/public`)));
  });
});

test("an address under the base of the own photos is refused in every other spelling", () => {
  const delivery = { base: "https://cars.example.com/images", isOwn: true };
  const path = `${"a".repeat(32)}/${"b".repeat(32)}/public`;
  const others = [
    `HTTPS://cars.example.com/images/${path}`,
    `https://Cars.example.com/images/${path}`,
    `https://cars.example.com:443/images/${path}`,
    `https://cars.example.com/images/./${path}`,
    `https://cars.example.com\\images/${path}`,
  ];
  for (const address of others)
    expect([address, deliveryIssues(delivery, address)]).toEqual([address, [expect.anything()]]);
  for (const address of [`https://cars.example.com/images/${path}`, `https://other.example.com/images/${path}`])
    expect(deliveryIssues(delivery, address)).toEqual([]);
  expect(deliveryIssues({ base: delivery.base }, others[0])).toEqual([]);
});
