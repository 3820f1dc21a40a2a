import { beforeAll, describe, expect, test } from "bun:test";
import { Failure } from "../../../core/failure.ts";
import { inspectPhoto } from "../../../core/photos/inspection.ts";
import { animation, jpegPhoto, phonePhoto, pngChunk, pngHeader, pngOf, signpost } from "../../support/photos.ts";
import { causeOf } from "../use-cases.ts";

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "latin1");
const reasonOf = (bytes: Uint8Array): string => {
  const cause = causeOf(inspectPhoto(bytes));
  if (cause?.kind === "file-unsupported") return cause.reason;
  if (cause?.kind !== "invalid") throw new Error(`expected a refusal of the file, not ${cause?.kind}`);
  return cause.issues.map(({ path, message }) => `${path} ${message}`).join();
};

let jpeg: Buffer;
let png: Buffer;
let webp: Buffer;
beforeAll(async () => {
  jpeg = await jpegPhoto();
  png = signpost(64, 48);
  webp = Buffer.from(await new Bun.Image(png).webp().bytes());
});

describe("a photo", () => {
  test("is a JPEG, a PNG or a WebP by its bytes, and its header says its size", () => {
    for (const [kind, bytes] of [
      ["jpeg", jpeg],
      ["png", png],
      ["webp", webp],
    ] as const)
      expect(inspectPhoto(bytes)).toMatchObject({ kind, width: 64, height: 48 });
  });

  for (const [name, start] of [
    ["HEIC", "\0\0\0\x18ftypheic\0\0\0\0mif1"],
    ["HEIC", "\0\0\0\x18ftypmif1\0\0\0\0"],
    ["AVIF", "\0\0\0\x18ftypavif\0\0\0\0"],
    ["GIF", "GIF89a\x01\0\x01\0"],
    ["BMP", "BM\0\0\0\0"],
    ["TIFF", "II*\0\x08\0\0\0"],
    ["PDF", "%PDF-1.7"],
    ["SVG", "<svg xmlns"],
    ["JSON", '{"image_url": 1}'],
    ["text", "hello"],
    ["bytes of an unknown kind", "\x01\x02\x03\x04"],
  ] as const)
    test(`is not ${name}, which the refusal names (${start.length} bytes)`, () => {
      expect(reasonOf(bytesOf(start))).toContain(`The file is ${name}`);
      expect(reasonOf(bytesOf(start))).toContain("JPEG, PNG and WebP are taken");
    });

  test("that an iPhone took as HEIC is refused with the advice to send JPEG", () => {
    expect(reasonOf(bytesOf("\0\0\0\x18ftypheic"))).toContain("send it as JPEG");
  });

  test("is not empty", () => expect(reasonOf(new Uint8Array())).toBe("file must be an image, and not empty"));

  test("that ends too early is refused, wherever it was cut off", () => {
    for (const whole of [jpeg, png, webp])
      for (let length = 12; length < whole.length; length++)
        expect(inspectPhoto(whole.subarray(0, length))).toBeInstanceOf(Failure);
  });

  test("that lacks scans of a progressive JPEG, or a colour of it, is refused: it did not arrive whole", async () => {
    const progressive = Buffer.from(await new Bun.Image(png).jpeg({ progressive: true }).bytes());
    const marks = Array.from(progressive.entries()).flatMap(([at, byte]) =>
      byte === 0xff && progressive[at + 1] === 0xda ? [at] : [],
    );
    expect(marks.length).toBeGreaterThan(3);
    expect(inspectPhoto(progressive)).toMatchObject({ kind: "jpeg", isGrayIfCut: false });
    expect(inspectPhoto(jpeg)).toMatchObject({ isGrayIfCut: true });
    for (const at of marks.slice(1)) {
      const cut = Buffer.concat([progressive.subarray(0, at), progressive.subarray(-2)]);
      expect(reasonOf(cut)).toContain("did not arrive whole");
    }
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const colourless = Buffer.concat([
      jpeg.subarray(0, scan),
      Buffer.from([0xff, 0xda, 0, 8, 1, jpeg[scan + 5] ?? 0, 0, 0, 63, 0]),
      jpeg.subarray(scan + 14),
    ]);
    expect(reasonOf(colourless)).toContain("did not arrive whole");
  });

  test("that claims a huge canvas, or is tiny, is refused by its header", () => {
    const claiming = (width: number, height: number) =>
      Buffer.concat([png.subarray(0, 8), pngHeader(width, height), png.subarray(33)]);
    expect(reasonOf(claiming(60_000, 60_000))).toContain("50 million at most");
    expect(reasonOf(claiming(10_001, 5000))).toContain("50 million at most");
    expect(inspectPhoto(claiming(10_000, 5000))).toMatchObject({ width: 10_000 });
    expect(reasonOf(claiming(15, 48))).toContain("16 × 16 at least");
    expect(reasonOf(claiming(48, 15))).toContain("16 × 16 at least");
    expect(inspectPhoto(claiming(16, 16))).toMatchObject({ width: 16, height: 16 });
    const size = jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 5;
    const huge = Buffer.from(jpeg);
    huge.writeUInt16BE(65_000, size);
    huge.writeUInt16BE(65_000, size + 2);
    expect(reasonOf(huge)).toContain("50 million at most");
  });

  test("with more than 100 scans is refused, as each makes the decoder go through all of it", () => {
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const [head, rest] = [jpeg.subarray(0, scan), jpeg.subarray(scan, -2)];
    const withScans = (scans: number) => Buffer.concat([head, ...Array(scans).fill(rest), jpeg.subarray(-2)]);
    expect(inspectPhoto(withScans(100))).toMatchObject({ kind: "jpeg" });
    expect(reasonOf(withScans(101))).toContain("more than 100 scans");
  });

  test("in more than 20,000 pieces is refused: going through millions of them would hold everybody up", () => {
    const pngWith = (chunks: number) =>
      Buffer.concat([png.subarray(0, -12), ...Array(chunks).fill(pngChunk("IDAT", bytesOf(""))), png.subarray(-12)]);
    expect(inspectPhoto(pngWith(19_000))).toMatchObject({ kind: "png" });
    expect(reasonOf(pngWith(20_000))).toContain("more than 20000 pieces");
    const webpWith = (chunks: number) => {
      const file = Buffer.concat([webp, ...Array(chunks).fill(bytesOf("none\0\0\0\0"))]);
      file.writeUInt32LE(file.length - 8, 4);
      return file;
    };
    expect(inspectPhoto(webpWith(19_000))).toMatchObject({ kind: "webp" });
    expect(reasonOf(webpWith(20_000))).toContain("more than 20000 pieces");
  });

  test("is decoded without its texts and what follows it", () => {
    const handed = (bytes: Uint8Array): Buffer => {
      const photo = inspectPhoto(bytes);
      return photo instanceof Failure ? Buffer.alloc(0) : Buffer.concat(photo.parts);
    };
    expect(handed(phonePhoto(jpeg, 1)).includes("trailing bytes")).toBe(false);
    const texts = pngOf({ width: 16, height: 16 }, () => [1, 2, 3, 255], [
      pngChunk("tEXt", bytesOf("a text")),
      pngChunk("eXIf", bytesOf("GPS")),
    ]);
    expect(handed(texts).includes("a text")).toBe(false);
    expect(handed(texts).includes("GPS")).toBe(false);
    expect(handed(Buffer.concat([webp, bytesOf("trailing bytes")])).includes("trailing bytes")).toBe(false);
  });

  test("that is an animation is its first frame", () => {
    const still = inspectPhoto(webp);
    const moving = inspectPhoto(animation(64, 48, [webp, webp]));
    expect(moving).toMatchObject({ kind: "webp", width: 64, height: 48 });
    const handed = [still, moving].map((photo) => (photo instanceof Failure ? null : Buffer.concat(photo.parts)));
    expect(handed[1]).toEqual(handed[0]);
  });
});
