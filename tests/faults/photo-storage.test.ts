import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Image } from "../../core/images/image.ts";
import { afterExit } from "../support/after-exit.ts";
import { expectReply } from "../support/cases.ts";
import type { Api } from "../support/client.ts";
import { runCommand } from "../support/command.ts";
import { inGate, SEED } from "../support/depth.ts";
import { ENGINES, type TestEngine } from "../support/engines.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM } from "../support/executable.ts";
import { BOOTSTRAP_KEY, type Instance, launchInstance, untilReady } from "../support/instances.ts";
import { jpegPhoto, pngOf } from "../support/photos.ts";
import { rowsOf } from "../support/program.ts";
import { startRelay } from "../support/relay.ts";
import { startS3 } from "../support/s3.ts";
import { create, dealerBody, vehicleBody } from "../support/sample-records.ts";
import { scratchFolder } from "../support/scratch-folder.ts";
import { startService, type TestService } from "../support/service.ts";

setDefaultTimeout(300_000);

const scratch = scratchFolder("vehicle-inventory-faulty-photos-");
afterExit('rm -rf "$1"', scratch);
const [sqlite, postgres] = ENGINES as readonly [TestEngine, TestEngine];

let numbers = 0;
/** A number behind its end makes each another file. */
const newPhoto = async (): Promise<Buffer> => Buffer.concat([await jpegPhoto(32, 24), Buffer.from(`${++numbers}`)]);
/** A photo whose files are larger than 64 KiB. */
const largePhoto = (): Buffer =>
  pngOf({ width: 500, height: 400 }, (x, y) => [(x * 7919 + y * 104_729) % 251, (x * y) % 256, (x * x + y) % 253, 255]);

const newVehicle = async (api: Api): Promise<string> => {
  const { id } = await create(api, "/api/dealers", dealerBody());
  return `/api/vehicles/${(await create(api, "/api/vehicles", vehicleBody(Number(id)))).id}`;
};
const send = async (api: Api, vehicle: string, raw?: Uint8Array) =>
  api<Image>("POST", `${vehicle}/images`, {
    raw: raw ?? (await newPhoto()),
    headers: { "content-type": "image/jpeg" },
  });
const statusOf = async (image: Image): Promise<number> => (await fetch(image.image_url)).status;
const readiness = async (api: Api) => (await api<{ checks: object }>("GET", "/health/ready")).body.checks;

/** What every failure of the storage leaves as it was. */
const goesOn = async (api: Api, vehicle: string, images: readonly Image[]): Promise<void> => {
  expect((await api<Image[]>("GET", `${vehicle}/images`)).body).toEqual([...images]);
  expectReply(await api("PUT", vehicle, { body: { mileage: ++numbers } }), { status: 200 });
};

describe("a folder of photos", () => {
  let service: TestService;
  let folder: string;
  let vehicle: string;
  let image: Image;
  beforeAll(async () => {
    folder = join(scratch, "folder");
    // The service may write no file of more than 16 blocks, as on a full disk. Its database is elsewhere.
    const command = ["sh", "-c", 'ulimit -f 16; exec "$@"', "sh", ...PROGRAM];
    service = await startService(postgres, { IMAGE_STORAGE: folder }, { command });
    vehicle = await newVehicle(service.api);
    const sent = await send(service.api, vehicle);
    expectReply(sent, { status: 201 });
    image = sent.body;
  });
  afterAll(() => service?.close());

  const stored = (): readonly string[] => readdirSync(folder).flatMap((shelf) => readdirSync(join(folder, shelf)));

  test("on a full disk is a 507 for a photo that does not fit, of which nothing is left", async () => {
    const refused = await send(service.api, vehicle, largePhoto());
    expectReply(refused, { status: 507, code: "storage_full" });
    expect(stored()).toEqual([image.delivery_id ?? ""]);
    expect(await statusOf(image)).toBe(200);
    await goesOn(service.api, vehicle, [image]);
  });

  test("that vanishes is a 503 for uploads and delivery, is not made again, and is used once it is back", async () => {
    renameSync(folder, `${folder} away`);
    expectReply(await send(service.api, vehicle), { status: 503, code: "unavailable" });
    expect(await statusOf(image)).toBe(503);
    expect(await readiness(service.api)).toMatchObject({ database: "ok", images: "unavailable" });
    await goesOn(service.api, vehicle, [image]);
    renameSync(`${folder} away`, folder);
    expect(await statusOf(image)).toBe(200);
  });

  test("that cannot be written to is a 503 for uploads", async () => {
    // Root may write to a folder whatever its rights are, but nobody puts anything below a file.
    renameSync(folder, `${folder} away`);
    mkdirSync(folder);
    for (let shelf = 0; shelf < 256; shelf++) writeFileSync(join(folder, shelf.toString(16).padStart(2, "0")), "");
    expectReply(await send(service.api, vehicle), { status: 503, code: "unavailable" });
    await goesOn(service.api, vehicle, [image]);
    rmSync(folder, { recursive: true });
    renameSync(`${folder} away`, folder);
    expectReply(await send(service.api, vehicle), { status: 201 });
  });
});

