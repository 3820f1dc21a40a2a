import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, renameSync, utimesSync } from "node:fs";
import { join } from "node:path";
import type { Image } from "../../core/images/image.ts";
import { expectReply } from "../support/cases.ts";
import { ANSWERING } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { jpegPhoto, phonePhoto, signpost } from "../support/photos.ts";
import {
  create,
  dealerBody,
  NORTH,
  NORTH_CAR,
  NOTHING,
  SOUTH,
  SOUTH_CAR,
  vehicleBody,
} from "../support/sample-records.ts";
import { CAN_ADVANCE_CLOCK, photoFolderOf } from "../support/service.ts";
import { serviceFixture } from "../support/service-fixture.ts";

const MEBIBYTE = 1024 * 1024;
const JPEG = { "content-type": "image/jpeg" };

const bytesOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());

let numbers = 0;
const newPhoto = (): Promise<Buffer> => jpegPhoto(64, 48, ++numbers);

for (const engine of ANSWERING)
  describe(`photos on ${engine.name}`, () => {
    const fixture = serviceFixture(engine, { IMAGE_QUOTA_MB: "1" });
    const folder = () => photoFolderOf(fixture.service.databaseUrl);
    const stored = (): readonly string[] =>
      readdirSync(folder()).flatMap((shelf) => readdirSync(join(folder(), shelf)));

    const newVehicle = async (dealer = NORTH): Promise<string> =>
      `/api/vehicles/${(await create(fixture.api, "/api/vehicles", vehicleBody(dealer))).id}`;
    const send = (vehicle: string, raw: Uint8Array, headers: Readonly<Record<string, string>> = JPEG) =>
      fixture.api<Image>("POST", `${vehicle}/images`, { raw, headers });
    const added = async (vehicle: string, photo?: Uint8Array): Promise<Image> => {
      const reply = await send(vehicle, photo ?? (await newPhoto()));
      expectReply(reply, { status: 201 });
      return reply.body;
    };
    const form = async (vehicle: string, parts: Readonly<Record<string, string | Uint8Array>>) => {
      const boundary = "a-boundary";
      const body = Object.entries(parts).flatMap(([name, content]) => [
        Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
        Buffer.from(content),
        Buffer.from("\r\n"),
      ]);
      return send(vehicle, Buffer.concat([...body, Buffer.from(`--${boundary}--\r\n`)]), {
        "content-type": `multipart/form-data; boundary=${boundary}`,
      });
    };
    const addressOf = (image: Image, variant: "public" | "thumbnail" | "medium" | "large" = "public"): string =>
      image.variants?.[variant] ?? "";
    const statusOf = async (address: string) => (await fetch(address)).status;

    test("that are sent as the body become images, which are delivered without a key in four variants", async () => {
      const vehicle = await newVehicle();
      const reply = await send(vehicle, await newPhoto());
      expectReply(reply, { status: 201, gives: { location: new RegExp(`^${vehicle}/images/\\d+$`) } });
      const image = reply.body;
      expect(image).toMatchObject({ is_primary: true, display_order: 0, alt: null, width: 64, height: 48 });
      expect(image.image_url).toBe(addressOf(image));
      expect(image.image_url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/images\/[0-9a-f]{32}\/[0-9a-f]{32}\/public$/);
      expect(image.delivery_id).toMatch(/^[0-9a-f]{32}$/);
      for (const address of Object.values(image.variants ?? {})) expect(await statusOf(address)).toBe(200);
      expect((await fixture.api<Image[]>("GET", `${vehicle}/images`)).body).toEqual([image]);
    });

    test("that are sent in a form take its other fields", async () => {
      const vehicle = await newVehicle();
      await added(vehicle);
      const file = await newPhoto();
      const reply = await form(vehicle, { file, is_primary: "1", display_order: "7", alt: "a car" });
      expectReply(reply, { status: 201 });
      expect(reply.body).toMatchObject({ is_primary: true, display_order: 7, alt: "a car" });
      expect((await fixture.api<Image[]>("GET", `${vehicle}/images`)).body.map((one) => one.is_primary)).toEqual([
        false,
        true,
      ]);
    });

    test("that are sent twice to a vehicle are one image, which takes what was sent with the second", async () => {
      const vehicle = await newVehicle();
      await added(vehicle);
      const photo = await newPhoto();
      const image = await added(vehicle, photo);
      const files = stored().length;
      expectReply(await send(vehicle, photo), { status: 200 });
      const again = await form(vehicle, { file: photo, is_primary: "true" });
      expectReply(again, { status: 200 });
      expect(again.body).toEqual({ ...image, is_primary: true });
      const described = await form(vehicle, { file: photo, alt: "a car" });
      expectReply(described, { status: 200, has: { is_primary: true, alt: "a car" } });
      expect(stored().length).toBe(files);
      const elsewhere = await added(await newVehicle(), photo);
      expect(elsewhere.delivery_id).not.toBe(image.delivery_id);
    });

    test("that are sent again with the same Idempotency-Key get the first answer, also in another form", async () => {
      const vehicle = await newVehicle();
      const [file, other] = [await newPhoto(), await newPhoto()];
      const sendForm = async (photo: Uint8Array) => {
        const made = new FormData();
        made.set("file", new Blob([new Uint8Array(photo)], { type: "image/jpeg" }), "front.jpg");
        const sent = new Response(made);
        const type = sent.headers.get("content-type") ?? "";
        const raw = new Uint8Array(await sent.arrayBuffer());
        return send(vehicle, raw, { "content-type": type, "idempotency-key": "front" });
      };
      const first = await sendForm(file);
      expectReply(first, { status: 201 });
      const again = await sendForm(file);
      expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([201, first.text, "true"]);
      expectReply(await sendForm(other), { status: 422, code: "idempotency_key_reused" });
    });

    test("are refused by what is wrong with them, and nothing is stored", async () => {
      const vehicle = await newVehicle();
      const photo = await newPhoto();
      const files = stored().length;
      expectReply(await send(vehicle, Buffer.from("hello")), { status: 415 });
      expectReply(await send(vehicle, Buffer.from("\0\0\0\x18ftypheic", "latin1")), { status: 415 });
      expectReply(await send(vehicle, photo, { ...JPEG, "content-encoding": "gzip" }), { status: 415 });
      expectReply(await send(vehicle, photo.subarray(0, -2)), { status: 400, faults: ["file"] });
      expectReply(await send(vehicle, Buffer.alloc(0)), { status: 400, faults: ["file"] });
      expectReply(await send(vehicle, signpost(15, 15)), { status: 400, faults: ["file"] });
      expectReply(await send(vehicle, Buffer.alloc(20 * MEBIBYTE + 1)), { status: 413 });
      expectReply(await form(vehicle, { file: Buffer.alloc(20 * MEBIBYTE + 1) }), { status: 413 });
      expectReply(await form(vehicle, {}), { status: 400, faults: ["file"] });
      expectReply(await form(vehicle, { file: photo, is_primary: "yes" }), { status: 400, faults: ["is_primary"] });
      const wrong = { file: photo, other: "1", ["__proto__"]: "1", is_primary: "yes", display_order: "first" };
      expectReply(await form(vehicle, wrong), {
        status: 400,
        faults: ["__proto__", "display_order", "is_primary", "other"],
      });
      expectReply(await send(vehicle, photo, { "content-type": "multipart/form-data" }), {
        status: 400,
        faults: ["file"],
      });
      expect((await fixture.api<Image[]>("GET", `${vehicle}/images`)).body).toEqual([]);
      expect(stored().length).toBe(files);
    });

    test("are taken whole if their length is not announced", async () => {
      const vehicle = await newVehicle();
      const photo = await jpegPhoto(700, 500, ++numbers);
      const third = Math.ceil(photo.length / 3);
      const pieces = [photo.subarray(0, third), photo.subarray(third, 2 * third), photo.subarray(2 * third)];
      const body = new ReadableStream({
        start(stream) {
          for (const piece of pieces) stream.enqueue(new Uint8Array(piece));
          stream.close();
        },
      });
      const headers = { ...JPEG, "x-api-key": fixture.service.superAdminKey };
      const sent = await fetch(`${fixture.service.url}${vehicle}/images`, { method: "POST", headers, body });
      expect(sent.status).toBe(201);
      expectReply(await send(vehicle, photo), { status: 200 });
    });

    test("are what their bytes say, whatever the header claims", async () => {
      const vehicle = await newVehicle();
      expectReply(await send(vehicle, signpost(64, 48)), { status: 201 });
      expectReply(await send(vehicle, await newPhoto(), { "content-type": "image/heic" }), { status: 201 });
    });

    test("are taken from whoever may write the vehicle, after the photo itself is judged", async () => {
      const raw = await newPhoto();
      const as = (key: string | null, vehicle: number, photo: Uint8Array = raw) =>
        fixture.api("POST", `/api/vehicles/${vehicle}/images`, { raw: photo, headers: JPEG, key });
      const own = fixture.records.keys.north.api_key;
      expectReply(await as(null, NORTH_CAR), { status: 401 });
      expectReply(await as(own, SOUTH_CAR), { status: 403 });
      expectReply(await as(own, SOUTH_CAR, Buffer.from("hello")), { status: 415 });
      expectReply(await as(own, NOTHING), { status: 404 });
      expectReply(await as(own, NORTH_CAR), { status: 201 });
    });

    test("are delivered in the format that a client takes, for a year, with a tag for each", async () => {
      const image = await added(await newVehicle());
      const get = (headers: Readonly<Record<string, string>>, method = "GET") =>
        fetch(addressOf(image, "medium"), { headers, method });
      const [webp, jpeg] = [await get({ accept: "image/avif,image/webp,*/*" }), await get({ accept: "*/*" })];
      expect([webp.headers.get("content-type"), jpeg.headers.get("content-type")]).toEqual([
        "image/webp",
        "image/jpeg",
      ]);
      expect((await get({ accept: "image/webp;q=0" })).headers.get("content-type")).toBe("image/jpeg");
      expect(webp.headers.get("etag")).not.toBe(jpeg.headers.get("etag"));
      const body = await bytesOf(jpeg);
      expect(await new Bun.Image(body).metadata()).toMatchObject({ format: "jpeg" });
      for (const [name, value] of [
        ["vary", "Accept"],
        ["cache-control", "public, max-age=31536000, immutable"],
        ["content-length", String(body.length)],
        ["access-control-allow-origin", "*"],
        ["cross-origin-resource-policy", "cross-origin"],
        ["x-content-type-options", "nosniff"],
        ["content-security-policy", "default-src 'none'; sandbox"],
      ] as const)
        expect([name, jpeg.headers.get(name)]).toEqual([name, value]);
      const known = await get({ "if-none-match": jpeg.headers.get("etag") ?? "" });
      expect([known.status, await known.text()]).toEqual([304, ""]);
      const head = await get({}, "HEAD");
      expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
        200,
        String(body.length),
        "",
      ]);
    });

    test("are sent in parts if that is asked of the public variant", async () => {
      const image = await added(await newVehicle());
      const part = async (range: string, headers: Readonly<Record<string, string>> = {}) => {
        const reply = await fetch(addressOf(image), { headers: { range, ...headers } });
        return { status: reply.status, range: reply.headers.get("content-range"), bytes: await bytesOf(reply) };
      };
      const whole = await bytesOf(await fetch(addressOf(image)));
      const { length } = whole;
      expect(await part("bytes=0-9")).toEqual({ status: 206, range: `bytes 0-9/${length}`, bytes: whole.slice(0, 10) });
      expect(await part("bytes=-5")).toEqual({
        status: 206,
        range: `bytes ${length - 5}-${length - 1}/${length}`,
        bytes: whole.slice(-5),
      });
      expect((await part(`bytes=5-${length * 2}`)).bytes).toEqual(whole.slice(5));
      expect(await part(`bytes=${length}-`)).toMatchObject({ status: 416, range: `bytes */${length}` });
      for (const range of ["bytes=0-1,3-4", "bytes=-", "bytes=9-1", "lines=0-1"])
        expect((await part(range)).status).toBe(200);
      expect((await part("bytes=0-9", { "if-range": '"another"' })).status).toBe(200);
    });

    test("are nowhere else: any other path is a text of a few bytes that may be kept for a minute", async () => {
      const image = await added(await newVehicle());
      const [account, id] = addressOf(image).split("/").slice(-3);
      for (const path of [
        `${account}/${id}/huge`,
        `${account}/${id}`,
        `${account}/${id}/public/`,
        `${account}/${"0".repeat(32)}/public`,
        `${"0".repeat(32)}/${id}/public`,
        `${account}/${id}/public.jpg`,
        `${account}/..%2f${id}/public`,
        "%2e%2e%2f%2e%2e%2finventory.db",
        `${account?.toUpperCase()}/${id}/public`,
        "",
      ]) {
        const reply = await fetch(`${fixture.service.url}/images/${path}`);
        expect([path, reply.status, await reply.text()]).toEqual([path, 404, "Not found\n"]);
        expect(reply.headers.get("cache-control")).toBe("public, max-age=60");
        expect(reply.headers.get("content-type")).toStartWith("text/plain");
      }
    });

    test("stand upright and have lost where they were taken", async () => {
      const jpeg = Buffer.from(await new Bun.Image(signpost(64, 48)).jpeg().bytes());
      const image = await added(await newVehicle(), phonePhoto(jpeg, 6));
      expect([image.width, image.height]).toEqual([48, 64]);
      const delivered = Buffer.from(await bytesOf(await fetch(addressOf(image))));
      expect(delivered.includes("GPS") || delivered.includes("Exif")).toBe(false);
    });

    test("are turned under another id, and the former one goes", async () => {
      const vehicle = await newVehicle();
      const image = await added(vehicle);
      const put = (body: object) => fixture.api<Image>("PUT", `${vehicle}/images/${image.id}`, { body });
      const turned = await put({ rotate: 90, alt: "turned" });
      expectReply(turned, { status: 200 });
      expect(turned.body).toMatchObject({ id: image.id, width: 48, height: 64, alt: "turned" });
      expect(turned.body.delivery_id).not.toBe(image.delivery_id);
      expect(await statusOf(addressOf(turned.body))).toBe(200);
      expectReply(await put({ rotate: 45 }), { status: 400, faults: ["rotate"] });
      const other = await create<Image>(fixture.api, `${vehicle}/images`, {
        image_url: "https://images.example.com/1.jpg",
      });
      const elsewhere = await fixture.api("PUT", `${vehicle}/images/${other.id}`, { body: { rotate: 90 } });
      expectReply(elsewhere, { status: 400, faults: ["rotate"] });
    });

    test("of a dealer are adopted by its other vehicles, and by nobody else's", async () => {
      const image = await added(await newVehicle());
      const adopt = (vehicle: string, image_url: string) =>
        fixture.api<Image>("POST", `${vehicle}/images`, { body: { image_url } });
      const own = await adopt(await newVehicle(), addressOf(image, "large"));
      expectReply(own, { status: 201 });
      expect(own.body).toMatchObject({
        image_url: addressOf(image, "large"),
        width: 64,
        delivery_id: image.delivery_id ?? "",
      });
      const strange = await newVehicle(SOUTH);
      const account =
        addressOf(await added(strange))
          .split("/")
          .at(-3) ?? "";
      const disguised = addressOf(image).replace(/images\/[0-9a-f]+/, `images/${account}`);
      for (const address of [addressOf(image), disguised]) {
        expectReply(await adopt(strange, address), { status: 400, faults: ["image_url"] });
        const body = { images: [address] };
        expectReply(await fixture.api("PUT", strange, { body }), { status: 400, faults: ["images"] });
        const batch = await fixture.api<object>("POST", "/api/vehicles/batch", {
          body: { items: [vehicleBody(SOUTH, { vin: "1HGCM82633A004352", ...body })] },
        });
        expect(batch.text).toContain("must name a photo of this dealer");
      }
      expectReply(await adopt(strange, `${fixture.service.url}/images/else`), { status: 400, faults: ["image_url"] });
    });

    test("go along when their vehicle is saved as it was read, exported or audited", async () => {
      const vehicle = await newVehicle();
      const image = await added(vehicle);
      const read = await fixture.api<object>("GET", `${vehicle}?include=images`);
      expectReply(await fixture.api("PUT", vehicle, { body: read.body }), { status: 200 });
      const after = (await fixture.api<Image[]>("GET", `${vehicle}/images`)).body;
      expect(after).toEqual([image]);
      const file = await fixture.api("GET", "/api/vehicles/export?format=csv");
      expect(file.text).toContain(image.image_url);
      const log = await fixture.api("GET", `/api/audit?resource=images&id=${image.id}`);
      expect(log.text).toContain(image.image_url);
      for (const text of [file.text, log.text]) expect(text).not.toContain("photo:");
    });

    test("are counted for their dealer, up to its quota", async () => {
      const { id } = await create(fixture.api, "/api/dealers", dealerBody());
      const bytes = async () =>
        (await fixture.api<{ photo_bytes: number }>("GET", `/api/dealers/${id}/stats`)).body.photo_bytes;
      expect(await bytes()).toBe(0);
      const vehicle = await newVehicle(id);
      await added(vehicle);
      expect(await bytes()).toBeGreaterThan(1000);
      const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(700 * 700 * 3)));
      const bitmap = Buffer.alloc(54);
      bitmap.write("BM");
      for (const [place, value] of [
        [10, 54],
        [14, 40],
        [18, 700],
        [22, 700],
      ] as const)
        bitmap.writeUInt32LE(value, place);
      bitmap.writeUInt16LE(1, 26);
      bitmap.writeUInt16LE(24, 28);
      await added(vehicle, await new Bun.Image(Buffer.concat([bitmap, noise])).jpeg({ quality: 95 }).bytes());
      expect(await bytes()).toBeGreaterThan(MEBIBYTE);
      expectReply(await send(vehicle, await newPhoto()), { status: 507 });
    });

    test("are a 503 while their folder is away, and everything else goes on", async () => {
      const vehicle = await newVehicle();
      const image = await added(vehicle);
      const checks = async () => (await fixture.api<{ checks: object }>("GET", "/health/ready")).body.checks;
      expect(await checks()).toMatchObject({ images: "ok" });
      renameSync(folder(), `${folder()} away`);
      try {
        const refused = await send(vehicle, await newPhoto());
        expectReply(refused, { status: 503, gives: { "retry-after": /^\d+$/ } });
        const away = await fetch(addressOf(image, "large"));
        expect([away.status, away.headers.get("retry-after"), away.headers.get("cache-control")]).toEqual([
          503,
          "5",
          "no-store",
        ]);
        expect(await checks()).toMatchObject({ database: "ok", images: "unavailable" });
        expect((await fixture.api<Image[]>("GET", `${vehicle}/images`)).body).toEqual([image]);
        expect(existsSync(folder())).toBe(false);
      } finally {
        renameSync(`${folder()} away`, folder());
      }
      expect(await statusOf(addressOf(image, "large"))).toBe(200);
    });

    test.skipIf(!CAN_ADVANCE_CLOCK)("that were removed are gone within a minute, with their files", async () => {
      const vehicle = await newVehicle();
      const image = await added(vehicle);
      expect(await statusOf(addressOf(image))).toBe(200);
      expectReply(await fixture.api("DELETE", `${vehicle}/images/${image.id}`), { status: 200 });
      await fixture.service.runTimers(60);
      expect(await statusOf(addressOf(image))).toBe(404);
      await eventually(
        () => stored().includes(image.delivery_id ?? ""),
        (isThere) => !isThere,
      );
    });

    test.skipIf(!CAN_ADVANCE_CLOCK)("whose files no image names go once they are a day old", async () => {
      const [old, young] = ["1", "2"].map((digit) => digit.repeat(32));
      const nowSeconds = fixture.service.clock.nowMs() / 1000;
      for (const [id = "", age] of [
        [old, 25 * 3600],
        [young, 22 * 3600],
      ] as const) {
        const path = join(folder(), id.slice(0, 2), id);
        mkdirSync(path, { recursive: true });
        utimesSync(path, nowSeconds - age, nowSeconds - age);
      }
      const image = await added(await newVehicle());
      await fixture.service.runTimers(3600);
      await eventually(
        () => stored().includes(old ?? ""),
        (isThere) => !isThere,
      );
      expect(stored()).toContain(young ?? "");
      expect(stored()).toContain(image.delivery_id ?? "");
    });
  });

