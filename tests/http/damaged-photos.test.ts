import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Image } from "../../core/images/image.ts";
import { DEEP, inGate, SEED } from "../support/depth.ts";
import { ENGINES, type TestEngine } from "../support/engines.ts";
import { animation, jpegPhoto, phonePhoto, signpost } from "../support/photos.ts";
import { create, NORTH, vehicleBody } from "../support/sample-records.ts";
import { serviceFixture } from "../support/service-fixture.ts";

setDefaultTimeout(1_800_000);

const TRIES = inGate(100, 3000);
/** What the decoder may keep after thousands of images, which is far less than one kept image for each. */
const KEPT_BYTES = 96 * 1024 * 1024;

/** Whole numbers below a limit, the same for the same seed. */
const numbers = (seed: number): ((below: number) => number) => {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
};
type Draw = ReturnType<typeof numbers>;

const bytesOf = (count: number, draw: Draw): Buffer => Buffer.from(Array.from({ length: count }, () => draw(256)));

/** Ways to damage an image. Those of the header hit its sizes and lengths. */
const DAMAGES: readonly ((image: Buffer, draw: Draw) => Buffer)[] = [
  (image, draw) => {
    for (let changes = 1 + draw(8); changes > 0; changes--) image[draw(image.length)] = draw(256);
    return image;
  },
  (image, draw) => {
    for (let changes = 1 + draw(4); changes > 0; changes--) image[draw(Math.min(200, image.length))] = draw(256);
    return image;
  },
  (image, draw) => image.subarray(0, draw(image.length)),
  (image, draw) => {
    const at = draw(image.length);
    return Buffer.concat([image.subarray(0, at), bytesOf(1 + draw(64), draw), image.subarray(at)]);
  },
  (image, draw) => {
    const at = draw(image.length);
    return Buffer.concat([image.subarray(0, at), image.subarray(at + 1 + draw(64))]);
  },
  (image, draw) => {
    const [from, to, length] = [draw(image.length), draw(image.length), 1 + draw(128)];
    image.copy(image, to, from, Math.min(image.length, from + length));
    return image;
  },
  (image, draw) => {
    const extremes = [0, 1, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_ff];
    image.writeUInt32BE(extremes[draw(extremes.length)] ?? 0, draw(image.length - 4));
    return image;
  },
];

describe("damaged photos", () => {
  const fixture = serviceFixture((ENGINES as readonly [TestEngine, TestEngine])[0]);
  const images: Buffer[] = [];
  beforeAll(async () => {
    const png = signpost(48, 32);
    const still = await new Bun.Image(png).webp({ quality: 60 }).bytes();
    const progressive = Buffer.from(await new Bun.Image(png).jpeg({ progressive: true }).bytes());
    images.push(phonePhoto(await jpegPhoto(48, 32), 6), progressive, png, Buffer.from(still));
    images.push(Buffer.from(await new Bun.Image(png).webp({ lossless: true }).bytes()));
    images.push(animation(48, 32, [still, still]));
  });

  test("are taken or refused with what is wrong, never with a failure of the service, and leave nothing in memory", async () => {
    const draw = numbers(SEED);
    const path = `/api/vehicles/${(await create(fixture.api, "/api/vehicles", vehicleBody(NORTH))).id}/images`;
    const statuses = new Map<number, number>();
    let keptAtHalf = 0;
    for (let number = 0; number < TRIES; number++) {
      const image = Buffer.from(images[number % images.length] ?? "");
      const raw = DAMAGES[draw(DAMAGES.length)]?.(image, draw) ?? image;
      const reply = await fixture.api<Image>("POST", path, { raw, headers: { "content-type": "image/jpeg" } });
      if (![200, 201, 400, 415].includes(reply.status))
        expect({ number, sent: raw.toString("base64"), answer: `${reply.status} ${reply.text}` }).toBeNull();
      statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
      if (reply.status === 201) await fixture.api("DELETE", `${path}/${reply.body.id}`);
      if (number === TRIES / 2) keptAtHalf = process.memoryUsage.rss();
    }
    // Damage of many kinds is tried: some of it is harmless.
    expect(statuses.get(400) ?? 0).toBeGreaterThan(TRIES / 5);
    expect(statuses.get(201) ?? 0).toBeGreaterThan(TRIES / 20);
    if (DEEP) {
      Bun.gc(true);
      expect(process.memoryUsage.rss() - keptAtHalf).toBeLessThan(KEPT_BYTES);
    }
  });
});
