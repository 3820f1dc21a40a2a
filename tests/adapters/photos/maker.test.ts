import { describe, expect, test } from "bun:test";
import { deflateSync } from "node:zlib";
import { photoMaker } from "../../../adapters/photos/maker.ts";
import { Failure } from "../../../core/failure.ts";
import { inspectPhoto } from "../../../core/photos/inspection.ts";
import { type MadePhoto, PHOTO_FILES, type Turn } from "../../../core/photos/photo.ts";
import {
  animation,
  colourOf,
  jpegPhoto,
  phonePhoto,
  pixelsOf,
  pngChunk,
  pngOf,
  signpost,
  withProfile,
} from "../../support/photos.ts";

const { make } = photoMaker();

const tried = async (bytes: Uint8Array, turn?: Turn): Promise<MadePhoto | null> => {
  const photo = inspectPhoto(bytes);
  if (photo instanceof Failure) throw new Error("the photo was refused before it was decoded");
  return make(photo, turn);
};
const madeOf = async (bytes: Uint8Array, turn?: Turn): Promise<MadePhoto> => {
  const made = await tried(bytes, turn);
  if (made === null) throw new Error("the photo was found to be damaged");
  return made;
};
const fileOf = ({ files }: MadePhoto, name: string): Buffer => Buffer.from(files.get(name) ?? []);
/** The colours of the four corners, row by row. */
const cornersOf = async (image: Uint8Array) => (await pixelsOf(image, 2, 2)).map(colourOf).join(" ");
const sizeOf = async (image: Uint8Array) => {
  const { width, height } = await new Bun.Image(image).metadata();
  return `${width}×${height}`;
};

describe("a made photo", () => {
  test("has four variants in two formats, none larger than the photo, and the size of the public one", async () => {
    const made = await madeOf(await jpegPhoto(1000, 500));
    expect([...made.files.keys()].toSorted()).toEqual([...PHOTO_FILES].toSorted());
    for (const format of ["jpg", "webp"]) {
      expect(await sizeOf(fileOf(made, `public.${format}`))).toBe("1000×500");
      expect(await sizeOf(fileOf(made, `large.${format}`))).toBe("1000×500");
      expect(await sizeOf(fileOf(made, `medium.${format}`))).toBe("800×400");
      expect(await sizeOf(fileOf(made, `thumbnail.${format}`))).toBe("200×100");
    }
    expect([made.width, made.height]).toEqual([1000, 500]);
  });

  test("has a placeholder of some hundred bytes, in the colours of the photo", async () => {
    const { placeholder } = await madeOf(Buffer.from(await new Bun.Image(signpost(640, 480)).jpeg().bytes()));
    expect(placeholder).toStartWith("data:image/webp;base64,");
    expect(placeholder.length).toBeLessThan(500);
    const picture = Buffer.from(placeholder.split(",")[1] ?? "", "base64");
    expect(await cornersOf(picture)).toBe("green green red blue");
  });

  test("is 2 560 pixels wide or high at most", async () => {
    const made = await madeOf(pngOf({ width: 40, height: 3000 }, () => [9, 9, 9, 255]));
    expect([made.width, made.height]).toEqual([34, 2560]);
  });

  for (const [orientation, corners] of [
    [1, "green green red blue"],
    [3, "blue red green green"],
    [6, "red green blue green"],
    [8, "green blue green red"],
  ] as const)
    test(`stands upright, as the camera was held (${orientation})`, async () => {
      const jpeg = Buffer.from(await new Bun.Image(signpost(64, 48)).jpeg({ quality: 95 }).bytes());
      const made = await madeOf(phonePhoto(jpeg, orientation));
      for (const format of ["jpg", "webp"]) expect(await cornersOf(fileOf(made, `public.${format}`))).toBe(corners);
      expect([made.width, made.height]).toEqual(orientation > 4 ? [48, 64] : [64, 48]);
    });

  test("is turned to the right by quarter turns", async () => {
    const corners = async (turn: Turn) => cornersOf(fileOf(await madeOf(signpost(64, 48), turn), "public.jpg"));
    expect(await corners(90)).toBe("red green blue green");
    expect(await corners(180)).toBe("blue red green green");
    expect(await corners(270)).toBe("green blue green red");
  });

  test("has nothing of the file but its pixels and its colour profile", async () => {
    const profile = Buffer.concat([Buffer.from([0, 0, 1, 0]), Buffer.from("a colour profile"), Buffer.alloc(236)]);
    const made = await madeOf(phonePhoto(withProfile(await jpegPhoto(), profile), 6));
    for (const [name, bytes] of made.files) {
      const file = Buffer.from(bytes);
      for (const secret of ["Exif", "GPS", "comment", "trailing"])
        expect([name, file.includes(secret)]).toEqual([name, false]);
      expect([name, file.includes("a colour profile")]).toEqual([name, true]);
    }
  });

  test("is white where it was transparent as a JPEG, and transparent as a WebP", async () => {
    const half = pngOf({ width: 64, height: 48 }, (x) => (x < 32 ? [220, 0, 0, 255] : [0, 0, 0, 0]));
    for (const image of [half, await new Bun.Image(half).webp({ lossless: true }).bytes()]) {
      const made = await madeOf(image);
      expect(await cornersOf(fileOf(made, "public.jpg"))).toBe("red white red white");
      expect(await cornersOf(fileOf(made, "thumbnail.jpg"))).toBe("red white red white");
      expect((await pixelsOf(fileOf(made, "public.webp"), 2, 2)).map(([, , , alpha]) => alpha)).toEqual([
        255, 0, 255, 0,
      ]);
    }
  });

  test("of an animation is its first frame", async () => {
    const still = (colour: [number, number, number, number]) =>
      new Bun.Image(pngOf({ width: 64, height: 48 }, () => colour)).webp().bytes();
    const made = await madeOf(animation(64, 48, [await still([220, 0, 0, 255]), await still([0, 0, 220, 255])]));
    expect(await cornersOf(fileOf(made, "public.jpg"))).toBe("red red red red");
  });
});

