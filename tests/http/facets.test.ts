import { beforeAll, describe, expect, test } from "bun:test";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { create, dealerBody, imageBody, keyBody, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const BASE = "https://delivery.example.com/images";

interface Value {
  readonly value: string | number | null;
  readonly count: number;
  readonly name?: string | null;
}
interface Counted {
  readonly meta: {
    readonly total: number;
    readonly filter_applied: boolean;
    readonly dealer_id?: number;
    readonly timestamp?: string;
  };
  readonly facets: Readonly<Record<string, readonly Value[]>>;
}
interface Shown {
  readonly id: number;
  readonly images?: readonly object[];
  readonly primary_image?: { readonly id: number; readonly variants?: object } | null;
  readonly image_count?: number;
  readonly dealer_name?: string;
}

const USUAL = [
  "make",
  "model",
  "year",
  "status",
  "stage",
  "body_style",
  "fuel_type",
  "transmission",
  "drivetrain",
  "condition",
  "exterior_color",
  "price",
  "mileage",
];

for (const engine of ANSWERING)
  describe(`facets and images of vehicles on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { IMAGE_DELIVERY_BASE: BASE });
    let dealer: number;
    let key: string;
    const ids: number[] = [];

    beforeAll(async () => {
      dealer = (await create(fixture.api, "/api/dealers", dealerBody({ name: "Faceted Motors" }))).id;
      const body = keyBody({ association: "dealer", dealer_id: dealer });
      key = (await create<{ id: number; api_key: string }>(fixture.api, "/api/keys", body)).api_key;
      for (const fields of [
        { make: "Škoda", model: "Fabia", year: 2020, price: 100.5, body_style: "Kombi", mileage: 5 },
        { make: "skoda", model: "Octavia", year: 2021, price: 1250, status: "sold", stage: "wholesale" },
        { make: "ŠKODA", model: "Octavia", year: 2021, price: 1999.99, body_style: "kombi", mileage: 12_500 },
        { make: "Škoda", model: "Octavia", year: 2022, price: 2000, body_style: "Kombi" },
        { make: "Tatra", model: "T87", year: 1948, price: 90_000, body_style: "Limousine" },
      ])
        ids.push((await create(fixture.api, "/api/vehicles", vehicleBody(dealer, fields))).id);
      const [first, second] = ids;
      await create(fixture.api, `/api/vehicles/${first}/images`, imageBody());
      await create(
        fixture.api,
        `/api/vehicles/${first}/images`,
        imageBody({ image_url: `${BASE}/a/img-1/large`, is_primary: true }),
      );
      await create(fixture.api, `/api/vehicles/${second}/images`, imageBody({ is_primary: false }));
    });

    const facets = async (query: string): Promise<Counted> => {
      const reply = await fixture.api<Counted>("GET", `/api/vehicles/facets?${query}`, { key });
      expect([query, reply.status]).toEqual([query, 200]);
      return reply.body;
    };

    test("cover a dealer's key's own vehicles, whatever dealer the request names", async () => {
      for (const query of ["", "dealer_id=1"]) {
        const { meta, facets: found } = await facets(query);
        expect(meta).toEqual({ total: 5, filter_applied: true, dealer_id: dealer, timestamp: expect.any(String) });
        expect(Object.keys(found)).toEqual(USUAL);
      }
      const { body } = await fixture.api<Counted>("GET", `/api/vehicles/facets?dealer_id=${dealer}&facets=dealer,make`);
      expect(body.meta).toEqual({ total: 5, filter_applied: false, dealer_id: dealer, timestamp: expect.any(String) });
      expect(body.facets.dealer).toContainEqual({ value: dealer, count: 5, name: "Faceted Motors" });
      expect(body.facets.dealer?.length).toBeGreaterThan(1);
    });

    const VALUES: [query: string, total: number, facets: Record<string, unknown>][] = [
      [
        "facets=make,model",
        5,
        {
          make: [
            { value: "Škoda", count: 4 },
            { value: "Tatra", count: 1 },
          ],
          model: [
            { value: "Octavia", count: 3 },
            { value: "Fabia", count: 1 },
            { value: "T87", count: 1 },
          ],
        },
      ],
      [
        "facets=make,body_style,stage&make=tatra",
        1,
        {
          make: [
            { value: "Škoda", count: 4 },
            { value: "Tatra", count: 1 },
          ],
          stage: [{ value: null, count: 1 }],
          body_style: [{ value: "Limousine", count: 1 }],
        },
      ],
      [
        "facets=body_style,status",
        5,
        {
          status: [
            { value: "available", count: 4 },
            { value: "sold", count: 1 },
          ],
          body_style: [
            { value: "Kombi", count: 3 },
            { value: "Limousine", count: 1 },
            { value: null, count: 1 },
          ],
        },
      ],
      [
        "facets=year&min_year=2021",
        3,
        {
          year: [
            { value: 2021, count: 2 },
            { value: 1948, count: 1 },
            { value: 2020, count: 1 },
            { value: 2022, count: 1 },
          ],
        },
      ],
      [
        "facets=price,mileage&make=Skoda&max_price=1999",
        2,
        {
          price: {
            min: 100.5,
            max: 2000,
            ranges: [
              { from: 0, to: 500, count: 1 },
              { from: 500, to: 1000, count: 0 },
              { from: 1000, to: 1500, count: 1 },
              { from: 1500, to: 2000, count: 1 },
              { from: 2000, to: null, count: 1 },
            ],
          },
          mileage: { min: 5, max: 5, ranges: [{ from: 0, to: null, count: 1 }] },
        },
      ],
      ["facets=mileage,stage&make=none", 0, { mileage: { min: null, max: null, ranges: [] }, stage: [] }],
      [
        "facets=days_on_lot&max_days_on_lot=30&status=available",
        4,
        {
          days_on_lot: {
            min: 0,
            max: 0,
            ranges: [
              { from: 0, to: 31, count: 4 },
              { from: 31, to: 61, count: 0 },
              { from: 61, to: 91, count: 0 },
              { from: 91, to: null, count: 0 },
            ],
          },
        },
      ],
      ["facets=dealer", 5, { dealer: [{ value: 0, count: 5, name: null }] }],
    ];
    for (const [query, total, expected] of VALUES)
      test(`of "${query}" count each facet under all filters but its own`, async () => {
        const { meta, facets: found } = await facets(query);
        expect(meta.total).toBe(total);
        const named = "dealer" in expected ? { dealer: [{ value: dealer, count: 5, name: null }] } : expected;
        expect<unknown>(found).toEqual(named);
        expect(Object.keys(found)).toEqual(USUAL.concat("days_on_lot", "dealer").filter((name) => name in expected));
      });

    test("are refused for unknown or missing facets and for a bad filter, which is named", async () => {
      for (const query of ["facets=", "facets=make,", "facets=Make", "facets=trim", "facets=make&facets="])
        expectReply(await fixture.api("GET", `/api/vehicles/facets?${query}`), { status: 400, faults: ["facets"] });
      expectReply(await fixture.api("GET", "/api/vehicles/facets?status=lost&min_price=x"), {
        status: 400,
        faults: ["status", "min_price"],
      });
    });

    test("with include=primary_image add to each vehicle its primary image as the image's own answer has it, and a count", async () => {
      const [first = 0, second = 0] = ids;
      const { body: images } = await fixture.api<readonly { id: number }[]>("GET", `/api/vehicles/${first}/images`);
      for (const path of ["/api/vehicles", `/api/dealers/${dealer}/vehicles`])
        for (const include of ["primary_image", "names,primary_image", "primary_image,names"]) {
          const { body } = await fixture.api<{ vehicles: Shown[] }>("GET", `${path}?include=${include}`, { key });
          expect(body.vehicles).toHaveLength(5);
          for (const { id, primary_image, image_count, dealer_name } of body.vehicles) {
            const expected = { [first]: [images.find(({ id }) => id === images[1]?.id), 2], [second]: [null, 1] }[id];
            expect([primary_image, image_count]).toEqual(expected ?? [null, 0]);
            // The key may not read dealers.
            expect(dealer_name).toBe(include.includes("names") ? (null as never) : undefined);
          }
          expect(body.vehicles.find(({ id }) => id === first)?.primary_image?.variants).toBeDefined();
        }
      const { body } = await fixture.api<{ vehicles: Shown[] }>("GET", "/api/vehicles", { key });
      expect(Object.keys(body.vehicles[0] ?? {})).not.toContain("image_count");
    });

    test("with include=images add to each vehicle all its images, the primary one first, in lists and alone, with the ETag as it was", async () => {
      const [first = 0] = ids;
      const { body: inOrder } = await fixture.api<readonly unknown[]>("GET", `/api/vehicles/${first}/images`);
      const images = inOrder.toReversed();
      for (const path of ["/api/vehicles", `/api/dealers/${dealer}/vehicles`])
        for (const include of ["images", "names,images,primary_image"]) {
          const { body } = await fixture.api<{ vehicles: Shown[] }>("GET", `${path}?include=${include}`, { key });
          expect(body.vehicles).toHaveLength(5);
          for (const vehicle of body.vehicles) {
            if (vehicle.id === first) expect<unknown>(vehicle.images).toEqual(images);
            else expect(vehicle.images?.length).toBe(vehicle.id === ids[1] ? 1 : 0);
          }
        }
      const path = `/api/vehicles/${first}`;
      const plain = await fixture.api<object>("GET", path, { key });
      const { body, headers } = await fixture.api<Shown>("GET", `${path}?include=images,primary_image`, { key });
      expect<unknown>(body).toEqual({ ...plain.body, primary_image: images[0], image_count: 2, images });
      const etag = headers.get("etag") ?? "";
      expect(etag).toBe(plain.headers.get("etag") ?? "no tag");
      const options = { key, headers: { "if-none-match": etag } };
      expectReply(await fixture.api("GET", `${path}?include=images`, options), { status: 304 });
    });

    test("add images to a page of many vehicles too", async () => {
      const many = (await create(fixture.api, "/api/dealers", dealerBody())).id;
      for (let place = 0; place < 102; place++) await create(fixture.api, "/api/vehicles", vehicleBody(many));
      const { body } = await fixture.api<{ meta: { total: number }; vehicles: Shown[] }>(
        "GET",
        `/api/dealers/${many}/vehicles?limit=1000&include=primary_image,images`,
      );
      expect(body.meta.total).toBe(102);
      expect(body.vehicles.map(({ image_count }) => image_count)).toEqual(Array(102).fill(0));
      expect(body.vehicles.map(({ images }) => images?.length)).toEqual(Array(102).fill(0));
    });

    test("accept only known words, separated by commas, for include", async () => {
      for (const include of ["", "image", "names,", "primary_image;names"])
        expectReply(await fixture.api("GET", `/api/vehicles?include=${include}`), { status: 400, faults: ["include"] });
    });
  });