describe("without a storage of photos", () => {
  const [engine] = ANSWERING;
  if (engine === undefined) throw new Error("there is no engine");
  for (const [name, environment, reason] of [
    ["that is off", { IMAGE_STORAGE: "off" }, "IMAGE_STORAGE is off"],
    ["at a delivery service elsewhere", { IMAGE_DELIVERY_BASE: "https://images.example.com" }, "IMAGE_DELIVERY_BASE"],
  ] as const)
    describe(name, () => {
      const fixture = serviceFixture(engine, environment);
      test("photos are a 501 with the reason, and addresses are taken as before", async () => {
        const path = `/api/vehicles/${NORTH_CAR}/images`;
        const refused = await fixture.api<{ error: string }>("POST", path, { raw: await newPhoto(), headers: JPEG });
        expectReply(refused, { status: 501 });
        expect(refused.body.error).toContain(reason);
        await create(fixture.api, path, { image_url: "https://cars.example.com/1.jpg" });
      });

      test("an import or a source that is to fetch photos is a 501 with the reason", async () => {
        const off = { status: 501, code: "photos_off" };
        const file = {
          raw: "Stock,Year,Make,Model,Price\nA,2020,Kia,Rio,9000\n",
          headers: { "content-type": "text/csv" },
        };
        const query = `dealer_id=${NORTH}&fetch_images=true`;
        expectReply(await fixture.api("POST", `/api/imports?${query}`, file), off);
        const url = "https://files.example.com/a.csv";
        const source = { name: "Nightly", dealer_id: NORTH, url, schedule: "30 2 * * *" };
        const fetching = { options: { fetch_images: true } };
        expectReply(await fixture.api("POST", "/api/import-sources", { body: { ...source, ...fetching } }), off);
        const { id } = await create(fixture.api, "/api/import-sources", source);
        expectReply(await fixture.api("PUT", `/api/import-sources/${id}`, { body: fetching }), off);
      });
    });
});
