import { describe, expect, test } from "bun:test";
import { renameSync } from "node:fs";
import type { Server } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Image } from "../../../core/images/image.ts";
import type { FetchedImages, Import } from "../../../core/imports/import.ts";
import type { MendingAnswer } from "../../../core/imports/mending.ts";
import type { Vehicle } from "../../../core/vehicles/vehicle.ts";
import { expectReply } from "../../support/cases.ts";
import { ANSWERING } from "../../support/engines.ts";
import { eventually } from "../../support/eventually.ts";
import { jpegPhoto } from "../../support/photos.ts";
import { photoFolderOf } from "../../support/service.ts";
import { importsOn } from "./imports.ts";

const HEAD = "VIN,Stock Number,Year,Make,Model,Price,Photos";
const ALLOWED = { EGRESS_ALLOW: "127.0.0.0/8" };

/** What a path of the site of photos answers with. */
type Answer = Parameters<typeof createServer>[1];

for (const engine of ANSWERING)
  describe(`photos that a file names on ${engine.name}`, () => {
    const { fixture, newDealer, imported, rowsOf } = importsOn(engine, ALLOWED);

    const answers = new Map<string, Answer>();
    const asked: string[] = [];
    let site: Server | null = null;
    const siteUrl = async (): Promise<string> => {
      site ??= createServer((request, response) => {
        const path = request.url ?? "";
        asked.push(path);
        const answer = answers.get(path);
        if (answer === undefined) response.writeHead(404).end();
        else answer(request, response);
      }).unref();
      if (!site.listening) await new Promise<void>((resolve) => void site?.listen(0, "127.0.0.1", resolve));
      return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    };
    let photos = 0;
    /** An address that answers so, or with a photo of its own. */
    const addressOf = async (answer?: Answer): Promise<string> => {
      const path = `/${++photos}.jpg`;
      const photo = answer === undefined ? await jpegPhoto(64, 48, photos) : Buffer.alloc(0);
      answers.set(path, answer ?? ((_, response) => void response.writeHead(200).end(photo)));
      return `${await siteUrl()}${path}`;
    };
    const timesAsked = (address: string): number => asked.filter((path) => address.endsWith(path)).length;

    const rowOf = (stock: string, addresses: readonly string[]): string =>
      `,${stock},2020,Kia,Rio,9000,${addresses.join("|")}\n`;
    const fileOf = (...rows: readonly string[]): string => `${HEAD}\n${rows.join("")}`;
    const readImport = async (id: number): Promise<Import> =>
      (await fixture.api<Import>("GET", `/api/imports/${id}`)).body;
    /** How the photos of an import came out. */
    const fetchedOf = async (dealer: number, raw: string, options = "fetch_images=true") => {
      const { id } = await imported({ dealer, options, raw });
      const done = await eventually(
        () => readImport(id),
        ({ images }) => images?.waiting === 0,
      );
      return { id, done, images: done.images as FetchedImages, rows: await rowsOf(id) };
    };
    const vehicleOf = async (dealer: number, stock: string): Promise<number> => {
      const path = `/api/vehicles?dealer_id=${dealer}&stock_number=${stock}&status=available&status=sold`;
      return (await fixture.api<{ vehicles: Vehicle[] }>("GET", path)).body.vehicles[0]?.id ?? 0;
    };
    const imagesOf = async (vehicle: number): Promise<readonly Image[]> =>
      (await fixture.api<Image[]>("GET", `/api/vehicles/${vehicle}/images`)).body;

    test("are kept as photos of their own, in their order, and fetched once however many files name them", async () => {
      const dealer = await newDealer();
      const [front, side, shared] = [await addressOf(), await addressOf(), await addressOf()];
      const file = fileOf(rowOf("A", [front, side, shared]), rowOf("B", [shared]));
      const first = await fetchedOf(dealer, file);
      expect(first.images).toEqual({ waiting: 0, fetched: 4, failed: 0, problem: null });
      const a = await vehicleOf(dealer, "A");
      const images = await imagesOf(a);
      expect(images.map(({ delivery_id }) => typeof delivery_id)).toEqual(["string", "string", "string"]);
      expect(images.map(({ is_primary, width }) => [is_primary, width])).toEqual([
        [true, 64],
        [false, 64],
        [false, 64],
      ]);
      expect((await fetch(images[1]?.image_url ?? "")).headers.get("content-type")).toBe("image/jpeg");
      expect((await imagesOf(await vehicleOf(dealer, "B")))[0]?.delivery_id).toBe(images[2]?.delivery_id as string);
      expect([timesAsked(front), timesAsked(side), timesAsked(shared)]).toEqual([1, 1, 1]);

      // The next night: nothing changes, nothing is fetched, and no photo is somebody's correction.
      const second = await fetchedOf(dealer, file);
      expect(second.done.counts).toMatchObject({ unchanged: 2, updated: 0, kept: 0, warnings: 0 });
      expect(second.images).toEqual({ waiting: 0, fetched: 0, failed: 0, problem: null });
      const plain = await imported({ dealer, raw: file });
      expect([plain.counts.unchanged, plain.counts.kept, plain.images]).toEqual([2, 0, null]);
      expect(await imagesOf(a)).toEqual([...images]);
      const corrections = await fixture.api<{ data: unknown[] }>("GET", `/api/vehicles/${a}/corrections`);
      expect(corrections.body.data).toEqual([]);
      expect([timesAsked(front), timesAsked(side), timesAsked(shared)]).toEqual([1, 1, 1]);
    });

    test("follow the file as long as nobody corrected them, and stay as somebody did", async () => {
      const dealer = await newDealer();
      const [front, side, rear] = [await addressOf(), await addressOf(), await addressOf()];
      await fetchedOf(dealer, fileOf(rowOf("C", [front, side])));
      const vehicle = await vehicleOf(dealer, "C");
      const [one, other] = await imagesOf(vehicle);
      const turned = await fetchedOf(dealer, fileOf(rowOf("C", [side, front, rear])));
      expect([turned.done.counts.updated, turned.done.counts.kept, turned.images.fetched]).toEqual([1, 0, 1]);
      const three = await imagesOf(vehicle);
      expect(three.map(({ delivery_id }) => delivery_id).slice(0, 2)).toEqual([
        other?.delivery_id as string,
        one?.delivery_id as string,
      ]);
      expectReply(await fixture.api("DELETE", `/api/vehicles/${vehicle}/images/${three[1]?.id}`), { status: 200 });
      const third = await fetchedOf(dealer, fileOf(rowOf("C", [side, front, rear])));
      expect([third.done.counts.unchanged, third.done.counts.kept, third.images.fetched]).toEqual([1, 1, 0]);
      expect((await imagesOf(vehicle)).map(({ id }) => id)).toEqual([three[0]?.id as number, three[2]?.id as number]);
      // Whoever takes the file's value gets the photos, and not addresses.
      expectReply(await fixture.api("DELETE", `/api/vehicles/${vehicle}/corrections/images`), { status: 200 });
      expect((await imagesOf(vehicle)).length).toBe(3);
      expect([timesAsked(front), timesAsked(side), timesAsked(rear)]).toEqual([1, 1, 1]);
    });

    test("that cannot be had stay addresses, which their rows say, and are asked for again by the next file", async () => {
      const dealer = await newDealer();
      const large = 100 * 1024 * 1024;
      const good = await addressOf();
      const cases: readonly (readonly [address: string, reason: RegExp])[] = [
        [await addressOf((_, response) => void response.writeHead(404).end()), /answered 404, not 200/],
        [
          await addressOf((_, response) => void response.end("<html>Sign in</html>")),
          /The file is .*; JPEG, PNG and WebP/,
        ],
        [
          await addressOf((_, response) => void response.end(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))),
          /ends before the image does/,
        ],
        [
          await addressOf((_, response) => void response.writeHead(200, { "content-length": large }).write("x")),
          /is larger than 20 MiB/,
        ],
        [
          await addressOf((_, response) => {
            const piece = Buffer.alloc(256 * 1024);
            const more = (): void => {
              while (!response.destroyed && response.write(piece));
              if (!response.destroyed) response.once("drain", more);
            };
            more();
          }),
          /is larger than 20 MiB/,
        ],
        [
          await addressOf(
            (_, response) =>
              void response.writeHead(302, { location: "http://169.254.169.254/latest/meta-data" }).end(),
          ),
          /169\.254\.169\.254/,
        ],
        [
          await addressOf((_, response) => void response.writeHead(200, { "content-encoding": "gzip" }).end("x")),
          /sent it packed/,
        ],
      ];
      const addresses = cases.map(([address]) => address);
      const file = fileOf(rowOf("D", [...addresses, good]), rowOf("E", addresses.slice(0, 1)));
      const { done, images, rows } = await fetchedOf(dealer, file);
      expect(done.state).toBe("completed");
      expect(images).toEqual({ waiting: 0, fetched: 1, failed: cases.length + 1, problem: null });
      expect(done.counts.warnings).toBe(cases.length + 1);
      expect(done.row_warnings).toMatchObject([{ code: "photo_not_fetched", path: "Photos", count: cases.length + 1 }]);
      const said = rows[0]?.warnings.map(({ message }) => message) ?? [];
      for (const [address, reason] of cases)
        expect(said.find((message) => message.startsWith(`${address} stays an address`))).toMatch(reason);
      // One failure of an address is enough for all rows that name it.
      expect(rows[1]?.warnings.length).toBe(1);
      expect(timesAsked(addresses[0] ?? "")).toBe(1);
      const kept = await imagesOf(await vehicleOf(dealer, "D"));
      expect(kept.slice(0, -1).map(({ image_url }) => image_url)).toEqual([...addresses]);

      const [mended = ""] = addresses;
      const photo = await jpegPhoto(64, 48, 250);
      answers.set(new URL(mended).pathname, (_, response) => void response.end(photo));
      const next = await fetchedOf(dealer, fileOf(rowOf("E", [mended])));
      expect([next.done.counts.unchanged, next.done.counts.kept, next.images.fetched]).toEqual([1, 0, 1]);
    });

    test("of a failed row are fetched once the row is mended", async () => {
      const dealer = await newDealer();
      const photo = await addressOf();
      const { id, images } = await fetchedOf(dealer, fileOf(rowOf("L", [photo]).replace("2020", "1500")));
      expect([images.fetched, timesAsked(photo)]).toEqual([0, 0]);
      const body = { rows: [{ row: 1, cells: { Year: "2020" } }] };
      expectReply(await fixture.api("POST", `/api/imports/${id}/mend`, { body }), { status: 200 });
      await eventually(
        () => readImport(id),
        (found) => found.images?.fetched === 1,
      );
      expect((await imagesOf(await vehicleOf(dealer, "L"))).map(({ width }) => width)).toEqual([64]);
    });

    test("wait while their storage is out of reach, and are fetched when it is back", async () => {
      const dealer = await newDealer();
      const photo = await addressOf();
      const folder = photoFolderOf(fixture.service.databaseUrl);
      renameSync(folder, `${folder}-away`);
      const { id } = await imported({ dealer, options: "fetch_images=true", raw: fileOf(rowOf("M", [photo])) });
      expect((await readImport(id)).images?.waiting).toBe(1);
      renameSync(`${folder}-away`, folder);
      const done = await eventually(
        () => readImport(id),
        ({ images }) => images?.waiting === 0,
      );
      expect(done.images).toMatchObject({ fetched: 1, failed: 0 });
    });

    test("with the bytes of one that the dealer has are that photo, and one image of a vehicle", async () => {
      const dealer = await newDealer();
      const photo = await jpegPhoto(64, 48, 240);
      const answer: Answer = (_, response) => void response.end(photo);
      const [tonight, tomorrow] = [await addressOf(answer), await addressOf(answer)];
      await fetchedOf(dealer, fileOf(rowOf("F", [tonight, tomorrow])));
      const vehicle = await vehicleOf(dealer, "F");
      const images = await imagesOf(vehicle);
      expect(images.map(({ is_primary }) => is_primary)).toEqual([true]);
      const next = await fetchedOf(dealer, fileOf(rowOf("F", [tomorrow, tonight])));
      expect(next.done.counts).toMatchObject({ unchanged: 1, kept: 0 });
      expect(await imagesOf(vehicle)).toEqual([...images]);
    });

    test("are asked for no more once the import's maker has lost the right", async () => {
      const dealer = await newDealer();
      const permissions = ["read", "write"].map((action) => ({ resource: "vehicles", action }));
      const named = { name: "Maker", app_type: "web", app_id: "photo-maker", dealer_id: dealer, permissions };
      const key = await fixture.api<{ id: number; api_key: string }>("POST", "/api/keys", { body: named });
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const slow = (): Promise<string> =>
        addressOf(async (_, response) => {
          await held;
          response.end("no photo");
        });
      const [one, other, next] = [await slow(), await slow(), await addressOf()];
      const bad = rowOf("U", [next]).replace("2020", "1500");
      const raw = fileOf(
        rowOf("R", [one]),
        rowOf("S", [other]),
        rowOf("T", [next]),
        bad,
        rowOf("V", []).replace("2020", "1500"),
      );
      const { id } = await imported({ options: "fetch_images=true", key: key.body.api_key, raw });
      await eventually(
        async () => timesAsked(one) + timesAsked(other),
        (times) => times === 2,
      );
      expectReply(await fixture.api("DELETE", `/api/keys/${key.body.id}`), { status: 200 });
      release();
      const { images } = await eventually(
        () => readImport(id),
        (record) => record.images?.waiting === 0,
      );
      expect([images?.fetched, images?.failed, images?.problem]).toEqual([
        0,
        0,
        "Whoever asked for the import may not change these vehicles any more",
      ]);
      // Rows that somebody else mends say that their photos stay addresses.
      const rows = [4, 5].map((row) => ({ row, cells: { Year: "2020" } }));
      const mended = await fixture.api<MendingAnswer>("POST", `/api/imports/${id}/mend`, { body: { rows } });
      expect(mended.body.results.map(({ outcome, warnings }) => [outcome, warnings])).toEqual([
        [
          "created",
          [
            {
              path: "Photos",
              code: "photo_not_fetched",
              message: "stay addresses, as whoever asked for the import may not change these vehicles any more",
            },
          ],
        ],
        ["created", []],
      ]);
      expect([(await readImport(id)).images?.waiting, timesAsked(next)]).toEqual([0, 0]);
    });

    test("are fetched no more once somebody stops it, and not for a vehicle or image that is gone", async () => {
      const dealer = await newDealer();
      const { promise: held, resolve: release } = Promise.withResolvers<void>();
      const photo = await jpegPhoto(64, 48, 230);
      const slow = await addressOf(async (_, response) => {
        await held;
        response.end(photo);
      });
      const others = [await addressOf(), await addressOf()];
      const file = fileOf(rowOf("G", [slow]), rowOf("H", [slow]), rowOf("I", others));
      const { id } = await imported({ dealer, options: "fetch_images=true", raw: file });
      await eventually(
        async () => timesAsked(slow),
        (times) => times === 1,
      );
      const [gone, image, stopped] = [
        await vehicleOf(dealer, "G"),
        await vehicleOf(dealer, "H"),
        await vehicleOf(dealer, "I"),
      ];
      expectReply(await fixture.api("DELETE", `/api/vehicles/${gone}`), { status: 200 });
      const [plain] = await imagesOf(image);
      expectReply(await fixture.api("DELETE", `/api/vehicles/${image}/images/${plain?.id}`), { status: 200 });
      release();
      const done = await eventually(
        () => readImport(id),
        ({ images }) => images?.waiting === 0,
      );
      expect(done.images).toEqual({ waiting: 0, fetched: 2, failed: 0, problem: null });
      expect((await imagesOf(stopped)).every(({ delivery_id }) => delivery_id !== null)).toBe(true);

      const again = Promise.withResolvers<void>();
      const never = await addressOf(async (_, response) => {
        await again.promise;
        response.end(photo);
      });
      const late = await addressOf();
      const second = await imported({
        dealer,
        options: "fetch_images=true",
        raw: fileOf(rowOf("J", [never]), rowOf("K", [never, late])),
      });
      await eventually(
        async () => timesAsked(never),
        (times) => times === 1,
      );
      expectReply(await fixture.api("POST", `/api/imports/${second.id}/cancel`), { status: 200 });
      const after = await readImport(second.id);
      expect([after.state, after.images?.waiting, after.images?.problem]).toEqual([
        "completed",
        0,
        "Somebody stopped it",
      ]);
      again.resolve();
    });
  });
