import { describe, expect, test } from "bun:test";
import type { Image } from "../../core/images/image.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { create, imageBody, NORTH, NORTH_CAR, NOTHING, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const BASE = "https://delivery.example.com/images";
const DELIVERED = `${BASE}/acc0unt/img-1`;

for (const engine of ANSWERING)
  describe(`images on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { IMAGE_DELIVERY_BASE: `${BASE}/` });

    const newVehicle = async (): Promise<string> =>
      `/api/vehicles/${(await create(fixture.api, "/api/vehicles", vehicleBody(NORTH))).id}/images`;
    const add = (path: string, fields: object = {}) => create<Image>(fixture.api, path, imageBody(fields));
    const list = async (path: string) => (await fixture.api<Image[]>("GET", path)).body;
    const primaries = async (path: string) => (await list(path)).filter((one) => one.is_primary).map(({ id }) => id);

    test("are created with all their fields, and listed as they were answered", async () => {
      const path = await newVehicle();
      const image_url = "https://images.example.com/front.jpg";
      const reply = await fixture.api<Image>("POST", path, { body: { image_url } });
      expectReply(reply, { status: 201, gives: { location: new RegExp(`^${path}/\\d+$`) } });
      expect(reply.body).toEqual({
        id: expect.any(Number),
        vehicle_id: Number(path.split("/")[3]),
        image_url,
        is_primary: true,
        display_order: 0,
        created_at: expect.stringMatching(/Z$/),
        alt: null,
      });
      expect(await list(path)).toEqual([reply.body]);
    });

    test("need an image_url, and null in other fields counts as omitted", async () => {
      const path = await newVehicle();
      expectReply(await fixture.api("POST", path, { body: {} }), { status: 400, faults: ["image_url"] });
      const { is_primary, display_order } = await add(path, { is_primary: null, display_order: null });
      expect([is_primary, display_order]).toEqual([true, 0]);
    });

    test("have at most one primary image per vehicle: a new one unsets the previous one", async () => {
      const path = await newVehicle();
      const [first, second] = [await add(path), await add(path)];
      expect(await primaries(path)).toEqual([first.id]);
      const third = await add(path, { is_primary: true });
      expect(await primaries(path)).toEqual([third.id]);
      await fixture.api("PUT", `${path}/${second.id}`, { body: { is_primary: true } });
      expect(await primaries(path)).toEqual([second.id]);
      await Promise.all(Array.from({ length: 30 }, () => add(path, { is_primary: true })));
      expect(await primaries(path)).toHaveLength(1);
    });

    test("are answered with 200 if the vehicle has their address already, with the mark and the place that are sent", async () => {
      const path = await newVehicle();
      const [first, second] = [await add(path), await add(path)];
      const { image_url } = second;
      const again = await fixture.api<Image>("POST", path, { body: { image_url } });
      expectReply(again, { status: 200, gives: { location: null } });
      expect(again.body).toEqual(second);
      const body = { image_url, is_primary: true, display_order: 7 };
      expect((await fixture.api<Image>("POST", path, { body })).body).toEqual({ ...second, ...body });
      expect(await list(path)).toEqual([
        { ...first, is_primary: false },
        { ...second, ...body },
      ]);
    });

    test("can be sent back with their vehicle and all else that was included, which changes nothing", async () => {
      const path = await newVehicle();
      await add(path);
      const asked = `${path.replace("/images", "")}?include=names,primary_image,images`;
      const { body } = await fixture.api<{ images: Image[] }>("GET", asked);
      expectReply(await fixture.api("PUT", path.replace("/images", ""), { body }), { status: 200 });
      const after = await fixture.api<{ updated_at: string }>("GET", asked);
      expect(after.body).toEqual({ ...body, updated_at: after.body.updated_at });
      const answer = { ...body, vin: "1HGCM82633A004352", stock_number: null };
      const batch = { items: [answer] };
      expectReply(await fixture.api("POST", "/api/vehicles/batch", { body: batch }), {
        status: 200,
        has: { counts: { failed: 0 } },
      });
    });

    test("give their vehicle a new ETag and updated_at whenever they are added, changed, ordered or removed", async () => {
      const path = await newVehicle();
      const vehicle = path.replace("/images", "");
      const versions: unknown[] = [];
      const version = async (): Promise<void> => {
        const { headers, body } = await fixture.api<{ updated_at: string }>("GET", vehicle);
        versions.push(headers.get("etag"), body.updated_at);
        const query = `dealer_id=${NORTH}&updated_since=${body.updated_at}`;
        const since = await fixture.api<{ vehicles: { id: number }[] }>("GET", `/api/vehicles?${query}`);
        expect(since.body.vehicles.map(({ id }) => `/api/vehicles/${id}`)).toContain(vehicle);
      };
      await version();
      const [first, second] = [await add(path), await add(path)];
      await version();
      await fixture.api("PUT", `${path}/${second.id}`, { body: { display_order: 3 } });
      await version();
      await fixture.api("PUT", path, { body: { image_ids: [second.id, first.id] } });
      await version();
      await fixture.api("DELETE", `${path}/${first.id}`);
      await version();
      expect(new Set(versions).size).toBe(10);
    });

    interface Shown {
      readonly id: number;
      readonly updated_at: string;
      readonly images: readonly Image[];
    }
    const shown = async (path: string) => (await fixture.api<Shown>("GET", `${path}?include=images`)).body;
    const of = (...names: readonly string[]) => names.map((name) => `https://images.example.com/${name}.jpg`);
    const inOrder = ({ images }: Shown) =>
      images.map(({ image_url, is_primary }) => `${image_url.slice(27, -4)}${is_primary ? "*" : ""}`).join(" ");

    test("come with the vehicle in a POST, in their order and the first primary, and a PUT has the complete new list", async () => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH, { images: of("a", "b", "c") }));
      const path = `/api/vehicles/${id}`;
      const before = await shown(path);
      expect(inOrder(before)).toBe("a* b c");
      const [a, , c] = before.images;
      const reply = await fixture.api<Shown>("PUT", path, { body: { mileage: 9, images: of("c", "d", "a") } });
      expectReply(reply, { status: 200, has: { mileage: 9 } });
      const after = await shown(path);
      expect([inOrder(after), after.images[0]?.id, after.images[2]?.id]).toEqual(["c* d a", c?.id, a?.id]);
      expect(after.updated_at).toBe(reply.body.updated_at);
      const only = await fixture.api<Shown>("PUT", path, { body: { images: of("a") } });
      expect(only.body.updated_at > after.updated_at).toBe(true);
      expect(only.headers.get("etag")).toBe((await fixture.api("GET", path)).headers.get("etag"));
      expectReply(await fixture.api("PUT", path, { body: { images: [] }, headers: { "if-match": '"stale"' } }), {
        status: 412,
      });
      expect(inOrder(await shown(path))).toBe("a*");
      for (const images of [[], null]) {
        await fixture.api("PUT", path, { body: { images: of("a") } });
        await fixture.api("PUT", path, { body: { images } });
        expect((await shown(path)).images).toEqual([]);
      }
    });

    test("of a vehicle that is sent back as it was answered stay as they are, the primary one too", async () => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH, { images: of("a", "b") }));
      const path = `/api/vehicles/${id}`;
      await add(`${path}/images`, { image_url: `${DELIVERED}/large`, is_primary: true, display_order: 9 });
      const before = await shown(path);
      const reply = await fixture.api("PUT", path, { body: before });
      expectReply(reply, { status: 200 });
      expect((await shown(path)).images).toEqual(before.images);
      await fixture.api("PUT", path, { body: { ...before, images: before.images.toReversed() } });
      const delivered = before.images[0]?.image_url.slice(27, -4);
      expect(inOrder(await shown(path))).toBe(`${delivered}* b a`);
    });

    test("in a vehicle's body are refused with their place, and then nothing is stored", async () => {
      const { id } = await create(fixture.api, "/api/vehicles", vehicleBody(NORTH, { images: of("a") }));
      const path = `/api/vehicles/${id}`;
      const before = await shown(path);
      const many = Array.from({ length: 101 }, (_, place) => `https://images.example.com/${place}.jpg`);
      for (const [images, faults] of [
        [
          [...of("x"), 5, "nothing", { image_url: "ftp://a.example/x" }],
          ["images[1]", "images[2]", "images[3].image_url"],
        ],
        [[{ image_url: of("x")[0], angle: 3 }], ["images[0].angle"]],
        [[`${DELIVERED}/huge`], ["images[0]"]],
        [many, ["images"]],
        ["all", ["images"]],
      ] as const) {
        expectReply(await fixture.api("PUT", path, { body: { price: 1, images } }), { status: 400, faults });
        expectReply(await fixture.api("POST", "/api/vehicles", { body: vehicleBody(NORTH, { images }) }), {
          status: 400,
          faults,
        });
      }
      expectReply(await fixture.api("PUT", path, { body: { price: -1, images: [5] } }), {
        status: 400,
        faults: ["price", "images[0]"],
      });
      const unknown = { dealer_id: NOTHING, images: of("x") };
      expectReply(await fixture.api("PUT", path, { body: unknown }), { status: 400, faults: ["dealer_id"] });
      expectReply(await fixture.api("POST", "/api/vehicles", { body: vehicleBody(NOTHING, unknown) }), {
        status: 400,
        faults: ["dealer_id"],
      });
      expect(await shown(path)).toEqual(before);
      expectReply(await fixture.api("PUT", `/api/vehicles/${NOTHING}`, { body: { images: [] } }), { status: 404 });
    });

    test("of the items of a batch are those that are sent, each in its order", async () => {
      const vin = "BATCHIMAGES1";
      const send = async (fields: object) => {
        const items = [vehicleBody(NORTH, { vin, ...fields })];
        const { body } = await fixture.api<{
          results: { outcome: string; vehicle_id: number; errors: { path: string }[] }[];
        }>("POST", "/api/vehicles/batch", { body: { items } });
        const [result] = body.results;
        return result?.outcome === "failed"
          ? result.errors.map(({ path }) => path).join()
          : `${result?.outcome} ${inOrder(await shown(`/api/vehicles/${result?.vehicle_id}`))}`;
      };
      expect(await send({ images: of("a", "b") })).toBe("created a* b");
      expect(await send({ images: of("a", "b") })).toBe("unchanged a* b");
      expect(await send({})).toBe("unchanged a* b");
      expect(await send({ images: of("b", "c") })).toBe("updated b* c");
      expect(await send({ images: [of("b")[0], { image_url: of("c")[0], is_primary: true }] })).toBe("updated c* b");
      expect(await send({ images: of("b", "c") })).toBe("updated b* c");
      expect(await send({ images: [...of("x"), "nothing"] })).toBe("items[0].images[1]");
      expect(await send({ images: [] })).toBe("updated ");
    });

    test("change only in the sent fields, and read-only ones are ignored", async () => {
      const path = await newVehicle();
      const before = await add(path);
      const body = { ...before, display_order: 9, id: 77, vehicle_id: 78, created_at: "x" };
      const changed = await fixture.api<Image>("PUT", `${path}/${before.id}`, { body });
      expect(changed.body).toEqual({ ...before, display_order: 9 });
      expectReply(await fixture.api("PUT", `${path}/${before.id}`, { body: { id: 1 } }), { status: 400, faults: [""] });
    });

    test("get a new order only if it names every image exactly once, and are then listed in it", async () => {
      const path = await newVehicle();
      const ids = [(await add(path)).id, (await add(path)).id, (await add(path)).id] as const;
      const before = await list(path);
      for (const image_ids of [
        [],
        [ids[0]],
        [...ids, ids[0]],
        [ids[0], ids[1], ids[1]],
        [ids[0], ids[1], NOTHING],
        "all",
        [null],
      ]) {
        const reply = await fixture.api("PUT", path, { body: { image_ids } });
        expect([image_ids, reply.status]).toEqual([image_ids, 400]);
      }
      expect(await list(path)).toEqual(before);
      const image_ids = [ids[2], ids[0], ids[1]];
      const { body } = await fixture.api<Image[]>("PUT", path, { body: { image_ids } });
      expect(body.map(({ id, display_order }) => [id, display_order])).toEqual(
        image_ids.map((id, order) => [id, order]),
      );
      expect(await list(path)).toEqual(body);
    });

    test("get the first remaining one as primary when the primary one is deleted", async () => {
      const path = await newVehicle();
      const [first, second] = [await add(path), await add(path, { display_order: 5 })];
      const third = await add(path, { display_order: 1 });
      const reply = await fixture.api("DELETE", `${path}/${first.id}`);
      expect(reply.body).toEqual({ success: true, message: `Image ${first.id} deleted` });
      expect(await primaries(path)).toEqual([third.id]);
      expect((await list(path)).map(({ id }) => id)).toEqual([third.id, second.id]);
    });

    test("that are missing, or of a missing vehicle, are a 404 that names it", async () => {
      const path = await newVehicle();
      const other = await add(await newVehicle());
      const NOBODY = `/api/vehicles/${NOTHING}/images`;
      for (const [method, at, body, error] of [
        ["GET", NOBODY, undefined, `Vehicle ${NOTHING} not found`],
        ["POST", NOBODY, imageBody(), `Vehicle ${NOTHING} not found`],
        ["PUT", NOBODY, { image_ids: [] }, `Vehicle ${NOTHING} not found`],
        ["PUT", `${NOBODY}/1`, { display_order: 1 }, `Vehicle ${NOTHING} not found`],
        ["DELETE", `${NOBODY}/1`, undefined, `Vehicle ${NOTHING} not found`],
        ["PUT", `${path}/${other.id}`, { display_order: 1 }, `Image ${other.id} not found`],
        ["DELETE", `${path}/${other.id}`, undefined, `Image ${other.id} not found`],
      ] as const)
        expectReply(await fixture.api(method, at, { body }), { status: 404, code: "not_found", has: { error } });
    });

    test("are deleted with their vehicle", async () => {
      const path = await newVehicle();
      await add(path);
      await fixture.api("DELETE", path.replace("/images", ""));
      expectReply(await fixture.api("GET", path), { status: 404 });
    });

    for (const variant of ["public", "thumbnail", "medium", "large"])
      test(`on the delivery service, sent as ${variant}, are answered with delivery id and all variants`, async () => {
        const path = await newVehicle();
        const image = await add(path, { image_url: `${DELIVERED}/${variant}` });
        const expected = {
          delivery_id: "img-1",
          variants: {
            public: `${DELIVERED}/public`,
            thumbnail: `${DELIVERED}/thumbnail`,
            medium: `${DELIVERED}/medium`,
            large: `${DELIVERED}/large`,
          },
        };
        expect(image).toMatchObject({ image_url: `${DELIVERED}/${variant}`, ...expected });
        expect(await list(path)).toEqual([image]);
        const sentBack = await fixture.api<Image>("PUT", `${path}/${image.id}`, { body: image });
        expect(sentBack.body).toEqual(image);
      });

    test("with a malformed address on the delivery service are refused, in creation and change", async () => {
      const path = await newVehicle();
      const { id } = await add(path);
      for (const image_url of [
        BASE,
        `${BASE}/`,
        `${BASE}/acc0unt/img-1`,
        `${BASE}/acc0unt/img-1/huge`,
        `${BASE}/acc0unt/img-1/public/more`,
        `${BASE}//img-1/public`,
        `${BASE}/acc0unt//public`,
        `${DELIVERED}/public?x=1`,
      ]) {
        expectReply(await fixture.api("POST", path, { body: { image_url } }), { status: 400, faults: ["image_url"] });
        const change = await fixture.api("PUT", `${path}/${id}`, { body: { image_url } });
        expectReply(change, { status: 400, faults: ["image_url"] });
      }
    });

    test("on another server have neither delivery id nor variants", async () => {
      for (const image_url of ["https://images.example.com/a.jpg", `${BASE}.example.org/a/b/public`]) {
        const image = await add(`/api/vehicles/${NORTH_CAR}/images`, { image_url });
        expect(Object.keys(image).sort()).toEqual([
          "alt",
          "created_at",
          "display_order",
          "id",
          "image_url",
          "is_primary",
          "vehicle_id",
        ]);
      }
    });
  });
