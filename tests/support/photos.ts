import { deflateSync } from "node:zlib";

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A chunk of a PNG. */
export const pngChunk = (name: string, content: Uint8Array): Buffer => {
  const chunk = Buffer.alloc(12 + content.length);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(name, 4, "latin1");
  chunk.set(content, 8);
  chunk.writeUInt32BE(Bun.hash.crc32(chunk.subarray(4, chunk.length - 4)), chunk.length - 4);
  return chunk;
};

/** The first chunk of a PNG, which says its size. */
export const pngHeader = (width: number, height: number): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 6], 8);
  return pngChunk("IHDR", header);
};

/** A PNG of these pixels, with further chunks before them. */
export const pngOf = (
  { width, height }: { readonly width: number; readonly height: number },
  pixelAt: (x: number, y: number) => Pixel,
  further: readonly Uint8Array[] = [],
): Buffer => {
  const rows = Buffer.alloc((width * 4 + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows.set(pixelAt(x, y), y * (width * 4 + 1) + 1 + x * 4);
  return Buffer.concat([
    PNG_SIGNATURE,
    pngHeader(width, height),
    ...further,
    pngChunk("IDAT", deflateSync(rows)),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
};

/** Red on the left, blue on the right, and green above both: it looks different after every turn. */
export const signpost = (width: number, height: number): Buffer =>
  pngOf({ width, height }, (x, y) => {
    if (y < height / 2) return [0, 200, 0, 255];
    return x < width / 2 ? [220, 0, 0, 255] : [0, 0, 220, 255];
  });

/** A JPEG of the signpost. A number makes it another photo. */
export const jpegPhoto = async (width = 64, height = 48, number = 0): Promise<Buffer> =>
  Buffer.from(
    await new Bun.Image(pngOf({ width, height }, (x, y) => [x % 256, y % 256, number % 256, 255])).jpeg().bytes(),
  );

const segment = (marker: number, content: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};

/** EXIF that says how a camera was held, with a position and a name. */
const exifOf = (orientation: number): Buffer => {
  const tiff = Buffer.alloc(26);
  tiff.write("II*\0", 0, "latin1");
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(1, 8);
  tiff.writeUInt16LE(0x0112, 10);
  tiff.writeUInt16LE(3, 12);
  tiff.writeUInt32LE(1, 14);
  tiff.writeUInt16LE(orientation, 18);
  return segment(0xe1, Buffer.concat([Buffer.from("Exif\0\0"), tiff, Buffer.from("GPSLatitude 30.2672")]));
};

/** A JPEG with segments behind its beginning. */
const withSegments = (jpeg: Buffer, ...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

/** A JPEG as a phone takes it: turned, and with everything that must not be published. */
export const phonePhoto = (jpeg: Buffer, orientation: number): Buffer =>
  Buffer.concat([
    withSegments(jpeg, exifOf(orientation), segment(0xfe, Buffer.from("a comment of the camera"))),
    Buffer.from("trailing bytes"),
  ]);

/** A JPEG with a colour profile of this content. */
export const withProfile = (jpeg: Buffer, profile: Uint8Array): Buffer =>
  withSegments(jpeg, segment(0xe2, Buffer.concat([Buffer.from("ICC_PROFILE\0\x01\x01", "latin1"), profile])));

const webpChunk = (name: string, content: Uint8Array): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 0, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
};
const uint24 = (number: number): number[] => [number & 255, (number >> 8) & 255, number >> 16];

/** An animation of these pictures, each of which is a WebP without transparency and of the same size. */
export const animation = (width: number, height: number, stills: readonly Uint8Array[]): Buffer => {
  const size = [...uint24(width - 1), ...uint24(height - 1)];
  const body = Buffer.concat([
    Buffer.from("WEBP"),
    webpChunk("VP8X", Buffer.from([2, 0, 0, 0, ...size])),
    webpChunk("ANIM", Buffer.alloc(6)),
    ...stills.map((still) =>
      webpChunk(
        "ANMF",
        Buffer.concat([Buffer.from([...uint24(0), ...uint24(0), ...size, ...uint24(100), 0]), still.subarray(12)]),
      ),
    ),
  ]);
  return webpChunk("RIFF", body);
};

/** The pixels of an image, scaled to so few that each stands for a region. */
export const pixelsOf = async (image: Uint8Array, width: number, height: number): Promise<readonly Pixel[]> => {
  const { inflateSync } = await import("node:zlib");
  const png = Buffer.from(
    await new Bun.Image(image).resize(width, height, { filter: "box" }).png({ compressionLevel: 0 }).bytes(),
  );
  const packed: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      packed.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const rows = inflateSync(Buffer.concat(packed));
  return Array.from({ length: width * height }, (_, place) => {
    const at = Math.floor(place / width) * (width * 4 + 1) + 1 + (place % width) * 4;
    return [rows[at] ?? 0, rows[at + 1] ?? 0, rows[at + 2] ?? 0, rows[at + 3] ?? 0];
  });
};

/** The colour of a pixel in a word. */
export const colourOf = ([red, green, blue]: Pixel): string => {
  if (Math.min(red, green, blue) > 230) return "white";
  const most = Math.max(red, green, blue);
  return most === red ? "red" : most === green ? "green" : "blue";
};