describe("a bucket of photos", () => {
  let service: TestService;
  let relay: ReturnType<typeof startRelay>;
  let vehicle: string;
  let image: Image;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const s3 = await startS3();
    close = s3.close;
    relay = startRelay(s3.access.endpoint ?? "");
    service = await startService(sqlite, {
      IMAGE_STORAGE: "s3://photos/cars",
      S3_ENDPOINT: relay.url,
      S3_ACCESS_KEY_ID: s3.access.accessKeyId,
      S3_SECRET_ACCESS_KEY: s3.access.secretAccessKey,
    });
    vehicle = await newVehicle(service.api);
    const sent = await send(service.api, vehicle);
    expectReply(sent, { status: 201 });
    image = sent.body;
  });
  afterAll(async () => {
    await service?.close();
    await close?.();
  });

  for (const weather of ["broken", "silent"] as const)
    test(`that is ${weather === "broken" ? "away" : "silent for 5 s"} is a 503 for uploads and delivery, everything else goes on, and it is used once it is back`, async () => {
      relay.become(weather);
      const [refused, delivered, checks] = await Promise.all([
        send(service.api, vehicle),
        fetch(image.image_url),
        readiness(service.api),
        goesOn(service.api, vehicle, [image]),
      ]);
      expectReply(refused, { status: 503, code: "unavailable", gives: { "retry-after": /^\d+$/ } });
      expect([delivered.status, delivered.headers.get("retry-after")]).toEqual([503, "5"]);
      expect(checks).toMatchObject({ images: "unavailable" });
      relay.become("fair");
      // Connections that were silent may be given up first.
      await eventually(
        () => statusOf(image),
        (status) => status === 200,
      );
      const again = await send(service.api, vehicle);
      expectReply(again, { status: 201 });
      expectReply(await service.api("DELETE", `${vehicle}/images/${again.body.id}`), { status: 200 });
    });

  test("that another key opens is a 503 for uploads and delivery", async () => {
    const other = await startService(sqlite, {
      IMAGE_STORAGE: "s3://photos/cars",
      S3_ENDPOINT: relay.url,
      S3_ACCESS_KEY_ID: "another",
      S3_SECRET_ACCESS_KEY: "another",
    });
    const elsewhere = await newVehicle(other.api);
    expectReply(await send(other.api, elsewhere), { status: 503, code: "unavailable" });
    expect(await readiness(other.api)).toMatchObject({ images: "unavailable" });
    await goesOn(other.api, elsewhere, []);
    await other.close();
  });
});

describe("a service that is killed while photos come and go", () => {
  /** Numbers of requests after which it is killed. */
  const moments = Array.from({ length: inGate(5, 30) }, (_, round) => 1 + ((SEED * 31 + round * 7919) % 12));

  test("has every photo that a row names, and every photo that it acknowledged", async () => {
    const folder = join(scratch, "killed");
    mkdirSync(folder);
    const database = join(folder, "inventory.db");
    const environment = { DATABASE_URL: `sqlite:${database}`, BOOTSTRAP_API_KEY: BOOTSTRAP_KEY };
    const ask = async (instance: Instance, method: string, path: string, body?: object | Uint8Array) =>
      fetch(instance.url + path, {
        method,
        headers: {
          "x-api-key": BOOTSTRAP_KEY,
          "content-type": body instanceof Uint8Array ? "image/jpeg" : "application/json",
        },
        ...(body !== undefined && { body: body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body) }),
      });
    const made = async (instance: Instance, path: string, body: object): Promise<number> =>
      ((await (await ask(instance, "POST", path, body)).json()) as { id: number }).id;

    let vehicle = "";
    /** The images that were acknowledged and not asked to be removed since. */
    const acknowledged = new Set<number>();
    for (const moment of moments) {
      const instance = await untilReady(launchInstance(environment));
      if (vehicle === "") {
        const dealer = await made(instance, "/api/dealers", dealerBody());
        vehicle = `/api/vehicles/${await made(instance, "/api/vehicles", vehicleBody(dealer))}`;
      }
      const photos = await Promise.all(Array.from({ length: 24 }, newPhoto));
      const refusals: string[] = [];
      let answered = 0;
      const upload = async (photo: Uint8Array): Promise<void> => {
        const reply = await ask(instance, "POST", `${vehicle}/images`, photo);
        if (reply.status !== 201) return void refusals.push(`${reply.status} ${await reply.text()}`);
        const { id } = (await reply.json()) as Image;
        acknowledged.add(id);
        const [oldest] = acknowledged;
        if (++answered >= moment) instance.signal("SIGKILL");
        if (acknowledged.size < 6 || oldest === undefined) return;
        acknowledged.delete(oldest);
        await ask(instance, "DELETE", `${vehicle}/images/${oldest}`);
      };
      const senders = Array.from({ length: 4 }, async () => {
        for (let photo = photos.pop(); photo !== undefined; photo = photos.pop()) await upload(photo);
      });
      // The requests that were under way when it was killed fail.
      await Promise.allSettled(senders);
      await instance.exited;
      expect(refusals).toEqual([]);
      expect(await runCommand({ DATABASE_URL: environment.DATABASE_URL }, "images", "verify")).toMatchObject({
        code: 0,
      });
      const named = new Set(rowsOf(database, "SELECT id FROM vehicle_images").map(({ id }) => Number(id)));
      for (const id of acknowledged) expect([id, named.has(id)]).toEqual([id, true]);
    }
    expect(acknowledged.size).toBeGreaterThan(0);
  });
});