describe("a photo is refused when it is decoded", () => {
  test("if its pixels are damaged", async () => {
    const png = signpost(64, 48);
    png.fill(0x55, 60, 90);
    expect(await tried(png)).toBeNull();
  });

  test("if it is a JPEG that was cut in the middle and ended properly, also a progressive or turned one", async () => {
    const noise = (x: number, y: number): number => (x * 7919 + y * 104_729 + x * y * 31) % 256;
    const picture = pngOf({ width: 320, height: 240 }, (x, y) => [noise(x >> 3, y >> 3), x % 256, y % 256, 255]);
    for (const progressive of [false, true]) {
      const jpeg = Buffer.from(await new Bun.Image(picture).jpeg({ quality: 85, progressive }).bytes());
      for (const orientation of [1, 3, 6]) {
        const whole = phonePhoto(jpeg, orientation);
        expect([progressive, orientation, await tried(whole)]).not.toContain(null);
        const end = whole.length - "trailing bytes".length;
        for (const share of [0.5, 0.75, 0.95]) {
          const cut = Buffer.concat([whole.subarray(0, Math.floor(end * share)), Buffer.from([0xff, 0xd9])]);
          const photo = inspectPhoto(cut);
          const made = photo instanceof Failure ? null : await make(photo);
          expect([progressive, orientation, share, made]).toEqual([progressive, orientation, share, null]);
        }
      }
    }
  });

  test("if a large JPEG lacks its last lines alone, of which its small variants show nothing", async () => {
    // Two lines of the last row of blocks are in the picture, and a pixel of the smallest variant is of four.
    const picture = pngOf({ width: 800, height: 594 }, (x, y) => [200 + ((x * 7 + y * 13) % 50), x % 50, y % 50, 255]);
    const whole = Buffer.from(await new Bun.Image(picture).jpeg({ quality: 80 }).bytes());
    const cut = Buffer.concat([whole.subarray(0, Math.floor(whole.length * 0.995)), Buffer.from([0xff, 0xd9])]);
    expect([await tried(cut), await tried(whole)]).toEqual([null, expect.anything()]);
  });

  test("but not because it is gray where it ends", async () => {
    const gray = pngOf({ width: 64, height: 48 }, (x) => (x < 32 ? [200, 0, 0, 255] : [128, 128, 128, 255]));
    for (const progressive of [false, true])
      expect(await tried(await new Bun.Image(gray).jpeg({ progressive }).bytes())).not.toBeNull();
  });

  test("if its colour profile would inflate to more than 4 MiB, before the decoder sees it", async () => {
    const withPacked = (bytes: number) =>
      pngOf({ width: 64, height: 48 }, () => [1, 2, 3, 255], [
        pngChunk("iCCP", Buffer.concat([Buffer.from("name\0\0", "latin1"), deflateSync(Buffer.alloc(bytes))])),
      ]);
    expect(await tried(withPacked(4 * 1024 * 1024 + 1))).toBeNull();
    expect(await tried(withPacked(160 * 1024 * 1024))).toBeNull();
  });
});
